"""The strain energy of fourth order against integrals in closed form."""

import numpy as np
import pytest

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import Material, PlaneProperty, Rectangle
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import rectangle
from flexframe.model.body import Body, Region
from flexframe.reduction.next_order import quartic_energy

LENGTH, MATERIAL, SECTION = 2.0, Material(3e9, 0.0, 1200.0), Rectangle(0.03, 0.02)
ROUNDING = 1e-12


def beam(space: str) -> DiscreteBody:
    return discretise(
        Body.beam(
            "beam",
            length=LENGTH,
            divisions=5,
            section=SECTION,
            material=MATERIAL,
            theory="euler_bernoulli",
            space=space,  # type: ignore[arg-type]
        )
    )


def vector(discrete: DiscreteBody, displacements: dict[int, Array]) -> Array:
    """Nodal values by component as a vector over the degrees of freedom."""
    nodal = np.zeros((len(discrete.body.mesh.points), 6))
    for component, values in displacements.items():
        nodal[:, component] = values
    numbers = discrete.dofs.numbers
    out = np.zeros(discrete.dofs.count)
    present = numbers >= 0
    out[numbers[present]] = nodal[present]
    return out


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_constant_curvature(space: str) -> None:
    """w = ax²: ½∫EI w″²w′² = 8 EI a⁴ L³/3; elements of constant curvature and linear slope hold it exactly."""
    discrete = beam(space)
    x = discrete.body.mesh.points[:, 0]
    bent = vector(discrete, {1: x**2, 5: 2 * x})
    stretched = vector(discrete, {0: x})
    energy = quartic_energy(discrete, np.stack([bent, stretched], axis=1))
    amount = 0.01
    exact = 8 / 3 * MATERIAL.young * SECTION.inertia_z * amount**4 * LENGTH**3
    assert energy.value(np.array([amount, 0.0])) == pytest.approx(exact, rel=ROUNDING)
    # a beam that is only stretched or twisted turns no section
    assert abs(energy.value(np.array([0.0, amount]))) < ROUNDING * exact


def test_bent_strip_of_plane_elements() -> None:
    """The same of a strip of plane stress elements, ν = 0; rotations are constant in its elements, 12 along it."""
    height, thickness, count = 0.05, 0.02, 12
    mesh = rectangle(LENGTH, height, (count, 2))
    discrete = discretise(Body("strip", mesh, (Region(PlaneProperty(MATERIAL, thickness)),)))
    x, y = mesh.points[:, 0], mesh.points[:, 1] - mesh.points[:, 1].mean()
    # u = −2xy, v = x²: pure bending
    energy = quartic_energy(discrete, vector(discrete, {0: -2 * x * y, 1: x**2})[:, None])
    exact = 8 / 3 * MATERIAL.young * thickness * height**3 / 12 * LENGTH**3
    # a mean slope in each element misses h²/12 of ∫(2x)², 1/(4·12²) of it; incompatible modes hold the bending
    assert energy.value(np.array([1.0])) == pytest.approx(exact, rel=0.01)
