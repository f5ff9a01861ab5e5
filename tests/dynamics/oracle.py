"""The equations of a system from positions alone: sums over mass points and derivatives by power series in time.

Nothing of the core is used and none of its formulas. Where bodies are along a motion with constant velocities,

    r(t) = r + R v t + ½ R ω̃ v t²,      R(t) = R (1 + ω̃ t + ½ ω̃² t²),      δ(t) = δ + δ̇ t,

is a series of three terms; so are the places of mass points, of markers, and the coordinates between these. The
second term along a unit velocity is a column of a Jacobian, the third along the velocities of the state half of
the acceleration that is there without u̇. Forces act by their virtual work. Orders beyond the second do not enter,
so that everything is exact to rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flexframe import _core
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.rotations import rotation_from_quaternion, skew
from flexframe.model.constraints import TimeLaw, state_law
from flexframe.model.system_loads import Actuator, MarkerForce, Spring, TorsionSpring
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import place_of, velocity_vector
from flexframe.multibody.tables import RowTables

_EXPONENTIAL = 24  # terms of exp θ̃; the next is 1e-24 of it for turns of a radian
_SLIPS = ("rim_slip", "blade_slip")


@dataclass(frozen=True, eq=False)
class Series:
    """c₀ + c₁ t + c₂ t²."""

    c: tuple[Array, Array, Array]

    @staticmethod
    def constant(value: Array | float) -> "Series":
        return Series((np.asarray(value, dtype=float), np.zeros(np.shape(value)), np.zeros(np.shape(value))))

    def __add__(self, other: "Series") -> "Series":
        return Series(tuple(a + b for a, b in zip(self.c, other.c, strict=True)))

    def __sub__(self, other: "Series") -> "Series":
        return self + other * -1.0

    def __mul__(self, factor: float) -> "Series":
        return Series(tuple(factor * a for a in self.c))

    def times(self, other: "Series", indices: str) -> "Series":
        """A product of two, by the indices of einsum."""
        a, b = self.c, other.c

        def product(i: int, j: int) -> Array:
            return np.asarray(np.einsum(indices, a[i], b[j]))

        return Series(
            (product(0, 0), product(0, 1) + product(1, 0), product(0, 2) + product(1, 1) + product(2, 0))
        )

    def rate(self) -> "Series":
        """The derivative, of which the last term is not known."""
        return Series((self.c[1], 2 * self.c[2], np.full_like(self.c[2], np.nan)))

    def transposed(self) -> "Series":
        return Series(tuple(a.T for a in self.c))

    def of(self, value: float, slope: float, second: float) -> "Series":
        """f of a number by f, f' and f'' at c₀."""
        _, b, c = self.c
        return Series((np.asarray(value), slope * b, slope * c + second / 2 * b * b))

    def root(self) -> "Series":
        f = float(np.sqrt(self.c[0]))
        return self.of(f, 1 / (2 * f), -1 / (4 * f**3))

    def inverse(self) -> "Series":
        x = float(self.c[0])
        return self.of(1 / x, -1 / x**2, 2 / x**3)


def dot(a: Series, b: Series) -> Series:
    return a.times(b, "i,i->")


def scaled(vector: Series, number: Series) -> Series:
    return vector.times(number, "i,->i")


def apply(matrix: Series, vector: Series) -> Series:
    return matrix.times(vector, "ij,j->i")


def exponential(vector: Series) -> Series:
    """exp θ̃ by its power series."""
    matrix = Series(tuple(skew(c) for c in vector.c))
    total = term = Series.constant(np.eye(3))
    for k in range(1, _EXPONENTIAL):
        term = term.times(matrix, "ij,jk->ik") * (1 / k)
        total += term
    return total


def angle(sine: Series, cosine: Series) -> Series:
    """atan2 of two: its rate is (c ṡ − s ċ)/(s² + c²)."""
    size = (sine.times(sine, ",->") + cosine.times(cosine, ",->")).inverse()
    turning = cosine.times(sine.rate(), ",->") - sine.times(cosine.rate(), ",->")
    rate = turning.times(size, ",->")
    return Series((np.arctan2(sine.c[0], cosine.c[0]), rate.c[0], rate.c[1] / 2))


