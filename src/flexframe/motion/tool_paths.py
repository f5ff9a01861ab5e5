"""Paths of a tool in space: lines, arcs and splines through poses with a law of the way along them, or recordings.

A path is passed as s(t): position p(s) over the arc length s and orientation R(s), the way s by a `Trajectory`
that rests wherever the direction of the path, or the axis or rate of turning, jumps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector, vector_from_rotation
from flexframe.motion.trajectories import Trajectory

_SAME = 1e-9  # of a length, or of a direction, that is none
_SMOOTH = 1e-6  # sine of an angle between two tangents that is none
_ROUGHLY = 1e-6  # of a duration, within which two instants are one
_QUADRATURE = 64  # points for the length of a piece of a spline
Law = Callable[[Sequence[float]], Trajectory]
"""Makes the way along a path from the values at which it rests, the first and the last among them."""


class PoseLaw(Protocol):
    """Where a tool is over time."""

    @property
    def breaks(self) -> Array:
        """Times [s] at which derivatives may jump, with those of the beginning and the end: increasing."""
        ...

    @property
    def turns(self) -> bool:
        """Whether it says how the tool is oriented."""
        ...

    def position(self, times: Array) -> Array:
        """[m], in space: (T, 3)."""
        ...

    def rotation(self, times: Array) -> Array:
        """Axes of the tool in space: (T, 3, 3)."""
        ...


@dataclass(frozen=True, eq=False)
class ToolPose:
    """A place of a tool [m] and, where it matters, its rotation vector [rad], both in space axes."""

    place: ArrayLike
    rotation: ArrayLike | None = None

    @property
    def point(self) -> Array:
        """The place: (3,)."""
        return _point(self.place, "a pose")

    @property
    def axes(self) -> Array | None:
        """Columns are the axes of the tool in space."""
        return None if self.rotation is None else rotation_from_vector(_point(self.rotation, "a rotation"))


class Segment(Protocol):
    """A piece of a path from one pose to the next."""

    @property
    def end(self) -> ToolPose:
        """Where it leads."""
        ...

    def curve(self, start: Array) -> "Curve":
        """Its geometry from a point on."""
        ...


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve over its arc length: its length [m], points and unit tangents at arc lengths."""

    length: float
    points: Callable[[Array], Array]
    tangents: Callable[[Array], Array]
    knots: tuple[float, ...] = ()  # arc lengths between its ends at which higher derivatives jump


@dataclass(frozen=True, eq=False)
class Line:
    """Straight to a pose."""

    end: ToolPose

    def curve(self, start: Array) -> Curve:
        way = self.end.point - start
        length = float(np.linalg.norm(way))
        direction = way / length if length > _SAME else np.zeros(3)
        return Curve(
            length,
            lambda s: start + s[:, None] * direction,
            lambda s: np.broadcast_to(direction, (len(s), 3)),
        )


@dataclass(frozen=True, eq=False)
class Arc:
    """On a circle through the point `via` to a pose."""

    end: ToolPose
    via: ArrayLike

    def curve(self, start: Array) -> Curve:
        a, b = _point(self.via, "via") - start, self.end.point - start
        normal = np.cross(a, b)
        size = float(np.linalg.norm(normal))
        if size < _SMOOTH * np.linalg.norm(a) * np.linalg.norm(b) or size == 0.0:
            raise InputError(
                "the three points of an arc lie on one line; give a line, or another point via", field="via"
            )
        # centre of the circle through 0, a and b
        centre = np.cross((a @ a) * b - (b @ b) * a, normal) / (2 * size**2)
        radius = float(np.linalg.norm(centre))
        x = -centre / radius
        y = np.cross(normal / size, x)
        angle = float(np.arctan2((b - centre) @ y, (b - centre) @ x) % (2 * np.pi))
        middle = start + centre

        def points(s: Array) -> Array:
            t = s / radius
            return np.asarray(middle + radius * (np.cos(t)[:, None] * x + np.sin(t)[:, None] * y))

        def tangents(s: Array) -> Array:
            t = s / radius
            return np.asarray(-np.sin(t)[:, None] * x + np.cos(t)[:, None] * y)

        return Curve(radius * angle, points, tangents)


