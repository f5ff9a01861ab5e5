"""Whittaker: the energy integral removes time, and a rigid angle takes its place.

A planar system with a potential and without laws of time has h = T + V. With u = τ̇ w, w_τ = 1, along the
motions that the joints allow, u = B s,

    τ̇ = ±√(2(h − V)/α),      (M_zz − ββᵀ/α) z'' = −[ν_z − β wᵀν/α]/τ̇²,      α = wᵀMw,   β = (Mw)_z,

where s = τ̇ (1, z') and ν = τ̇² ν₂(w) − Q gathers what is not acceleration. The time follows from dt/dτ =
1/τ̇, and the accelerations from τ̈ = −(τ̇² βᵀz'' + wᵀν)/α.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy import linalg

from flexframe.dynamics.contract import DynamicSystem
from flexframe.dynamics.formalisms.constraints import RANK, Scaled, count, scaled
from flexframe.dynamics.formalisms.contract import Instant, gathered
from flexframe.dynamics.formalisms.mass_points import PointMotion
from flexframe.errors import AnalysisError
from flexframe.formalisms.contract import BoundMotion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import null_space, particular_solution
from flexframe.model.constraints import Fixed
from flexframe.model.system_loads import Friction, MarkerForce, Motor, Spring, SystemGravity, TorsionSpring

TURNS = 1e-6  # part of the energy that an angle must have to replace time
FAR = 1e8  # crowding of a chart beyond which its equations say nothing
_TRIAL_TIMES = np.array([0.0, 0.1, 0.7321, 3.3, 17.9])  # at which a law that never changes shows no rate


@dataclass(frozen=True)
class Whittaker:
    """d/dτ ∂L*/∂z' − ∂L*/∂z = 0 with a rigid angle τ, the time from the energy integral."""

    name: ClassVar[str] = "whittaker"
    title: ClassVar[str] = "Whittaker"
    primitive: ClassVar[str] = "energy integral h, a rigid angle for the time"

    def refusal(self, system: DynamicSystem) -> str | None:
        """What breaks the energy integral, or the rigid angle."""
        if not system.planar:
            return "the system moves in space, where rotations are not coordinates; it is for planar ones"
        reason = _law_of_time(system) or _velocity_constraint(system) or _loss(system)
        return None if reason is None else f"there is no energy integral: {reason}"

    def unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return 2 * (size - rank) - 1  # z, z' and the time

    def motion(self, instant: Instant, work: Work) -> BoundMotion:
        return reduced_motion(instant, chart(instant), energy(instant, work), work).motion


@dataclass(frozen=True, eq=False)
class ReducedMotion:
    """What the reduced equations give at a state."""

    motion: BoundMotion
    tau_rate: float
    tau_second: float
    crowding: float  # wᵀMw over what τ alone has: large near a turning point of τ


def energy(instant: Instant, work: Work) -> float:
    """h = T + V."""
    return _kinetic(instant, work) + instant.potential


def chart(instant: Instant) -> int:
    """The rigid angle that turns with most energy of its own; any other velocity where nothing turns."""
    spins = [place.start + 2 for place in instant.places]
    own = np.concatenate([np.diagonal(body.sum(body.partial, body.partial, Work())) for body in instant.bodies])
    shares = np.sqrt(np.maximum(own, 0.0)) * np.abs(instant.velocity)
    if not shares.any():
        raise AnalysisError(
            "the system is at rest, where no coordinate can take the place of time (a brake point); begin with a "
            "velocity, or use another formalism there"
        )
    turning = int(spins[int(np.argmax(shares[spins]))])
    return turning if shares[turning] ** 2 >= TURNS * float(shares @ shares) else int(np.argmax(shares))


