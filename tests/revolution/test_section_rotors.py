"""Solid rotors on bearings by their section: rotors of beams, rigid bodies, the full solid."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff
from flexframe.elements.properties import STEEL
from flexframe.errors import InputError
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.reference_points import with_points
from flexframe.model.body import Body, PointMass
from flexframe.model.supports import FrameSpring, MeanCoupling
from flexframe.motion.frame import FrameMotion

LENGTH, DIAMETER = 1.0, 0.1
STIFF = replace(STEEL, young=1e4 * STEEL.young, name="stiff", idealised=True)
MIDDLE = ff.sensors.DofSensor("middle", "ux")


def rod(material: ff.materials.Material = STEEL, **more: object) -> Body:
    """A round bar along y, with rings at its ends and in its middle."""
    mesh = ff.mesh.rectangle(DIAMETER / 2, LENGTH, (2, 16))
    ends = {
        name: np.flatnonzero(np.abs(mesh.points[:, 1] - y) < 1e-9)
        for name, y in (("first", 0.0), ("middle", LENGTH / 2), ("last", LENGTH))
    }
    body = Body.of_revolution("rod", mesh.with_sets(node_sets=ends), material=material)
    return replace(body, **more)  # type: ignore[arg-type]


def beam(bearings: list[ff.rotors.Bearing]) -> Body:
    """The same of beams along x; Timoshenko's with Cowper's coefficient."""
    places = {"first": 0.0, "middle": LENGTH / 2, "last": LENGTH}
    piece = ff.rotors.ShaftPiece(LENGTH, (ff.rotors.ShaftLayer(DIAMETER),), elements=24)
    held = [replace(each, on=(places[str(each.on)], 0.0, 0.0)) for each in bearings]
    return ff.rotors.rotor_body("rod", [piece], material=STEEL, bearings=held, stations={"middle": LENGTH / 2})


def bearings(stiffness: object, damping: object = 0.0) -> list[ff.rotors.Bearing]:
    return [ff.rotors.Bearing(on, stiffness, damping, name=on) for on in ("first", "last")]  # type: ignore[arg-type]


def test_campbell_diagram_of_a_rotor_of_beams() -> None:
    """Beams and the solid differ by what the sections do beside staying plane, (π r/λ)⁴ of wavelengths λ.

    Of the fourth bending mode λ is half the length and that is 1e-2 of an effect of a tenth; a spread of the
    bearing over its rings in place of a section is of the same size.
    """
    held = bearings((2e7, 5e7), (1e4, 2e4))
    speeds = np.array([0.0, 500.0, 1500.0])
    ours = ff.campbell_diagram(rod(bearings=tuple(held)), speeds, modes=6)
    theirs = ff.campbell_diagram(beam(held), speeds, modes=6)
    assert ours.frame == "inertial" and ours.nodal_diameters == (1,) * 6 and ours.confirmed
    assert ours.frequencies_hz == pytest.approx(theirs.frequencies_hz, rel=2e-3)
    assert ours.frequencies_hz[:, :4] == pytest.approx(theirs.frequencies_hz[:, :4], rel=2e-4)
    assert ours.whirl == theirs.whirl
    found, wanted = ([c for c in d.damped_critical_speeds if c.engine_order == 1] for d in (ours, theirs))
    assert len(found) == len(wanted) > 2
    for mine, other in zip(found, wanted, strict=True):
        assert mine.logarithmic_decrement == pytest.approx(other.logarithmic_decrement, rel=5e-3)


def test_both_frames() -> None:
    """Bearings alike in all directions: the same waves in the turning frame and in space, nΩ apart."""
    body = rod(bearings=tuple(bearings(2e7)))
    speeds = np.array([0.0, 800.0])
    space = ff.campbell_diagram(body, speeds, modes=4)
    turning = ff.campbell_diagram(body, speeds, modes=4, frame="rotating", nodal_diameters=[1])
    assert turning.inertial_frequencies_hz is not None
    # twice the tolerance of each
    assert np.sort(turning.inertial_frequencies_hz[1]) == pytest.approx(np.sort(space.frequencies_hz[1]), rel=4e-6)
    assert turning.frequencies_hz[1] != pytest.approx(space.frequencies_hz[1], rel=1e-2)


def test_bearings_hold_one_nodal_diameter_alone() -> None:
    mesh = ff.mesh.quadrilateral([(0.05, 0), (0.2, 0), (0.2, 0.02), (0.05, 0.02)], (4, 1))
    free = Body.of_revolution("disc", mesh, material=STEEL)
    held = replace(free, bearings=(ff.rotors.Bearing("left", 1e8),))
    both = [
        ff.campbell_diagram(b, [0.0, 300.0], modes=4, frame="rotating", nodal_diameters=[1, 2])
        for b in (free, held)
    ]
    assert both[0].nodal_diameters is not None and both[1].nodal_diameters is not None
    two = [d.frequencies_hz[:, np.array(d.nodal_diameters) == 2] for d in both]
    assert two[0] == pytest.approx(two[1], rel=1e-9)  # rounding of eigenvalues up to 1e6 times these
    # one bearing stops two shifts, and leaves two tilts
    one = [d.frequencies_hz[0, np.array(d.nodal_diameters) == 1] for d in both]
    assert [int((f < 1e-3).sum()) for f in one] == [4, 2]


def test_full_solid_on_bearings() -> None:
    """A thick hollow rotor whose bearing rings are means of their nodes in both; at speed, in the turning frame.

    The solid has the cells of the section in a meridian. With 7 and 14 cells around its frequencies come nearer
    by the fourth order of quadratic cells, so that a fifth of that change is left at most.
    """
    inner, outer, length, k = 0.03, 0.1, 0.4, 1e8
    mesh = ff.mesh.quadrilateral([(inner, 0), (outer, 0), (outer, length), (inner, length)], (1, 3))
    held = (ff.rotors.Bearing("bottom left", k), ff.rotors.Bearing("top left", k))
    mesh = _with_corners(mesh, inner, length)
    speed = 1500.0
    rotor = replace(Body.of_revolution("rotor", mesh, material=STEEL), bearings=held)
    found = ff.campbell_diagram(rotor, [speed], modes=4, frame="rotating", nodal_diameters=[1])
    ours = _bending(found.frequencies_hz[0])
    coarse, fine = (_solid_frequencies(inner, outer, length, around, k, speed) for around in (7, 14))
    change = np.abs(coarse - fine).max()
    assert ours == pytest.approx(fine, abs=0.2 * change)
    assert ours == pytest.approx(fine, rel=5e-3)


def _with_corners(mesh: Mesh, inner: float, length: float) -> Mesh:
    at = {
        name: np.flatnonzero(np.hypot(mesh.points[:, 0] - inner, mesh.points[:, 1] - y) < 1e-9)
        for name, y in (("bottom left", 0.0), ("top left", length))
    }
    return mesh.with_sets(node_sets=at)


def _bending(frequencies: np.ndarray) -> np.ndarray:
    return np.sort(frequencies)[:4]


def _solid_frequencies(
    inner: float, outer: float, length: float, around: int, k: float, speed: float
) -> np.ndarray:
    """The four lowest that move the axis, of the solid held by points that follow the mean of the bores' edges."""
    mesh = ff.mesh.tube(inner, outer, length, (1, around, 3))
    radius = np.hypot(mesh.points[:, 0], mesh.points[:, 1])
    edges = {
        name: np.flatnonzero((np.abs(radius - inner) < 1e-9) & (np.abs(mesh.points[:, 2] - z) < 1e-9))
        for name, z in (("low", 0.0), ("high", length))
    }
    mesh = with_points(mesh.with_sets(node_sets=edges), {"a": (0.0, 0.0, 0.0), "b": (0.0, 0.0, length)})
    body = replace(
        Body.solid("rotor", mesh, material=STEEL),
        couplings=(MeanCoupling("a", "low"), MeanCoupling("b", "high")),
        bearings=(ff.rotors.Bearing("a", k), ff.rotors.Bearing("b", k)),
    )
    found = ff.campbell_diagram(body, [speed], modes=8, axis=(0, 0, 1), frame="rotating")
    moving = [k for k, label in enumerate(found.labels) if "rigid" not in label]
    return _bending(found.frequencies_hz[0][moving])


