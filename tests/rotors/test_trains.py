"""Several shafts and casings: two speeds, gears, a casing as a body of its own."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh
from tests.rounding import rounding

import flexframe as ff
from flexframe.elements.properties import BarProperty
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS
from flexframe.errors import InputError
from flexframe.model.body import Region
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.rotor_model import rotor_model


def shaft(
    name: str,
    *,
    diameter: float = 0.05,
    bore: float = 0.0,
    length: float = 1.0,
    motions: str = "lateral",
    **more: object,
) -> ff.Body:
    piece = ff.rotors.ShaftPiece(length, (ff.rotors.ShaftLayer(diameter, bore),), elements=4)
    wheel = ff.rotors.Disc(length / 2, 12.0, 0.25, 0.13, name="wheel")
    return ff.rotors.rotor_body(
        name,
        [piece],
        material=ff.STEEL,
        discs=[wheel],
        motions=motions,
        **more,  # type: ignore[arg-type]
    )


def eigenvalues(rotor: object, speed: float) -> np.ndarray:
    """All of the full equations with Im λ ≥ 0 by ascending |λ|."""
    equations = inertial_equations(rotor_model(rotor))  # type: ignore[arg-type]
    M, C, K = (equations.at_speed(order, speed).toarray() for order in (MASS, DAMPING, STIFFNESS))
    inverse, n = np.linalg.inv(M), len(M)
    found = np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ K, -inverse @ C]]))
    found = found[found.imag >= -1e-6]
    return found[np.argsort(np.abs(found))]


def test_two_shafts_without_a_link_are_two_shafts() -> None:
    """At ratios 1 and −1.7 each has the eigenvalues that it has alone at its own speed."""
    held = (
        ff.rotors.Bearing((0.0, 0, 0), stiffness=2e6),
        ff.rotors.Bearing((1.0, 0, 0), stiffness=(3e6, 1e6), damping=50.0),
    )
    first, second = (shaft(name, diameter=d, bearings=held) for name, d in (("inner", 0.05), ("outer", 0.07)))
    train = ff.rotors.RotorTrain(
        "train", (ff.rotors.TrainMember(first), ff.rotors.TrainMember(second, -1.7, (0.0, 0.4, 0.0)))
    )
    speed = 250.0
    both = np.concatenate([eigenvalues(first, speed), eigenvalues(second, 1.7 * speed)])
    found = eigenvalues(train, speed)
    for value in both[np.abs(both) < 1e4]:
        assert np.abs(found - value).min() < rounding(1000, 1e5) * abs(value)
    assert len(found) == len(both)


def test_two_coaxial_shafts_of_different_speeds() -> None:
    """Rigid discs on massless springs: forward whirl of a tilting disc is split by its own speed.

    A bearing between the shafts joins them: without gyroscopic moments (speed 0) and with them the full matrices
    are those of a hand-made sum, K of both shafts and the spring between their middle stations.
    """
    ends = tuple(ff.rotors.Bearing((x, 0, 0), stiffness=5e6) for x in (0.0, 1.0))
    inner, outer = shaft("inner", bearings=ends), shaft("outer", diameter=0.1, bore=0.08, bearings=ends)
    between = ff.rotors.Bearing(
        "inner.wheel", stiffness=((4e6, 5e5), (-5e5, 4e6)), damping=200.0, to="outer.wheel"
    )
    train = ff.rotors.RotorTrain(
        "spools", (ff.rotors.TrainMember(inner), ff.rotors.TrainMember(outer, 1.6)), bearings=(between,)
    )
    equations = inertial_equations(rotor_model(train))
    alone = [inertial_equations(rotor_model(body)) for body in (inner, outer)]
    speed = 300.0
    model = rotor_model(train)
    sizes = [each.size for each in alone]
    for order, matrix in ((STIFFNESS, np.array([[4e6, 5e5], [-5e5, 4e6]])), (DAMPING, 200.0 * np.eye(2))):
        found = equations.at_speed(order, speed).toarray()
        wanted = np.zeros_like(found)
        first, second = alone[0].at_speed(order, speed).toarray(), alone[1].at_speed(order, 1.6 * speed).toarray()
        wanted[: sizes[0], : sizes[0]], wanted[sizes[0] :, sizes[0] :] = first, second
        kept = model.discrete.supports.kept
        nodes = [int(model.discrete.body.selected_nodes(f"{name}.wheel")[0]) for name in ("inner", "outer")]
        places = [np.searchsorted(kept, model.discrete.dofs.numbers[node, 1:3]) for node in nodes]
        for a, rows in zip((1, -1), places, strict=True):
            for b, columns in zip((1, -1), places, strict=True):
                wanted[np.ix_(rows, columns)] += a * b * matrix
        assert np.abs(found - wanted).max() < rounding(100) * np.abs(wanted).max()


def test_gears_turn_two_discs() -> None:
    """Torsion of J₁ and J₂ joined by teeth of stiffness k: ω² = k cos²α (r₁²/J₁ + r₂²/J₂), and one free rotation.

    The shafts are light beside the wheels, 4e-5 of the smaller one, which lowers ω by half of that.
    """
    light = replace(ff.STEEL, density=1.0, name="light", idealised=True)
    bodies = []
    for name, J in (("wheel", 0.4), ("pinion", 0.05)):
        piece = ff.rotors.ShaftPiece(0.2, (ff.rotors.ShaftLayer(0.1),), elements=2)
        disc = ff.rotors.Disc(0.1, 10.0, J, J / 2, name="gear")
        bodies.append(ff.rotors.rotor_body(name, [piece], material=light, discs=[disc], motions="torsional"))
    k, alpha, radii = 3e8, np.radians(20.0), (0.2, 0.08)
    mesh = ff.rotors.GearMesh("wheel.gear", "pinion.gear", radii, k, pressure_angle=alpha)
    members = (ff.rotors.TrainMember(bodies[0]), ff.rotors.TrainMember(bodies[1], at=(0.0, 0.28, 0.0)))
    train = ff.rotors.RotorTrain("gears", members, gears=(mesh,))
    assert train.ratios == {"wheel": 1.0, "pinion": pytest.approx(-2.5)}
    wanted = np.sqrt(k * np.cos(alpha) ** 2 * (radii[0] ** 2 / 0.4 + radii[1] ** 2 / 0.05))
    found = ff.campbell_diagram(train, [0.0, 50.0], modes=2, engine_orders=[])
    for row in found.frequencies_hz:
        assert np.abs(2 * np.pi * row - wanted).min() < 5e-5 * wanted
        assert np.abs(row).min() < 1e-4 * wanted  # both turn together


def test_gears_bend_their_shafts() -> None:
    """Lateral and torsional motions couple: the full matrices have k g gᵀ of the twelve motions of both wheels.

    With every motion free the frequencies at rest are those of a sum by hand, by another solver.
    """
    ends = tuple(ff.rotors.Bearing((x, 0, 0), stiffness=8e6) for x in (0.0, 1.0))
    held = (ff.Fix("start", ("ux",)),)
    bodies = [shaft(name, motions="all", bearings=ends, supports=held) for name in ("wheel", "pinion")]
    mesh = ff.rotors.GearMesh(
        "wheel.wheel", "pinion.wheel", (0.15, 0.1), 5e7, helix_angle=0.15, centres=(0.0, 0.6, 0.8)
    )
    members = (ff.rotors.TrainMember(bodies[0]), ff.rotors.TrainMember(bodies[1], at=(0.0, 0.15, 0.2)))
    train = ff.rotors.RotorTrain("gears", members, gears=(mesh,))
    diagram = ff.campbell_diagram(train, [0.0], modes=6, engine_orders=[])
    model = rotor_model(train)
    loose = inertial_equations(
        rotor_model(replace(train, gears=(), members=(members[0], replace(members[1], ratio=-1.5))))
    )
    g = np.zeros(model.discrete.dofs.count)
    for name, row in zip(("wheel", "pinion"), mesh.rows(np.array([1.0, 0.0, 0.0])), strict=True):
        node = int(model.discrete.body.selected_nodes(f"{name}.wheel")[0])
        g[model.discrete.dofs.numbers[node]] = row
    small = model.discrete.supports.reduce_vector(g)
    stiffness = loose.stiffness.toarray() + 5e7 * np.outer(small, small)
    squares = eigh(stiffness, loose.mass.toarray(), eigvals_only=True)
    wanted = np.sqrt(np.maximum(squares, 0.0))[1:6] / (2 * np.pi)  # one free rotation before
    for value in wanted:
        assert np.abs(diagram.frequencies_hz[0] - value).min() < 1e-6 * value


def test_teeth_push_along_the_line_of_action() -> None:
    """The approach of the teeth does not see a rigid rotation of both by their ratio, nor a common shift.

    Wheel 1 turns by θ, wheel 2 by −θ r₁/r₂. A shift of wheel 1 along the line of action is seen as it is.
    """
    mesh = ff.rotors.GearMesh(
        "a.x", "b.x", (0.3, 0.1), 1.0, pressure_angle=0.35, helix_angle=0.2, centres=(0.0, 2.0, 1.0)
    )
    axis = np.array([1.0, 0.0, 0.0])
    first, second = mesh.rows(axis)
    theta = np.concatenate([np.zeros(3), axis])
    assert abs(first @ theta - second @ theta * 0.3 / 0.1) < rounding(100)
    shift = np.concatenate([[0.3, -0.7, 0.2], np.zeros(3)])
    assert abs(first @ shift + second @ shift) < rounding(100)
    assert np.linalg.norm(first[:3]) == pytest.approx(1.0)
    assert first[0] == pytest.approx(np.sin(0.2))


def test_a_casing_of_beams_is_a_pedestal() -> None:
    """A casing that stands on four posts moves as one spring along y and z under its bearing.

    The posts are bars of stiffness EA/l to the ground on both sides: k_y = 2EA/l along y. With a rotor on a spring
    k_b the lowest frequencies along y are those of k_b and k_y in series, less the casing's own mass; the casing
    here is light, 1e-3 of the rotor, which lowers them by less than 1e-3.
    """
    body = ff.rotors.rotor_body(
        "rotor",
        [ff.rotors.ShaftPiece(0.2, (ff.rotors.ShaftLayer(0.1),), elements=2)],
        material=replace(ff.STEEL, young=2e14, density=1e-3, idealised=True),
        discs=[ff.rotors.Disc(0.1, 10.0, 0.1, 0.05, name="disc")],
        supports=(ff.Fix("all", ("ry", "rz")),),
    )
    posts = ff.mesh.polyline([(0.1, -0.5, 0.0), (0.1, 0.0, 0.0), (0.1, 0.5, 0.0)], 1)
    prop = Region(BarProperty(replace(ff.STEEL, density=1.0, idealised=True), 1e-5))
    casing = ff.Body(
        "casing",
        posts,
        (prop,),
        supports=(ff.Pin("start"), ff.Pin("end"), ff.Fix("corner1", ("ux", "uz"))),
        space="spatial",
    )
    k_b, k_y = 3e6, 2 * ff.STEEL.young * 1e-5 / 0.5
    link = ff.rotors.Bearing("rotor.disc", stiffness=((k_b, 0.0), (0.0, 2e6)), to="casing.corner1")
    train = ff.rotors.RotorTrain(
        "machine", (ff.rotors.TrainMember(body), ff.rotors.TrainMember(casing, 0.0)), bearings=(link,)
    )
    found = ff.campbell_diagram(train, [0.0, 100.0], modes=2, engine_orders=[])
    for row in found.frequencies_hz:
        # along y in series with the posts, along z on the bearing alone
        for k in (1 / (1 / k_b + 1 / k_y), 2e6):
            assert np.abs(row - np.sqrt(k / 10.0) / (2 * np.pi)).min() < 1e-3 * row.min()


def test_trains_that_do_not_fit() -> None:
    body, other = shaft("one"), shaft("two")
    with pytest.raises(InputError, match="how fast two turns"):
        ff.rotors.RotorTrain("t", (ff.rotors.TrainMember(body), ff.rotors.TrainMember(other)))
    gear = ff.rotors.GearMesh("one.wheel", "two.wheel", (0.1, 0.2), 1e8)
    with pytest.raises(InputError, match=r"its gear asks for -0\.5"):
        ff.rotors.RotorTrain("t", (ff.rotors.TrainMember(body), ff.rotors.TrainMember(other, 2.0)), gears=(gear,))
    train = ff.rotors.RotorTrain("t", (ff.rotors.TrainMember(body), ff.rotors.TrainMember(other, 2.0)))
    with pytest.raises(InputError, match="no frame that turns with all"):
        ff.campbell_diagram(train, [10.0], frame="rotating")
    with pytest.raises(InputError, match="is no place of train"):
        ff.campbell_diagram(train, [10.0], bearings=[ff.rotors.Bearing("wheel", stiffness=1.0)])
