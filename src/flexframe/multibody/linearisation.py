"""Linear equations of a system about one state, constraints eliminated, controllers with states included.

Small changes of a state are those that constraints allow. With η the changes of positions in body components and
δu those of velocities,

    A η = e w,      A δu + ∂(A u₀)/∂q η = e ẇ,

w the offset of drives that are inputs (e marks their rows). With a constant left inverse L of the basis B of the
null space of A, ξ = L η and v = L δu are independent and the rest follows from them:

    η = B ξ + d w,    δu = B v + N (ξ, w) + d ẇ,    L d = 0,  L N = 0 .

d is the motion that a drive brings, N what velocities of a moving system need when its position changes. Then

    ξ̇ = L (δu − [u₀, η]),    v̇ = L ∂u̇/∂(q, u) (η, δu),    ċ = ∂g/∂(q, u, c) (η, δu, δc),

where [u₀, η] is (ω × d + v × θ, ω × θ) of each body, and c are states of controllers. u̇ solves the equations of
motion with their constraints, so that ∂u̇/∂q holds the change of the constraint forces, ∂(Aᵀλ)/∂q, too. Columns are
central differences of fourth order; steps shrink where the equations bend. L takes the modes of the elastic bodies
as joints tie them, in which soft and stiff motions do not meet (`small_motions`).

The rest of a system whose controllers are sampled: nothing moves, and every sample repeats the held values.

With positions ξ that constraints leave free and held values h, both are unknown together,

    v̇(ξ, h) = 0,      S(ξ, h) − h = 0,

S being what sampled controllers take at an instant: a controller that integrates is at rest where its error is
zero. Newton's method has the derivatives of `linear_system`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg, sparse

from flexframe import _core
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, BoolArray
from flexframe.maths.null_spaces import null_space
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, Statistics
from flexframe.multibody.equations import (
    OF_STRAIN,
    STRIDE,
    move_place,
    no_inertia,
    place_of,
    set_velocity,
    state_of,
    velocity_vector,
)
from flexframe.multibody.equilibria.rest import has_exact_beams
from flexframe.multibody.equilibria.small_motions import separate
from flexframe.multibody.equilibria.turning import bracket
from flexframe.multibody.integrators.recording import WORKS, simulation_of
from flexframe.multibody.start import consistent_start
from flexframe.multibody.tables import Place

Reader = Callable[[Simulation], Array]
"""What is measured at the states of a simulation: (T, outputs)."""

_STRIDES = (1e-3, 1e-4, 1e-5, 1e-6)  # of differences, in lengths of the system and radians
_SMOOTH = 2e-6  # part of a column by which differences with one and two strides may differ
_ROUGH = 1e-2  # the same beyond which the equations have no derivative
_DEPENDENT = 1e-10  # singular values of A beside the largest that count as zero
_CANDIDATES, _PARTED = 8, 1e-3  # states whose L are tried along a motion, least cosine
_STENCIL = ((-2.0, 1 / 12), (-1.0, -8 / 12), (1.0, 8 / 12), (2.0, -1 / 12))
"""Multiples of the stride and weights of f′ = Σ w f(x + m h)/h, of fourth order."""
_NO_WORK = Statistics(steps=0, rejected=0, iterations=0, factorisations=0, evaluations=0, seconds=0.0)


@dataclass(frozen=True, eq=False)
class SmallChanges:
    """Changes of positions, velocities and states of controllers for a unit of each state of the linear model."""

    positions: Array  # η: (n, k)
    velocities: Array  # δu: (n, k)
    controllers: Array  # δc: (s, k)


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """ẋ = A x + B ẅ, y = C x + D ẅ with x = (ξ, v, c, w, ẇ), w the offsets of drives that are inputs."""

    system: DynamicSystem  # laws held at the time of the state
    state: DynamicState
    changes: SmallChanges
    positions_back: Array  # L of positions: (f, n)
    velocities_back: Array  # L of velocities: (g, n)
    A: Array
    B: Array
    C: Array
    D: Array
    at_point: Simulation  # the state alone
    misfit: float  # largest part of a column by which differences of two strides differ
    rough: BoolArray  # columns in which the equations have no derivative

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Numbers of positions ξ, velocities v, states of controllers and drives."""
        f, g, s = len(self.positions_back), len(self.velocities_back), len(self.changes.controllers)
        return f, g, s, (len(self.A) - f - g - s) // 2

    def column(self, change: Simulation, reader: Reader) -> tuple[Array, Array]:
        """Columns of B and D for an input of which a change leads from the state's own rates to others."""
        difference = rates_of(change, self.velocities_back) - rates_of(self.at_point, self.velocities_back)
        f, _, _, d = self.sizes
        rates = np.concatenate([np.zeros(f), difference[0], np.zeros(2 * d)])
        return rates, (reader(change) - reader(self.at_point))[0]

    def held_column(self, number: int, reader: Reader) -> tuple[Array, Array]:
        """Columns of B and D for a held value, as the value of an input is."""
        held = place_of(self.system, self.state).held
        stride = _STRIDES[0] * max(1.0, abs(float(held[number])))
        changed = [held + factor * stride * (np.arange(len(held)) == number) for factor, _ in _STENCIL]
        run = evaluate(self.system, [replace(self.state, held=each) for each in changed])
        weights = np.array([weight for _, weight in _STENCIL]) / stride
        f, _, _, d = self.sizes
        rates = weights @ rates_of(run, self.velocities_back)
        return np.concatenate([np.zeros(f), rates, np.zeros(2 * d)]), weights @ reader(run)


