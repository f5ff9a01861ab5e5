"""The estimated error of small deflections against the true one: the same body divided into welded frames.

A body of n welded parts deflects within each part by n⁻² of the whole, so that its error is n⁻² of that of one
frame, and its coordinates are many more. The estimate has to be within a factor of two.
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pytest

from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.elements.properties import Material, Rectangle
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Joint, Prismatic, Revolute, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.supports import Pin, Roller
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.reduction.attached import ClampedFrame
from flexframe.reduction.strategies import CraigBampton
from flexframe.sensors import MarkerSensor

ROD = 0.3
Parts = tuple[list[Body], list[Joint], dict[str, ReductionChoice]]


def divided(parts: int, length: float, section: Rectangle, material: Material, space: str = "planar") -> Parts:
    """A beam of so many welded bodies, each with its frame at its start."""
    bodies = [
        Body.beam(
            f"part{i}",
            length=length / parts,
            divisions=max(2, 24 // parts),
            section=section,
            material=material,
            theory="euler_bernoulli",
            space=space,  # type: ignore[arg-type]
        )
        for i in range(parts)
    ]
    welds = [Weld(f"weld{i}", f"part{i - 1}.end", f"part{i}") for i in range(1, parts)]
    choice = ReductionChoice(CraigBampton(4 if parts == 1 else 1), ClampedFrame("start"))
    return bodies, list(welds), {body.name: choice for body in bodies}


def places(parts: int, length: float, start: tuple[float, ...]) -> dict[str, Placement]:
    step = np.array([length / parts, 0.0, 0.0])
    return {f"part{i}": Placement(np.array(start) + i * step) for i in range(parts)}


def beam(parts: int, young: float, *, drive: str = "", space: str = "planar") -> CoupledMotion:
    """A strip of 1 m that hangs on a hinge, or is welded to a hub that a drive turns; weight across it."""
    bodies, links, choices = divided(parts, 1.0, Rectangle(0.02, 0.01), Material(young, 0.3, 2000.0), space)
    start = places(parts, 1.0, (0.0, 0.0, 0.0))
    weight = (0.0, -9.81, 0.0) if not drive else (0.0, 0.0, -9.81)
    if drive:
        hub = RigidBody("hub", 1.0, 0.01 * np.ones(3))
        system = System(
            [hub, *bodies],
            [Revolute("bearing", "ground", "hub"), Weld("root", "hub", "part0"), *links],
            [AngleDrive("motor", "ground", "hub", drive)],
            loads=[SystemGravity("weight", weight)] if space == "spatial" else [],
            start=start,
            space=space,  # type: ignore[arg-type]
        )
    else:
        system = System(
            bodies,
            [Revolute("hinge", "ground", "part0"), *links],
            loads=[SystemGravity("weight", weight)],
            start=start,
        )
    tip = MarkerSensor("position", f"part{parts - 1}.end")
    step = 1e-3 if drive else 5e-4
    return simulate(
        system,
        duration=1.5,
        step=step,
        samples=301,
        sensors={"tip": tip},
        reductions=choices,
        initial_deformation="undeformed",  # equilibrium keeps the frames where they are: one or sixteen of them
    )


def tip(record: CoupledMotion) -> Array:
    """Displacement of the end against the frame of the start."""
    root = record.motion.body("part0")
    away = record.sensors["tip"].values - root.positions[:, : record.sensors["tip"].values.shape[1]]
    R = root.rotations[:, : away.shape[1], : away.shape[1]]
    local = np.einsum("tji,tj->ti", R, away)
    local[:, 0] -= 1.0
    return np.asarray(local)


def crank(parts: int) -> CoupledMotion:
    """The slider-crank of the examples with a rod ten times as soft, at 100 rad/s."""
    section, material = Rectangle(0.008, 0.008), Material(20e9, 0.3, 7870.0)
    bodies, links, choices = divided(parts, ROD, section, material)
    first = "part0"
    if parts == 1:
        ends = (Pin("start"), Roller("end", direction=(0, 1)))
        bodies = [
            Body.beam(
                "part0",
                length=ROD,
                divisions=24,
                section=section,
                material=material,
                theory="euler_bernoulli",
                supports=ends,
            )
        ]
        choices, first = {"part0": ReductionChoice(CraigBampton(4))}, "part0.start"
    middle = (
        MarkerSensor("position", "part0", (ROD / 2, 0, 0))
        if parts == 1
        else MarkerSensor("position", f"part{parts // 2}")
    )
    system = System(
        [
            RigidBody(
                "crank", 0.36, np.diag([0.0, 0.002727, 0.002727]), np.array([0.075, 0, 0]), {"B": (0.15, 0, 0)}
            ),
            *bodies,
            RigidBody("slider", 0.075552, 1e-4 * np.ones(3)),
        ],
        [
            Revolute("A", "ground", "crank"),
            Revolute("B", "crank.B", first),
            Revolute("C", f"part{parts - 1}.end", "slider"),
            Prismatic("guide", "ground", "slider", axis=(1, 0, 0)),
            *links,
        ],
        [AngleDrive("motor", "ground", "crank", "100*t")],
        start={**places(parts, ROD, (0.15, 0.0, 0.0)), "slider": Placement(np.array([0.45, 0.0, 0.0]))},
    )
    turn = 2 * np.pi / 100
    return simulate(
        system,
        duration=turn,
        step=turn / 4000,
        samples=401,
        sensors={"middle": middle},
        reductions=choices,
        initial_deformation="undeformed",
    )


def middle(record: CoupledMotion) -> Array:
    """Displacement of the middle of the rod from the line of its pins, across it."""
    pin = record.motion.body("part0").positions[:, :2]
    axis = record.motion.body("slider").positions[:, :2] - pin
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    away = record.sensors["middle"].values[:, :2] - pin
    return np.asarray(axis[:, :1] * away[:, 1:] - axis[:, 1:] * away[:, :1])


SLEW = "0.6*(1 - cos(pi*t))"
MACHINES: Mapping[str, tuple[Callable[[int], CoupledMotion], Callable[[CoupledMotion], Array]]] = {
    "slewing arm": (partial(beam, young=2e9, drive=SLEW), tip),
    "pendulum": (partial(beam, young=6e8), tip),
    "slider-crank": (crank, middle),
    "arm in space": (partial(beam, young=4e9, drive=SLEW, space="spatial"), tip),
    "spin-up": (partial(beam, young=2e9, drive="5*(t**2/2 + (cos(2*pi*t) - 1)/(2*pi)**2)"), tip),
}


@pytest.mark.parametrize(
    "machine", ["slewing arm", *(pytest.param(name, marks=pytest.mark.slow) for name in list(MACHINES)[1:])]
)
def test_estimate_is_within_a_factor_of_two(machine: str) -> None:
    """Of the true error, which is above a per cent: this is said with every motion."""
    compute, displacement = MACHINES[machine]
    one, fine = compute(1), compute(16)
    assert not one.stopped
    found, true = displacement(one), displacement(fine)
    error = np.linalg.norm(found - true, axis=1).max() / np.linalg.norm(found, axis=1).max()
    assert error > 0.01

    assert 0.5 < one.theory_error.value / error < 2.0
    assert one.summary()["theory_error"] == one.theory_error.value
    assert any("small deflections" in notice and "divide" in notice for notice in one.notices)
    assert fine.theory_error.value < error / 4


def test_nothing_deforms() -> None:
    """A body at rest without loads has no error, and nothing is said."""
    bodies, links, choices = divided(1, 1.0, Rectangle(0.02, 0.01), Material(2e9, 0.3, 2000.0))
    system = System(bodies, [Revolute("hinge", "ground", "part0"), *links])
    record = simulate(system, duration=0.1, step=1e-3, samples=11, reductions=choices)
    assert record.theory_error.value == 0.0
    assert not record.notices
