"""Periods that the drives do not have, and laws of force that not every analysis could follow, are refused."""

from dataclasses import dataclass

import numpy as np
import pytest

import flexframe as ff
from flexframe.cases.examples import example_paths
from flexframe.errors import AnalysisError, InputError

TURN = 0.4285714285714286  # s, of the motor at 140 turns a minute


@pytest.mark.parametrize("period", [0.3, TURN / 2, 1.001 * TURN])
def test_a_period_that_the_drive_does_not_have_is_refused(period: float) -> None:
    case = ff.load_case(example_paths()["wind_pump_free"], [f"analyses.periodic.period={period}"])
    with pytest.raises(AnalysisError, match=r"does not repeat after .* drive motor differs"):
        case.analyses["periodic"].run(case)


def oscillator(force: str, *, loads: tuple = ()) -> ff.System:
    block = ff.RigidBody("block", 2.0, 0.1, points={"P": (0, 0)})
    return ff.System(
        (block,),
        joints=(ff.Prismatic("guide", "ground.O", "block.P", axis=(1.0, 0.0, 0.0)),),
        loads=(
            ff.Spring("spring", "ground.O", "block.P", 50.0, 0.0, 1.0, axis=(1.0, 0.0, 0.0)),
            ff.MarkerForce("shaker", "block.P", (force, "0")),
            *loads,
        ),
        ground={"O": (0, 0)},
    )


@pytest.mark.parametrize("part", [0.5, 0.7, 1.5])
def test_a_period_that_a_load_does_not_have_is_refused(part: float) -> None:
    """After half a period a sine has the value of the start, but falls."""
    period = part * np.pi / 2
    with pytest.raises(AnalysisError, match="load shaker differs"):
        ff.rigid_motion(oscillator("3*sin(4*t)"), np.linspace(0, period, 5), period=period)


def test_several_periods_are_a_period() -> None:
    record = ff.rigid_motion(oscillator("3*sin(4*t)"), np.linspace(0, np.pi, 5), period=np.pi, settle=1)
    assert record.periodicity is not None and record.periodicity.stable


@dataclass(frozen=True)
class Hardening(ff.Spring):
    """A spring with a law of its own."""

    def force(self, value: np.ndarray, rate: np.ndarray) -> np.ndarray:
        return -self.stiffness * value**3 - self.damping * rate


@dataclass(frozen=True)
class Labelled(ff.Spring):
    """A spring that only carries a text."""

    label: str = ""


class Magnet:
    """A force that flexframe does not know."""

    kind, name, first, second = "magnet", "pull", "ground.O", "block.P"

    def coordinate(self) -> object: ...
    def force(self, value: np.ndarray, rate: np.ndarray) -> np.ndarray: ...
    def slopes(self, value: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...
    def parameters(self) -> object: ...


@pytest.mark.parametrize(
    ("load", "says"),
    [(Hardening("hard", "ground.O", "block.P", 1.0), "Hardening has its own force"), (Magnet(), "no force that")],
)
def test_a_force_with_its_own_law_is_refused(load: object, says: str) -> None:
    """Compiled analyses would have taken Hardening for a linear spring."""
    with pytest.raises(InputError, match=says):
        oscillator("0", loads=(load,))


def test_a_spring_with_a_label_is_a_spring() -> None:
    assert oscillator("0", loads=(Labelled("soft", "ground.O", "block.P", 1.0),)).loads[-1].name == "soft"
