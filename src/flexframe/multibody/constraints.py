"""All constraints of a system in a fixed order, in flat tables that the core evaluates for all rows and instants.

For the coordinate s of every row they give

    value s,   rows J with ṡ = J · (v, ω),   rate ṡ,   and bias β with s̈ = J · (v̇, ω̇) + β,

with v, ω the velocities of all bodies in space axes. J is (T, rows, bodies + 1, 6); the last body is the ground.
In the formulas a and b are the first and the second body, ρ the arm of a place from the origin of its body,
Δ = p_b − p_a, and x, y, z directions fixed in a (or in space), b and a.

A row that follows other coordinates r, the leading ones, and perhaps the time is that of s − f(r, t):

    J_s − f_r J_r,   ṡ − f_r ṙ,   and   β_s − (second derivative of f along (ṙ, 1)) − f_r β_r ,

and its rate is to be f_t.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from flexframe import _core
from flexframe.errors import FieldPath, InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.model.constraints import (
    Along,
    BladeSlip,
    Constraint,
    Distance,
    Fixed,
    MeshAngle,
    Perpendicular,
    RimSlip,
    Rotation,
    TimeLaw,
    unit,
)
from flexframe.model.drives import FollowingLaw
from flexframe.multibody.states import PLANAR_COLUMNS, SPATIAL_COLUMNS, Configuration, Rates, array_poses, cross

_NO_LAW = Fixed()


@dataclass(frozen=True, eq=False)
class BoundFrames:
    """A constraint with the bodies it binds and the frames on them, in body axes."""

    constraint: Constraint
    first: int
    second: int
    first_point: Array  # (3,)
    second_point: Array
    first_axes: Array  # (3, 3), columns
    second_axes: Array
    markers: tuple[str, str] = ("", "")  # of its own, where they are not those of its owner
    leaders: "tuple[BoundFrames, ...]" = ()  # the coordinates that it follows
    law: TimeLaw = _NO_LAW  # f of the leaders
    number: int = 0  # of the first leader in the system; the others come after it


@dataclass(frozen=True, eq=False)
class ConstraintTable:
    """Rows of constraints: type, bodies or other frames, places and directions."""

    types: IntArray  # numbers of the types in the core: (rows,)
    frames: IntArray  # first, second, and the one that carries x: (rows, 3)
    places: Array  # on the first and the second body: (rows, 2, 3)
    directions: Array  # x, y, z: (rows, 3, 3)
    radii: Array  # (rows,)

    def values(self, c: Configuration) -> tuple[Array, Array]:
        """s (T, rows) and J (T, rows, bodies + 1, 6)."""
        T, rows = c.count, len(self.types)
        s, J = np.zeros((T, rows)), np.zeros((T, rows, c.positions.shape[1], 6))
        _core.constraint_values(self, np.ascontiguousarray(c.positions), np.ascontiguousarray(c.rotations), s, J)
        return s, J

    def rates(self, c: Configuration, u: Rates) -> tuple[Array, Array]:
        """ṡ and β: (T, rows) each."""
        rate, bias = np.zeros((c.count, len(self.types))), np.zeros((c.count, len(self.types)))
        r, R, v, w = map(np.ascontiguousarray, (c.positions, c.rotations, u.linear, u.angular))
        _core.constraint_rates(self, r, R, v, w, rate, bias)
        return rate, bias


def constraint_table(entries: Sequence[BoundFrames], ground: int) -> ConstraintTable:
    """One row for each constraint, in their order."""
    m, number = len(entries), {name: number for number, name in enumerate(_core.constraint_types())}
    types, bodies = np.zeros(m, dtype=np.int64), np.zeros((m, 3), dtype=np.int64)
    places, directions, radii = np.zeros((m, 2, 3)), np.zeros((m, 3, 3)), np.zeros(m)
    for row, e in enumerate(entries):
        own = e.constraint.row(e.first_axes, e.second_axes)
        types[row], radii[row] = number[e.constraint.type], own.radius
        bodies[row] = e.first, e.second, ground if own.in_space else e.first
        places[row] = e.first_point, e.second_point
        for place, direction in enumerate((own.x, own.y, own.z)):
            if direction is not None:
                directions[row, place] = direction
    return ConstraintTable(types, bodies, places, directions, radii)


@dataclass(frozen=True, eq=False)
class Targets:
    """What laws of time demand at some instants: f, ḟ, f̈, (T, rows) each."""

    times: Array  # (T,)
    value: Array
    rate: Array
    second: Array

    def at(self, instants: "IntArray | slice | list[int]") -> "Targets":
        """Some of the instants."""
        return Targets(self.times[instants], self.value[instants], self.rate[instants], self.second[instants])


@dataclass(frozen=True, eq=False)
class ConstraintSet:
    """Constraints s = f(t), or J·velocities = 0; each has an owner, a joint or drive."""

    entries: tuple[BoundFrames, ...]
    owners: tuple[str, ...]
    bodies: int
    planar: bool
    parts: Mapping[str, FieldPath] = field(default_factory=dict)  # where the owners stand in a model

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.entries)

    @cached_property
    def _table(self) -> ConstraintTable:
        return constraint_table(self.entries, self.bodies)

    @cached_property
    def following(self) -> IntArray:
        """Rows that follow other coordinates."""
        return np.array([i for i, e in enumerate(self.entries) if e.leaders], dtype=np.int64)

    @cached_property
    def leaders(self) -> "ConstraintSet":
        """The coordinates that rows follow, in their order."""
        found = [
            (leader, owner) for e, owner in zip(self.entries, self.owners, strict=True) for leader in e.leaders
        ]
        entries, owners = tuple(leader for leader, _ in found), tuple(owner for _, owner in found)
        return ConstraintSet(entries, owners, self.bodies, self.planar, self.parts)

    @cached_property
    def _led_by(self) -> list[slice]:
        """Where the leaders of each row that follows stand among all leaders."""
        ends = np.cumsum([len(self.entries[row].leaders) for row in self.following]).tolist()
        return [slice(begin, end) for begin, end in zip([0, *ends], ends, strict=False)]

    @cached_property
    def _mixed(self) -> list[tuple[int, slice, FollowingLaw]]:
        """Rows whose law is one of coordinates and the time, with their leaders."""
        rows = zip(self.following.tolist(), self._led_by, strict=True)
        laws = [(row, led, self.entries[row].law) for row, led in rows]
        return [(row, led, law) for row, led, law in laws if isinstance(law, FollowingLaw) and law.depends_on_time]

    def count_turns(self, c: Configuration, numbers: IntArray | None = None) -> tuple[Array, Array]:
        """Values and J of coordinates that others follow; angles are counted through all turns.

        `numbers` are theirs in the system, all of them without.
        """
        value, J = self._table.values(c)
        chosen: IntArray | slice = slice(None) if numbers is None else numbers
        if self.turns.any():
            near = value if c.counted is None else c.counted[:, chosen]
            if c.angles is not None:
                angles = np.concatenate([c.angles, np.zeros((c.count, 1))], axis=1)
                at_zero, senses, first, second = self._plane
                near = at_zero + senses * (angles[:, second] - angles[:, first])
            value = np.where(self.turns, value + whole_turns(near - value), value)
        return value, J

    @cached_property
    def _plane(self) -> tuple[Array, Array, IntArray, IntArray]:
        """Of angles in the plane: their values where no body is turned, senses about z, and bodies."""
        axes = [
            e.first_axes @ unit(e.constraint.axis, "axis") if isinstance(e.constraint, Rotation) else np.zeros(3)
            for e in self.entries
        ]
        still = array_poses(np.zeros((1, self.bodies, 3)), None, np.zeros((1, self.bodies)))
        first, second = (np.array([getattr(e, k) for e in self.entries], dtype=np.int64) for k in _SIDES)
        angles = [  # without what places do to them
            replace(e, constraint=Rotation(e.constraint.axis)) if isinstance(e.constraint, MeshAngle) else e
            for e in self.entries
        ]
        at_zero = constraint_table(angles, self.bodies).values(still)[0][0]
        return at_zero, np.array([np.sign(axis[2]) for axis in axes]), first, second

    def _leading(self, c: Configuration) -> tuple[Array, Array]:
        """Values (T, leaders) and J of what rows follow."""
        numbers = [self.entries[i].number + k for i in self.following for k in range(len(self.entries[i].leaders))]
        return self.leaders.count_turns(c, np.array(numbers, dtype=np.int64))

    def _slopes(self, value: Array, times: Array | None) -> tuple[Array, Array]:
        """f of the rows that follow (T, following), and f_r (T, leaders)."""
        f, slopes = np.zeros((len(value), len(self.following))), np.zeros_like(value)
        for k, (row, led) in enumerate(zip(self.following, self._led_by, strict=True)):
            law = self.entries[row].law
            if isinstance(law, FollowingLaw):
                f[:, k], slopes[:, led], _ = law.slopes(value[:, led], self._instants(law, times, len(value)))
            else:
                f[:, k], slopes[:, led.start], _ = law.jet(value[:, led.start])
        return f, slopes

    @staticmethod
    def _instants(law: FollowingLaw, times: Array | None, count: int) -> Array:
        assert times is not None or not law.depends_on_time, "a law of coordinates and the time wants both"
        return np.zeros(count) if times is None else np.broadcast_to(times, (count,))

    def own_rates(self, c: Configuration, times: Array) -> Array:
        """f_t of rows that follow coordinates and the time, zero of all others: (T, rows)."""
        found = np.zeros((c.count, self.count))
        if self._mixed:
            value, _ = self._leading(c)
            for row, led, law in self._mixed:
                found[:, row] = law.slopes(value[:, led], np.broadcast_to(times, (c.count,)))[2]
        return found

    @cached_property
    def holonomic(self) -> BoolArray:
        """Rows that are constraints on positions: (rows,)."""
        return np.array([not isinstance(e.constraint, RimSlip | BladeSlip) for e in self.entries], dtype=bool)

    @cached_property
    def lengths(self) -> BoolArray:
        """Rows that measure metres; the others measure radians or cosines."""
        return np.array([not isinstance(e.constraint, Perpendicular | Rotation) for e in self.entries], dtype=bool)

    @cached_property
    def turns(self) -> BoolArray:
        """Which of them are angles, which come back after a turn: (rows,)."""
        return np.array([isinstance(e.constraint, Rotation) for e in self.entries], dtype=bool)

    @cached_property
    def _laws(self) -> tuple[Array, tuple[tuple[int, TimeLaw], ...]]:
        constant, moving = np.zeros(self.count), []
        for row, entry in enumerate(self.entries):
            law = entry.constraint.law if isinstance(entry.constraint, Along | Rotation | Distance) else Fixed()
            if isinstance(law, Fixed):
                constant[row] = law.value
            else:
                moving.append((row, law))
        return constant, tuple(moving)

    def targets(self, times: Array) -> Targets:
        """Laws at all times."""
        constant, moving = self._laws
        T = len(times)
        value = np.repeat(constant[None], T, axis=0)
        rate, second = np.zeros((T, self.count)), np.zeros((T, self.count))
        for row, law in moving:
            value[:, row], rate[:, row], second[:, row] = law.jet(times)
            found = np.isfinite(value[:, row]) & np.isfinite(rate[:, row]) & np.isfinite(second[:, row])
            if not found.all():
                when = times[int(np.argmin(found))]
                raise InputError(
                    f"drive {self.owners[row]} has no finite value, velocity and acceleration at t = {when:g} s; "
                    "choose another law or other times",
                    field=("events", self.owners[row]),
                    part=self.parts.get(self.owners[row], ()),
                )
        return Targets(np.asarray(times, dtype=float), value, rate, second)

    def values(self, c: Configuration, times: Array | None = None) -> tuple[Array, Array]:
        """s (T, rows) and the full J (T, rows, bodies + 1, 6); `times` (T,) where rows follow these, too."""
        s, J = self._table.values(c)
        rows = self.following
        if rows.size:
            value, leading = self._leading(c)
            f, slopes = self._slopes(value, times)
            gap = s[:, rows] - f
            s[:, rows] = np.where(self.turns[rows], gap - whole_turns(gap), gap)
            for row, led in zip(rows, self._led_by, strict=True):
                J[:, row] -= (slopes[:, led, None, None] * leading[:, led]).sum(axis=1)
        return s, J

    def residual(self, s: Array, targets: Targets) -> Array:
        """s − f, angles to the nearer side; zero for constraints on velocities."""
        gap = s - targets.value
        if self.turns.any():
            gap[:, self.turns] = np.mod(gap[:, self.turns] + np.pi, 2 * np.pi) - np.pi
        gap[:, ~self.holonomic] = 0.0
        return gap

    def rates(self, c: Configuration, u: Rates, times: Array | None = None) -> tuple[Array, Array]:
        """ṡ and the bias β of s̈ = J·accelerations + β."""
        rate, bias = self._table.rates(c, u)
        if not self.following.size:
            return rate, bias
        value, _ = self._leading(c)
        _, slopes = self._slopes(value, times)
        led_rates, led_biases = self.leaders.rates(c, u)
        for row, led in zip(self.following, self._led_by, strict=True):
            law = self.entries[row].law
            if isinstance(law, FollowingLaw):
                instants = self._instants(law, times, c.count)
                bias[:, row] -= law.along(value[:, led], led_rates[:, led], instants, 1.0)[2]
            else:
                bias[:, row] -= law.jet(value[:, led.start])[2] * led_rates[:, led.start] ** 2
            rate[:, row] -= (slopes[:, led] * led_rates[:, led]).sum(axis=1)
            bias[:, row] -= (slopes[:, led] * led_biases[:, led]).sum(axis=1)
        return rate, bias

    def follower_rates(self, c: Configuration, u: Rates) -> Array:
        """ṡ of the rows as they are without what they follow: (T, rows)."""
        return self._table.rates(c, u)[0]

    def reduce_jacobian(self, J: Array) -> Array:
        """J for the coordinates of the system: (T, rows, n)."""
        columns = PLANAR_COLUMNS if self.planar else SPATIAL_COLUMNS
        kept = J[:, :, :-1][..., columns]
        return np.ascontiguousarray(kept).reshape(J.shape[0], self.count, self.bodies * len(columns))

    def choose(self, rows: Sequence[int]) -> "ConstraintSet":
        """Some of the rows."""
        return ConstraintSet(
            tuple(self.entries[i] for i in rows),
            tuple(self.owners[i] for i in rows),
            self.bodies,
            self.planar,
            self.parts,
        )


_SIDES = ("first", "second")


def on_second(rows: ConstraintSet, c: Configuration, full: Array) -> Array:
    """J of rows on their second bodies, force and moment about their origins: (T, rows, 6).

    The ground feels the opposite of the first body when it is the second.
    """
    index = np.arange(rows.count)
    second = np.array([e.second for e in rows.entries], dtype=np.int64)
    first = np.array([e.first for e in rows.entries], dtype=np.int64)
    on_first = full[:, index, first]
    arm = c.positions[:, first] - c.positions[:, second]
    opposite = -np.concatenate([on_first[..., :3], on_first[..., 3:] + cross(arm, on_first[..., :3])], axis=-1)
    return np.where((second == rows.bodies)[None, :, None], opposite, full[:, index, second])


def whole_turns(angle: Array) -> Array:
    """The multiple of 2π that is nearest to an angle."""
    return np.asarray(2 * np.pi * np.round(angle / (2 * np.pi)))


def counted_by_rates(value: Array, rate: Array, times: Array, turns: BoolArray) -> Array:
    """Values along a motion (T, k), angles with the turns that their rates make between instants."""
    out = value.copy()
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(times)[:, None]
    for i, step in enumerate(steps):
        out[i + 1] += np.where(turns, whole_turns(out[i] + step - out[i + 1]), 0.0)
    return out


def idle_in_plane(constraints: ConstraintSet) -> tuple[BoolArray, Array]:
    """Rows that no planar motion changes, seen at two arbitrary planar positions, and the values there."""
    random = np.random.default_rng(1)
    positions = np.zeros((2, constraints.bodies, 3))
    positions[..., :2] = random.normal(size=(2, constraints.bodies, 2))
    angles = random.uniform(-3, 3, size=(2, constraints.bodies))
    s, J = constraints.values(array_poses(positions, None, angles), np.zeros(2))
    return np.abs(constraints.reduce_jacobian(J)).max(axis=(0, 2)) < 1e-12, s


def keep_in_plane(constraints: ConstraintSet) -> ConstraintSet:
    """Without the rows that hold by themselves when all bodies move in the x–y plane.

    A row that can never hold there is refused.
    """
    if not constraints.planar or not constraints.count:
        return constraints
    idle, s = idle_in_plane(constraints)
    constant, moving = constraints._laws
    none = np.zeros((2, constraints.count))
    still = Targets(np.zeros(2), np.tile(constant, (2, 1)), none, none)
    refused = np.abs(constraints.residual(s, still)).max(axis=0) > 1e-9
    refused[[row for row, _ in moving]] = True
    for row in np.flatnonzero(idle & refused):
        why = (
            "places lie off it" if isinstance(constraints.entries[row].constraint, Along) else "axes lie across it"
        )
        raise InputError(
            f"{constraints.owners[row]} cannot hold while the bodies move in the x–y plane, its {why}; "
            "correct its axis or points, or use space: spatial",
            part=constraints.parts.get(constraints.owners[row], ()),
        )
    return constraints.choose([int(i) for i in np.flatnonzero(~idle)])
