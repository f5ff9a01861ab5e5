"""Bodies deformed as their motion and loads want it: elastic coordinates at rest relative to moving frames.

Positions q, velocities and accelerations of the frames are given or follow; δ̇ = δ̈ = 0. What is asked for is

    M u̇ + h(q, u) = Q(q, u) + Aᵀλ,      s(q) = f,      A u = ḟ,      A u̇ + γ = 0,      u = (…, 0), u̇ = (…, 0).

Let Z span the motions that undeformed bodies are free to make: A_r Z = 0. Their share of the given positions and
velocities is kept, Zᵀ(q − q₀) = 0 and Zᵀ(u − u₀) = 0; what frames move beyond is what joints ask for where markers
have moved with the deformation. The accelerations along the free motions T = (Z + …, 0), A T = 0, follow from
Tᵀ(M u̇ + h − Q) = 0. What is left are as many equations as there are deformations E with A E = 0 and ZᵀE = 0,

    Eᵀ(M u̇ + h − Q) = 0,

solved by Newton's method. Where joints cannot move without deformation (loops of bodies that only elasticity lets
close) δ̇ and δ̈ are the smallest that they allow. Columns and rows are in lengths of the system and radians.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import (
    ScaledEquations,
    elastic_matrices,
    frame_displacements,
    place_of,
    range_of,
    state_of,
    velocity_vector,
)
from flexframe.multibody.laws import system_before
from flexframe.multibody.tables import Place

_FREE = 1e-4  # part of the largest singular value below which undeformed bodies are free to move
_CLOSED = 1e-14  # gap of the constraints
_STEP = 1e-5  # of a difference
_FINE = 1e-12  # last step beside the deformation, in the norm of the elastic energy
_NOTHING = 1e-14  # deformation, in lengths and radians, that is rounding where no load bends anything
_ENOUGH = 1e-7  # the same where rounding ends the iteration
_ROUNDS = 50


@dataclass(frozen=True, eq=False)
class ElasticEquilibrium:
    """A state whose deformation is in equilibrium with its motion and loads.

    `eigenvalue` is the smallest of the tangent stiffness over the mass, both on the deformations that the joints
    allow [rad²/s²]; `moved` [m] and `turned` [rad] say how far the frame of each body followed its joints.
    """

    state: DynamicState
    accelerations: Array  # u̇: (n,)
    multipliers: Array  # λ: (rows,)
    eigenvalue: float
    iterations: int
    moved: Array  # (bodies,)
    turned: Array  # (bodies,)


def elastic_equilibrium(system: DynamicSystem, given: DynamicState) -> ElasticEquilibrium:
    """The deformation in which relative velocities and accelerations are zero, near an undeformed state.

    Loads count with their values before the start, drives with their law at the time of the state.
    """
    return _Problem(system, given).solution()


@dataclass(frozen=True, eq=False)
class _Split:
    """How positions and velocities can change at a place: x with A x = b and Zᵀx = c, the least deformation."""

    constraints: Array  # A: (rows, n)
    particular: Array  # shortest solution of A x = b: (n, rows)
    free: Array  # T: (n, k)
    elastic: Array  # E: (n, e)
    spread: Array  # coordinates along E that undo a deformation: (e, n)
    kept: Array  # Zᵀ: (k, n)

    def solve(self, right: Array, share: Array) -> Array:
        """x: (n,)."""
        x = self.particular @ right
        x = x + self.free @ (share - self.kept @ x)
        return np.asarray(x - self.elastic @ (self.spread @ x))


@dataclass(frozen=True, eq=False)
class _Instant:
    """A place on the constraints with velocities and accelerations that belong to it."""

    place: Place
    split: _Split
    mass: Array
    acceleration: Array  # u̇
    force: Array  # M u̇ + h − Q
    multipliers: Array  # λ, scaled

    def residual(self) -> Array:
        """What is not in equilibrium: (n,)."""
        return np.asarray(self.force - self.split.constraints.T @ self.multipliers)


@dataclass(frozen=True, eq=False)
class _Tangent:
    """Stiffness along deformations E that have unit mass and no elastic coupling among themselves."""

    directions: Array  # E: (n, e)
    stiffness: Array  # (e, e)
    mass: Array  # less what free motions take away: (e, e)

    def step(self, left: Array) -> Array:
        """The step of Newton's method: (n,)."""
        if not self.stiffness.size:
            return np.zeros(len(self.directions))
        change = linalg.lstsq(self.stiffness, -self.directions.T @ left, cond=1e-15)[0]
        return np.asarray(self.directions @ change)

    def eigenvalue(self) -> float:
        """The smallest real part of the eigenvalues, stiffness over mass; infinite where nothing deforms."""
        if not self.stiffness.size:
            return np.inf
        return float(linalg.eigvals(self.stiffness, self.mass).real.min())