@dataclass(frozen=True, eq=False)
class Points:
    """A body as mass points at ξ = x + N δ + ½ δᵀG δ, and forces df in body axes on them, with couples dm."""

    masses: Array  # (P,)
    places: Array  # x: (P, 3)
    shapes: Array  # N: (P, 3, m)
    curves: Array  # G: (P, 3, m, m)
    forces: Array  # (P, 3)
    couple: Array  # one for all: (3,)
    turning: Array  # ∂θ/∂δ where it acts: (3, m)

    def at(self, delta: Series) -> Series:
        """ξ: (P, 3)."""
        bent = delta.times(delta, "r,s->rs")
        linear = Series(tuple(self.shapes @ c for c in delta.c))
        curved = Series(tuple(np.einsum("pirs,rs->pi", self.curves, c) / 2 for c in bent.c))
        return Series.constant(self.places) + linear + curved


@dataclass(frozen=True, eq=False)
class Pose:
    """A frame along a motion: position (3,) and rotation (3, 3)."""

    position: Series
    rotation: Series

    def point(self, place: Array) -> Series:
        return self.position + apply(self.rotation, Series.constant(place))

    def direction(self, components: Array) -> Series:
        return apply(self.rotation, Series.constant(components))

    def spin(self) -> Array:
        """ω of Ṙ Rᵀ at t = 0, in space axes."""
        W = self.rotation.c[1] @ self.rotation.c[0].T
        return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2

    def velocity_at(self, point: Series) -> Series:
        """Velocity of the point of this frame that is where another point is: ṙ + Ṙ Rᵀ (p − r)."""
        local = apply(self.rotation.transposed(), point - self.position)
        return self.position.rate() + apply(self.rotation.rate(), local)


