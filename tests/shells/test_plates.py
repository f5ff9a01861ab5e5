"""Square plates under uniform load: thin limits, thick plates, buckling."""

import numpy as np
import pytest
import scipy.sparse.linalg as sla
from tests.geometric import geometric_stiffness

from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import ShellProperty
from flexframe.mesh.builders import rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.model.loads import NodeForce, Pressure
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import REST

from .models import every_shape, material, shaken, shared, shell_body, solved, symmetry

STEEL_LIKE = material(2.0, 0.3)
IN_PLANE = ("ux", "uy", "rz")


def quarter(shape: str, divisions: int, distorted: float = 0.0) -> Mesh:
    """A quarter of the unit square with its centre at (½, ½); "left" and "bottom" are the edge of the plate."""
    return shaken(rectangle(0.5, 0.5, (divisions, divisions), order=1, shape=shape), distorted * 0.5 / divisions)


def supports(edge: str):
    planes = [symmetry("right", 0), symmetry("top", 1)]
    if edge == "clamped":
        return [*planes, Clamp("left"), Clamp("bottom")]
    return [*planes, Fix("left", ("uz", "rx", *IN_PLANE)), Fix("bottom", ("uz", "ry", *IN_PLANE))]


def central_deflection(mesh: Mesh, thickness: float, edge: str) -> float:
    """w D / q a⁴ at the centre."""
    rigidity = STEEL_LIKE.young * thickness**3 / (12 * (1 - STEEL_LIKE.poisson**2))
    load = Pressure("all", rigidity)
    return -float(solved(mesh, ShellProperty(STEEL_LIKE, thickness), supports(edge), [load]).at(0.5, 0.5)[2])


@every_shape
@pytest.mark.parametrize("thickness", [1e-2, 1e-4], ids=["thin", "very thin"])
@pytest.mark.parametrize(("edge", "exact"), [("simply supported", 0.00406235), ("clamped", 0.00126532)])
def test_thin_plate(shape: str, edge: str, exact: float, thickness: float) -> None:
    """Kirchhoff's limit, with second order (a factor of 4) from 4 to 8 divisions of the quarter.

    4 divisions are within 2.5 %, 8 within 0.8 %, also with t = 0.01, where shear adds 0.2 % at most.
    """
    coarse, fine = (central_deflection(quarter(shape, n), thickness, edge) / exact - 1 for n in (4, 8))
    assert abs(coarse) < 0.025
    assert abs(fine) < 0.008
    if thickness == 1e-4:
        assert 3.5 < abs(coarse / fine) < 5
        assert (4 * fine - coarse) / 3 == pytest.approx(0, abs=5e-4)


@every_shape
@pytest.mark.parametrize(("edge", "exact"), [("simply supported", 0.00406235), ("clamped", 0.00126532)])
def test_distorted_thin_plate_does_not_lock(shape: str, edge: str, exact: float) -> None:
    """t/a = 1e-4 on a shaken 8 × 8 quarter is within 2 % (0.6 % without shaking), not stiff by orders."""
    assert central_deflection(quarter(shape, 8, distorted=0.3), 1e-4, edge) == pytest.approx(exact, rel=0.02)


def moment_sum() -> float:
    """−∇²w D/qa² at the centre of the simply supported Kirchhoff plate, by Navier's series."""
    m = np.arange(1, 400, 2)
    sign = (-1.0) ** ((m - 1) // 2)
    series = np.outer(sign / m, sign / m) / (m[:, None] ** 2 + m[None] ** 2)
    return float(16 / np.pi**4 * series.sum())


@every_shape
def test_thick_plate(shape: str) -> None:
    """Hard simple support of a Mindlin plate: w = w_K + M_K/κGt with ∇²M_K = −q, exact for polygons.

    Second order: extrapolated from 4 and 8 divisions to 1e-3.
    """
    thickness, nu = 0.2, STEEL_LIKE.poisson
    # D/κGt of w D/qa⁴
    flexibility = 2 / (1 - nu) / (5 / 6) * thickness**2 / 12
    exact = 0.00406235 + moment_sum() * flexibility
    coarse, fine = (central_deflection(quarter(shape, n), thickness, "simply supported") for n in (4, 8))
    assert fine == pytest.approx(exact, rel=0.01)
    assert (4 * fine - coarse) / 3 == pytest.approx(exact, rel=1e-3)


@every_shape
def test_buckling_of_a_compressed_plate(shape: str) -> None:
    """A simply supported square under N along x buckles at 4π²D/b²: k_g of membrane forces on the slopes of w.

    Shear flexibility is 1e-4 at t/b = 0.005; second order: extrapolated from 8 and 12 divisions to 3e-3.
    """
    thickness = 0.005
    prop = ShellProperty(STEEL_LIKE, thickness)
    rigidity = STEEL_LIKE.young * thickness**3 / (12 * (1 - STEEL_LIKE.poisson**2))
    factors = []
    for divisions in (8, 12):
        mesh = rectangle(1.0, 1.0, (divisions, divisions), order=1, shape=shape)
        held = [Fix(side, ("uz",)) for side in ("left", "right", "bottom", "top")]
        held += [Fix("left", ("ux",)), Fix("bottom_left", ("uy",))]
        body = shell_body(mesh, prop, held, shared(mesh, "right", (-rigidity, 0.0, 0.0)))
        discrete = discretise(body)
        reduce = discrete.supports.reduce_matrix
        K, K_g = reduce(discrete.stiffness), reduce(geometric_stiffness(discrete, REST))
        # K φ = λ (−K_g) φ, turned round because −K_g is not definite
        mu = sla.eigsh(-K_g, 1, M=K.tocsc(), which="LA", return_eigenvectors=False)
        factors.append(1 / mu[0] / np.pi**2)
    coarse, fine = factors
    assert fine == pytest.approx(4, rel=0.03)
    assert fine + (fine - coarse) / (12**2 / 8**2 - 1) == pytest.approx(4, rel=3e-3)


def test_twisted_strip() -> None:
    """A long strip of b = 10t under a torque turns by T/(0.3123 G b t³) for each length (Saint-Venant).

    Half of the torque is the twisting moment along the end, the other half forces at its corners. Ten widths of
    eight elements: 3 %.
    """
    length, width, t = 4.0, 0.4, 0.04
    mesh = rectangle(length, width, (40, 8), order=1)
    prop = ShellProperty(STEEL_LIKE, t)
    right = mesh.nodes_of("right")
    across = mesh.points[right, 1] - width / 2
    weights = np.where(np.abs(across) > width / 2 - 1e-9, 0.5, 1.0)
    loads = [
        NodeForce(int(n), (0, 0, 0), (w / weights.sum() / 2, 0, 0)) for n, w in zip(right, weights, strict=True)
    ]
    ends = [right[np.argmin(across)], right[np.argmax(across)]]
    loads += [NodeForce(int(ends[0]), (0, 0, -0.5 / width)), NodeForce(int(ends[1]), (0, 0, 0.5 / width))]
    result = solved(mesh, prop, [Clamp("left")], loads)
    torsion = 0.3123 * width * t**3 * STEEL_LIKE.shear_modulus
    # between two sections away from the ends
    turns = result.at(3.0, width / 2)[3] - result.at(1.0, width / 2)[3]
    assert turns == pytest.approx(2.0 / torsion, rel=0.03)
