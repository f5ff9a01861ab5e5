"""Strain of shells in coupled motions: both surfaces, against exact bending and stretching."""

from dataclasses import replace

import numpy as np
import pytest

from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice, elastic_parts
from flexframe.analyses.transient.coupled.stress_rows import RowStress, StressRows, stress_rows
from flexframe.elements.laminate import Layer, laminate
from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import Material, ShellProperty
from flexframe.mesh.builders import rectangle
from flexframe.model.body import Body, Region
from flexframe.model.loads import Load, NodeForce, Traction
from flexframe.model.system import System
from flexframe.reduction.strategies import Modal
from flexframe.sensors.contract import Reading

LENGTH, WIDTH, THICKNESS = 0.6, 0.3, 0.004
STEEL = Material(young=2.1e11, poisson=0.3, density=7850.0)
PLY = OrthotropicMaterial((1.4e11, 1e10, 1e10), (0.3, 0.4, 0.3), (5e9, 3e9, 5e9), 1600.0)


def plate(material, shape: str, moment: float = 0.0, pull: float = 0.0) -> Body:
    """A free plate in x–y; a moment per length about y and a pull per length along x on both ends."""
    mesh = rectangle(LENGTH, WIDTH, (6, 4), order=1, shape=shape)
    mesh = replace(mesh, points=mesh.points - np.array([0, WIDTH / 2, 0]))
    loads: list[Load] = []
    for side, sign in ((0.0, -1.0), (LENGTH, 1.0)):
        for node in np.flatnonzero(np.isclose(mesh.points[:, 0], side)):
            corner = np.isclose(abs(mesh.points[node, 1]), WIDTH / 2)
            share = sign * WIDTH / 4 * (0.5 if corner else 1.0)
            loads.append(NodeForce(int(node), moment=(0.0, share * moment, 0.0)))
        loads.append(Traction("right" if side else "left", (sign * pull / THICKNESS, 0.0, 0.0)))
    region = Region(ShellProperty(material, THICKNESS))
    return Body("plate", mesh, (region,), loads=tuple(loads), space="spatial")


def at_rest(body: Body, place) -> tuple[StressRows, np.ndarray]:
    """The sensor's rows, and the coordinates in equilibrium with the loads."""
    part = elastic_parts(System([body], space="spatial"), {"plate": ReductionChoice(Modal(3))}, watched={})[
        "plate"
    ]
    force = part.reduced.basis.reduce_vector(part.discrete.loads.forces)
    return stress_rows(part, place), np.linalg.solve(part.reduced.stiffness, force)


@pytest.mark.parametrize("shape", ["quad", "triangle"])
@pytest.mark.parametrize("material", [STEEL, PLY], ids=["isotropic", "orthotropic"])
def test_pure_bending_and_stretching(material, shape):
    """ε = (N/t ± 6M/t²)/E along the plate and −ν of it across, the same everywhere, in both surfaces.

    Constant curvature and stretch are met by the elements exactly, and the static answer to the loads belongs to
    the basis; 1e-6 is the condition of the plate, t²/L² = 4e-5, times rounding of its static solution.
    """
    moment, pull = 20.0, 3000.0
    young, poisson = (material.young, material.poisson) if material is STEEL else (1.4e11, 0.3)
    for place in ((0.3, 0.0, 0.0), (0.2, WIDTH / 4, 0.0)):
        rows, coordinates = at_rest(plate(material, shape, moment, pull), place)
        strains = RowStress(rows, Reading(coordinates[None])).strains()
        found = {name: strain.values[0] for name, strain in strains.items()}
        assert list(found) == ["exx_top", "eyy_top", "gxy_top", "exx_bottom", "eyy_bottom", "gxy_bottom"]
        # a moment about y at the far end pulls the surface to which the normal z points
        bending = 6 * moment / THICKNESS**2 / young
        stretch = pull / THICKNESS / young
        assert found["exx_top"] == pytest.approx(stretch + bending, rel=1e-6)
        assert found["exx_bottom"] == pytest.approx(stretch - bending, rel=1e-6)
        for side in ("top", "bottom"):
            assert found[f"eyy_{side}"] == pytest.approx(-poisson * found[f"exx_{side}"], rel=1e-6)
            assert found[f"gxy_{side}"] == pytest.approx(0.0, abs=1e-6 * bending)


@pytest.mark.parametrize("shape", ["quad", "triangle"])
def test_bending_of_two_layers(shape):
    """Timoshenko's strip of two metals with one Poisson ratio: M alone turns its sections about ∫E z dz = 0."""
    soft, moment = replace(STEEL, young=STEEL.young / 3, density=2700.0), 20.0
    layers = [Layer(STEEL, 0.001), Layer(soft, 0.003)]
    body = plate(STEEL, shape, moment)
    body = replace(body, regions=(Region(laminate(layers)),))
    rows, coordinates = at_rest(body, (0.3, 0.0, 0.0))
    strains = RowStress(rows, Reading(coordinates[None])).strains()
    found = {name: strain.values[0] for name, strain in strains.items()}
    weights = np.array([STEEL.young * 0.001, soft.young * 0.003])
    middles, sizes = np.array([0.0005, 0.0025]), np.array([0.001, 0.003])
    neutral = weights @ middles / weights.sum()
    stiffness = weights @ ((middles - neutral) ** 2 + sizes**2 / 12)
    for side, z in (("bottom", 0.0), ("top", 0.004)):
        wanted = moment / stiffness * (z - neutral)
        assert found[f"exx_{side}"] == pytest.approx(wanted, rel=1e-6)
        assert found[f"eyy_{side}"] == pytest.approx(-0.3 * wanted, rel=1e-6)
