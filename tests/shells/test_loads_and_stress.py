"""Loads on shells, and the forces and stress that are recovered from them."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import discretise
from flexframe.elements.families import family_for, family_named
from flexframe.elements.properties import STEEL, Material, PlaneProperty, ShellProperty
from flexframe.errors import InputError
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.builders import rectangle
from flexframe.mesh.cells import QUAD, QUAD8, TRIANGLE
from flexframe.model.body import Body
from flexframe.model.loads import Gravity, Load, NodeForce, Pressure, Traction
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import FrameMotion

from .models import FAMILY, every_shape, mapped, material, shell_body, solved, symmetry

PROP = ShellProperty(material(3.0, 0.25), 0.05)
TURNED = rotation_from_vector(np.array([0.3, 0.8, -0.5]))


def total(mesh, load):
    """Resultant force of a load on a free sheet."""
    discrete = discretise(shell_body(mesh, PROP, loads=[load]))
    return discrete.dofs.nodal(discrete.loads.forces)[:, :3].sum(axis=0)


@every_shape
def test_resultants_of_loads(shape: str) -> None:
    """A sheet of 2 × 1.5 turned in space: pressure, tractions on surface and edge, edge pressure, weight."""
    mesh = rectangle(2.0, 1.5, (3, 2), order=1, shape=shape).moved(TURNED)
    x, y, n = TURNED.T
    np.testing.assert_allclose(total(mesh, Pressure("all", 4.0)), -4.0 * 3.0 * n, atol=1e-13)
    np.testing.assert_allclose(total(mesh, Traction("all", (1.0, 2, 3))), 3.0 * np.array([1, 2, 3]), atol=1e-13)
    edge = 1.5 * PROP.thickness
    np.testing.assert_allclose(
        total(mesh, Traction("right", (1.0, 2, 3))), edge * np.array([1, 2, 3]), atol=ROUNDING
    )
    # towards the body: the outward normal of the right side is x, of the top y
    np.testing.assert_allclose(total(mesh, Pressure("right", 4.0)), -4.0 * edge * x, atol=1e-13)
    np.testing.assert_allclose(total(mesh, Pressure("top", 4.0)), -4.0 * 2.0 * PROP.thickness * y, atol=1e-13)
    np.testing.assert_allclose(total(mesh, Gravity((0, 0, -10.0))), [0, 0, -10 * 3.0 * PROP.thickness], atol=1e-12)


@every_shape
def test_pressurised_cylinder(shape: str) -> None:
    """Free to lengthen: N_hoop = pR, nothing else, u_r = pR²/Et; 24 chords of a quarter: 0.3 %.

    The normal points inwards, so that the pressure acts from inside. Local x is the projection of the body's x,
    the axis here. Corner nodes with one or two triangles get a half or all of their load: means within 2 %.
    """
    radius, length, p = 2.0, 1.0, 0.01
    mesh = mapped(
        shape,
        (6, 24),
        lambda u, v: (length * u, radius * np.cos(np.pi / 2 * v), radius * np.sin(np.pi / 2 * v)),
    )
    supports = [symmetry("left", 0), symmetry("bottom", 2), symmetry("top", 1)]
    result = statics(shell_body(mesh, PROP, supports, [Pressure("all", p)]))
    radial = np.einsum("ni,ni->n", result.displacements[:, 1:3], mesh.points[:, 1:]) / radius
    exact = p * radius**2 / (PROP.material.young * PROP.thickness)
    hoop, along = result.stress_values["Nyy"], result.stress_values["Nxx"]
    if shape == "quad":
        np.testing.assert_allclose(radial, exact, rtol=3e-3)
        np.testing.assert_allclose(hoop, p * radius, rtol=3e-3)
        np.testing.assert_allclose(along, 0, atol=3e-3 * p * radius)
    assert radial.mean() == pytest.approx(exact, rel=0.02)
    assert hoop.mean() == pytest.approx(p * radius, rel=0.02)
    assert along.mean() == pytest.approx(0, abs=0.02 * p * radius)


@every_shape
def test_stress_of_stretch_and_bending(shape: str) -> None:
    """N and M along x: the surfaces have N/t ± 6M/t², top on the side of the normal, stretched by a positive Mxx.

    Exact for both elements, with the moments that edge loads make on triangles: round-off 1e-9 of the largest.
    """
    t, force, moment = PROP.thickness, 0.3, 0.002
    mesh = rectangle(1.0, 0.5, (4, 2), order=1, shape=shape)
    nodes = mesh.nodes_of("right")
    shares = np.where(np.abs(mesh.points[nodes, 1] - 0.25) > 0.2, 0.125, 0.25)
    loads: list[Load] = [Traction("right", (force / t, 0, 0))]
    loads += [NodeForce(int(n), moment=(0, moment * share, 0)) for n, share in zip(nodes, shares, strict=True)]
    # Poisson's contraction and the anticlastic curvature stay free
    supports = [Fix("left", ("ux", "ry", "rz")), Fix("bottom_left", ("uy", "uz", "rx"))]
    result = statics(shell_body(mesh, PROP, supports, loads))
    expected = {
        "Nxx": force,
        "Mxx": moment,
        "Nyy": 0.0,
        "Myy": 0.0,
        "Qx": 0.0,
        "sxx_top": force / t + 6 * moment / t**2,
        "sxx_bottom": force / t - 6 * moment / t**2,
        "von_mises_top": force / t + 6 * moment / t**2,
        "von_mises_bottom": abs(force / t - 6 * moment / t**2),
        "von_mises": force / t + 6 * moment / t**2,
    }
    for name, value in expected.items():
        np.testing.assert_allclose(result.stress_values[name], value, atol=1e-9 * expected["sxx_top"])
        np.testing.assert_allclose(result.nodal_stress[name], value, atol=1e-9 * expected["sxx_top"])
    units = {maximum.measure: maximum.unit for maximum in result.maxima}
    assert (units["Nxx"], units["Mxx"], units["Qx"], units["sxx_top"]) == ("N/m", "N", "N/m", "Pa")


def test_shear_force_of_a_cantilever() -> None:
    """A strip with a tip load and ν = 0 is a beam: Q = F/b everywhere, M = −F/b (L − x) in the elements' mean."""
    length, width, force = 1.0, 0.4, 0.01
    prop = ShellProperty(material(3.0, 0.0), 0.05)
    mesh = rectangle(length, width, (8, 2), order=1)
    result = statics(shell_body(mesh, prop, [Clamp("left")], [Traction("right", (0, 0, force / width / 0.05))]))
    np.testing.assert_allclose(result.stress_values["Qx"], force / width, rtol=1e-9)
    x = result.stress_positions[:, 0].reshape(-1, 4).mean(axis=1)
    moment = result.stress_values["Mxx"].reshape(-1, 4).mean(axis=1)
    # w = Fx²(3L − x)/6EI: upward, so that the top is compressed
    np.testing.assert_allclose(moment, -force / width * (length - x), rtol=1e-9)


