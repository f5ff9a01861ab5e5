"""Motion of a mechanism under its forces: Maggi's equations, integrated with error control.

With q̇ = B ż + g, A B = 0 and A g + γ = 0 at the level of accelerations,

    BᵀM B z̈ = Bᵀ(Q − h − M g),      q̈ = B z̈ + g .

All coordinates are integrated; after every step positions and velocities are put back onto the joints.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import DOP853, Radau
from scipy.optimize import brentq

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import quaternion_from_rotation, quaternion_product, rotation_from_quaternion
from flexframe.mechanisms.closure import CLOSED, assembled, scaled, scaled_jacobian
from flexframe.mechanisms.constraint_set import ConstraintSet
from flexframe.mechanisms.energy_balance import EnergyBalance
from flexframe.mechanisms.linear import rank, solved
from flexframe.mechanisms.mechanism import Mechanism
from flexframe.mechanisms.mobility import mobility, named_rows
from flexframe.mechanisms.motion import MechanismMotion
from flexframe.mechanisms.states import Configuration, Rates, as_rates, as_vector, moved, placed

Method = Literal["explicit", "implicit"]
_CHUNK = 400
_STEPS = 2_000_000


@dataclass(frozen=True, eq=False)
class Integrated:
    """A computed motion, with what the integrator did."""

    motion: MechanismMotion
    steps: int
    evaluations: int
    events: tuple[tuple[str, float], ...]
    energy_drift: float  # largest misfit of the energy balance along the steps, relative


@dataclass(frozen=True, eq=False)
class State:
    """Positions and velocities at one time."""

    time: float
    configuration: Configuration
    velocities: Rates


@dataclass(frozen=True)
class Tolerances:
    """Relative error of a step, and absolute one in lengths and radians (for velocities ten times that)."""

    relative: float = 1e-9
    absolute: float = 1e-10

    def __post_init__(self) -> None:
        if not (1e-14 < self.relative < 1 and self.absolute > 0):
            raise InputError(f"a relative tolerance of {self.relative:g} cannot be met; give 1e-13 to 1e-2")


@dataclass(frozen=True, eq=False)
class Flow:
    """The equations of motion of a mechanism, ready for integration from a start."""

    mechanism: Mechanism
    rank: int  # of all constraints
    holonomic_rank: int  # of those on positions
    tolerances: Tolerances = field(default_factory=Tolerances)
    method: Method = "explicit"

    # ------------------------------------------------------------------ equations

    def accelerations(self, times: Array, c: Configuration, u: Rates) -> Rates:
        """q̈ at many instants."""
        mechanism, constraints = self.mechanism, self.mechanism.constraints
        scale, rows = mechanism.column_scale, mechanism.row_scale(constraints)
        forces = mechanism.applied_wrenches(c, u, times) - mechanism.inertia_wrenches(c, u, None)
        F = mechanism.in_coordinates(forces) * scale
        M = mechanism.mass_matrix(c) * scale[:, None] * scale
        if not constraints.count:
            return as_rates(_divided(M, F) * scale, mechanism.bodies)
        A = scaled_jacobian(mechanism, constraints, c)
        _, bias = constraints.rates(c, u)
        gamma = (bias - constraints.targets(times).second) * rows
        B, g = self._null_space(A, gamma)
        reduced = np.swapaxes(B, 1, 2)
        right = np.einsum("tfn,tn->tf", reduced, F - np.einsum("tij,tj->ti", M, g))
        z = _divided(reduced @ M @ B, right)
        return as_rates((np.einsum("tnf,tf->tn", B, z) + g) * scale, mechanism.bodies)

    def require_inertia(self, c: Configuration) -> None:
        """Every free motion must have inertia, seen at one configuration."""
        scale = self.mechanism.column_scale
        M = self.mechanism.mass_matrix(c) * scale[:, None] * scale
        A = scaled_jacobian(self.mechanism, self.mechanism.constraints, c)
        B = self._null_space(A, np.zeros(A.shape[:2]))[0] if A.shape[1] else np.eye(M.shape[1])[None]
        free = np.linalg.eigvalsh((np.swapaxes(B, 1, 2) @ M @ B)[0])
        if free.size and free[0] <= 1e-13 * max(free[-1], float(np.abs(M).max())):
            masses = zip(self.mechanism.names, self.mechanism.masses.mass, strict=True)
            light = [name for name, mass in masses if mass == 0]
            raise AnalysisError(
                f"a free motion has no inertia{' (' + ', '.join(light) + ' has no mass)' if light else ''}; "
                "give the bodies that move freely a mass and a moment of inertia"
            )

    def _null_space(self, A: Array, gamma: Array) -> tuple[Array, Array]:
        """B with A B = 0 and the shortest g with A g + γ = 0."""
        m = A.shape[1]
        if m == self.rank:
            Q, R = np.linalg.qr(np.swapaxes(A, 1, 2), mode="complete")
            lower = np.swapaxes(R[:, :m], 1, 2)
            return Q[..., m:], np.einsum(
                "tnm,tm->tn", Q[..., :m], np.linalg.solve(lower, -gamma[..., None])[..., 0]
            )
        U, s, Vt = np.linalg.svd(A)
        r = self.rank
        parts = np.einsum("tmr,tm->tr", U[..., :r], -gamma) / s[..., :r]
        return np.swapaxes(Vt[:, r:], 1, 2), np.einsum("trn,tr->tn", Vt[:, :r], parts)

    # ------------------------------------------------------------------ on the joints

    def projected(self, times: Array, c: Configuration, u: Rates) -> tuple[Configuration, Rates, float]:
        """The nearest positions and velocities that the joints allow, and the residual that is left."""
        mechanism, constraints = self.mechanism, self.mechanism.constraints
        if not constraints.count:
            return c, u, 0.0
        targets = constraints.targets(times)
        for _ in range(6):
            gap, J = scaled(mechanism, constraints, c, targets)
            if np.abs(gap).max() < 0.01 * CLOSED:
                break
            c = moved(
                c, solved(J * constraints.holonomic[:, None], -gap, self.holonomic_rank) * mechanism.column_scale
            )
        scale, rows = mechanism.column_scale, mechanism.row_scale(constraints)
        vector = as_vector(u, mechanism.planar)
        slip = np.einsum("tmn,tn->tm", J, vector / scale) - targets.rate * rows
        vector = vector - solved(J, slip, self.rank) * scale
        return c, as_rates(vector, mechanism.bodies), float(np.abs(gap).max())

    # ------------------------------------------------------------------ integration

    def run(
        self, start: State, times: ArrayLike, events: ConstraintSet | None = None, *, stop: bool = False
    ) -> Integrated:
        """Integrate from the start and give the motion at the wanted times."""
        wanted = np.atleast_1d(np.asarray(times, dtype=float))
        if not np.isfinite(wanted).all() or (np.diff(wanted) <= 0).any() or wanted[0] < start.time:
            raise InputError("the times of a motion must increase from its start; sort them")
        balance = EnergyBalance(self._motion)
        samples, happened, solver, steps = self._integrated(start, wanted, events, stop, balance)
        motion = self._motion(wanted[: len(samples)], np.array(samples))
        return Integrated(motion, steps, solver.nfev, tuple(happened), balance.drift)

    def end(self, start: State, time: float) -> State:
        """The state at a later time."""
        samples, _, _, _ = self._integrated(start, np.array([time]), None, False)
        c, u = self._unpacked(np.array(samples))
        c, u, _ = self.projected(np.array([time]), c, u)
        return State(time, c, u)

    def _integrated(
        self,
        start: State,
        wanted: Array,
        events: ConstraintSet | None,
        stop: bool,
        balance: EnergyBalance | None = None,
    ) -> tuple[list[Array], list[tuple[str, float]], "DOP853 | Radau", int]:
        y = self._packed(start.configuration, start.velocities)[0]
        end = float(wanted[-1])
        samples = [y] if wanted[0] == start.time else []
        happened: list[tuple[str, float]] = []
        solver = self._solver(start.time, y, end)
        steps = 0
        if balance is not None:
            balance.begin(start.time, y)
        while solver.status == "running" and len(samples) < len(wanted):
            message = solver.step()
            steps += 1
            if str(solver.status) == "failed" or not np.isfinite(solver.y).all() or steps > _STEPS:
                raise AnalysisError(
                    f"the motion cannot be continued after t = {solver.t:.6g} s ({message or 'too many steps'}); "
                    "look for a dead point or for forces that grow without bound, or loosen the tolerance"
                )
            dense = solver.dense_output()
            last = float(solver.t)
            if events is not None:
                found = self._events(events, dense, float(solver.t_old), last)
                happened += found
                if found and stop:
                    last = found[0][1]
            while len(samples) < len(wanted) and wanted[len(samples)] <= last:
                samples.append(np.asarray(dense(wanted[len(samples)])))
            if last < solver.t:
                break
            if solver.status == "running":
                self._put_back(solver)
            if balance is not None:
                balance.take(float(solver.t_old), last, dense, solver.y)
        return samples, happened, solver, steps

    def _solver(self, time: float, y: Array, end: float) -> "DOP853 | Radau":
        L, bodies = self.mechanism.length, self.mechanism.bodies
        size = np.tile([L, L, 1.0] if self.mechanism.planar else [L] * 3 + [1.0] * 4, bodies)
        absolute = self.tolerances.absolute * np.concatenate([size, self.mechanism.column_scale * 10.0])
        options = {"rtol": self.tolerances.relative, "atol": absolute}
        if end <= time:
            end = time + 1e-300
        solver = DOP853 if self.method == "explicit" else Radau
        return solver(self._rate, time, y, end, **options)

    def _put_back(self, solver: "DOP853 | Radau") -> None:
        """Replace the state by the nearest one on the joints."""
        c, u = self._unpacked(solver.y[None])
        c, u, gap = self.projected(np.array([solver.t]), c, u)
        if gap > 1e-8:
            raise AnalysisError(
                f"the joints cannot be kept together after t = {solver.t:.6g} s (residual {gap:.1e}); "
                "the linkage reaches a dead point, or a drive asks for the impossible"
            )
        solver.y = self._packed(c, u)[0]
        solver.f = solver.fun(solver.t, solver.y)

    def _rate(self, time: float, y: Array) -> Array:
        c, u = self._unpacked(y[None])
        a = self.accelerations(np.array([time]), c, u)
        planar, bodies = self.mechanism.planar, self.mechanism.bodies
        if planar:
            position_rate = as_vector(u, True)[0]
        else:
            omega = np.concatenate([np.zeros((bodies, 1)), u.angular[0, :-1]], axis=1)
            q = y[: 7 * bodies].reshape(bodies, 7)[:, 3:]
            rates = 0.5 * quaternion_product(omega, q)
            position_rate = np.concatenate([u.linear[0, :-1], rates], axis=1).ravel()
        return np.concatenate([position_rate, as_vector(a, planar)[0]])

    def _packed(self, c: Configuration, u: Rates) -> Array:
        T = c.count
        if c.angles is not None:
            coordinates = np.concatenate([c.positions[:, :-1, :2], c.angles[..., None]], axis=-1)
        else:
            coordinates = np.concatenate(
                [c.positions[:, :-1], quaternion_from_rotation(c.rotations[:, :-1])], axis=-1
            )
        return np.concatenate([coordinates.reshape(T, -1), as_vector(u, self.mechanism.planar)], axis=1)

    def _unpacked(self, y: Array) -> tuple[Configuration, Rates]:
        T, bodies = y.shape[0], self.mechanism.bodies
        width = 3 if self.mechanism.planar else 7
        coordinates = y[:, : width * bodies].reshape(T, bodies, width)
        u = as_rates(y[:, width * bodies :], bodies)
        if self.mechanism.planar:
            positions = np.zeros((T, bodies, 3))
            positions[..., :2] = coordinates[..., :2]
            return placed(positions, None, coordinates[..., 2]), u
        return placed(coordinates[..., :3], rotation_from_quaternion(coordinates[..., 3:]), None), u

    def _events(self, events: ConstraintSet, dense, before: float, after: float) -> list[tuple[str, float]]:  # type: ignore[no-untyped-def]  # scipy's dense output
        """Times at which a watched coordinate passes its value, by Brent's method on the dense output."""

        def gaps(time: float) -> Array:
            c, _ = self._unpacked(np.asarray(dense(time))[None])
            return events.residual(events.values(c)[0], events.targets(np.array([time])))[0]

        first, last = gaps(before), gaps(after)
        found = []
        for k in np.flatnonzero((first * last < 0) & (np.abs(first - last) < np.pi)):

            def gap(time: float, row: int = int(k)) -> float:
                return float(gaps(time)[row])

            found.append((events.owners[k], float(brentq(gap, before, after, xtol=1e-14))))
        return sorted(found, key=lambda event: event[1])

    def _motion(self, times: Array, y: Array) -> MechanismMotion:
        parts = []
        for start in range(0, len(times), _CHUNK):
            some = times[start : start + _CHUNK]
            c, u = self._unpacked(y[start : start + _CHUNK])
            c, u, gap = self.projected(some, c, u)
            parts.append((c, u, self.accelerations(some, c, u), gap))
        angles = [c.angles for c, _, _, _ in parts if c.angles is not None]
        configuration = Configuration(
            np.concatenate([c.positions for c, _, _, _ in parts]),
            np.concatenate([c.rotations for c, _, _, _ in parts]),
            np.concatenate(angles) if angles else None,
        )
        found = mobility(self.mechanism, configuration.at([0]))
        return MechanismMotion(
            mechanism=self.mechanism,
            times=times,
            configuration=configuration,
            velocities=_join([u for _, u, _, _ in parts]),
            accelerations=_join([a for _, _, a, _ in parts]),
            mobility=found,
            closure=max(gap for _, _, _, gap in parts),
            notices=found.notices(),
        )