def linear_system(
    system: DynamicSystem,
    state: DynamicState,
    reader: Reader,
    drives: Sequence[str] = (),
    back: Array | None = None,
) -> LinearSystem:
    """Linearise a system, its laws held, about a state; `drives` are those whose offsets are inputs.

    With `back` (f, n) that is L, the same along a motion; only for constraints on positions.
    """
    return _Linearisation(system, state, reader, tuple(drives), back).solution()


def common_back(system: DynamicSystem, states: Sequence[DynamicState]) -> Array:
    """L that serves all states of a motion: of those of some states the one that parts null spaces best."""
    some = [states[k] for k in sorted({*range(0, len(states), max(1, len(states) // _CANDIDATES))})]
    made = [_Linearisation(system, state, _nothing, (), None) for state in some]
    bases = [each.velocity_basis / each.scales[:, None] for each in made]

    def least(each: "_Linearisation") -> float:
        """The smallest cosine between what L measures and what the motion allows, at any state."""
        rows = linalg.orth((each.velocity_back * each.scales).T)
        return min(float(np.linalg.svd(rows.T @ linalg.orth(B), compute_uv=False)[-1]) for B in bases)

    best = max(made, key=least)
    if least(best) < _PARTED:
        raise AnalysisError(
            "no choice of coordinates serves the whole cycle: a dead point lies on it; drive the part that turns"
        )
    return best.velocity_back


def _nothing(run: Simulation) -> Array:
    return np.zeros((len(run.times), 0))


def rates_of(run: Simulation, back: Array) -> Array:
    """v̇ and ċ at the states of a simulation: (T, g + s)."""
    derivatives = run.system.network.tables.derivatives
    return np.hstack([run.accelerations @ back.T, run.signals[:, derivatives]])


def evaluate(system: DynamicSystem, states: Sequence[DynamicState]) -> Simulation:
    """The equations solved at states."""
    works = np.zeros((len(states), WORKS))
    return simulation_of(system, "linear model", states, works=works, statistics=_NO_WORK)


class _Linearisation:
    def __init__(
        self,
        system: DynamicSystem,
        state: DynamicState,
        reader: Reader,
        drives: tuple[str, ...],
        back: Array | None,
    ) -> None:
        self.system, self.state, self.reader = system, state, reader
        self.place = place_of(system, state)
        self.u = velocity_vector(system, self.place)
        self.own = _core.Evaluation(system.compiled)
        self.scales, self.row_scales = system.tables.scales, system.tables.rows.scales
        self.numbers = system.tables.bodies.numbers
        self.fast = max(1.0, float(np.abs(self.u / self.scales).max(initial=0.0)))
        self.mass, self.constraints = self._matrices(self.place)
        scaled = self.constraints * self.row_scales[:, None] * self.scales
        self.inverse = np.linalg.pinv(scaled, rcond=_DEPENDENT) if system.rows else np.zeros((system.size, 0))
        self.owned = np.array([[owner == drive for owner in system.owners] for drive in drives], dtype=float)
        self.velocity_basis, self.velocity_back = self._basis(scaled, back)
        holonomic = system.tables.rows.holonomic == 1
        self.position_basis, self.position_back = self.velocity_basis, self.velocity_back
        if not holonomic.all():
            free = null_space(scaled[holonomic]).basis if holonomic.any() else np.eye(system.size)
            self.position_basis, self.position_back = free * self.scales[:, None], free.T / self.scales

    def solution(self) -> LinearSystem:
        """All matrices."""
        changes = self._changes()
        alone = evaluate(self.system, [self.state])
        columns, misfits = self._differences(changes)
        if has_exact_beams(self.system):
            columns[: len(self.velocity_back)] = self.velocity_back @ self._by_tangents(changes, alone)
        f, g = len(self.position_back), len(self.velocity_back)
        s, d = len(changes.controllers), len(self.owned)
        A = np.zeros((f + g + s + 2 * d, f + g + s + 2 * d))
        moved = changes.velocities - bracket(self.numbers, self.u, changes.positions)
        A[:f] = self.position_back @ moved
        A[f : f + g + s] = columns[: g + s]
        A[f + g + s : f + g + s + d, f + g + s + d :] = np.eye(d)
        B, D = np.zeros((len(A), d)), np.zeros((len(columns) - g - s, d))
        found = LinearSystem(
            self.system,
            self.state,
            changes,
            self.position_back,
            self.velocity_back,
            A,
            B,
            columns[g + s :],
            D,
            alone,
            float(misfits.max(initial=0.0)),
            misfits > _ROUGH,
        )
        for k, rows in enumerate(self.owned):
            B[:, k], D[:, k] = found.column(self._drive(alone, rows), self.reader)
            B[f + g + s + d + k, k] = 1.0
        return found

    # ------------------------------------------------------------------ what may change

    def _matrices(self, place: Place) -> tuple[Array, Array]:
        """M and A at a place."""
        n = self.system.size
        still, no_force = np.zeros(n), np.zeros(self.system.rows)
        self.own.evaluate(place, self.state.time, still, no_force, False)
        both = self.own.matrices()
        return both[:n], both[n:]

    def _basis(self, scaled: Array, back: Array | None) -> tuple[Array, Array]:
        """B of velocities, and L: (n, g), (g, n)."""
        basis = null_space(scaled).basis if self.system.rows else np.eye(self.system.size)
        if back is not None:
            plain = basis * self.scales[:, None]
            return np.asarray(plain @ np.linalg.inv(back @ plain)), back
        basis, inverse = separate(self.system, self.state, self.mass, basis)
        return basis * self.scales[:, None], inverse / self.scales

    def _least(self, wanted: Array) -> Array:
        """x with A x = wanted (rows, k) and L x = 0: (n, k)."""
        x = self.scales[:, None] * (self.inverse @ (wanted * self.row_scales[:, None]))
        return np.asarray(x - self.velocity_basis @ (self.velocity_back @ x))

    def _changes(self) -> SmallChanges:
        """The columns of all states of the model: ξ, v, c, w, ẇ."""
        driven = self._least(self.owned.T) if len(self.owned) else np.zeros((self.system.size, 0))
        still = len(self.place.states)
        positions = np.hstack([self.position_basis, driven])
        follow = self._following(positions)
        f, d = self.position_basis.shape[1], driven.shape[1]
        rest = np.zeros((self.system.size, still))
        none = np.zeros_like(self.velocity_basis)
        return SmallChanges(
            np.hstack([positions[:, :f], none, rest, positions[:, f:], np.zeros_like(driven)]),
            np.hstack([follow[:, :f], self.velocity_basis, rest, follow[:, f:], driven]),
            np.hstack([np.zeros((still, f + none.shape[1])), np.eye(still), np.zeros((still, 2 * d))]),
        )

    def _following(self, positions: Array) -> Array:
        """N: what velocities need where positions change, A N = −∂(A u₀)/∂q η: (n, k)."""
        if not (self.u.any() and self.system.rows):
            return np.zeros_like(positions)
        slopes = np.zeros((self.system.rows, positions.shape[1]))
        for k, direction in enumerate(positions.T):
            stride = _STRIDES[0] / float(np.abs(direction / self.scales).max())
            for factor, weight in _STENCIL:
                there = move_place(self.system, self.place, factor * stride * direction)
                slopes[:, k] += weight * (self._matrices(there)[1] @ self.u) / stride
        return self._least(-slopes)

    # ------------------------------------------------------------------ how rates and sensors change

    def _move(self, changes: SmallChanges, k: int, amount: float) -> DynamicState:
        """The state after an amount of the change k."""
        place = move_place(self.system, self.place, amount * changes.positions[:, k])
        set_velocity(self.system, self.u + amount * changes.velocities[:, k], place)
        place = place._replace(states=place.states + amount * changes.controllers[:, k])
        return state_of(self.system, place, self.state.time)

    def _differences(self, changes: SmallChanges) -> tuple[Array, Array]:
        """Slopes of v̇, ċ and of all sensors along every change, and by how much they are uncertain."""
        total = changes.positions.shape[1]
        sizes = np.maximum(
            np.abs(changes.positions / self.scales[:, None]).max(axis=0, initial=0.0),
            np.abs(changes.velocities / self.scales[:, None]).max(axis=0, initial=0.0) / self.fast,
        )
        if len(changes.controllers):
            level = np.maximum(1.0, np.abs(self.place.states))
            sizes = np.maximum(sizes, np.abs(changes.controllers / level[:, None]).max(axis=0))
        waiting, misfits = np.arange(total), np.full(total, np.inf)
        columns: Array = np.zeros((0, total))
        for part in _STRIDES:
            strides = part / sizes[waiting]
            states = [
                self._move(changes, k, factor * stride)
                for k, stride in zip(waiting.tolist(), strides.tolist(), strict=True)
                for factor, _ in _STENCIL
            ]
            if not states:
                break
            run = evaluate(self.system, states)
            seen = np.hstack([rates_of(run, self.velocity_back), self.reader(run)])
            seen = seen.reshape(len(waiting), len(_STENCIL), -1)
            weights = np.array([weight for _, weight in _STENCIL])
            slopes = np.einsum("kji,j->ki", seen, weights) / strides[:, None]
            once = (seen[:, 2] - seen[:, 1]) / (2 * strides[:, None])
            twice = (seen[:, 3] - seen[:, 0]) / (4 * strides[:, None])
            size = np.abs(slopes).max(axis=1)
            apart = np.abs(once - twice).max(axis=1) / np.where(size > 0, size, 1.0)
            if not len(columns):
                columns = np.zeros((slopes.shape[1], total))
            better = apart < misfits[waiting]
            columns[:, waiting[better]], misfits[waiting[better]] = slopes[better].T, apart[better]
            waiting = waiting[misfits[waiting] > _SMOOTH]
        return columns, misfits

    def _by_tangents(self, changes: SmallChanges, alone: Simulation) -> Array:
        """δu̇ from M δu̇ − Aᵀδλ = −∂r/∂q η − ∂r/∂u δu − … and A δu̇ = −δγ, by the tangents of the core: (n, k).

        Exact beams are so stiff along their axis that differences of accelerations would be rounding; their
        derivatives are known in the core.
        """
        n, rows = self.system.size, self.system.rows
        x, multipliers = alone.accelerations[0].copy(), alone.multipliers[0].copy()
        found = self.own.tangents(self.place, self.state.time, x, multipliers, STRIDE, True, OF_STRAIN)
        by_position, by_velocity = (
            sparse.csr_matrix((values, (i.astype(int), j.astype(int))), (n + rows, n))[:n].toarray()
            for i, j, values in (found[:3], found[3:])
        )
        force = -by_position @ changes.positions - by_velocity @ changes.velocities
        bias = np.zeros((rows, force.shape[1]))
        held = _core.Evaluation(self.system.compiled)
        for k in range(force.shape[1]):
            reach = np.abs(changes.positions[:, k] / self.scales).max(initial=0.0)
            reach = max(reach, np.abs(changes.velocities[:, k] / self.scales).max(initial=0.0) / self.fast)
            stride = _STRIDES[1] / max(reach, 1e-300) if reach else 1.0
            for factor, weight in _STENCIL:
                place = place_of(self.system, self._move(changes, k, factor * stride))
                held.evaluate(place, self.state.time, x, multipliers, False)
                bias[:, k] += weight * held.biases() / stride
                if not reach:  # a state of a controller pushes without moving anything
                    force[:, k] -= weight * held.residual()[:n] / stride
        return self._solve(force, -bias)

    def _solve(self, force: Array, wanted: Array) -> Array:
        """x with M x − Aᵀλ = force and A x = wanted: (n, k)."""
        particular = self._least(wanted)
        B = self.velocity_basis
        try:
            factor = linalg.cho_factor(B.T @ self.mass @ B)
        except linalg.LinAlgError:
            raise AnalysisError(no_inertia(self.system)) from None
        return np.asarray(particular + B @ linalg.cho_solve(factor, B.T @ (force - self.mass @ particular)))

    def _drive(self, alone: Simulation, rows: Array) -> Simulation:
        """The state alone with the accelerations and constraint forces that a unit of ẅ adds."""
        n = self.system.size
        added = self._solve(np.zeros((n, 1)), rows[:, None])[:, 0]
        # M δu̇ = Aᵀδλ, the shortest δλ
        forces = self.row_scales * (self.inverse.T @ (self.scales * (self.mass @ added)))
        return replace(alone, accelerations=alone.accelerations + added, multipliers=alone.multipliers + forces)


_ROUNDS = 40
_LARGEST = 0.3  # step of a position that is taken at once, in lengths of the system and radians
_RESTING = 1e-10  # last step, in lengths and radians, and of held values beside their size


@dataclass(frozen=True, eq=False)
class SampledRest:
    """A state at rest, and whether its controllers repeat their held values there."""

    state: DynamicState
    settled: bool


def sampled_rest(system: DynamicSystem, near: DynamicState) -> SampledRest:
    """The rest next to a state, laws of time held; states of continuous controllers stay what they are."""
    tables = system.network.tables
    state = replace(near, held=place_of(system, near).held)
    scales = system.tables.scales
    for _ in range(_ROUNDS):
        found = linear_system(system, state, sampled_signals)
        f, g, _, _ = found.sizes
        columns = [found.held_column(int(k), sampled_signals) for k in tables.sampled_held]
        rates, taken = rates_of(found.at_point, found.velocities_back)[0, :g], found.at_point.signals[0]
        held = state.held[tables.sampled_held]
        residual = np.concatenate([rates, taken[tables.sampled_signals] - held])
        by_held = np.array([np.concatenate([rate[f : f + g], seen]) for rate, seen in columns]).T
        by_held[g:] -= np.eye(len(held))
        slopes = np.hstack([np.vstack([found.A[f : f + g, :f], found.C[:, :f]]), by_held])
        size = np.maximum(np.abs(slopes).max(axis=1), 1e-300)
        step = np.linalg.lstsq(slopes / size[:, None], -residual / size, rcond=1e-12)[0]
        move = found.changes.positions[:, :f] @ step[:f]
        length = float(np.abs(move / scales).max(initial=0.0))
        part = min(1.0, _LARGEST / max(length, _LARGEST))
        state = _move_state(system, state, part * move, part * step[f:])
        changed = float((np.abs(step[f:]) / np.maximum(1.0, np.abs(held))).max(initial=0.0))
        if max(length, changed) <= _RESTING:
            return SampledRest(state, settled=bool(np.abs(residual / size).max() <= 1e3 * _RESTING))
    return SampledRest(near, settled=False)


def sampled_signals(run: Simulation) -> Array:
    """What sampled controllers would take at the states of a simulation: (T, pairs)."""
    return np.asarray(run.signals[:, run.system.network.tables.sampled_signals])


def _move_state(system: DynamicSystem, state: DynamicState, move: Array, change: Array) -> DynamicState:
    """The state after a move of the positions and a change of the held values, on the constraints and at rest."""
    held = state.held.copy()
    held[system.network.tables.sampled_held] += change
    place = move_place(system, place_of(system, state), move)._replace(held=held)
    place.velocities[:] = 0.0
    return replace(consistent_start(system, state_of(system, place, state.time)), held=held)