def test_spinning_plate_stress() -> None:
    """A long strip that spins about the normal at its middle carries N = ½ρtω²(L²/4 − x²): 1 %."""
    length, omega = 2.0, 0.3
    prop = ShellProperty(Material(3.0, 0.0, 1.0), 0.05)
    mesh = rectangle(length, 0.1, (40, 2), order=1).moved(np.eye(3), [-1.0, -0.05, 0])
    result = statics(shell_body(mesh, prop), FrameMotion.spin(omega))
    x = result.stress_positions[:, 0].reshape(-1, 4).mean(axis=1)
    exact = 0.5 * prop.thickness * omega**2 * (length**2 / 4 - x**2)
    along = result.stress_values["Nxx"].reshape(-1, 4).mean(axis=1)
    np.testing.assert_allclose(along, exact, atol=0.01 * exact.max())


def test_refusals() -> None:
    """What does not fit is named with the way out."""
    mesh = rectangle(1.0, 1.0, (2, 2), order=1)
    with pytest.raises(InputError, match="thickness is -1; give a positive number"):
        ShellProperty(STEEL, -1.0)
    with pytest.raises(InputError, match=r"rotary_inertia is -0\.1"):
        ShellProperty(STEEL, 0.1, rotary_inertia=-0.1)
    with pytest.raises(InputError, match="a shell has no quad8 cells; give its mesh order: 1"):
        family_for(QUAD8, PROP)
    with pytest.raises(InputError, match="PlaneProperty does not fit a shell"):
        family_named("shell_triangle").strain_fields(mesh.points[None, :3], PlaneProperty(STEEL, 0.1))
    plane = Body.plane("plate", mesh, material=STEEL, thickness=0.1, loads=(Pressure("all", 1.0),))
    with pytest.raises(InputError, match="the cells 'all', which are not all shells; give a facet set"):
        discretise(plane)


@every_shape
def test_the_family_follows_from_the_property(shape: str) -> None:
    """A ShellProperty on triangles or quadrilaterals is enough, also by `Body.shell`."""
    cell = {"quad": QUAD, "triangle": TRIANGLE}[shape]
    assert family_for(cell, PROP).name == FAMILY[shape]
    mesh = rectangle(1.0, 1.0, (2, 2), order=1, shape=shape)
    body = Body.shell("sheet", mesh, material=PROP.material, thickness=PROP.thickness, supports=(Clamp("left"),))
    discrete = discretise(body)
    assert discrete.batches[0].family.name == FAMILY[shape]
    assert discrete.dofs.count == 6 * mesh.node_count
    reference = solved(mesh, PROP, [Clamp("left")], [Pressure("all", 1.0)])
    assert np.abs(reference.discrete.stiffness - discrete.stiffness).max() == 0
