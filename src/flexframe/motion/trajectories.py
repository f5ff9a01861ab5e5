"""Reference trajectories: motions from point to point as laws of time with exact derivatives.

All are made of polynomials, which the core evaluates as they are. Before its beginning a trajectory rests at its
first value, after its end at its last one; a path through points that ends with a speed goes on with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.pieces import DEGREE, Pieces, spline_pieces

_MOST_POINTS = 100_000
_SLACK = 1e-12  # relative, of a duration that a user took from the shortest one

_Segment = tuple[float, float, float]  # duration, acceleration at its beginning, jerk

# f(τ/T) from 0 to 1: its lowest power, and the coefficients from there on
_REST_TO_REST = {3: (2, (3.0, -2.0)), 5: (3, (10.0, -15.0, 6.0)), 7: (4, (35.0, -84.0, 70.0, -20.0))}
# largest first, second and third derivative of these, in closed form
_PEAKS = {
    3: (1.5, 6.0, 12.0),
    5: (1.875, 10.0 / np.sqrt(3.0), 60.0),
    7: (2.1875, 84.0 * np.sqrt(5.0) / 25.0, 52.5),
}


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A law of time of polynomials between breaks, with exact value and derivatives.

    Values are in m or rad, or in whatever the law is used for; times in s.
    """

    breaks: Array  # ends of the polynomials, increasing: (n + 1,)
    coefficients: Array  # of the powers 0 … 7 of the time since the beginning of each: (n, 8)
    ends: tuple[tuple[float, float], tuple[float, float]]  # value and rate at the beginning and at the end

    @property
    def begin(self) -> float:
        """When it leaves its first value [s]."""
        return float(self.breaks[0])

    @property
    def end(self) -> float:
        """When it has arrived [s]."""
        return float(self.breaks[-1])

    @property
    def duration(self) -> float:
        """Time from beginning to end [s]."""
        return self.end - self.begin

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        """Value, first and second derivative at times [s]; at a break those after it."""
        return self.pieces.jet(times)

    @cached_property
    def pieces(self) -> Pieces:
        """Its polynomials, and straight lines before and after them."""
        line = np.zeros((2, DEGREE + 1))
        line[:, :2] = self.ends
        return Pieces(
            np.concatenate([self.breaks[:1], self.breaks]),
            np.concatenate([line[:1], self.coefficients, line[1:]]),
        )

    def peak(self, order: int) -> float:
        """Largest magnitude of a derivative between beginning and end: of order 1 speed, 2 acceleration, 3 jerk.

        Exact: at ends of polynomials and where their next derivative is zero.
        """
        slopes, next_slopes = _derivative(self.coefficients, order), _derivative(self.coefficients, order + 1)
        largest = 0.0
        for polynomial, slope, length in zip(slopes, next_slopes, np.diff(self.breaks), strict=True):
            places = [0.0, 1.0]
            scaled = slope * length ** np.arange(len(slope))  # in x = τ/T, so that its size says what is zero
            if np.abs(scaled).max() > 0.0:
                trimmed = np.trim_zeros(np.where(np.abs(scaled) < 1e-13 * np.abs(scaled).max(), 0.0, scaled), "b")
                roots = np.polynomial.polynomial.polyroots(trimmed)
                places += [float(x.real) for x in roots if abs(x.imag) < 1e-6 and 0.0 < x.real < 1.0]
            values = np.polynomial.polynomial.polyval(length * np.array(places), polynomial)
            largest = max(largest, float(np.abs(values).max()))
        return largest