def test_springs_and_masses_of_rings() -> None:
    """A bar in soft springs: along and about its axis √(k/m) and √(k r²/I_p), across √(k_r/2m).

    A spring k_r of a whole ring, spread around it, resists a shift s with ∮k_r/2π cos²θ s = k_r s/2. What bends is
    all springs over the stiffness EA/L of the bar, 2e-5.
    """
    added, radius, k = 3.0, DIAMETER / 2, 1e3
    count = len(rod().selected_nodes("right"))  # rings at the surface, alike on both sides of the middle
    mass = STEEL.density * np.pi * radius**2 * LENGTH
    whole, polar = mass + added * count, (mass / 2 + added * count) * radius**2
    body = rod(springs=(FrameSpring("right", (2 * k, k, k)),), point_masses=(PointMass("right", added),))
    along = np.array([k * count / whole, k * count * radius**2 / polar])
    found = ff.modes(body, count=2, nodal_diameters=[0])
    assert np.sort(found.frequencies_hz) == pytest.approx(np.sqrt(np.sort(along)) / (2 * np.pi), rel=5e-5)
    only = replace(body, springs=(FrameSpring("right", (2 * k, 0.0, 0.0)),))
    across = np.sqrt(k * count / whole) / (2 * np.pi)
    # the pair of shifts; springs along the radius hold the tilts, too, by another frequency
    assert np.sort(np.abs(ff.modes(only, count=4, nodal_diameters=[1]).frequencies_hz / across - 1))[1] < 5e-5


