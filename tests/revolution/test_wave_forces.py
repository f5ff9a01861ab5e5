"""Forces with nodal diameters on bodies of revolution by their section, against the full solid."""

from dataclasses import replace

import numpy as np
import pytest
from tests.revolution.sections import AXIS, HEIGHT, INNER, OUTER, hub_disc

import flexframe as ff
from flexframe.elements.properties import STEEL
from flexframe.errors import InputError
from flexframe.mesh.builders import tube
from flexframe.model.body import Body, Damping
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion

SPEED, FORCE = 628.0, 1000.0
DAMPING = Damping(stiffness=2e-6)
FREQUENCIES = np.array([100.0, 900.0, 2500.0])  # Hz, on the body
SENSORS = {
    "radial": ff.sensors.DofSensor("corner", "ux"),
    "axial": ff.sensors.DofSensor("corner", "uy"),
    "across": ff.sensors.DofSensor("corner", "uz"),
}


def disc(cells: tuple[int, int] = (3, 1)) -> Body:
    """The disc on a hub, with the ring at its upper rim."""
    body = replace(hub_disc(cells), damping=DAMPING)
    points = body.mesh.points
    corner = np.flatnonzero(np.hypot(points[:, 0] - OUTER, points[:, 1] - HEIGHT) < 1e-9)
    return replace(body, mesh=body.mesh.with_sets(node_sets={"corner": corner}))


def by_solid(n: int, around: int, force: tuple[float, float, float]) -> np.ndarray:
    """Amplitudes at the angle zero along the radius, the axis and z of the section: (frequencies, 3).

    The solid turns about z; its meridian at the angle zero has x, z and −y for the x, y and z of the section. At
    each node of the rim stands its share of the wave, behind by nθ.
    """
    mesh = tube(INNER, OUTER, HEIGHT, (3, around, 1))
    radius, angle = (
        np.hypot(mesh.points[:, 0], mesh.points[:, 1]),
        np.arctan2(mesh.points[:, 1], mesh.points[:, 0]),
    )
    rim = np.flatnonzero((np.abs(radius - OUTER) < 1e-9) & (np.abs(mesh.points[:, 2] - HEIGHT) < 1e-9))
    body = Body.solid("disc", mesh, material=STEEL, supports=(Clamp("inner"),))
    radial, axial, across = force
    loads = []
    for node in rim:
        c, s = np.cos(angle[node]), np.sin(angle[node])
        vector = np.array([radial * c + across * s, radial * s - across * c, axial]) / len(rim)
        loads.append(ff.loads.HarmonicForce(int(node), tuple(vector), phase=-n * float(angle[node])))
    first = int(rim[np.argmin(np.abs(angle[rim]))])
    sensors = {dof: ff.sensors.DofSensor(first, dof) for dof in ("ux", "uz", "uy")}
    found = ff.frequency_response(
        replace(body, damping=DAMPING), FrameMotion.spin(SPEED), FREQUENCIES, loads, sensors, method="direct"
    )
    return np.array([found.curves[dof].values * sign for dof, sign in (("ux", 1), ("uz", 1), ("uy", -1))]).T


@pytest.mark.parametrize("n", [0, 2])
def test_full_solid(n: int) -> None:
    """A wave that runs with the spin, on the body at its frequency less nΩ, along the radius, the axis and across.

    The solid has the cells of the section in a meridian; 24 cells around leave 0.5 % of its frequencies and 1 % of
    amplitudes that are no nearer than a third to a resonance. Single forces in place of a spread one shake waves
    with n ± 48 nodal diameters, too, which are stiffer by hundreds.
    """
    force = (0.3 * FORCE, FORCE, 0.5 * FORCE)
    load = [ff.rotors.WaveForce("corner", force, n)]
    in_space = FREQUENCIES + n * SPEED / (2 * np.pi)
    found = ff.frequency_response(disc(), FrameMotion.spin(SPEED, AXIS), in_space, load, SENSORS)
    ours = np.array([curve.values for curve in found.curves.values()]).T
    theirs = by_solid(n, 24, force)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine == pytest.approx(other, abs=0.02 * np.abs(other).max())


