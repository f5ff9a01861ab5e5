"""Counts of eigenvalues against all eigenvalues of small bodies."""

import numpy as np
import pytest
import scipy.linalg

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.elements.properties import STEEL
from flexframe.equations.affine import AffineEquations
from flexframe.mesh.builders import annulus
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body, Damping
from flexframe.spectra.rotation.contour import eigenvalues_inside
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.spinning_equations import spinning_equations

from .rotors import AXIS, shaft


def all_eigenvalues(equations: AffineEquations, speed: float) -> np.ndarray:
    M, C, K = (equations.at_speed(rate, speed).toarray() for rate in (2, 1, 0))
    n = len(M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-K, -C]])
    return scipy.linalg.eigvals(A, scipy.linalg.block_diag(np.eye(n), M))


def ring(damping: float = 0.0) -> Body:
    """A free ring in its plane: spinning, its stiffness is indefinite."""
    body = Body.plane("ring", annulus(0.1, 0.2, (2, 12)), material=STEEL, thickness=0.01)
    return Body(body.name, body.mesh, body.regions, space=body.space, damping=Damping(stiffness=damping))


@pytest.mark.parametrize("speed", [0.0, 900.0, 4000.0])
@pytest.mark.parametrize("damping", [0.0, 2e-6])
def test_argument_principle(speed: float, damping: float) -> None:
    """Whole numbers: the same as among all eigenvalues, for circles in two gaps of the spectrum."""
    equations = spinning_equations(rotor_model(ring(damping)))
    values = all_eigenvalues(equations, speed)
    sizes = np.unique(np.round(np.abs(values[values.imag > 100.0]), 3))
    gaps = np.argsort(-np.diff(sizes[:24]))[:2]
    for gap in gaps:
        radius = float(sizes[gap] + sizes[gap + 1]) / 2
        heights = np.sort(values.imag[(values.imag > 50.0)])
        floor = float(heights[0]) / 2
        expected = int(((np.abs(values) < radius) & (values.imag > floor)).sum())
        distance = float(sizes[gap + 1] - sizes[gap]) / 2
        assert eigenvalues_inside(equations, speed, floor, radius, distance) == expected


def test_free_spinning_body_is_counted_by_a_curve() -> None:
    """Free in its plane: indefinite, counted by the argument principle and not by the signed count."""
    body = Body.plane("ring", annulus(0.1, 0.2, (4, 28)), material=STEEL, thickness=0.01)
    diagram = campbell_diagram(body, [800.0, 1600.0], modes=8, engine_orders=())
    assert diagram.confirmed is True
    assert "argument principle" in diagram.completeness or "all eigenvalues" in diagram.completeness


def test_damped_shaft_is_counted_by_a_curve() -> None:
    """360 unknowns, damped bearings: eigenvalues off the axis."""
    diagram = campbell_diagram(
        shaft(60),
        [200.0, 400.0],
        modes=4,
        axis=AXIS,
        bearings=[Bearing((0.5, 0.0, 0.0), stiffness=1e5, damping=40.0)],
        engine_orders=(),
    )
    assert diagram.confirmed is True
    assert "argument principle" in diagram.completeness or "all eigenvalues" in diagram.completeness
