"""What a picture of a system shows of moments, drives, balls and gravity; means and numbers beside it."""

from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe.analyses.signal_blocks import periodic_mean, signal_blocks
from flexframe.cases.case import load_case
from flexframe.model.rigid_body import Placement
from flexframe.model.system_loads import Actuator, MarkerForce, SystemGravity
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.blocks import Axis, Plot, Series, Table, VerticalLine
from flexframe.presentation.mechanism_scene import mechanism_scene
from flexframe.presentation.mechanism_shapes import RADIUS
from flexframe.presentation.scenes import History, Part, PartMotion, Scene
from flexframe.presentation.units import DisplayUnits, Scale, in_units
from flexframe.studio.snapshots import model_snapshot

EXAMPLES = Path(__file__).parents[2] / "examples"


def scene_of(*loads: MarkerForce | Actuator | SystemGravity, turns: str = "2*t") -> Scene:
    """A crank of 0.3 m that is driven, with an arm on its end."""
    bodies = [ff.RigidBody.rod("crank", length=0.3, mass=1.0), ff.RigidBody.rod("arm", length=0.1, mass=1.0)]
    joints = [ff.Revolute("A", "ground", "crank.start"), ff.Revolute("B", "crank.end", "arm.start")]
    drives = [
        ff.AngleDrive("motor", "ground", "crank.start", turns),
        ff.AngleDrive("still", "crank.end", "arm.start", 0.0),
    ]
    start = {"arm": Placement((0.3, 0.0, 0.0))}
    system = ff.System(bodies, joints, drives, loads, start=start)
    found = ff.kinematics(system, np.linspace(0.0, 1.0, 11))
    motion: MechanismMotion = found.motion
    return mechanism_scene("scene", motion)


def named(scene: Scene, name: str) -> tuple[Part, PartMotion]:
    assert isinstance(scene.content, History)
    return next(
        (part, motion)
        for part, motion in zip(scene.parts, scene.content.motions, strict=True)
        if part.name.startswith(name)
    )


def turned_way(part: Part) -> float:
    """The sense about z from the first piece of the arc, a box of eight corners, to the second."""
    (x, y), (p, q) = (part.nodes[k : k + 8, :2].mean(axis=0) for k in (0, 8))
    return float(np.sign(x * q - y * p))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_moment_is_a_bent_arrow_the_way_it_turns_at_its_marker(sign: float) -> None:
    scene = scene_of(MarkerForce("couple", "crank.end", moment=(0.0, 0.0, sign * 5.0)))
    part, motion = named(scene, "couple")
    assert part.label == "couple 5 N m"
    assert turned_way(part) == sign
    place = part.nodes[:8].mean(axis=0)  # on the circle; the size of the motion is that of frames and links
    assert RADIUS * 0.3 < np.linalg.norm(place) < RADIUS * 1.2
    assert motion.positions is not None
    t = np.linspace(0.0, 1.0, 11)
    wanted = 0.3 * np.stack([np.cos(2 * t), np.sin(2 * t), 0 * t], axis=1)
    assert motion.positions == pytest.approx(wanted, abs=rounding(100) * 0.3)


def test_a_torque_between_markers_and_a_drive_are_bent_arrows_too() -> None:
    scene = scene_of(Actuator("brake", "ground", "crank.start", -3.0), turns="-2*t")
    torque, _ = named(scene, "brake")
    drive, _ = named(scene, "motor")
    assert (torque.label, drive.label) == ("brake 3 N m", "motor")
    assert turned_way(torque) == turned_way(drive) == -1.0


def test_a_moment_that_changes_has_no_number_and_one_that_is_zero_no_arrow() -> None:
    scene = scene_of(
        MarkerForce("growing", "crank.end", moment=(0.0, 0.0, "4*t")), MarkerForce("nothing", "crank.end")
    )
    assert named(scene, "growing")[0].label == "growing"
    assert not any(part.name == "nothing" for part in scene.parts)


def test_a_ball_is_drawn_with_the_radius_of_its_contact() -> None:
    scene = model_snapshot(load_case(EXAMPLES / "bouncing_ball.yaml"))
    part, _ = named(scene, "ball")
    assert np.linalg.norm(part.nodes, axis=1) == pytest.approx(0.02, rel=rounding(10))


def test_gravity_stands_beside_the_paths() -> None:
    """Left of everything that moves: the end of the crank reaches −0.3 m."""
    scene = scene_of(SystemGravity(), turns="2*pi*t")
    part, _ = named(scene, "gravity")
    assert part.nodes[:, 0].max() < -0.3 - 0.1 * 0.3


def test_a_number_beside_a_line_is_in_the_unit_of_the_axis() -> None:
    plot = Plot(
        Axis("speed", "rad/s"),
        Axis("growth", "1/s"),
        (Series("s", np.array([0.0, 100.0]), np.zeros(2)),),
        reference_lines=(VerticalLine("", 61.176948, digits=5), VerticalLine("", 10.0)),
    )
    units = DisplayUnits({"rad/s": Scale("turns/s", 1 / (2 * np.pi))})
    shown = in_units(plot, units)
    assert [line.label for line in shown.reference_lines] == ["9.7366", ""]  # 61.176948/2π = 9.736614


def test_the_mean_is_that_of_whole_periods_at_the_end() -> None:
    """5 + a start that dies away with e^(−t) + a vibration, over 11 of 30 s: e^(−20) is left of the start."""
    t = np.linspace(0.0, 30.0, 3001)
    x = 5.0 + 4.0 * np.exp(-t) + 3.0 * np.cos(2 * np.pi * 1.13 * t + 0.7)
    # the frequency is read from the spectrum to 1e-3: a period that is wrong by that adds 3 × 1e-3
    assert periodic_mean(t, x, 1.13) == pytest.approx(5.0, abs=5e-3)


def test_a_curve_without_vibration_has_no_row_and_no_spectrum() -> None:
    t = np.linspace(0.0, 1.0, 201)
    waves = {"wave": ("m", np.sin(40 * np.pi * t)), "ramp": ("rad", t)}
    table, *plots = signal_blocks(t, waves)
    assert isinstance(table, Table) and [row[0] for row in table.rows] == ["wave"]
    assert [plot.series[0].name for plot in plots if isinstance(plot, Plot)] == ["wave"]
    assert signal_blocks(t, {"ramp": ("rad", t)}) == []