class _Problem:
    def __init__(self, system: DynamicSystem, given: DynamicState) -> None:
        self.system, self.time = system, given.time
        self._equations = ScaledEquations(system_before(system, given.time), given.time)
        numbers = system.tables.bodies.numbers
        self._deforming = np.zeros(system.size, dtype=bool)
        self._deforming[numbers[:, 6:][numbers[:, 6:] >= 0]] = True
        self._start = place_of(system, given)
        self._start.deformation[:] = 0.0
        self._start.velocities[:, 6:] = 0.0
        self._given = velocity_vector(system, self._start) / system.tables.scales
        self._stiffness, self._inertia = elastic_matrices(system, self._start)
        self._kept = self._free_motions()

    # ------------------------------------------------------------------ Newton's method

    def solution(self) -> ElasticEquilibrium:
        here = self._instant(self._start, None)
        tangent, before = self._tangent(here), np.inf
        nothing = _NOTHING * float(np.sqrt(np.abs(self._stiffness).max(initial=0.0)))
        for iteration in range(_ROUNDS):
            step = tangent.step(here.residual())
            if self._energy_norm(step) > 0.1 * before:  # a tangent that serves well is kept
                tangent = self._tangent(here)
                step = tangent.step(here.residual())
            size, whole = self._energy_norm(step), self._energy_norm(self._deformation(here.place))
            if not np.isfinite(size):
                break
            if size <= max(_FINE * whole, nothing) or (size <= _ENOUGH * whole and size > 0.3 * before):
                return self._equilibrium(here, iteration)
            before = size
            here = self._instant(self._equations.moved_carefully(here.place, step), here.split)
        raise AnalysisError(
            "no deformation is found that is in equilibrium with the start; look for loads beyond what the bodies "
            "carry, or give initial_deformation: undeformed"
        )

    def _equilibrium(self, here: _Instant, iterations: int) -> ElasticEquilibrium:
        value = self._tangent(here).eigenvalue()
        if not value > 0.0:
            raise AnalysisError(
                "the deformation in equilibrium with the start is not stable: the smallest eigenvalue of its "
                f"tangent stiffness over the mass is {value:.4g} rad²/s²; lower speeds or loads, leave the "
                "geometric terms on, or give initial_deformation: undeformed"
            )
        apart = frame_displacements(self._start, here.place)
        return ElasticEquilibrium(
            state=state_of(self.system, here.place, self.time),
            accelerations=here.acceleration * self._equations.scales,
            multipliers=here.multipliers * self._equations.row_scales,
            eigenvalue=value,
            iterations=iterations,
            moved=np.linalg.norm(apart[:, :3], axis=1),
            turned=np.linalg.norm(apart[:, 3:], axis=1),
        )

    def _tangent(self, here: _Instant) -> _Tangent:
        """Central differences along deformations, λ held: what A changes is in ∂(Aᵀλ)/∂q."""
        E, T, M = here.split.elastic, here.split.free, here.mass
        elastic = E.T @ self._stiffness @ E
        if E.shape[1]:
            E = E @ linalg.eigh(elastic, E.T @ self._inertia @ E)[1]
        columns = []
        for direction in E.T:
            stride = _STEP / np.abs(direction).max()
            sides = []
            for sign in (1.0, -1.0):
                moved = self._equations.move(here.place, sign * stride * direction)
                there = self._instant(moved, here.split)
                sides.append(E.T @ (there.force - there.split.constraints.T @ here.multipliers))
            columns.append((sides[0] - sides[1]) / (2 * stride))
        stiffness = np.array(columns).reshape(E.shape[1], E.shape[1]).T
        coupling = T.T @ M @ E
        mass = E.T @ M @ E - coupling.T @ linalg.lstsq(T.T @ M @ T, coupling)[0] if T.size else E.T @ M @ E
        return _Tangent(E, stiffness, mass)

    # ------------------------------------------------------------------ one place

    def _instant(self, place: Place, split: _Split | None) -> _Instant:
        """The place put on the constraints, with the velocities and accelerations that it then has."""
        place = self._close(place, split)
        split = self._split_motions(place)
        found = self._equations.at(place)
        u = split.solve(found.target, self._kept @ self._given)
        place = self._equations.with_velocities(place, u)
        found = self._equations.at(place)
        x = split.solve(-found.bias, np.zeros(len(self._kept)))
        T, M = split.free, found.mass
        if T.shape[1]:
            wanted = -T.T @ (M @ x + found.force)
            try:
                x = x + T @ linalg.solve(T.T @ M @ T, wanted, assume_a="pos")
            except linalg.LinAlgError:
                raise AnalysisError(
                    "a free motion has no inertia; give the bodies that move freely a mass and a moment of inertia"
                ) from None
        force = M @ x + found.force
        multipliers = split.particular.T @ force
        return _Instant(place, split, M, x, force, multipliers)

    def _close(self, place: Place, split: _Split | None) -> Place:
        """The place put on the constraints, the share of free motions kept."""
        before = np.inf
        for _ in range(40):
            found = self._equations.at(place)
            apart = self._kept @ self._frames(place)
            worst = max(float(np.abs(found.gap).max(initial=0.0)), float(np.abs(apart).max(initial=0.0)))
            if worst <= _CLOSED or (worst <= 1e3 * _CLOSED and worst > 0.3 * before):
                return place
            if split is None or worst > 0.1 * before:
                split = self._split_motions(place)
            before = worst
            step = split.solve(-found.gap, -apart)
            place = self._equations.moved_carefully(place, step)
        worst_row = self.system.owners[int(np.argmax(np.abs(found.gap)))] if self.system.rows else "a body"
        raise AnalysisError(
            f"the deformed bodies cannot be put together at the start, least of all at {worst_row}; start "
            "elsewhere"
        )

    def _split_motions(self, place: Place) -> _Split:
        A = self._equations.at(place).constraints
        allowed = range_of(A)
        null = allowed.null
        share = self._kept @ null
        U, values, Vt = np.linalg.svd(share) if len(share) else (share, np.zeros(0), np.eye(null.shape[1]))
        count = len(self._kept)
        elastic = null @ Vt[count:].T
        free = null @ (Vt[:count].T / values) @ U.T if count else np.zeros((len(null), 0))
        # the least deformation: minimise the kinetic energy that the rates δ̇ would have relative to the frames
        weighted = self._inertia @ elastic
        gram = elastic.T @ weighted
        spread = linalg.solve(gram, weighted.T, assume_a="pos") if gram.size else weighted.T
        free = free - elastic @ (spread @ free)
        return _Split(A, allowed.inverse, free, elastic, spread, self._kept)

    def _free_motions(self) -> Array:
        """Zᵀ of the undeformed bodies, orthonormal rows that deform nothing: (k, n)."""
        rigid = np.flatnonzero(~self._deforming)
        A = self._equations.at(self._start).constraints[:, rigid]
        _, values, Vt = np.linalg.svd(A) if len(A) else (None, np.zeros(0), np.eye(len(rigid)))
        rank = int(np.count_nonzero(values > _FREE * values.max(initial=0.0)))
        kept = np.zeros((len(rigid) - rank, self.system.size))
        kept[:, rigid] = Vt[rank:]
        return kept

    def _energy_norm(self, x: Array) -> float:
        return float(np.sqrt(max(float(x @ self._stiffness @ x), 0.0)))

    def _deformation(self, place: Place) -> Array:
        still = np.zeros((len(place.deformation), 6))
        return self._equations.vector(np.concatenate([still, place.deformation], axis=1))

    def _frames(self, place: Place) -> Array:
        apart = frame_displacements(self._start, place)
        return self._equations.vector(np.concatenate([apart, 0 * place.deformation], axis=1))
