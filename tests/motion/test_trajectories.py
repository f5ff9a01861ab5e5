"""Reference trajectories: shortest times in closed form, limits, ends, derivatives, and the core's evaluation."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rounding import ROUNDING, rounding

import flexframe as ff
from flexframe import _core
from flexframe.entries.recordings import RecordingEntry
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.model.constraints import Piecewise
from flexframe.multibody.equations import laws_at, place_of
from flexframe.multibody.start import rigid_start
from flexframe.multibody.system import dynamic_system

# a time t costs a rounding of t ε, which the rates of a trajectory of times and values of order one pass on
TRAVEL = rounding(1000)

positive = st.floats(0.01, 100.0)
distances = st.floats(1e-3, 100.0)


@given(distances, positive, positive)
@settings(deadline=None, max_examples=60)
def test_the_trapezoid_takes_the_shortest_time(distance: float, speed: float, acceleration: float) -> None:
    reached = distance >= speed**2 / acceleration
    shortest = distance / speed + speed / acceleration if reached else 2 * np.sqrt(distance / acceleration)
    move = ff.motion.trapezoid((0.0, distance), speed=speed, acceleration=acceleration)
    assert move.duration == pytest.approx(shortest, rel=ROUNDING)


@given(distances, positive, positive, positive)
@settings(deadline=None, max_examples=60)
def test_the_triangle_with_two_limits(distance: float, speed: float, up: float, down: float) -> None:
    """Peak v of the triangle: v²/2A + v²/2D = d; time d/v + v/2A + v/2D."""
    peak = min(speed, np.sqrt(2 * distance * up * down / (up + down)))
    shortest = distance / peak + peak / (2 * up) + peak / (2 * down)
    move = ff.motion.trapezoid((distance, 0.0), speed=speed, acceleration=up, deceleration=down)
    assert move.duration == pytest.approx(shortest, rel=ROUNDING)
    assert move.peak(1) == pytest.approx(peak, rel=TRAVEL)
    assert move.peak(2) == pytest.approx(max(up, down), rel=ROUNDING)


S_CURVES = [
    # distance, speed, acceleration, jerk, time in closed form
    (1.0, 0.5, 1.0, 10.0, 1 / 0.5 + 0.5 / 1 + 1 / 10),  # all limits reached
    (1.0, 0.5, 100.0, 10.0, 1 / 0.5 + 2 * np.sqrt(0.5 / 10)),  # acceleration not reached
    (1.0, 10.0, 1.0, 10.0, 0.1 + np.sqrt(0.1**2 + 4 * 1.0)),  # speed not reached: T = τ/2 + √(τ²/4 + d/A), twice
    (1e-3, 10.0, 1.0, 10.0, 4 * np.cbrt(1e-3 / 20)),  # neither of them
    (1.0, 1.0, 1.0, 1.0, 1 + 1 + 1.0 + 0.17480210393640),  # speed not reached for want of distance: 4 ∛(d/2J)
    (2.0, 1.0, 1.0, 1.0, 4.0),  # all of them just reached, no phase of a steady value
]


@pytest.mark.parametrize("distance, speed, acceleration, jerk, shortest", S_CURVES)
def test_s_curves_take_the_shortest_time(
    distance: float, speed: float, acceleration: float, jerk: float, shortest: float
) -> None:
    move = ff.motion.s_curve((0.0, distance), speed=speed, acceleration=acceleration, jerk=jerk)
    assert move.duration == pytest.approx(shortest, rel=1e-13)  # digits of the literals
    assert move.peak(3) == pytest.approx(jerk, rel=ROUNDING)


@given(distances, positive, positive, positive)
@settings(deadline=None, max_examples=100)
def test_s_curves_keep_their_limits_and_arrive(
    distance: float, speed: float, acceleration: float, jerk: float
) -> None:
    move = ff.motion.s_curve((1.0, 1.0 - distance), speed=speed, acceleration=acceleration, jerk=jerk)
    late = 4 * np.spacing(move.end)  # rounding of the time of a break
    for order, limit in enumerate((speed, acceleration, jerk), start=1):
        assert move.peak(order) <= limit * (1 + TRAVEL) + late * move.peak(order + 1)
    # some limit binds: a faster motion would break one
    assert move.peak(3) == pytest.approx(jerk, rel=ROUNDING)
    last, rate, _ = move.jet(np.nextafter(move.end, 0.0))
    assert last == pytest.approx(1.0 - distance, abs=TRAVEL * (1 + distance))
    assert abs(rate) <= TRAVEL * move.peak(1) + late * move.peak(2)
    assert [float(x) for x in move.jet(move.end)] == [1.0 - distance, 0.0, 0.0]


def test_without_a_limit_of_jerk_it_is_the_trapezoid() -> None:
    """The ramps last A/J = 1e-9 s each, and bring about that much of the time and of the way."""
    sharp = ff.motion.s_curve((0.0, 1.0), speed=0.5, acceleration=1.0, jerk=1e9)
    plain = ff.motion.trapezoid((0.0, 1.0), speed=0.5, acceleration=1.0)
    times = np.linspace(0.0, 2.6, 27)
    assert np.abs(sharp.jet(times)[0] - plain.jet(times)[0]).max() < 1e-9


@pytest.mark.parametrize(
    "order, peaks", [(3, (3 / 2, 6)), (5, (15 / 8, 10 / 3**0.5)), (7, (35 / 16, 84 / 5**1.5))]
)
def test_polynomials(order: int, peaks: tuple[float, float]) -> None:
    """Peaks over d/T and d/T², and as many derivatives at rest as the order allows; exact by rational numbers."""
    distance, time = 3.0, 0.5
    move = ff.motion.polynomial((1.0, 1.0 + distance), order=order, duration=time)  # type: ignore[arg-type]
    assert move.peak(1) == pytest.approx(peaks[0] * distance / time, rel=TRAVEL)
    assert move.peak(2) == pytest.approx(peaks[1] * distance / time**2, rel=TRAVEL)
    limited = ff.motion.polynomial((1.0, 1.0 + distance), order=order, acceleration=2.0)  # type: ignore[arg-type]
    assert limited.duration == pytest.approx(np.sqrt(peaks[1] * distance / 2.0), rel=ROUNDING)
    # f(1 − x) = 1 − f(x), from which the end rests as the beginning does
    x = np.linspace(0.0, time, 11)
    there, back = move.jet(x)[0], move.jet(time - x)[0]
    assert np.abs(there + back - 2.0 - distance).max() < TRAVEL * (1 + distance)
    first = np.flatnonzero(move.coefficients[0, 1:])[0] + 1
    assert first == (order + 1) // 2


def test_each_motion_rests_between_points_and_a_duration_slows_all() -> None:
    limits = {"speed": 2.0, "acceleration": 4.0, "deceleration": 5.0}
    fast = ff.motion.trapezoid((0.0, 3.0, 3.0, -1.0), dwell=0.25, begin=1.0, **limits)
    travel = fast.duration - 2 * 0.25
    slow = ff.motion.trapezoid((0.0, 3.0, 3.0, -1.0), dwell=0.25, begin=1.0, duration=2 * travel, **limits)
    assert slow.duration == pytest.approx(2 * travel + 2 * 0.25, rel=ROUNDING)
    assert slow.peak(1) == pytest.approx(fast.peak(1) / 2, rel=TRAVEL)
    assert slow.peak(2) == pytest.approx(fast.peak(2) / 4, rel=TRAVEL)
    first = 3 / 2 + 2 / 2 * (1 / 4 + 1 / 5)  # d/V + V/2A + V/2D
    assert [float(x) for x in fast.jet(1.0 + first + 0.3)] == pytest.approx([3.0, 0.0, 0.0], abs=TRAVEL)
    assert [float(x) for x in fast.jet(0.5)] == [0.0, 0.0, 0.0]


def test_splines_through_points() -> None:
    """A cubic through samples of a cubic with its end speeds is that cubic; a quintic likewise."""
    times = np.array([0.0, 0.3, 0.7, 1.5])
    for spline, f in (
        ("cubic", np.poly1d([2.0, -1.0, 3.0, 1.0])),
        ("quintic", np.poly1d([1.0, -2.0, 0.5, 1, 2, 3])),
    ):
        slope, bend = f.deriv(), f.deriv(2)
        ends = {"speeds": (slope(0.0), slope(1.5))}
        if spline == "quintic":
            ends["accelerations"] = (bend(0.0), bend(1.5))
        path = ff.motion.via_points(times, f(times), spline=spline, **ends)
        t = np.linspace(0.0, 1.499, 40)
        exact = np.array([f(t), slope(t), bend(t)])
        # the equations of a spline are well conditioned; second derivatives lose the shortest spacing squared
        size = np.abs(exact).max() / 0.3**2
        assert np.abs(np.array(path.jet(t)) - exact).max() < rounding(100) * size
        after = [float(x) for x in path.jet(2.0)]
        assert after == pytest.approx([f(1.5) + 0.5 * slope(1.5), slope(1.5), 0.0], rel=TRAVEL)


LAWS: dict[str, Piecewise] = {
    "trapezoid": ff.motion.trapezoid((0.0, 1.0, -0.5), speed=0.9, acceleration=2.0, dwell=0.1, begin=0.2),
    "s_curve": ff.motion.s_curve((0.0, 1.0, -0.5), speed=0.9, acceleration=2.0, jerk=7.0),
    "polynomial": ff.motion.polynomial((1.0, 2.0), order=7, duration=1.3),
    "via_points": ff.motion.via_points((0.0, 0.4, 1.3), (0.0, 1.0, -0.3), spline="cubic"),
    "recording": ff.motion.smooth(np.linspace(0.0, 4.0, 41), np.sin(3 * np.linspace(0.0, 4.0, 41)), noise=0.0),
    "cycle": ff.motion.smooth(np.linspace(0.3, 4.0, 90), np.cos(np.linspace(0.3, 4.0, 90) * np.pi), period=2.0),
}


def _driven(law: Piecewise) -> ff.System:
    return ff.System(
        [ff.RigidBody("slider", 1.0, 1.0)],
        [ff.Prismatic("guide", "ground", "slider")],
        [ff.PositionDrive("motor", "ground", "slider", law)],
    )


@pytest.mark.parametrize("name", LAWS)
def test_the_core_evaluates_them_as_they_are(name: str) -> None:
    """No table in between: all but the order of roundings is the same, at breaks and beyond both ends too."""
    law = LAWS[name]
    inside = np.linspace(0.31, 3.99, 73)
    times = inside if name == "recording" else np.concatenate([inside - 1.0, inside, law.pieces.begins])
    system = laws_at(dynamic_system(_driven(law)), times.min() if name != "recording" else 0.0, 1.0)
    evaluation, place = _core.Evaluation(system.compiled), place_of(system, rigid_start(system, 0.0))
    core = np.zeros((3, len(times)))
    for k, time in enumerate(times):
        evaluation.evaluate(place, time, np.zeros(system.size), np.zeros(system.rows), False)
        core[:, k] = evaluation.targets()[-1]
    expected = np.array(law.jet(times))
    size = np.abs(np.array(expected)).max(axis=1, keepdims=True)
    # B-splines and powers of the same curve: derivatives lose spacing⁻² of the roundings, 100 at most
    far = 100.0 if name in ("recording", "cycle") else 1.0
    assert (np.abs(core - expected) <= far * ROUNDING * (size + size[0])).all()


def test_derivatives_are_those_of_the_value() -> None:
    """Each polynomial has the coefficients k c_k in its rate: three values and their Taylor series agree."""
    for law in LAWS.values():
        begins, rows = law.pieces.begins, law.pieces.coefficients
        k = np.arange(rows.shape[1])
        ends = np.append(begins[1:], begins[-1] + 0.1)
        for begin, end, row in zip(begins, ends, rows, strict=True):
            if end <= begin or (law.pieces.period and end > law.pieces.origin + law.pieces.period):
                continue
            tau = 0.5 * (end - begin)
            terms = row * tau**k
            exact = [terms.sum(), (k * terms).sum() / tau, (k * (k - 1) * terms).sum() / tau**2]
            size = [np.abs(terms).sum(), np.abs(k * terms).sum() / tau, np.abs(k * k * terms).sum() / tau**2]
            found = [float(x) for x in law.pieces.jet(begin + tau)]
            # τ has the rounding of the time, t ε: relative to τ that is t/τ
            loss = rounding(100, 1 + abs(begin) / tau)
            assert np.abs(np.subtract(found, exact)).max() <= loss * np.max(size) * (1 + 1 / tau)


REFUSALS = [
    (lambda: ff.motion.trapezoid((0, 1), speed=-1.0, acceleration=1.0), "speed is -1; give a value above zero"),
    (lambda: ff.motion.trapezoid((0, 1), speed=1.0, acceleration=np.inf), "acceleration is inf"),
    (
        lambda: ff.motion.s_curve((0, 1), speed=0.5, acceleration=1.0, jerk=10.0, duration=2.5),
        "2.5 s is too short for the limits, which allow 2.6 s; give more time or higher limits",
    ),
    (lambda: ff.motion.polynomial((0, 1)), "nothing says how long the motion takes"),
    (lambda: ff.motion.polynomial((0, 1), order=4, duration=1.0), "order 4 is not there"),  # type: ignore[arg-type]
    (
        lambda: ff.motion.polynomial((0, 1), duration=1.0, speed=1.0),
        "too short for the limits, which allow 1.875 s",
    ),
    (lambda: ff.motion.trapezoid((0,), speed=1.0, acceleration=1.0), "give two values or more"),
    (lambda: ff.motion.trapezoid((0, 1), speed=1.0, acceleration=1.0, dwell=-1.0), "dwell of -1 s"),
    (lambda: ff.motion.via_points((0, 0), (0, 1)), "do not increase"),
    (lambda: ff.motion.via_points((0, 1), (0, 1, 2)), "3 values do not fit 2 times"),
    (lambda: ff.motion.via_points((0, 1), (0, np.nan)), "not a finite number"),
]


@pytest.mark.parametrize("call, message", REFUSALS)
def test_refusals(call: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        call()  # type: ignore[operator]
    assert "\n" not in str(error.value)


def test_a_standstill() -> None:
    still = ff.motion.s_curve((2.0, 2.0), speed=1.0, acceleration=1.0, jerk=1.0)
    assert [float(x) for x in still.jet(0.5)] == [2.0, 0.0, 0.0]


def test_a_record_that_is_too_short_for_the_run(tmp_path: Path) -> None:
    times = np.linspace(0.0, 0.5, 20)
    lines = ["t,x", *(f"{t},{np.sin(t)}" for t in times)]
    (tmp_path / "record.csv").write_text("\n".join(lines), encoding="utf-8")
    record = RecordingEntry(samples="record.csv", column="x", noise=0.0).law(Folder(tmp_path))
    system = _driven(record)
    end = ff.simulate(system, duration=0.4, steps=20, samples=2).motion.body("slider").positions[-1]
    # a quintic spline of spacing h = 0.5/19 misses the sine by less than h⁶ = 3e-10
    assert float(end[0]) == pytest.approx(np.sin(0.4), abs=3e-10)
    with pytest.raises(InputError, match="outside the record"):
        ff.simulate(system, duration=0.6, steps=20)


CASE = """
bodies:
  slider: {mass: 2 kg, inertia: 1}