def test_unbalance_of_a_rigid_body() -> None:
    """r = m e Ω²/(2k + 2iΩc − mΩ²) of a stiff bar; the orbit, the forces of its bearings and the motion in time.

    What bends is k over the stiffness of the bar, 48EI/L³ = 5e11 N/m times some units.
    """
    k, c, moment = 1e7, 1e4, 1e-3
    body = rod(STIFF, bearings=tuple(bearings(k, c)))
    mass = STIFF.density * np.pi * DIAMETER**2 / 4 * LENGTH
    speeds = np.linspace(200.0, 1200.0, 21)
    load = [ff.rotors.Unbalance("middle", moment)]
    found = ff.unbalance_response(body, speeds, load, {"middle": MIDDLE})
    wanted = moment * speeds**2 / (2 * k + 2j * speeds * c - mass * speeds**2)
    assert found.curves["middle"].values == pytest.approx(wanted, rel=2e-4)
    forces = np.abs((k + 1j * speeds * c) * wanted)
    assert found.bearing_forces["first"].major == pytest.approx(forces, rel=2e-4)
    steady = ff.run_up(body, ff.rotors.SpeedRamp(700.0, 700.0), load, {"middle": MIDDLE}, hold=0.05, modes=4)
    radius = abs(moment * 700.0**2 / (2 * k + 2j * 700.0 * c - mass * 700.0**2))
    assert steady.orbits["middle"].radius == pytest.approx(np.full(len(steady.times), radius), rel=1e-3)