def trapezoid(
    points: Sequence[float],
    *,
    speed: float,
    acceleration: float,
    deceleration: float | None = None,
    duration: float | None = None,
    dwell: float = 0.0,
    begin: float = 0.0,
) -> Trajectory:
    """The fastest motion from rest to rest with limits of speed and acceleration, from each point to the next.

    The speed is a trapezoid over time, or a triangle where the distance d is too short to reach its limit V: with
    the same limit A both ways it takes d/V + V/A, or 2√(d/A). The acceleration jumps; an elastic machine answers
    with vibration, for which `s_curve` is kinder.

    Parameters
    ----------
    points
        First value, values at which it rests in between, last value [m or rad].
    speed, acceleration
        Limits, positive [per s and s²].
    deceleration
        Limit of the slowing down; that of the acceleration if not given.
    duration
        Time of all motions together [s]; speeds and accelerations are then below the limits. The shortest if not
        given.
    dwell
        Rest at each point in between [s].
    begin
        When it leaves the first point [s].

    Returns
    -------
    Trajectory
        A law of time for drives, loads and controllers.

    Examples
    --------
    >>> move = ff.motion.trapezoid((0.0, 1.0), speed=0.5, acceleration=1.0)
    >>> round(move.duration, 12)  # 1/0.5 + 0.5/1
    2.5
    """
    slowing = acceleration if deceleration is None else deceleration
    _require_positive(speed=speed, acceleration=acceleration, deceleration=slowing)

    def move(distance: float) -> list[_Segment]:
        # v²/2A + v²/2D = d where the limit of the speed is not reached
        top = min(speed, float(np.sqrt(2.0 * distance / (1.0 / acceleration + 1.0 / slowing))))
        up, down = top / acceleration, top / slowing
        steady = max(distance / top - 0.5 * (up + down), 0.0)
        return [(up, acceleration, 0.0), (steady, 0.0, 0.0), (down, -slowing, 0.0)]

    return _moves(points, move, duration, dwell, begin)


def s_curve(
    points: Sequence[float],
    *,
    speed: float,
    acceleration: float,
    jerk: float,
    duration: float | None = None,
    dwell: float = 0.0,
    begin: float = 0.0,
) -> Trajectory:
    """The fastest motion from rest to rest with limits of speed, acceleration and jerk, from point to point.

    Seven phases of constant jerk; those vanish that the distance or the limits leave no time for. With limits
    V, A and J that are all reached, a distance d takes d/V + V/A + A/J.

    Parameters
    ----------
    points
        First value, values at which it rests in between, last value [m or rad].
    speed, acceleration, jerk
        Limits, positive [per s, s² and s³].
    duration
        Time of all motions together [s]; the shortest if not given.
    dwell
        Rest at each point in between [s].
    begin
        When it leaves the first point [s].

    Returns
    -------
    Trajectory
        A law of time for drives, loads and controllers.

    Examples
    --------
    >>> move = ff.motion.s_curve((0.0, 1.0), speed=0.5, acceleration=1.0, jerk=10.0)
    >>> round(move.duration, 12)  # 1/0.5 + 0.5/1 + 1/10
    2.6
    """
    _require_positive(speed=speed, acceleration=acceleration, jerk=jerk)

    def move(distance: float) -> list[_Segment]:
        ramp, rise, steady = _s_times(distance, speed, acceleration, jerk)
        top = jerk * ramp  # largest acceleration
        flat = max(rise - 2.0 * ramp, 0.0)
        up = [(ramp, 0.0, jerk), (flat, top, 0.0), (ramp, top, -jerk)]
        down = [(ramp, 0.0, -jerk), (flat, -top, 0.0), (ramp, -top, jerk)]
        return [*up, (steady, 0.0, 0.0), *down]

    return _moves(points, move, duration, dwell, begin)


def _s_times(distance: float, speed: float, acceleration: float, jerk: float) -> tuple[float, float, float]:
    """Times of one ramp of the acceleration, of the whole speeding up, and of the steady speed."""
    ramp = min(acceleration / jerk, float(np.sqrt(speed / jerk)))
    rise = ramp + speed / (jerk * ramp)
    steady = distance / speed - rise
    if steady >= 0.0:
        return ramp, rise, steady
    # the speed stays below its limit: d = v T with T the time of speeding up and v = J τ (T − τ), τ that of a ramp
    ramp = min(acceleration / jerk, float(np.cbrt(distance / (2.0 * jerk))))
    rise = 0.5 * ramp + float(np.sqrt(0.25 * ramp**2 + distance / (jerk * ramp)))
    return ramp, rise, 0.0


