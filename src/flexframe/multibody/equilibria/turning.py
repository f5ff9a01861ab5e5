"""Systems that turn as a whole: the steady state at a speed, and small motions about it.

All bodies turn with Ω about an axis fixed in space through c, so that in body components

    u₀ = (Rᵀ(Ω × (r − c)), RᵀΩ, 0)

does not change. Deformation and free relative coordinates are in equilibrium where

    F(q) = h(q, u₀(q)) − Q(q, u₀(q)) − Aᵀλ = 0,      s(q) = f .

A change of position η (in body components, A η = 0) changes the velocity by η̇ + [u₀, η], and u₀(q) itself by
[u₀, η] where it only displaces the steady state. With η = B z, A B = 0, small motions are therefore

    BᵀM B z̈ + Bᵀ(M [u₀, B] + ∂(h − Q)/∂u B) ż + Bᵀ(∂F/∂q B) z = 0,

λ held: what the constraints add by their curvature is in ∂(Aᵀλ)/∂q. The coefficients are constant if nothing
depends on the angle of the whole system. Derivatives are those of the core (`core/src/tangents.cpp`).
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from flexframe.errors import AnalysisError
from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.null_spaces import null_space
from flexframe.maths.rotations import (
    quaternion_exponential,
    quaternion_product,
    rotation_from_axis_angle,
    rotation_from_quaternion,
    tangent_operator,
)
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import OF_STRAIN, STRIDE, evaluation_at, place_of, state_of, velocity_vector
from flexframe.multibody.tables import Place


@dataclass(frozen=True, eq=False)
class SpinAxis:
    """The line in space about which a system turns."""

    point: Array  # c: (3,)
    direction: Array  # unit: (3,)


def turning(place: Place, axis: SpinAxis, speed: float) -> Place:
    """The place with the velocities u₀ = (Rᵀ(Ω × (r − c)), RᵀΩ, 0)."""
    r, q, delta = place.positions, place.quaternions, place.deformation
    return Place(r, q, delta, _velocities(r, q, delta.shape[-1], axis, speed), place.angles)


def rotate_about(place: Place, axis: SpinAxis, angle: float) -> Place:
    """All bodies turned together about the axis."""
    R = rotation_from_axis_angle(axis.direction, angle)
    turn = quaternion_exponential(angle * axis.direction)
    return Place(
        axis.point + (place.positions - axis.point) @ R.T,
        quaternion_product(np.broadcast_to(turn, place.quaternions.shape), place.quaternions),
        place.deformation,
        place.velocities,
        place.angles + angle * float(np.sign(axis.direction[2])),
    )


def move_places(place: Place, numbers: IntArray, steps: Array, axis: SpinAxis, speed: float) -> list[Place]:
    """Places after steps (k, n) of the coordinates, with their u₀: r + R Tᵀ(θ) d, R exp θ̃, δ + dδ.

    `numbers` are those of the coordinates of each body, −1 where it has none: (bodies, 6 + m).
    """
    local = np.where(numbers >= 0, steps[:, numbers], 0.0)
    d, t = local[..., :3], local[..., 3:6]
    R = rotation_from_quaternion(place.quaternions)
    swept = R @ (np.swapaxes(tangent_operator(t), -1, -2) @ d[..., None])
    positions = place.positions + swept[..., 0]
    before = np.broadcast_to(place.quaternions, (*t.shape[:-1], 4))
    quaternions = quaternion_product(before, quaternion_exponential(t))
    deformations, angles = place.deformation + local[..., 6:], place.angles + t[..., 2]
    velocities = _velocities(positions, quaternions, deformations.shape[-1], axis, speed)
    return [
        Place(*map(np.ascontiguousarray, arrays))
        for arrays in zip(positions, quaternions, deformations, velocities, angles, strict=True)
    ]


def bracket(numbers: IntArray, u: Array, changes: Array) -> Array:
    """[u, η] = (ω × d + v × θ, ω × θ, 0) of each body, for every column η of `changes`: (n, k)."""
    out, rigid = np.zeros_like(changes), numbers[:, :6]
    there = rigid >= 0
    mine = np.where(there, u[rigid], 0.0)
    moved = np.where(there[..., None], changes[rigid], 0.0)  # (bodies, 6, k)
    v, w, d, t = mine[:, :3, None], mine[:, 3:, None], moved[:, :3], moved[:, 3:]
    sweeping = np.cross(w, d, axis=1) + np.cross(v, t, axis=1)
    out[rigid[there]] = np.concatenate([sweeping, np.cross(w, t, axis=1)], axis=1)[there]
    return out


def _velocities(positions: Array, quaternions: Array, size: int, axis: SpinAxis, speed: float) -> Array:
    """u₀ of bodies (..., bodies) with room for `size` elastic coordinates: (..., bodies, 6 + size)."""
    R = rotation_from_quaternion(quaternions)
    omega = speed * axis.direction
    velocities = np.zeros((*positions.shape[:-1], 6 + size))
    velocities[..., :3] = np.einsum("...ji,...j->...i", R, np.cross(omega, positions - axis.point))
    velocities[..., 3:6] = omega @ R
    return velocities


_CLOSED = 1e-13  # gap of the constraints in the same units
_STEADY = 1e-11  # last step of the iteration, the same
_ENOUGH = 1e-8  # where rounding stops the iteration before
_LARGEST = 0.3  # step that is taken at once
_STALE = 0.03  # step that is taken with the stiffness of another state
_ROUNDS = 60
_SINGULAR = 1e-14  # of the largest stiffness: directions in which nothing holds the steady state


@dataclass(frozen=True, eq=False)
class RelativeEquilibrium:
    """The steady state at a speed [rad/s], and the forces of the constraints in it."""

    speed: float
    state: DynamicState
    multipliers: Array  # λ: (rows,)
    kinetic_energy: float


@dataclass(frozen=True, eq=False)
class SmallMotions:
    """M z̈ + C ż + K z = 0 about a relative equilibrium, changes of position being η = B z."""

    mass: Array  # (f, f)
    damping: Array
    stiffness: Array
    basis: Array  # B: (n, f)


@dataclass(frozen=True, eq=False)
class _Forces:
    """At one place: F + Aᵀλ, gaps, A, M and the kinetic energy."""

    residual: Array
    gap: Array
    constraints: Array
    mass: Array
    energy: float


@dataclass(frozen=True, eq=False)
class _Tangent:
    """Inverse of BᵀKB as far as anything holds, in the metric of the mass, and the directions left loose."""

    spread: Array  # step = −spread · F: (n, n)
    loose: Array  # (k, n)


class SpinningSystem:
    """A system, the axis about which it turns, and which constraints (`released`) leave small motions free.

    The laws of all drives are those of a fixed instant: only Ω turns the system.
    """

    def __init__(self, system: DynamicSystem, axis: SpinAxis, released: BoolArray | None = None) -> None:
        self.system, self.axis = system, axis
        self.released = np.zeros(system.rows, dtype=bool) if released is None else released
        self._evaluation, self._still = evaluation_at(system, 0.0), np.zeros(system.size)
        self._numbers = system.tables.bodies.numbers
        self._tangent: _Tangent | None = None

    @property
    def has_exact_beams(self) -> bool:
        """Whether sections of beams are bodies of the system."""
        return bool(len(self.system.tables.beams.lengths))

    def velocity(self, state: DynamicState, speed: float) -> Array:
        """u₀ of a state: (n,)."""
        return velocity_vector(self.system, turning(place_of(self.system, state), self.axis, speed))

    def constraints(self, state: DynamicState) -> Array:
        """A at a state, its columns scaled to lengths and radians, its rows in the same: (rows, n)."""
        found = self._at(place_of(self.system, state), np.zeros(self.system.rows))
        return self._scale(found.constraints)

    def steady(self, speed: float, near: DynamicState, *, reach: float = np.inf) -> RelativeEquilibrium:
        """The relative equilibrium next to a state; what is further than `reach` [lengths, rad] is another one."""

        def search() -> tuple[RelativeEquilibrium, _Tangent | None]:
            return self._search(speed, near, reach), self._tangent

        found, self._tangent = keep_part("steady state", (speed, near, reach, self._tangent), search)
        return found

    def _search(self, speed: float, near: DynamicState, reach: float) -> RelativeEquilibrium:
        place = place_of(self.system, near)
        before, way = np.inf, 0.0
        for _ in range(_ROUNDS):
            place = turning(self._put_together(place, speed), self.axis, speed)
            found = self._at(place, np.zeros(self.system.rows))
            multipliers = self._multipliers(found)
            left = found.residual - found.constraints.T @ multipliers
            # the stiffness of another speed serves as long as it converges
            fresh = self._tangent is None
            step, size = self._step(place, multipliers, left)
            if not fresh and (not size <= min(0.3 * before, _STALE) or self._has_unanswered_forces(found, left)):
                self._tangent, fresh = None, True
                step, size = self._step(place, multipliers, left)
            way += min(size, _LARGEST)
            if not way <= reach or not np.isfinite(size) or self._has_unanswered_forces(found, left):
                break
            if size <= _STEADY or (size <= _ENOUGH and size > 0.3 * before):
                return self._equilibrium(move_places(place, self._numbers, step[None], self.axis, speed)[0], speed)
            before = size
            step *= min(1.0, _LARGEST / max(size, _LARGEST))
            place = move_places(place, self._numbers, step[None], self.axis, speed)[0]
        self._tangent = None
        raise AnalysisError(
            f"no steady state is found at {speed:g} rad/s; take smaller steps of the speed, leave out those at "
            "which an unbalance resonates, or look for parts that nothing holds"
        )

    def _equilibrium(self, place: Place, speed: float) -> RelativeEquilibrium:
        """The record of a place that the last step has led to."""
        found = self._at(place, np.zeros(self.system.rows))
        state = state_of(self.system, place, 0.0)
        return RelativeEquilibrium(speed, state, self._multipliers(found), found.energy)

    def _step(self, place: Place, multipliers: Array, left: Array) -> tuple[Array, float]:
        """The next step of the iteration, and its size in lengths and radians."""
        if self._tangent is None:
            self._tangent = self._tangent_at(place, multipliers)
        step = -self._tangent.spread @ left
        return step, float(np.abs(step / self.system.tables.scales).max(initial=0.0))

    def _has_unanswered_forces(self, found: _Forces, left: Array) -> bool:
        """Whether forces are left in directions in which nothing holds the system."""
        if self._tangent is None or not len(self._tangent.loose):
            return False
        scales = self.system.tables.scales
        size = np.abs(self._tangent.loose) @ np.abs(found.residual)
        pull = np.abs(self._tangent.loose @ left)
        return bool((pull > _ENOUGH * np.maximum(size, np.abs(left * scales).max(initial=0.0))).any())

    def small_motions(self, found: RelativeEquilibrium, *, angle: float = 0.0) -> SmallMotions:
        """M, C and K about a relative equilibrium, or about the same turned on by an angle [rad]."""
        place = rotate_about(place_of(self.system, found.state), self.axis, angle)
        place = turning(place, self.axis, found.speed)
        here = self._at(place, np.zeros(self.system.rows))
        multipliers = found.multipliers if angle == 0.0 else self._multipliers(here)
        B = self._basis(here.constraints[~self.released], self.system.tables.rows.scales[~self.released])
        by_position, by_velocity = self._tangents(place, multipliers)
        carried = bracket(self._numbers, velocity_vector(self.system, place), B)
        stiffness = by_position @ B + by_velocity @ carried
        damping = here.mass @ carried + by_velocity @ B
        return SmallMotions(B.T @ here.mass @ B, B.T @ damping, B.T @ stiffness, B)

    def imbalance(self, found: RelativeEquilibrium, angle: float) -> float:
        """Forces that are left when the steady state is turned on by an angle, relative to those that act."""
        place = turning(rotate_about(place_of(self.system, found.state), self.axis, angle), self.axis, found.speed)
        here = self._at(place, np.zeros(self.system.rows))
        left = here.residual - here.constraints.T @ self._multipliers(here)
        scales = self.system.tables.scales
        inertia = found.speed**2 * np.diagonal(here.mass) * scales
        size = max(float(np.abs(here.residual * scales).max()), float(np.abs(inertia * scales).max()))
        return float(np.abs(left * scales).max()) / size if size else 0.0

    # ------------------------------------------------------------------ forces and their derivatives

    def _at(self, place: Place, multipliers: Array) -> _Forces:
        n, own = self.system.size, self._evaluation
        own.evaluate(place, 0.0, self._still, multipliers, False)
        residual, matrices = own.residual(), own.matrices()
        gap = np.where(self.system.tables.rows.holonomic == 1, residual[n:], 0.0)
        return _Forces(residual[:n], gap, matrices[n:], matrices[:n], float(own.measures()[0]))

    def _scale(self, constraints: Array) -> Array:
        t = self.system.tables
        return np.asarray(constraints * t.rows.scales[:, None] * t.scales)

    def _multipliers(self, found: _Forces) -> Array:
        """The shortest λ that leaves the least of F, both scaled."""
        t = self.system.tables
        if not self.system.rows:
            return np.zeros(0)
        scaled = linalg.lstsq(self._scale(found.constraints).T, found.residual * t.scales, cond=1e-10)[0]
        return np.asarray(scaled * t.rows.scales)

    def _basis(self, constraints: Array, rows: Array) -> Array:
        scales = self.system.tables.scales
        scaled = constraints * rows[:, None] * scales
        basis = null_space(scaled).basis if len(scaled) else np.eye(len(scales))
        return np.asarray(basis * scales[:, None])

    def _tangents(self, place: Place, multipliers: Array) -> tuple[Array, Array]:
        """∂F/∂q at constant u and ∂F/∂u: (n, n) each."""
        n = self.system.size
        found = self._evaluation.tangents(place, 0.0, self._still, multipliers, STRIDE, True, OF_STRAIN)
        both = []
        for rows, columns, values in (found[:3], found[3:]):
            shape = (n + self.system.rows, n)
            entries = sparse.csr_matrix((values, (rows.astype(int), columns.astype(int))), shape)
            both.append(entries[:n].toarray())
        return both[0], both[1]

    def _tangent_at(self, place: Place, multipliers: Array) -> _Tangent:
        here = self._at(place, multipliers)
        B = self._basis(here.constraints, self.system.tables.rows.scales)
        by_position, by_velocity = self._tangents(place, multipliers)
        carried = bracket(self._numbers, velocity_vector(self.system, place), B)
        K, M = B.T @ (by_position @ B + by_velocity @ carried), B.T @ here.mass @ B
        if self.has_exact_beams and _definite(K):  # nothing is loose, and inertia need not tell what is
            return _Tangent(B @ np.linalg.solve(K, B.T), np.zeros((0, len(B))))
        try:
            root = linalg.cholesky(M, lower=True)
        except linalg.LinAlgError:
            raise AnalysisError(
                "a free motion has no inertia; give the bodies that move freely a mass and a moment of inertia"
            ) from None
        directions = linalg.solve_triangular(root, B.T, lower=True)  # of unit mass
        K = linalg.solve_triangular(root, linalg.solve_triangular(root, K, lower=True).T, lower=True).T
        U, s, Vt = np.linalg.svd(K)
        held = s > _SINGULAR * s.max(initial=0.0)
        spread = (directions.T @ Vt[held].T / s[held]) @ (U[:, held].T @ directions)
        return _Tangent(spread, U[:, ~held].T @ directions)

    # ------------------------------------------------------------------ places

    def _put_together(self, place: Place, speed: float) -> Place:
        """The place put on the constraints, by the shortest steps."""
        t = self.system.tables
        for _ in range(20):
            found = self._at(turning(place, self.axis, speed), np.zeros(self.system.rows))
            gap = found.gap * t.rows.scales
            if np.abs(gap).max(initial=0.0) <= _CLOSED:
                return place
            step = -linalg.lstsq(self._scale(found.constraints), gap, cond=1e-10)[0] * t.scales
            place = move_places(place, self._numbers, step[None], self.axis, speed)[0]
        if np.abs(gap).max() > _ENOUGH:
            worst = self.system.owners[int(np.argmax(np.abs(gap)))]
            raise AnalysisError(f"the bodies cannot be put together at {speed:g} rad/s, least of all at {worst}")
        return place


def _definite(matrix: Array) -> bool:
    try:
        np.linalg.cholesky((matrix + matrix.T) / 2)
    except np.linalg.LinAlgError:
        return False
    return True