@dataclass(frozen=True, eq=False)
class Oracle:
    """The equations of a system at a state; `points` are its bodies."""

    system: DynamicSystem
    state: DynamicState
    points: Sequence[Points]

    @cached_property
    def velocity(self) -> Array:
        """u: (n,)."""
        return velocity_vector(self.system, place_of(self.system, self.state))

    @cached_property
    def _units(self) -> "list[_Motion]":
        return [self._moving(unit) for unit in np.eye(self.system.size)]

    @cached_property
    def _motion(self) -> "_Motion":
        return self._moving(self.velocity)

    def _moving(self, velocity: Array) -> "_Motion":
        return _Motion(self, velocity)

    @cached_property
    def partials(self) -> list[Array]:
        """∂ṙ/∂u of the points of each body: (P, 3, n)."""
        return [
            np.stack([unit.particles[b].c[1] for unit in self._units], axis=-1) for b in range(len(self.points))
        ]

    @cached_property
    def mass(self) -> Array:
        """M = Σ m (∂ṙ/∂u)ᵀ ∂ṙ/∂u."""
        return sum(
            (np.einsum("p,pik,pil->kl", b.masses, J, J) for b, J in zip(self.points, self.partials, strict=True)),
            np.zeros((self.system.size, self.system.size)),
        )

    @cached_property
    def inertia_force(self) -> Array:
        """h = Σ m (∂ṙ/∂u)ᵀ r̈ without u̇."""
        total = np.zeros(self.system.size)
        for body, J, r in zip(self.points, self.partials, self._motion.particles, strict=True):
            total += np.einsum("p,pik,pi->k", body.masses, J, 2 * r.c[2])
        return total

    @cached_property
    def applied_force(self) -> Array:
        """Q by the virtual work of gravity, elastic forces, loads, forces at markers and along coordinates."""
        return self._body_forces() + self._marker_forces() + self._coordinate_forces()

    def _body_forces(self) -> Array:
        total, gravity = np.zeros(self.system.size), self.system.tables.gravity
        numbers, loads = self.system.tables.bodies.numbers, self.system.tables.loads
        acting = {
            int(b): (bool(in_space), self.system.laws[law])
            for b, in_space, law in zip(loads.bodies, loads.in_space, loads.laws, strict=True)
        }
        for b, (points, body) in enumerate(zip(self.points, self.system.bodies, strict=True)):
            J = self.partials[b]
            total += np.einsum("p,pik,i->k", points.masses, J, gravity)
            own = self.system.elastic(b)
            columns = numbers[b, 6 : 6 + body.size]
            total[columns] -= body.stiffness @ self.state.deformation[own] + body.damping @ self.state.rates[own]
            if b not in acting:
                continue
            in_space, law = acting[b]
            factor = float(law.jet(self.state.time)[0])
            R = self._motion.bodies[b].rotation.c[0]
            turn = np.eye(3) if in_space else R
            total += factor * np.einsum("pik,pi->k", J, points.forces @ turn.T)
            couple = factor * turn @ points.couple  # in space axes
            total += np.array([unit.bodies[b].spin() @ couple for unit in self._units])
            total[columns] += points.turning.T @ (R.T @ couple)
        return total

    def _law(self, law: TimeLaw) -> float:
        """A law of time, or a formula whose names are coordinates and rates as the oracle finds them."""
        if not isinstance(law, Formula) or not law.names:
            return float(law.jet(self.state.time)[0])
        values = [self.state.time]
        for name in law.names:
            measured = self.system.system.measured(name)
            plain = replace(measured, rate=False)
            k = self.system.network.coordinates.index(plain)
            values.append(self._motion.coordinate(self.system.tables.measured, k).c[1 if measured.rate else 0])
        return float(law(*values))

    def _marker_forces(self) -> Array:
        total, tables = np.zeros(self.system.size), self.system.tables
        loads = [load for load in self.system.system.loads if isinstance(load, MarkerForce)]
        for k, load in enumerate(loads):
            frame, arm = int(tables.forces.frames[k]), tables.forces.arms[k]
            parts = [*load.force, 0.0, 0.0, 0.0][:3] + [*load.moment, 0.0, 0.0, 0.0][:3]
            values = np.array([self._law(state_law(part)) for part in parts])
            if load.axes == "body":
                R = self._motion.bodies[int(tables.frames.bodies[frame])].rotation.c[0]
                values = np.concatenate([R @ values[:3], R @ values[3:]])
            for n, unit in enumerate(self._units):
                pose = unit.frames[frame]
                total[n] += values[:3] @ pose.point(arm).c[1] + values[3:] @ pose.spin()
        return total

    def _coordinate_forces(self) -> Array:
        total, rows = np.zeros(self.system.size), self.system.tables.coordinates
        for k, law in enumerate(self.system.mechanism.force_laws):
            s = self._motion.coordinate(rows, k)
            force = float(law.force(s.c[0], s.c[1]))
            if isinstance(law, Actuator):
                force = self._law(state_law(law.law))
            total += force * np.array([unit.coordinate(rows, k).c[1] for unit in self._units])
        return total

    @cached_property
    def constraint(self) -> Array:
        """A = ∂ṡ/∂u: (rows, n)."""
        rows = self.system.tables.rows
        out = np.zeros((self.system.rows, self.system.size))
        for k in range(self.system.rows):
            out[k] = [unit.rate(rows, k).c[0] for unit in self._units]
        return out

    @cached_property
    def targets(self) -> Array:
        """f, ḟ and f̈ of every row: (rows, 3)."""
        laws, rows = self.system.laws, self.system.tables.rows
        return np.array([laws[law].jet(self.state.time) for law in rows.laws], dtype=float).reshape(-1, 3)

    @cached_property
    def bias(self) -> Array:
        """γ = s̈ without u̇, less f̈: (rows,)."""
        rows = self.system.tables.rows
        second = [float(self._motion.rate(rows, k).c[1]) for k in range(self.system.rows)]
        return np.array(second) - self.targets[:, 2]

    @cached_property
    def gap(self) -> Array:
        """s − f, angles to the nearer side; zero for constraints on velocities: (rows,)."""
        rows, types = self.system.tables.rows, _core.constraint_types()
        out = np.zeros(self.system.rows)
        for k in range(self.system.rows):
            if types[rows.types[k]] in _SLIPS:
                continue
            miss = float(self._motion.coordinate(rows, k).c[0]) - self.targets[k, 0]
            out[k] = (miss + np.pi) % (2 * np.pi) - np.pi if types[rows.types[k]] == "rotation" else miss
        return out

    @cached_property
    def kinetic_energy(self) -> float:
        """½ Σ m ṙ²."""
        moving = zip(self.points, self._motion.particles, strict=True)
        return float(sum((body.masses @ (r.c[1] ** 2).sum(axis=1) for body, r in moving), 0.0) / 2)

    @cached_property
    def momenta(self) -> Array:
        """Σ m ṙ and Σ m r × ṙ about the origin of space: (6,)."""
        out = np.zeros(6)
        for body, r in zip(self.points, self._motion.particles, strict=True):
            out[:3] += body.masses @ r.c[1]
            out[3:] += body.masses @ np.cross(r.c[0], r.c[1])
        return out

    @cached_property
    def potential_energy(self) -> float:
        """Strain, gravity and springs."""
        total, rows = 0.0, self.system.tables.coordinates
        for b, (body, points) in enumerate(zip(self.system.bodies, self.points, strict=True)):
            delta = self.state.deformation[self.system.elastic(b)]
            total += delta @ body.stiffness @ delta / 2
            total -= points.masses @ self._motion.particles[b].c[0] @ self.system.tables.gravity
        for k, law in enumerate(self.system.mechanism.force_laws):
            if isinstance(law, Spring | TorsionSpring):
                stretch = float(self._motion.coordinate(rows, k).c[0]) - law.free
                if isinstance(law, TorsionSpring):
                    stretch = np.pi - (np.pi - stretch) % (2 * np.pi)
                total += law.stiffness * stretch**2 / 2
        return float(total)