def polynomial(
    points: Sequence[float],
    *,
    order: Literal[3, 5, 7] = 5,
    duration: float | None = None,
    speed: float | None = None,
    acceleration: float | None = None,
    jerk: float | None = None,
    dwell: float = 0.0,
    begin: float = 0.0,
) -> Trajectory:
    """A motion from rest to rest by one polynomial from each point to the next.

    Order 3 begins and ends with zero speed, 5 also with zero acceleration, 7 also with zero jerk. In a time T over
    a distance d the peaks are 1.5, 1.875, 2.19 times d/T and 6, 5.77, 7.51 times d/T².

    Parameters
    ----------
    points
        First value, values at which it rests in between, last value [m or rad].
    order
        3, 5 or 7.
    duration
        Time of all motions together [s]; the shortest that the limits allow if not given.
    speed, acceleration, jerk
        Limits [per s, s² and s³]; those that are not given do not count.
    dwell
        Rest at each point in between [s].
    begin
        When it leaves the first point [s].

    Returns
    -------
    Trajectory
        A law of time for drives, loads and controllers.

    Examples
    --------
    >>> move = ff.motion.polynomial((0.0, 1.0), duration=2.0)
    >>> round(move.peak(1), 12)  # 1.875/2
    0.9375
    """
    if order not in _PEAKS:
        raise InputError(f"a polynomial of order {order} is not there; give 3, 5 or 7", field="order")
    limits = {"speed": speed, "acceleration": acceleration, "jerk": jerk}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    _require_positive(**given)
    if duration is None and not given:
        raise InputError(
            "nothing says how long the motion takes; give duration, or a limit of speed or acceleration"
        )
    values = _checked_points(points)
    distances = np.abs(np.diff(values))
    shortest = np.zeros(len(distances))
    for power, (name, peak) in enumerate(zip(limits, _PEAKS[order], strict=True), start=1):
        if name in given:
            shortest = np.maximum(shortest, (peak * distances / given[name]) ** (1.0 / power))
    times = shortest if given else distances / distances.sum() if distances.any() else distances
    times = times * _stretch(float(times.sum()), duration, limited=bool(given))
    first, shape = _REST_TO_REST[order]
    pieces = []
    for start, end, time in zip(values, values[1:], times, strict=False):
        row = np.zeros(DEGREE + 1)
        row[0] = start
        powers = np.arange(first, first + len(shape))
        row[powers] = (end - start) * np.array(shape) / time**powers if time > 0.0 else 0.0
        pieces.append([(float(time), row)])
    return _join(values, pieces, dwell, begin)