def _divided(M: Array, F: Array) -> Array:
    return np.asarray(np.linalg.solve(M, F[..., None])[..., 0])


def _join(parts: Sequence[Rates]) -> Rates:
    return Rates(np.concatenate([p.linear for p in parts]), np.concatenate([p.angular for p in parts]))


def started(
    mechanism: Mechanism,
    time: float = 0.0,
    *,
    tolerances: Tolerances | None = None,
    method: Method = "explicit",
) -> tuple[Flow, State]:
    """The equations, and the state at the start: assembled, with the velocities that drives and `initial` demand.

    Freedoms that these leave open start as near as possible to the rough start and its velocities.
    """
    at_start = mechanism.start_constraints
    c = assembled(mechanism, at_start, time)
    J = scaled_jacobian(mechanism, at_start, c)
    targets = at_start.targets(np.array([time]))
    rows = mechanism.row_scale(at_start)
    vector = as_vector(mechanism.rough_velocities(), mechanism.planar) / mechanism.column_scale
    if at_start.count:
        known = rank(np.linalg.svd(J[0], compute_uv=False))
        vector = vector - solved(J, np.einsum("tmn,tn->tm", J, vector) - targets.rate * rows, known)
        misfit = np.abs(np.einsum("tmn,tn->tm", J, vector) - targets.rate * rows)[0]
        if misfit.max() > 1e-8 * max(1.0, float(np.abs(vector).max())):
            worst = at_start.owners[int(np.argmax(misfit))]
            U = np.linalg.svd(J[0])[0]
            raise InputError(
                f"the start velocities contradict each other, most of all {worst} (with "
                f"{', '.join(named_rows(U[:, known:], at_start.owners))}); leave one of them out"
            )
    constraints = mechanism.constraints
    A = scaled_jacobian(mechanism, constraints, c)
    on_positions = A[0][constraints.holonomic]
    flow = Flow(
        mechanism,
        rank(np.linalg.svd(A[0], compute_uv=False)) if constraints.count else 0,
        rank(np.linalg.svd(on_positions, compute_uv=False)) if len(on_positions) else 0,
        tolerances or Tolerances(),
        method,
    )
    flow.require_inertia(c)
    return flow, State(time, c, as_rates(vector * mechanism.column_scale, mechanism.bodies))