@dataclass(frozen=True, eq=False)
class Spline:
    """A smooth curve (continuous curvature) through points to a pose."""

    end: ToolPose
    through: Sequence[ArrayLike]

    def curve(self, start: Array) -> Curve:
        from scipy.interpolate import CubicSpline  # takes a third of a second to import

        points = np.array([start, *(_point(each, "through") for each in self.through), self.end.point])
        chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
        if (chords < _SAME).any():
            raise InputError("two successive points of a spline are the same; give each once", field="through")
        knots = np.concatenate([[0.0], np.cumsum(chords)])
        spline = CubicSpline(knots, points, bc_type="natural" if len(points) < 4 else "not-a-knot")
        slope = spline.derivative()
        x, w = np.polynomial.legendre.leggauss(_QUADRATURE)

        def length(low: Array, high: Array) -> Array:
            """∫|dp/du| du from low to high, each: (n,)."""
            half = (high - low) / 2
            u = low[:, None] + half[:, None] * (1 + x)
            return np.asarray((np.linalg.norm(slope(u), axis=2) @ w) * half)

        pieces = length(knots[:-1], knots[1:])
        ends = np.concatenate([[0.0], np.cumsum(pieces)])

        def parameter(s: Array) -> Array:
            """u at arc lengths, by Newton's method."""
            row = np.clip(np.searchsorted(ends, s, side="right") - 1, 0, len(pieces) - 1)
            low, high = knots[row], knots[row + 1]
            u = low + (high - low) * (s - ends[row]) / pieces[row]
            for _ in range(50):
                step = (ends[row] + length(low, u) - s) / np.linalg.norm(slope(u), axis=1)
                u = u - step
                if np.abs(step).max(initial=0.0) < 1e-15 * knots[-1]:
                    break
            return u

        def tangents(s: Array) -> Array:
            d = slope(parameter(s))
            return np.asarray(d / np.linalg.norm(d, axis=1)[:, None])

        inner = tuple(ends[1:-1].tolist())
        return Curve(float(ends[-1]), lambda s: np.asarray(spline(parameter(s))), tangents, inner)


@dataclass(frozen=True, eq=False)
class _Piece:
    """A segment from an arc length on, with the rotation about one axis that it brings."""

    begin: float
    length: float  # of the way, which is the angle of a segment that only turns
    curve: Curve
    first: Array | None  # axes at its beginning
    turn: Array  # rotation vector from its beginning to its end, space axes

    def at(self, s: Array) -> tuple[Array, Array | None]:
        """Points and axes at values of the way."""
        along = np.clip(s - self.begin, 0.0, self.length)
        points = self.curve.points(along * (self.curve.length / self.length))
        if self.first is None:
            return points, None
        return points, rotation_from_vector((along / self.length)[:, None] * self.turn) @ self.first

    def tangent(self, end: bool) -> Array:
        """dp/ds and the rate of turning over the way, at its beginning or end: (6,)."""
        s = np.array([self.curve.length if end else 0.0])
        share = self.curve.length / self.length
        return np.concatenate([share * self.curve.tangents(s)[0], self.turn / self.length])