def test_a_changing_speed_pushes_the_unbalance_across() -> None:
    """A stiff bar in springs, z along e₁ + i e₂ of space: m z̈ + 2c ż + 2k z = m e (Ω² − iΩ̇) e^{iθ}.

    The tolerance of that solver is 1e-9; modes of the bar are 1e4 times stiffer than the springs.
    """
    from scipy.integrate import solve_ivp

    k, c, moment, ramp = 1e7, 3e3, 1e-3, ff.rotors.SpeedRamp(300.0, 900.0, 4000.0)
    body = rod(STIFF, bearings=tuple(bearings(k, c)))
    mass = STIFF.density * np.pi * DIAMETER**2 / 4 * LENGTH
    found = ff.run_up(
        body, ramp, [ff.rotors.Unbalance("middle", moment)], {"middle": MIDDLE}, begin="rest", modes=4
    )

    def rates(t: float, state: np.ndarray) -> np.ndarray:
        angle, speed, change = (float(part[0]) for part in ramp.at(np.array([t])))
        force = moment * (speed**2 - 1j * change) * np.exp(1j * angle)
        return np.array([state[1], (force - 2 * c * state[1] - 2 * k * state[0]) / mass])

    start = np.zeros(2, dtype=complex)
    times = found.times[:: max(1, len(found.times) // 200)]
    wanted = solve_ivp(rates, (0.0, float(times[-1])), start, t_eval=times, rtol=1e-9, atol=1e-15).y[0]
    path = found.orbits["middle"].in_space(found.angles)[:: max(1, len(found.times) // 200)]
    assert path == pytest.approx(wanted, abs=1e-3 * np.abs(wanted).max())


def test_critical_speed_map_and_threshold() -> None:
    """On soft bearings √(2k/m); the map of beams elsewhere; a rigid rotor bears Q = c√(k/m)."""
    held = bearings(1e6, 500.0)
    ours = ff.rotors.critical_speed_map(rod(bearings=tuple(held)), [1e3, 1e6, 1e7], modes=2)
    theirs = ff.rotors.critical_speed_map(beam(held), [1e3, 1e6, 1e7], modes=2)
    mass = STEEL.density * np.pi * DIAMETER**2 / 4 * LENGTH
    assert ours.speeds[0, 0] == pytest.approx(np.sqrt(2e3 / mass), rel=1e-4)
    assert ours.speeds == pytest.approx(theirs.speeds, rel=1e-3)
    stiff = rod(STIFF, bearings=tuple(held))
    threshold = ff.rotors.stability_threshold(stiff, 400.0, {"middle": 1.0}).threshold
    assert threshold == pytest.approx(2 * 500.0 * np.sqrt(2e6 / mass), rel=1e-3)


def test_refusals() -> None:
    body = rod(bearings=tuple(bearings(1e7)))
    with pytest.raises(InputError, match=r"give nodal_diameters: \[1\], or say frame: rotating"):
        ff.campbell_diagram(body, [0.0], nodal_diameters=[0, 1])
    with pytest.raises(InputError, match="its bearings go to space"):
        ff.discretise(rod(bearings=(ff.rotors.Bearing("first", 1e7, to="last"),)))
    with pytest.raises(InputError, match="a bow would not be"):
        bow = ff.rotors.Bow((0.0, 0.5, 1.0), (0.0, 1e-3, 0.0))
        ff.unbalance_response(body, [100.0], [bow], {"middle": MIDDLE})
    held = rod(bearings=tuple(bearings(1e7)), supports=(ff.Fix("first", ("uz",)),))
    with pytest.raises(InputError, match="makes shear stress"):
        ff.run_up(
            held, ff.rotors.SpeedRamp(1.0, 2.0, 1.0), [ff.rotors.Unbalance("middle", 1e-3)], {"middle": MIDDLE}
        )
    with pytest.raises(InputError, match="turns about y"):
        ff.unbalance_response(
            body, [100.0], [ff.rotors.Unbalance("middle", 1e-3)], {"middle": MIDDLE}, axis=(1, 0, 0)
        )
    train = ff.rotors.RotorTrain("train", (ff.rotors.TrainMember(body, 1.0),))
    with pytest.raises(InputError, match="member rod is the section of a body of revolution"):
        ff.campbell_diagram(train, [0.0])
    with pytest.raises(InputError, match="turns about y"):
        ff.frequency_response(
            body,
            FrameMotion.spin(10.0),
            [1.0],
            [ff.rotors.WhirlingForce("middle", 1.0)],
            {"middle": MIDDLE},
        )
