"""Equilibria of a system while its loads grow from nothing to their full size, along the arc of the path.

With r the forces that are left and the gaps of joints, p the load factor and z = (q, λ),

    r(z, p) = r₀(z) + p r₁(z) = 0,

r₁ being what weight and loads do. Where K = ∂r/∂z is singular the loads have a limit (snap-through) or another
path branches off (buckling), but the arc of the path goes on: a step of the length ℓ goes along its tangent
t of (z, p) and is corrected across it, t · Δ(z, p) = 0, by Newton's method. Its length is that of (q, p), q in
lengths of the system and radians as the root of the mean square over bodies, so that a finer mesh takes the same
steps (Riks 1979, Crisfield 1981). A step after which the path goes off in another direction, or the determinant of
K has another sign, is taken again in shorter ones: it could have led to another path.

What a force does as an exact beam turns is taken with the force that the correction before foretold, in place of
that of the strain (Magisano, Leonetti and Garcea 2017): a beam that hardly stretches is far off in its force
while it is moved, and corrections would otherwise be many and steps short. Converged, both are the same.

Where bodies move as if nothing deformed, inertia forces of these velocities and accelerations are among the
loads. Motions Z that the undeformed system is free to make are not followed, Zᵀ(q − q₀) = 0; their accelerations
change by what the deformation asks for.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import SuperLU, splu

from flexframe import _core
from flexframe.errors import AnalysisError
from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import OF_STRAIN, STRIDE, move_place, place_of, range_of, set_velocity, state_of
from flexframe.multibody.tables import Place

_FINE = 1e-11  # last correction
_ENOUGH = 1e-7  # the same where rounding ends the iteration
_ROUNDS = 12
_GOOD = 5  # corrections that make the next step as long as this one
_LONGEST = 0.25  # step, in lengths of the system and radians
_FARTHEST = 2.0  # correction of any coordinate, in the same
_BENT = 0.7  # cosine of the angle between directions of the path before and after a step at least
_CROSSING = 0.05  # step that may go across a singular tangent, or around a corner
_SHORTEST = 1e-9
_BEGINNING = 1e-3  # load factor at which the change of the tangent is seen
_NEVER = 1e-9  # reciprocal of factors that count as infinite
_LEAST = 1e-3  # factor with which accelerations along free motions count at least


@dataclass(frozen=True, eq=False)
class LoadStep:
    """One equilibrium of a path."""

    factor: float  # p
    state: DynamicState
    multipliers: Array  # λ: (rows,)
    corrections: tuple[float, ...]  # sizes of the iterations, in lengths of the system, radians and p
    orientation: int  # sign of the determinant of ∂r/∂z: another one than before tells of a singular tangent


@dataclass(frozen=True, eq=False)
class LoadPath:
    """Equilibria one after the other, from no load to the last factor."""

    steps: tuple[LoadStep, ...]

    @property
    def factors(self) -> Array:
        """p of all of them: (steps,)."""
        return np.array([step.factor for step in self.steps])

    @property
    def singular(self) -> tuple[int, ...]:
        """Steps after which the tangent was singular before the next one: limits of the load and branches."""
        signs = [step.orientation for step in self.steps]
        return tuple(k for k in range(len(signs) - 1) if signs[k] != signs[k + 1])


@dataclass(frozen=True, eq=False)
class _Point:
    """z and p."""

    place: Place
    multipliers: Array  # scaled
    factor: float
    along: Array  # accelerations along free motions, beyond those of the rigid system: (k,)
    shift: Array  # sum of all steps of positions: (n,)
    foretold: Array = field(
        default_factory=lambda: OF_STRAIN
    )  # forces of exact beams by the last step: (beams, 6)


@dataclass(frozen=True, eq=False)
class _Factors:
    """∂r/∂z with its factors, and r₁."""

    matrix: SuperLU
    growth: Array  # r₁

    def solve(self, right: Array) -> Array:
        return np.asarray(self.matrix.solve(right))

    @property
    def orientation(self) -> int:
        lower, upper = self.matrix.perm_r, self.matrix.perm_c
        signs = np.sign(self.matrix.U.diagonal())
        return int(np.prod(signs)) * _parity(lower) * _parity(upper)


def _parity(order: NDArray[np.integer[Any]]) -> int:
    """+1 for an even permutation, −1 for an odd one."""
    seen, sign = np.zeros(len(order), dtype=bool), 1
    for first in range(len(order)):
        length, k = 0, first
        while not seen[k]:
            seen[k], k, length = True, int(order[k]), length + 1
        if length and length % 2 == 0:
            sign = -sign
    return sign


@dataclass(frozen=True, eq=False)
class RigidMotion:
    """How a system moves while nothing deforms further: local velocities, accelerations and free motions."""

    velocities: Array  # as a place has them: (bodies, 6 + m)
    accelerations: Array  # (n,)
    free: Array  # Z, scaled and orthonormal: (n, k)


def at_rest(system: DynamicSystem) -> RigidMotion:
    """No motion, and none that is left free."""
    still = np.zeros(system.tables.bodies.numbers.shape)
    return RigidMotion(still, np.zeros(system.size), np.zeros((system.size, 0)))


class _Loaded:
    """A system with its weight and loads times a factor; all in lengths of the system and radians."""

    def __init__(self, system: DynamicSystem, time: float, motion: RigidMotion) -> None:
        self.system, self.time, self.motion = system, time, motion
        self.scales, self.row_scales = system.tables.scales, system.tables.rows.scales
        self._evaluations = (_core.Evaluation(without_loads(system).compiled), _core.Evaluation(system.compiled))
        self.free = motion.free.shape[1]
        self._factors = np.concatenate([self.scales, self.row_scales])

    def residual(self, point: _Point) -> tuple[Array, Array]:
        """r and r₁."""
        bare, full = (self._residual(point, loaded=loaded) for loaded in (False, True))
        return bare + point.factor * (full - bare), full - bare

    def _residual(self, point: _Point, *, loaded: bool) -> Array:
        own, place, x = self._evaluate(point, loaded=loaded)
        own.evaluate(place, self.time, x, self._forces(point), False)
        apart = self.motion.free.T @ point.shift
        return np.concatenate([own.residual() * self._factors, apart])

    def _evaluate(self, point: _Point, *, loaded: bool) -> tuple[_core.Evaluation, Place, Array]:
        """The equations without loads at rest, or with loads in motion."""
        own, still = self._evaluations[loaded], np.zeros_like(point.place.velocities)
        if not loaded:
            return own, point.place._replace(velocities=still), np.zeros(self.system.size)
        x = self.motion.accelerations + self.scales * (self.motion.free @ point.along)
        return own, point.place._replace(velocities=self.motion.velocities), x

    def _forces(self, point: _Point) -> Array:
        return np.asarray(point.multipliers * self.row_scales)

    def stiffness(self, point: _Point) -> sparse.csr_matrix:
        """∂F/∂q and below it A: (n + rows, n)."""
        n, rows = self.system.size, self.system.rows
        total = sparse.csc_matrix((n + rows, n))
        for loaded, weight in ((False, 1.0 - point.factor), (True, point.factor)):
            if weight:
                own, place, x = self._evaluate(point, loaded=loaded)
                i, j, values, *_ = own.tangents(
                    place, self.time, x, self._forces(point), STRIDE, False, point.foretold
                )
                found = sparse.csc_matrix((values, (i.astype(int), j.astype(int))), total.shape)
                total = sparse.csc_matrix(total + weight * found)
        return (sparse.diags(self._factors) @ total @ sparse.diags(self.scales)).tocsr()

    def factorise(self, point: _Point, growth: Array) -> _Factors:
        """∂r/∂z = [∂F/∂q, −Aᵀ, p M Z; A, 0, 0; Zᵀ, 0, 0]."""
        n, rows, k = self.system.size, self.system.rows, self.free
        scaled = self.stiffness(point)
        A = scaled[n:]
        blocks: list[list[Any]] = [[scaled[:n], -A.T], [A, None]]
        if k:
            own = self._evaluations[True]
            mass = own.matrices()[:n] * self.scales[:, None] * self.scales
            blocks[0].append(sparse.csr_matrix(max(point.factor, _LEAST) * mass @ self.motion.free))
            blocks[1].append(None)
            blocks.append([sparse.csr_matrix(self.motion.free.T), None, None])
            blocks[1][1], blocks[2][1] = sparse.csr_matrix((rows, rows)), sparse.csr_matrix((k, rows))
        matrix = sparse.bmat(blocks).tocsc()
        try:
            return _Factors(splu(matrix), growth)
        except RuntimeError:
            raise AnalysisError(
                "parts of the system can move without resistance, so that loads have no equilibrium that is "
                "found by growing them; hold them by joints, drives or springs"
            ) from None

    def move(self, point: _Point, step: Array, growth: float) -> _Point:
        n, rows = self.system.size, self.system.rows
        return _Point(
            move_place(self.system, point.place, step[:n] * self.scales),
            point.multipliers + step[n : n + rows],
            point.factor + growth,
            point.along + step[n + rows :],
            point.shift + step[:n],
            self._foretold(point, step[:n] * self.scales),
        )

    def _foretold(self, point: _Point, step: Array) -> Array:
        """Forces of exact beams after a step of positions, by their linear change; see `known_frame`."""
        if not len(self.system.tables.beams.lengths):
            return OF_STRAIN
        own, place = self._evaluations[False], point.place._replace(velocities=point.place.velocities.copy())
        place.velocities[:] = 0.0
        set_velocity(self.system, step, place)
        own.evaluate(place, self.time, np.zeros(self.system.size), self._forces(point), False)
        return own.extrapolated_beam_forces()

    def point(self, step: LoadStep) -> _Point:
        """z and p of an equilibrium that was found."""
        place, free = place_of(self.system, step.state), np.zeros(self.free)
        return _Point(place, step.multipliers / self.row_scales, step.factor, free, np.zeros(self.system.size))

    def step(self, point: _Point, corrections: list[float], orientation: int) -> LoadStep:
        state = state_of(self.system, point.place, self.time)
        return LoadStep(point.factor, state, point.multipliers * self.row_scales, tuple(corrections), orientation)


class _Search:
    def __init__(
        self, system: DynamicSystem, near: DynamicState, motion: RigidMotion, until: float, most: int
    ) -> None:
        self._loaded = _Loaded(system, near.time, motion)
        free = np.zeros(motion.free.shape[1])
        self._begin = _Point(place_of(system, near), np.zeros(system.rows), 0.0, free, np.zeros(system.size))
        self._size, self._until, self._most = system.size, until, most
        self._weight = 1 / np.sqrt(len(system.bodies))

    def path(self) -> LoadPath:
        here, corrections, factors = self._correct(self._begin, None)
        steps = [self._loaded.step(here, corrections, factors.orientation)]
        before, length = np.append(np.zeros(self._size), 1.0), 0.0
        while here.factor != self._until and len(steps) < self._most:
            tangent = self._tangent(factors, before)
            length = length or min(_LONGEST, abs(self._until) / max(abs(tangent[-1]), 1e-300))
            there = None
            while there is None:
                there = self._advance(here, factors, tangent, length)
                if there is not None and length > _CROSSING and self._doubtful(factors, tangent, there[2]):
                    there = None
                if there is None:
                    length /= 2
                    if length < _SHORTEST:
                        raise AnalysisError(
                            f"no equilibrium is found beyond {here.factor:.4g} of the loads; the path of "
                            "equilibria ends there or turns too sharply"
                        )
            here, corrections, factors = there
            steps.append(self._loaded.step(here, corrections, factors.orientation))
            before = tangent
            length = min(_LONGEST, length * np.clip(_GOOD / max(len(corrections), 1), 0.5, 2.0))
        return LoadPath(tuple(steps))

    def _doubtful(self, before: _Factors, tangent: Array, after: _Factors) -> bool:
        """Whether a step may have led to another path."""
        turned = float(self._tangent(after, tangent) @ tangent) < _BENT
        return turned or after.orientation != before.orientation

    def _tangent(self, factors: _Factors, before: Array) -> Array:
        """Unit vector (dq, dp) along the path, onwards: K dz + r₁ dp = 0."""
        along = np.append(self._weight * factors.solve(-factors.growth)[: self._size], 1.0)
        along /= np.linalg.norm(along)
        return along if along @ before >= 0 else -along

    def _advance(
        self, here: _Point, factors: _Factors, tangent: Array, length: float
    ) -> tuple[_Point, list[float], _Factors] | None:
        """The equilibrium a step further, or at the last factor if the step would pass it; none if not found."""
        whole = factors.solve(-factors.growth)  # positions and multipliers for each growth of the factor
        growth = length * tangent[-1]
        try:
            if here.factor + growth >= self._until:
                return self._end(here, whole)
            there = self._correct(self._loaded.move(here, whole * growth, growth), tangent)
            # a correction across the path may pass the last factor
            return there if there[0].factor < self._until else self._end(here, whole)
        except _NotFoundError:
            return None

    def _end(self, here: _Point, whole: Array) -> tuple[_Point, list[float], _Factors]:
        growth = self._until - here.factor
        predicted = self._loaded.move(here, whole * growth, growth)
        return self._correct(replace(predicted, factor=self._until), None)

    def _correct(self, point: _Point, tangent: Array | None) -> tuple[_Point, list[float], _Factors]:
        """Newton's method across a tangent, or at the given factor."""
        last: list[_Factors] = []
        there, sizes, before = keep_part(
            "equilibrium on a path", (point, tangent), lambda: self._iterate(point, tangent, last)
        )
        if not last:  # an equilibrium that was kept
            last.append(self._loaded.factorise(before, self._loaded.residual(before)[1]))
        return there, list(sizes), last[0]

    def _iterate(
        self, point: _Point, tangent: Array | None, last: list[_Factors]
    ) -> tuple[_Point, list[float], _Point]:
        """The equilibrium, the sizes of the corrections, and the point before, whose factors are `last`."""
        sizes: list[float] = []
        for _ in range(_ROUNDS):
            residual, growth = self._loaded.residual(point)
            factors = self._loaded.factorise(point, growth)
            step, change = factors.solve(-residual), 0.0
            if tangent is not None:
                along = factors.solve(-growth)
                t, t_p = self._weight * tangent[:-1], tangent[-1]
                n = self._size
                change = -float(t @ step[:n]) / float(t @ along[:n] + t_p)
                step = step + change * along
            size = max(float(np.abs(step[: self._size]).max(initial=0.0)), abs(change))
            if not np.isfinite(size) or size > _FARTHEST:
                raise _NotFoundError
            sizes.append(size)
            before, point = point, self._loaded.move(point, step, change)
            if size <= _FINE or (len(sizes) > 1 and size <= _ENOUGH and size > 0.3 * sizes[-2]):
                last.append(factors)
                return point, sizes, before
        raise _NotFoundError


