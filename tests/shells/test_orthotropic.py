"""Shells of orthotropic materials: exact plates, coupons cut at an angle, and the way their axes lie."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.cases.case import parse_case
from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial
from flexframe.elements.properties import ShellProperty
from flexframe.elements.shell_common import shell_elasticity
from flexframe.errors import InputError
from flexframe.maths.rotations import rotation_about_z, rotation_from_vector
from flexframe.mesh.builders import rectangle
from flexframe.model.loads import Pressure
from flexframe.model.supports import Fix

from .models import IN_PLANE_DOFS, every_shape, mapped, material, shaken, shell_body, solved, symmetry

# carbon fibre in epoxy, stiff along 1
LAYER = OrthotropicMaterial((140.0, 10.0, 10.0), (0.3, 0.4, 0.3), (5.0, 3.5, 5.0), 1.0, "layer")


def rigidities(thickness: float) -> tuple[float, float, float, float]:
    """D11, D22, D12, D66 of the plate along its axes, from the constants."""
    (E1, E2, _), (nu12, _, _), (G12, _, _) = LAYER.young, LAYER.poisson, LAYER.shear
    scale = thickness**3 / 12
    q = 1 - nu12**2 * E2 / E1
    return scale * E1 / q, scale * E2 / q, scale * nu12 * E2 / q, scale * G12


def navier(a: float, b: float, thickness: float, *, across: bool = False) -> float:
    """Central deflection of the simply supported plate under unit pressure, by the double sine series."""
    D11, D22, D12, D66 = rigidities(thickness)
    if across:
        D11, D22 = D22, D11
    m = np.arange(1, 200, 2)
    x, y = (m[:, None] / a) ** 2, (m[None] / b) ** 2
    sign = np.outer((-1.0) ** ((m - 1) // 2) / m, (-1.0) ** ((m - 1) // 2) / m)
    return float(16 / np.pi**6 * (sign / (D11 * x**2 + 2 * (D12 + 2 * D66) * x * y + D22 * y**2)).sum())


@every_shape
@pytest.mark.parametrize("across", [False, True], ids=["along", "across"])
def test_simply_supported_plate(shape: str, across: bool) -> None:
    """Navier's solution for 1 × 1.5 with the fibres along x or y; second order: 8 and 16 extrapolated to 2e-3.

    With t = 0.002 shear adds (t/a)² E1/G = 1e-4.
    """
    a, b, t = 1.0, 1.5, 0.002
    orientation = Orientation((0, 1, 0), (-1, 0, 0)) if across else None
    found = []
    for n in (8, 16):
        mesh = rectangle(a / 2, b / 2, (n, n), order=1, shape=shape)
        supports = [symmetry("right", 0), symmetry("top", 1)]
        supports += [Fix("left", ("uz", "rx", *IN_PLANE_DOFS)), Fix("bottom", ("uz", "ry", *IN_PLANE_DOFS))]
        prop = ShellProperty(LAYER, t, orientation=orientation)
        found.append(-float(solved(mesh, prop, supports, [Pressure("all", 1.0)]).at(a / 2, b / 2)[2]))
    exact = navier(a, b, t, across=across)
    coarse, fine = (value / exact - 1 for value in found)
    assert abs(fine) < 0.01
    assert (4 * fine - coarse) / 3 == pytest.approx(0, abs=2e-3)


@every_shape
def test_coupon_cut_at_an_angle(shape: str) -> None:
    """Uniform tension at 30° to the fibres on a shaken mesh: strains of the turned compliance, to round-off.

    1/Ex = c⁴/E1 + s⁴/E2 + c²s²(1/G12 − 2ν12/E1), and the coupon shears although it is only pulled.
    """
    angle, t = np.radians(30), 0.1
    c, s = np.cos(angle), np.sin(angle)
    (E1, E2, _), (nu12, _, _), (G12, _, _) = LAYER.young, LAYER.poisson, LAYER.shear
    stretch = c**4 / E1 + s**4 / E2 + c**2 * s**2 * (1 / G12 - 2 * nu12 / E1)
    contraction = (c**4 + s**4) * nu12 / E1 - c**2 * s**2 * (1 / E1 + 1 / E2 - 1 / G12)
    shear = (2 / E1 + 2 * nu12 / E1 - 1 / G12) * c**3 * s - (2 / E2 + 2 * nu12 / E1 - 1 / G12) * c * s**3
    mesh = shaken(rectangle(2.0, 1.0, (4, 3), order=1, shape=shape), 0.1)
    prop = ShellProperty(LAYER, t, orientation=Orientation.of_rotation(angle))
    supports = [Fix("bottom_left", ("ux", "uy", "uz", "rx", "ry")), Fix("top_left", ("ux", "uz"))]
    result = solved(
        mesh, prop, [*supports, Fix("bottom_right", ("uz",))], [Pressure("right", -1.0), Pressure("left", -1.0)]
    )
    x, y, _ = mesh.points.T
    # no rotation of the left side: u = ε x, v = −ν ε y + γ x
    expected = np.stack([stretch * x, shear * x - contraction * y], axis=1)
    np.testing.assert_allclose(result.nodal[:, :2], expected, atol=1e-11 * abs(expected).max())


@every_shape
def test_turned_body_and_axes(shape: str) -> None:
    """A plate turned in space with its material has the same stiffness, to round-off of the condition 1e8."""
    Q = rotation_from_vector(np.array([0.4, -0.7, 1.1]))
    mesh = rectangle(1.0, 0.7, (3, 2), order=1, shape=shape)
    axes = Orientation.of_rotation(0.5)
    turned = Orientation(tuple(Q @ axes.axes()[0]), tuple(Q @ axes.axes()[1]))
    here = discretise(shell_body(mesh, ShellProperty(LAYER, 0.01, orientation=axes))).stiffness.toarray()
    there = discretise(shell_body(mesh.moved(Q), ShellProperty(LAYER, 0.01, orientation=turned)))
    R = np.kron(np.eye(2 * mesh.node_count), Q)
    np.testing.assert_allclose(R.T @ there.stiffness.toarray() @ R, here, atol=1e-12 * abs(here).max())


def test_isotropic_constants_give_the_isotropic_shell() -> None:
    """E, ν, G = E/2(1+ν) in any direction: the same moduli, to round-off."""
    iso = material(3.0, 0.25)
    G = iso.shear_modulus
    same = OrthotropicMaterial((3.0,) * 3, (0.25,) * 3, (G,) * 3, 1.0)
    axes = np.stack([rotation_about_z(angle).T for angle in (0.0, 0.4, 2.0)])
    expected = shell_elasticity(ShellProperty(iso, 0.1), axes)
    found = shell_elasticity(ShellProperty(same, 0.1, orientation=Orientation.of_rotation(0.3)), axes)
    np.testing.assert_allclose(found.membrane, np.broadcast_to(expected.membrane, (3, 3, 3)), atol=ROUNDING)
    np.testing.assert_allclose(found.shear, np.broadcast_to(expected.shear, (3, 2, 2)), atol=ROUNDING)
    assert found.poisson == pytest.approx(0.25, rel=ROUNDING)


def test_fibres_along_a_tube() -> None:
    """A tube with its fibres along the axis widens under internal pressure by pR²/(E2 t): 24 chords, 1 %.

    Axis 1 is given once for all elements and projected on each of them.
    """
    radius, t, p = 1.0, 0.02, 1e-4
    mesh = mapped(
        "quad",
        (2, 24),
        lambda u, v: (0.2 * u, radius * np.cos(np.pi / 2 * (1 - v)), radius * np.sin(np.pi / 2 * (1 - v))),
    )
    prop = ShellProperty(LAYER, t, orientation=Orientation((1, 0, 0), (0, 1, 0)))
    result = solved(
        mesh, prop, [symmetry("left", 0), symmetry("bottom", 1), symmetry("top", 2)], [Pressure("all", -p)]
    )
    radial = np.einsum("ni,ni->n", result.nodal[:, 1:3], mesh.points[:, 1:]) / radius
    assert radial.mean() == pytest.approx(p * radius**2 / (LAYER.young[1] * t), rel=0.01)


def test_refusals() -> None:
    """Axis 1 across the shell has no direction in it."""
    prop = ShellProperty(LAYER, 0.1, orientation=Orientation((0, 0, 1), (1, 0, 0)))
    with pytest.raises(InputError, match="stands across the shell"):
        discretise(shell_body(rectangle(1.0, 1.0, (1, 1), order=1), prop))


def test_in_a_case_file(tmp_path) -> None:
    """`orientation` beside `shell`."""
    text = """
materials:
  layer:
    {young: [140 GPa, 10 GPa, 10 GPa], poisson: [0.3, 0.4, 0.3], shear: [5 GPa, 3.5 GPa, 5 GPa], density: 1600}
bodies:
  plate:
    mesh: {rectangle: {length: 1, height: 1, divisions: [2, 2], order: 1}}
    material: layer
    shell: {thickness: 2 mm}
    orientation: {angle: 90 deg}
analyses: {modes: {kind: modes, count: 8}}
"""
    case = parse_case(text, file="plate.yaml", folder=tmp_path)
    (part,) = case.bodies()["plate"].regions
    assert isinstance(part.prop, ShellProperty)
    assert part.prop.orientation is not None
    np.testing.assert_allclose(part.prop.orientation.axes()[0], [0, 1, 0], atol=ROUNDING)