class _Motion:
    """Bodies, mass points and frames along the motion with constant velocities u."""

    def __init__(self, oracle: Oracle, velocity: Array) -> None:
        system, state = oracle.system, oracle.state
        numbers = system.tables.bodies.numbers
        local = np.where(numbers >= 0, velocity[numbers], 0.0)
        rotations = rotation_from_quaternion(state.quaternions)
        self.bodies: list[Pose] = []
        self.deformations: list[Series] = []
        self.particles: list[Series] = []
        for b, (body, points) in enumerate(zip(system.bodies, oracle.points, strict=True)):
            R, v, W, m = rotations[b], local[b, :3], skew(local[b, 3:6]), body.size
            pose = Pose(Series((state.positions[b], R @ v, R @ W @ v / 2)), Series((R, R @ W, R @ W @ W / 2)))
            delta = Series((state.deformation[system.elastic(b)], local[b, 6 : 6 + m], np.zeros(m)))
            self.bodies.append(pose)
            self.deformations.append(delta)
            self.particles.append(_at_origin(pose.position) + pose.rotation.times(points.at(delta), "ij,pj->pi"))
        self.frames = [self._frame(system, f) for f in range(len(system.tables.frames.bodies))]

    def _frame(self, system: DynamicSystem, number: int) -> Pose:
        tables = system.tables.frames
        b = int(tables.bodies[number])
        if b < 0:
            return Pose(Series.constant(np.zeros(3)), Series.constant(np.eye(3)))
        body, place = self.bodies[b], Series.constant(tables.places[number])
        if tables.elastic[number] == 0:
            return Pose(body.position + apply(body.rotation, place), body.rotation)
        delta = self.deformations[b]
        m, bent = len(delta.c[0]), delta.times(delta, "r,s->rs")
        N, G = tables.rows[number, :, :m], tables.quadratic[number, :, :m, :m]
        moved = [N @ d + np.einsum("irs,rs->i", G, q) / 2 for d, q in zip(delta.c, bent.c, strict=True)]
        shift = Series(tuple(c[:3] for c in moved))
        position = body.position + apply(body.rotation, place + shift)
        if tables.elastic[number] == 1:
            return Pose(position, body.rotation)
        turn = exponential(Series(tuple(c[3:] for c in moved)))
        return Pose(position, body.rotation.times(turn, "ij,jk->ik"))

    def _placed(self, rows: RowTables, k: int) -> tuple[Pose, Pose, Series, Series, Series, Series, Series]:
        """Frames a and b, places on them, and x, y, z in space."""
        a, b, carrier = (self.frames[int(f)] for f in rows.frames[k])
        x, y, z = rows.directions[k]
        first, second = rows.places[k]
        return a, b, a.point(first), b.point(second), carrier.direction(x), b.direction(y), a.direction(z)

    def coordinate(self, rows: RowTables, k: int) -> Series:
        """s of a row."""
        _, _, p, q, x, y, z = self._placed(rows, k)
        match _core.constraint_types()[rows.types[k]]:
            case "along":
                return dot(x, q - p)
            case "perpendicular":
                return dot(x, y)
            case "rotation":
                return angle(dot(z, y), dot(x, y))
            case "distance":
                return dot(q - p, q - p).root()
            case "rim_height":  # the lowest point of a disc is r √(1 − (x·y)²) below its centre
                tilt = dot(x, y)
                depth = (Series.constant(1.0) - tilt.times(tilt, ",->")).root()
                return dot(x, q - p) - depth * float(rows.radii[k])
            case name:
                raise AssertionError(f"the oracle has no formula of the constraint {name}")

    def rate(self, rows: RowTables, k: int) -> Series:
        """ṡ of a row."""
        a, b, _, q, x, y, z = self._placed(rows, k)
        match _core.constraint_types()[rows.types[k]]:
            case "blade_slip":
                contact, direction = q, y
            case "rim_slip":  # the contact is against the part of the normal that is across the axis
                across = x - scaled(y, dot(x, y))
                out = scaled(across, dot(across, across).root().inverse())
                contact, direction = q - out * float(rows.radii[k]), z
            case _:
                return self.coordinate(rows, k).rate()
        return dot(direction, b.velocity_at(contact) - a.velocity_at(contact))


def _at_origin(position: Series) -> Series:
    """One row for all points of a body."""
    return Series(tuple(c[None] for c in position.c))