class _NotFoundError(AnalysisError):
    """Newton's method does not converge from here."""

    def __init__(self) -> None:
        super().__init__("no equilibrium is found near the start of the loads; begin nearer to an equilibrium")


def load_path(
    system: DynamicSystem,
    near: DynamicState,
    *,
    motion: RigidMotion | None = None,
    until: float = 1.0,
    most: int = 500,
) -> LoadPath:
    """Equilibria while all loads grow from nothing to `until` times their size, laws frozen at the start.

    The path begins at the equilibrium without loads near a state, and has at most so many steps: where loads have
    a limit it goes on with smaller ones. With a `motion` inertia grows with the loads.
    """
    return _Search(system, near, motion or at_rest(system), until, most).path()


def buckling_factors(system: DynamicSystem, near: DynamicState, count: int) -> Array:
    """The smallest factors at which the tangent would be singular if it went on changing as it begins to.

    (K₀ + p K₁) φ = 0 on the changes that joints and drives allow, K₁ = dK/dp at the beginning of the path.
    Negative ones belong to loads in the opposite direction and are left out. What bends much before it buckles has
    others.
    """
    loaded, n = _Loaded(system, near.time, at_rest(system)), system.size
    ends = load_path(system, near, until=_BEGINNING).steps
    matrices = [loaded.stiffness(loaded.point(step)).toarray() for step in (ends[0], ends[-1])]
    B = range_of(matrices[0][n:]).null
    K, Ke = (B.T @ matrix[:n] @ B for matrix in matrices)
    inverse = np.linalg.eigvals(np.linalg.solve(K, (K - Ke) / _BEGINNING)).astype(complex)  # 1/p
    real = inverse.real[(np.abs(inverse.imag) < 1e-6 * np.abs(inverse)) & (inverse.real > _NEVER)]
    return np.asarray(np.sort(1 / real)[:count])


def without_loads(system: DynamicSystem) -> DynamicSystem:
    """The system without weight, forces at markers and loads of bodies; springs and joints stay."""
    tables = system.tables
    forces, loads, fields, beams = tables.forces, tables.loads, tables.fields, tables.beams
    bare = tables._replace(
        gravity=np.zeros(3),
        forces=forces._replace(
            frames=forces.frames[:0],
            arms=forces.arms[:0],
            in_body=forces.in_body[:0],
            laws=forces.laws[:0],
            before=forces.before[:0],
        ),
        loads=loads._replace(**{name: getattr(loads, name)[:0] for name in loads._fields}),
        fields=fields._replace(**{name: getattr(fields, name)[:0] for name in fields._fields}),
        beams=beams._replace(
            **{
                name: getattr(beams, name)[:0]
                for name in ("loaded", "laws", "before", "in_space", "wrenches", "arms")
            }
        ),
    )
    return replace(system, tables=bare)
