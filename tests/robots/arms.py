"""Robots for the tests."""

from dataclasses import replace
from pathlib import Path

import flexframe as ff

EXAMPLES = Path(__file__).parents[2] / "examples"
GRAVITY = ff.SystemGravity(acceleration=(0.0, 0.0, -9.81))


def robot(axes: str) -> ff.bodies.Robot:
    """The arm with "six" or "seven" axes."""
    return ff.robots.read_urdf(EXAMPLES / f"{axes}_axis_arm.urdf")


def undamped(system: ff.System) -> ff.System:
    """Without the damping of its joints, under gravity."""
    return replace(system, loads=[GRAVITY])


def plane_arm(**more: object) -> ff.System:
    """Two rods of one metre in the plane, the second bent upwards."""
    given: dict[str, object] = {"start": {"two": ff.Placement([1, 0], [0, 0, 1.0])}, **more}
    return ff.System(
        [ff.RigidBody.rod("one", length=1.0, mass=1.0), ff.RigidBody.rod("two", length=1.0, mass=1.0)],
        [ff.Revolute("A", "ground", "one"), ff.Revolute("B", "one.end", "two.start")],
        **given,  # type: ignore[arg-type]  # fields of a system
    )