@dataclass(frozen=True, eq=False)
class ToolPath:
    """Lines, arcs and splines one after the other from a first pose, passed by a law of the way.

    With rotations at some poses the tool turns evenly about one axis from one to the next; without any, only its
    place is led. It rests where the direction of the path or the rate of turning jumps. A segment that only turns
    counts one metre a radian.

    Parameters
    ----------
    start
        The first pose.
    segments
        `Line`, `Arc` and `Spline`, each with the pose at its end.
    law
        Makes the way [m] from the values at which it rests, such as
        `lambda ways: ff.motion.trapezoid(ways, speed=0.5, acceleration=2.0)`.
    """

    start: ToolPose
    segments: Sequence[Segment]
    law: Law

    def __post_init__(self) -> None:
        if not self.segments:
            raise InputError("a path has no segment; give a line, an arc or a spline")
        _ = self.way  # what does not fit is found here

    @cached_property
    def pieces(self) -> tuple[_Piece, ...]:
        """All segments with their places on the way."""
        if self.start.axes is None and any(each.end.axes is not None for each in self.segments):
            raise InputError(
                "a later pose has a rotation and the first has none; give the first one its rotation",
                field="start",
            )
        made: list[_Piece] = []
        point, axes, begin = self.start.point, self.start.axes, 0.0
        for segment in self.segments:
            curve = segment.curve(point)
            turn = np.zeros(3)
            if axes is not None and segment.end.axes is not None:
                turn = vector_from_rotation(segment.end.axes @ axes.T)
            length = curve.length if curve.length > _SAME else float(np.linalg.norm(turn))
            if length <= _SAME:
                raise InputError("a segment of the path leads nowhere and turns nothing; leave it out")
            made.append(_Piece(begin, length, curve, axes, turn))
            point, begin = segment.end.point, begin + length
            axes = axes if segment.end.axes is None else segment.end.axes
        return tuple(made)

    @property
    def turns(self) -> bool:
        """Whether it says how the tool is oriented."""
        return self.start.axes is not None

    @cached_property
    def way(self) -> Trajectory:
        """The way over time [m]."""
        stops = [0.0]
        for before, after in zip(self.pieces, self.pieces[1:], strict=False):
            if np.abs(before.tangent(True) - after.tangent(False)).max() > _SMOOTH:
                stops.append(after.begin)
        return self.law([*stops, self.pieces[-1].begin + self.pieces[-1].length])

    @cached_property
    def breaks(self) -> Array:
        """Times at which derivatives jump: those of the law, and where segments or pieces of splines meet."""
        meets = [piece.begin for piece in self.pieces[1:]]
        for piece in self.pieces:
            share = piece.length / piece.curve.length if piece.curve.length > _SAME else 1.0
            meets += [piece.begin + knot * share for knot in piece.curve.knots]
        own = self.way.breaks
        passed = [self._passing_time(value) for value in meets]
        # a place of rest is passed when the law says so; that it is there at all is flat, and found roughly
        more = [time for time in passed if np.abs(own - time).min() > _ROUGHLY * self.way.duration]
        return np.unique([*own.tolist(), *more])

    def _passing_time(self, value: float) -> float:
        """When a value of the way is passed [s]; it never goes back."""
        from scipy.optimize import brentq

        low, high = self.way.begin, self.way.end
        if self.way.jet(low)[0] >= value:
            return low
        if self.way.jet(high)[0] <= value:
            return high
        return float(brentq(lambda t: float(self.way.jet(t)[0]) - value, low, high, xtol=1e-14))

    def position(self, times: Array) -> Array:
        return self._at(times)[0]

    def rotation(self, times: Array) -> Array:
        axes = self._at(times)[1]
        assert axes is not None, "it is asked for where there is one"
        return axes

    def _at(self, times: Array) -> tuple[Array, Array | None]:
        s = self.way.jet(np.asarray(times, dtype=float))[0]
        starts = np.array([piece.begin for piece in self.pieces])
        row = np.clip(np.searchsorted(starts, s, side="right") - 1, 0, len(self.pieces) - 1)
        points, axes = np.zeros((len(s), 3)), np.zeros((len(s), 3, 3))
        for number, piece in enumerate(self.pieces):
            own = row == number
            if own.any():
                points[own], turned = piece.at(s[own])
                if turned is not None:
                    axes[own] = turned
        return points, axes if self.turns else None


@dataclass(frozen=True, eq=False)
class RecordedPath:
    """A tool over time by laws of its coordinates [m] and, where it is turned, of its rotation vector [rad]."""

    coordinates: Sequence[Any]  # three laws of time
    turning: Sequence[Any]  # three of them, or none
    span: tuple[float, float]  # s

    @property
    def breaks(self) -> Array:
        """Its ends."""
        return np.array(self.span)

    @property
    def turns(self) -> bool:
        """Whether it says how the tool is oriented."""
        return bool(self.turning)

    def position(self, times: Array) -> Array:
        return np.stack([law.jet(times)[0] for law in self.coordinates], axis=1)

    def rotation(self, times: Array) -> Array:
        return rotation_from_vector(np.stack([law.jet(times)[0] for law in self.turning], axis=1))


def _point(value: ArrayLike, what: str) -> Array:
    found = np.asarray(value, dtype=float).ravel()
    if found.size == 2:
        found = np.append(found, 0.0)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise InputError(f"{what} is {value!r}; give three numbers, or two in the plane")
    return found