joints:
  guide: {prismatic: [ground, slider]}
drives:
  motor:
    position: LAW
    joint: guide
analyses:
  motion: {kind: kinematics, duration: 4 s, samples: 41}
"""

WRITTEN = [
    ("{trapezoid: 300 mm, speed: 0.2 m/s, acceleration: 1 m/s^2}", 0.3, 0.3 / 0.2 + 0.2),
    ("{trapezoid: [0, 300 mm], speed: 0.2, acceleration: 1, begin: 0.5 s, duration: 2 s}", 0.3, 2.5),
    ("{s_curve: [0, 0.3], speed: 0.2, acceleration: 1, jerk: 20}", 0.3, 0.3 / 0.2 + 0.2 + 0.05),
    ("{polynomial: [0, 30 cm], order: 7, duration: 1.5 s}", 0.3, 1.5),
    ("{via_points: [0, 0.5, 0.3], times: [0, 1 s, 2 s], spline: cubic, speeds: [0, 0]}", 0.3, 2.0),
]


@pytest.mark.parametrize("written, value, end", WRITTEN)
def test_in_a_case(written: str, value: float, end: float, tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(CASE.replace("LAW", written), encoding="utf-8")
    law = ff.load_case(path).system().drives[0].law  # type: ignore[attr-defined]
    assert law.end == pytest.approx(end, rel=ROUNDING)
    assert float(law.jet(end + 1.0)[0]) == value


WRONG = [
    ("{trapezoid: 1, speed: 1, acceleration: 0}", "drives.motor.position.acceleration: acceleration is 0; give"),
    ("{trapezoid: 1, speed: 1}", "drives.motor.position.acceleration: is missing"),
    (
        "{s_curve: 1, speed: 1, acceleration: 1, jerk: 1, duration: 1 s}",
        "too short for the limits, which allow 3.17",
    ),
    ("{trapeze: 1, speed: 1}", "'trapeze' is not a law (did you mean 'trapezoid'?)"),
    (
        "{polynomial: 1, order: 6, duration: 1}",
        "drives.motor.position.order: a polynomial of order 6 is not there",
    ),
    (
        "{via_points: [0, 1], times: [0, 0]}",
        "drives.motor.position.times: the times of the points do not increase",
    ),
]


@pytest.mark.parametrize("written, message", WRONG)
def test_what_cannot_be_is_refused_with_its_field(written: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(CASE.replace("LAW", written), encoding="utf-8")
    with pytest.raises(InputError) as error:
        ff.load_case(path)
    assert message in str(error.value) and "case.yaml:8" in str(error.value)


def test_a_load_that_follows_one(tmp_path: Path) -> None:
    """A free mass under a force that grows from 0 to 6 N by a polynomial of order 3 in 1 s, f = 6 (3 t² − 2 t³).

    With mass 2 kg, v(1) = 3 (1 − 1/2) = 1.5 m/s and x(1) = 3 (1/4 − 1/10) = 0.45 m; the integrator is of second
    order, and ten times its steps bring the error below 1e-6.
    """
    free = CASE.replace("drives:\n  motor:\n    position: LAW\n    joint: guide\n", "loads:\n  push: LOAD\n")
    free = free.replace(
        "{kind: kinematics, duration: 4 s, samples: 41}", "{kind: transient, duration: 1 s, steps: 1000}"
    )
    path = tmp_path / "case.yaml"
    load = "{force: [{polynomial: 6 N, order: 3, duration: 1 s}, 0], on: slider}"
    path.write_text(free.replace("LOAD", load), encoding="utf-8")
    motion = ff.run_case(ff.load_case(path)).records["motion"].motion.body("slider")  # type: ignore[attr-defined]
    assert motion.positions[-1, 0] == pytest.approx(0.45, abs=1e-6)
    assert motion.velocities[-1, 0] == pytest.approx(1.5, abs=1e-6)