def test_an_engine_order_is_a_wave_at_rest_in_space() -> None:
    """Backward on the body at nΩ: the same as a force that stays on a body seen by a wave of that frequency."""
    load = [ff.rotors.WaveForce("corner", (0.0, FORCE, 0.0), 3)]
    order = ff.rotors.engine_order_response(disc(), [200.0, SPEED], load, SENSORS)
    rest = ff.frequency_response(disc(), FrameMotion.spin(SPEED, AXIS), [0.0], load, SENSORS)
    for name, curve in order.curves.items():
        # at zero a wave runs neither way: the other sign of the time, the conjugate
        assert curve.values[1] == pytest.approx(np.conj(rest.curves[name].values[0]), rel=1e-9)
    assert order.over == "speed" and order.speed_rad_s is None


def test_resonance_at_the_critical_speed_of_the_diagram() -> None:
    """The largest answer to an engine order is where the Campbell diagram has its critical speed."""
    mesh = ff.mesh.quadrilateral([(0.06, 0), (0.3, 0), (0.3, 0.01), (0.06, 0.01)], (8, 1))
    thin = replace(
        Body.of_revolution("disc", mesh, material=STEEL, supports=(Clamp("left"),)),
        damping=Damping(stiffness=1e-7),
    )
    diagram = ff.campbell_diagram(
        thin, np.linspace(0.0, 1200.0, 7), modes=2, nodal_diameters=[3], engine_orders=[3]
    )
    (critical,) = (c for c in diagram.critical_speeds if c.excited_by == "load at rest in space")
    speeds = critical.speed_rad_s * (1 + 1e-3 * np.linspace(-1, 1, 41))
    found = ff.rotors.engine_order_response(
        thin,
        speeds,
        [ff.rotors.WaveForce("right", (0.0, 1.0, 0.0), 3)],
        {"rim": ff.sensors.DofSensor("right", "uy")},
    )
    # a step of the speeds is 5e-5, and the damping ζ = βω/2 = 1e-4 moves the peak by its square
    peak = speeds[np.argmax(found.curves["rim"].amplitude)]
    assert peak == pytest.approx(critical.speed_rad_s, rel=6e-5)


def test_both_directions_and_the_mirror() -> None:
    """A spin the other way turns forward into backward: amplitudes are those of the mirrored wave."""
    ahead = [ff.rotors.WaveForce("corner", (0.0, FORCE, 0.0), 2)]
    found = [
        ff.frequency_response(disc(), FrameMotion.spin(SPEED, axis), FREQUENCIES, ahead, SENSORS)
        for axis in (AXIS, (0.0, -1.0, 0.0))
    ]
    for name, sign in (("radial", 1.0), ("axial", 1.0), ("across", -1.0)):
        one, other = (record.curves[name].values for record in found)
        assert one == pytest.approx(sign * other, rel=1e-7, abs=1e-7 * np.abs(one).max())


def test_a_force_that_stays_is_two_waves() -> None:
    """cos nθ cos ωt is half a forward and half a backward wave; at rest both have one frequency."""
    still = FrameMotion.spin(0.0, AXIS)
    answers = {
        moves: ff.frequency_response(
            disc(), still, FREQUENCIES, [ff.rotors.WaveForce("corner", (0.0, FORCE, 0.0), 2, moves)], SENSORS
        ).curves["axial"]
        for moves in ("forward", "backward", "with body")
    }
    both = (answers["forward"].values + answers["backward"].values) / 2
    assert answers["with body"].values == pytest.approx(both, rel=1e-9)


def test_refusals() -> None:
    load = ff.rotors.WaveForce("corner", (0.0, 1.0, 0.0), 2)
    spin = FrameMotion.spin(SPEED, AXIS)
    for loads, message in (
        ([load, replace(load, nodal_diameters=3)], "differ in their nodal diameters"),
        ([load, ff.rotors.WhirlingForce("corner", 1.0)], "given together"),
    ):
        with pytest.raises(InputError, match=message):
            ff.frequency_response(disc(), spin, [1.0], loads, SENSORS)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="turns about y"):
        ff.frequency_response(disc(), FrameMotion.spin(SPEED), [1.0], [load], SENSORS)
    beam = Body.beam("bar", length=1.0, divisions=2, section=ff.Circle(0.1), material=STEEL, space="spatial")
    with pytest.raises(InputError, match="is not the section of a body of revolution"):
        ff.rotors.engine_order_response(beam, [1.0], [replace(load, on="end")], {})
    with pytest.raises(InputError, match="-1 nodal diameters"):
        replace(load, nodal_diameters=-1)