def via_points(
    times: Sequence[float],
    values: Sequence[float],
    *,
    spline: Literal["cubic", "quintic"] = "quintic",
    speeds: tuple[float, float] = (0.0, 0.0),
    accelerations: tuple[float, float] | None = None,
) -> Trajectory:
    """The spline through values at given times, without rest in between.

    The cubic spline has a continuous acceleration, which jumps at both ends; the quintic one has four continuous
    derivatives and given accelerations at the ends.

    Parameters
    ----------
    times
        Increasing times [s]: (n,), two or more.
    values
        Values at them [m or rad]: (n,).
    spline
        "cubic" or "quintic".
    speeds
        At the first and the last point [per s].
    accelerations
        At both ends [per s²], of the quintic spline; zero if not given.

    Returns
    -------
    Trajectory
        A law of time for drives, loads and controllers.

    Examples
    --------
    >>> path = ff.motion.via_points((0.0, 1.0, 3.0), (0.0, 2.0, 1.0), spline="cubic")
    >>> [round(float(x), 12) + 0.0 for x in path.jet([1.0, 3.0])[0]]
    [2.0, 1.0]
    """
    t, y = np.asarray(times, dtype=float), _checked_points(values)
    if t.shape != y.shape:
        raise InputError(f"{len(y)} values do not fit {t.size} times; give one for each", field="times")
    if not np.isfinite(t).all() or (np.diff(t) <= 0.0).any():
        raise InputError("the times of the points do not increase; sort them", field="times")
    if spline not in ("cubic", "quintic"):
        raise InputError(f"there is no spline '{spline}'; give cubic or quintic", field="spline")
    if spline == "cubic" and accelerations is not None:
        raise InputError(
            "a cubic spline has no room for accelerations at its ends; use a quintic one", field="spline"
        )
    from scipy.interpolate import make_interp_spline  # takes a third of a second to import

    bends = (0.0, 0.0) if accelerations is None else accelerations
    degree = 3 if spline == "cubic" else 5
    unit = float(t[-1] - t[0]) / (len(t) - 1)  # of time: the mean spacing keeps the equations well scaled
    ends: Any = tuple(  # the types of the library know less than the library
        [(1, speed * unit), (2, bend * unit**2)][: degree // 2] for speed, bend in zip(speeds, bends, strict=True)
    )
    curve = make_interp_spline((t - t[0]) / unit, y, k=degree, bc_type=ends)
    breaks, coefficients = spline_pieces(curve.t, curve.c, degree)
    rates = ((float(y[0]), float(speeds[0])), (float(y[-1]), float(speeds[1])))
    return Trajectory(t[0] + unit * breaks, coefficients / unit ** np.arange(DEGREE + 1), rates)


# --- building ---------------------------------------------------------------------------------------------------


def _moves(
    points: Sequence[float],
    move: Callable[[float], list[_Segment]],
    duration: float | None,
    dwell: float,
    begin: float,
) -> Trajectory:
    """Moves of constant jerk between points, slowed down to a duration: τ → τ s, a → a/s², j → j/s³."""
    values = _checked_points(points)
    moves = [move(abs(float(d))) if d else [] for d in np.diff(values)]
    stretch = _stretch(sum(time for each in moves for time, _, _ in each), duration, limited=True)
    pieces = []
    for start, end, segments in zip(values, values[1:], moves, strict=False):
        rows, value, rate = [], float(start), 0.0
        for time, acceleration, jerk in segments:
            T = time * stretch
            a, j = (float(np.sign(end - start)) * x for x in (acceleration / stretch**2, jerk / stretch**3))
            row = np.zeros(DEGREE + 1)
            row[:4] = value, rate, a / 2.0, j / 6.0
            rows.append((T, row))
            value, rate = value + T * (rate + T * (a / 2.0 + T * j / 6.0)), rate + T * (a + T * j / 2.0)
        pieces.append(rows)
    return _join(values, pieces, dwell, begin)


def _stretch(shortest: float, duration: float | None, *, limited: bool) -> float:
    """By what the shortest time is multiplied for a duration."""
    if duration is None or shortest == 0.0:
        return 1.0
    _require_positive(duration=duration)
    if limited and duration < shortest * (1.0 - _SLACK):
        raise InputError(
            f"a duration of {duration:g} s is too short for the limits, which allow {shortest:.6g} s; "
            "give more time or higher limits",
            field="duration",
        )
    return duration / shortest


def _join(values: Array, moves: Sequence[Sequence[tuple[float, Array]]], dwell: float, begin: float) -> Trajectory:
    """One trajectory of moves with rests in between; what takes no time is left out."""
    if not (dwell >= 0.0 and np.isfinite(dwell)):
        raise InputError(f"a dwell of {dwell:g} s is not possible; give zero or more", field="dwell")
    rows: list[tuple[float, Array]] = []
    for number, move in enumerate(moves):
        if number and dwell > 0.0:
            rows.append((dwell, _rest(float(values[number]))))
        rows += [(time, row) for time, row in move if time > 0.0]
    if not rows:  # it stays where it is
        rows = [(1.0, _rest(float(values[0])))]
    breaks = begin + np.concatenate([[0.0], np.cumsum([time for time, _ in rows])])
    return Trajectory(
        breaks, np.array([row for _, row in rows]), ((float(values[0]), 0.0), (float(values[-1]), 0.0))
    )


def _rest(value: float) -> Array:
    row = np.zeros(DEGREE + 1)
    row[0] = value
    return row


def _derivative(coefficients: Array, order: int) -> Array:
    """Coefficients of the derivative of an order, (n, 8)."""
    result = coefficients
    for _ in range(order):
        result = np.column_stack([result[:, 1:] * np.arange(1.0, DEGREE + 1), np.zeros(len(result))])
    return result


def _checked_points(points: Sequence[float]) -> Array:
    values = np.asarray(points, dtype=float)
    if values.ndim != 1 or not 2 <= len(values) <= _MOST_POINTS:
        raise InputError("a trajectory goes from one value to another; give two values or more, such as (0, 1)")
    if not np.isfinite(values).all():
        raise InputError("a point of the trajectory is not a finite number; give one")
    return values


def _require_positive(**given: float) -> None:
    for name, value in given.items():
        if not (value > 0.0 and np.isfinite(value)):
            raise InputError(f"{name} is {value:g}; give a value above zero", field=name)
