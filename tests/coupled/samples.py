"""A small elastic mechanism for many tests: a strip that swings from a hinge."""

from pathlib import Path

import numpy as np

from flexframe.assembly.interior_forces import DeformationInertia, InteriorForces
from flexframe.cases.case import parse_case
from flexframe.maths.arrays import Array

STRIP = """\
ground: {O: [0, 0]}
bodies:
  strip:
    mesh: {line: {length: 1 m, divisions: 8}}
    material: steel
    section: {rectangle: {width: 30 mm, height: 4 mm}}
    supports: [{pin: start}, {roller: end, direction: [0, 1]}]
    reduction: {modes: 3}
joints:
  hinge: {revolute: [ground.O, strip.start]}
loads:
  weight: {gravity: [0, -9.81]}
analyses:
  run:
    kind: transient
    duration: 0.2
    step: 0.2 ms
    samples: 101
    sensors:
      tip: {position: strip.end}
      tip_velocity: {velocity: strip.end}
      tip_acceleration: {acceleration: strip.end}
      middle: {displacement: strip, at: [0.5, 0]}
      bend: {on: [0.5, 0], dof: uy, body: strip}
      angle: {angle: strip}
      spin: {angular_velocity: strip}
      spin_rate: {angular_acceleration: strip}
      pull: {joint_force: hinge}
      energy: {energy: total}
      linear: {momentum: linear}
      angular: {momentum: angular}
      stress: {stress: strip, at: [0.5, 0]}
      moment: {stress: strip, at: [0.5, 0], measure: Mz}
      strain: {strain: strip, at: [0.5, 0]}
"""


def strip(*changes: tuple[str, str], overrides: tuple[str, ...] = ()):
    """The case, with pieces of its text changed."""
    text = STRIP
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_case(text, file="strip.yaml", folder=Path.cwd(), overrides=overrides)


def swing(*changes: tuple[str, str], overrides: tuple[str, ...] = ()):
    """The record of its motion."""
    case = strip(*changes, overrides=overrides)
    return case.analyses["run"].run(case)


def resting_forces(coordinates: Array) -> InteriorForces:
    """What acts inside a deformed body at rest in space: its line loads."""
    deformed, still = coordinates[None], np.zeros((1, len(coordinates)))
    moving = DeformationInertia(deformed, still, still, np.zeros((1, 3)))
    return InteriorForces(np.zeros((1, 3)), np.zeros((1, 3, 3)), moving)