def reduced_motion(instant: Instant, tau: int, total_energy: float, work: Work) -> ReducedMotion:
    """Accelerations by way of z''(τ) at a state; of its velocities only the direction w is used."""
    speed = instant.velocity[tau]
    bodies = [_slowed(body, 1 / speed) for body in instant.bodies]  # velocities w = u/τ̇
    inertia = gathered(instant, [_bent_path(body, work) for body in bodies])
    problem = scaled(inertia.mass, instant.applied, instant.constraint, instant.bias)
    basis = _tau_basis(problem, tau)
    w = _coordinates(problem, basis, instant.velocity / speed)
    M = basis.T @ problem.mass @ basis
    Mw = M @ w
    alpha, beta = float(w @ Mw) / w[0] ** 2, Mw[1:] / w[0]
    w = w / w[0]
    unit = problem.unit[tau]
    # τ̇ in units of the chart from the energy integral
    crowding = alpha / float(M[0, 0])
    if not crowding < FAR:
        nothing = np.full(len(instant.velocity), np.nan)
        return ReducedMotion(BoundMotion(nothing, nothing), np.nan, np.nan, crowding)
    rate = np.sign(speed) * np.sqrt(2 * max(total_energy - instant.potential, 0.0) / alpha)
    # constraints bend the path as τ̇²
    rest = particular_solution(problem.constraint, problem.bias) * (rate * unit / speed) ** 2
    curved = (rate * unit) ** 2 * (inertia.force * problem.unit)
    nu = basis.T @ (curved - problem.force + problem.mass @ rest)
    along = float(w @ nu) / alpha
    left = M[1:, 1:] - np.outer(beta, beta) / alpha
    count(work, len(w) ** 3 // 3 + len(problem.force) ** 2 * len(w))
    bend = -np.linalg.solve(left, nu[1:] - beta * along) if len(w) > 1 else np.empty(0)  # τ̇² z''
    second = -(float(beta @ bend) / alpha + along)
    speeds = second * w + np.concatenate([[0.0], bend])
    found = basis @ speeds + rest
    return ReducedMotion(
        motion=problem.restored(found, problem.mass @ found + curved - problem.force),
        tau_rate=float(rate * unit),
        tau_second=float(found[tau] * unit),
        crowding=crowding,
    )


def _tau_basis(problem: Scaled, tau: int) -> Array:
    """Columns that span the allowed motions, the first alone with a rate of τ (one), the others without."""
    B = null_space(problem.constraint, RANK).basis
    row = B[tau]
    size = float(row @ row)
    if size < 1e-20:
        raise AnalysisError("the angle that should replace time cannot move; its joints hold it")
    others = null_space(row[None]).basis
    return np.column_stack([B @ row / size, B @ others])


def _coordinates(problem: Scaled, basis: Array, velocity: Array) -> Array:
    """s with B s = velocity, in scaled units."""
    return np.asarray(linalg.lstsq(basis, velocity / problem.unit)[0])


def _slowed(body: PointMotion, factor: float) -> PointMotion:
    """The same place with all velocities multiplied."""
    return replace(
        body,
        velocity=factor * body.velocity,
        spin=factor * body.spin,
        rates=factor * body.rates,
        shape_rates=factor * body.shape_rates,
    )


def _bent_path(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """M, and ν₂(w) = Σ w Gᵀ(d²r/dτ² without w'): the paths of the points bend although w does not change."""
    w = np.concatenate([body.velocity, body.spin, body.rates])[body.columns]
    turned = np.cross(body.spin, np.asarray(body.partial @ w)) + np.asarray(body.partial_rate @ w)
    work.multiplications += 6 * len(turned)
    work.additions += 6 * len(turned)
    return body.sum(body.partial, body.partial, work), body.sum(body.partial, turned, work)


def _kinetic(instant: Instant, work: Work) -> float:
    work.multiplications += sum(4 * len(body.weights) for body in instant.bodies)
    return float(sum(body.weights @ (body.velocities**2).sum(axis=1) for body in instant.bodies) / 2)


def _law_of_time(system: DynamicSystem) -> str | None:
    constraints = system.mechanism.constraints
    for entry, owner in zip(constraints.entries, constraints.owners, strict=True):
        law = getattr(entry.constraint, "law", Fixed())
        if not isinstance(law, Fixed) and np.abs(law.jet(_TRIAL_TIMES)[1]).max() > 0:
            return f"{owner} prescribes a motion in time"
    return None


def _velocity_constraint(system: DynamicSystem) -> str | None:
    constraints = system.mechanism.constraints
    for owner, holonomic in zip(constraints.owners, constraints.holonomic, strict=True):
        if not holonomic:
            return f"{owner} is a constraint on velocities, so that places do not determine V"
    return None


def _loss(system: DynamicSystem) -> str | None:
    """Something that takes or gives energy."""
    joined = len(system.tables.joined_damping) > 0
    for body in system.bodies:
        if joined or np.any(body.damping) or body.loads is not None:
            loaded = f"the loads of body {body.name} are not counted as a potential"
            return f"{body.name} is damped" if joined or np.any(body.damping) else loaded
    for load in system.system.loads:
        match load:
            case SystemGravity():
                continue
            case Spring() | TorsionSpring():
                if load.damping:
                    return f"the damper of {load.name} takes energy"
            case Friction() | Motor():
                return f"{load.name} depends on the speed"
            case MarkerForce():
                return f"the force {load.name} is not counted as a potential"
            case _:
                return f"the load {load.name} has no potential"
    return None
