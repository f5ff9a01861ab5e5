"""The position in which a system rests under its loads, and whether it would stay there.

With u = u̇ = 0 and η the changes of position that joints and drives allow, η = B z and A B = 0,

    Bᵀ F(q) = 0,      F = −Q(q),      s(q) = f .

The tangent K = Bᵀ ∂(F − Aᵀλ)/∂q B, λ held, is the second derivative of the potential where there is one. Steps are
those of Newton's method with the size of every eigenvalue, z = −Σ v vᵀF / |μ|, which go downhill from where K is
not positive definite: the equilibrium that is found from a rough position is one towards which the system would
creep. Only a position that is exactly in an unstable equilibrium stays there. All is in lengths and radians.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError, FlexframeError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.null_spaces import null_space
from flexframe.model.joints import Weld
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.division.exact import BeamBond
from flexframe.multibody.equations import (
    STRIDE,
    Equations,
    ScaledEquations,
    accelerations_at,
    elastic_matrices,
    equations_at,
    frame_displacements,
    place_of,
    range_of,
    state_of,
)
from flexframe.multibody.equilibria.load_path import LoadPath, RigidMotion, at_rest, load_path
from flexframe.multibody.equilibria.small_motions import light_modes
from flexframe.multibody.laws import system_before
from flexframe.multibody.start import consistent_start, initial_state, rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.multibody.tables import Place
from flexframe.reduction.reduced_body import ReducedBody

Stability = Literal["stable", "unstable", "neutral"]

_CLOSED = 1e-14  # gap of the constraints
_LARGEST = 0.3  # step that is taken at once
_RESTING = 1e-13  # last step
_ENOUGH = 1e-9  # last step where rounding ends the iteration
_ROUNDS = 300


@dataclass(frozen=True, eq=False)
class SystemEquilibrium:
    """A position of rest, the forces of its joints and the eigenvalues of its tangent stiffness over the mass.

    `eigenvalues` [rad²/s²] ascend by real part; complex ones belong to loads that turn with a body. `direction` is
    the change of position u that belongs to the first. `moved` [m] and `turned` [rad] are those of the frames
    since the position from which the search began.
    """

    state: DynamicState
    multipliers: Array  # λ: (rows,)
    stability: Stability
    eigenvalues: ComplexArray  # (f,)
    direction: Array  # (n,)
    iterations: int
    moved: Array  # (bodies,)
    turned: Array  # (bodies,)
    coordinates: Array  # of springs, friction and motors [m, rad]: (forces,)


@dataclass(frozen=True, eq=False)
class _Position:
    """A place on the constraints: forces and what of them the constraints take."""

    place: Place
    found: Equations
    basis: Array  # B: (n, f)
    multipliers: Array

    @property
    def left(self) -> Array:
        return np.asarray(self.found.force - self.found.constraints.T @ self.multipliers)


@dataclass(frozen=True, eq=False)
class _Tangent:
    """K along directions V that have no elastic coupling among themselves."""

    directions: Array  # V: (n, f)
    stiffness: Array  # (f, f)

    def step(self, left: Array) -> Array:
        """Downhill, −Σ v vᵀF / |μ|; Newton's own step where all is stable."""
        force = self.directions.T @ left
        values, vectors = np.linalg.eigh((self.stiffness + self.stiffness.T) / 2)
        along = vectors.T @ force
        least = 1e-12 * np.abs(values).max(initial=0.0)
        if values.min(initial=np.inf) > least:
            return np.asarray(-self.directions @ np.linalg.solve(self.stiffness, force))
        sizes = np.maximum(np.abs(values), least)
        parts = np.divide(along, sizes, out=np.sign(along), where=sizes > 0)
        return np.asarray(-self.directions @ (vectors @ parts))


class _Search:
    def __init__(self, system: DynamicSystem, near: DynamicState) -> None:
        self.system, self.time = system, near.time
        self._equations = ScaledEquations(system, near.time)
        self._begin = place_of(system, near)
        self._begin.velocities[:] = 0.0
        self._stiffness, self._inertia = elastic_matrices(system, self._begin)
        self._slender = bool(len(system.tables.beams.lengths))

    def solution(self) -> SystemEquilibrium:
        here, before = self._close(self._begin), np.inf
        for iteration in range(_ROUNDS):
            step = self._tangent(here).step(here.left)
            size = float(np.abs(step).max(initial=0.0))
            if not np.isfinite(size):
                break
            if size <= _RESTING or (size <= _ENOUGH and size > 0.3 * before):
                return self._equilibrium(here, iteration)
            before = size
            here = self._advance(here, step * min(1.0, _LARGEST / max(size, _LARGEST)))
        raise AnalysisError(
            f"no equilibrium is found: {self._loosest(here)} goes on moving under its loads; look for parts that "
            "nothing holds, or begin nearer to the equilibrium"
        )

    def _advance(self, here: _Position, step: Array) -> _Position:
        """After a step, halved until the forces along it no longer push back harder than they pulled."""
        pull = float(step @ here.left)
        for _ in range(12):
            there = self._close(self._equations.move(here.place, step))
            if float(step @ there.left) <= 0.5 * abs(pull):
                break
            step, pull = step / 2, pull / 2
        return there

    def _close(self, place: Place) -> _Position:
        """The place put on the constraints by short steps of little strain: least xᵀx + Σ k x²/f, f the loads."""
        before = np.inf
        for _ in range(60):
            found = self._equations.at(place)
            allowed = range_of(found.constraints)
            worst = float(np.abs(found.gap).max(initial=0.0))
            if worst <= _CLOSED or (worst <= 1e3 * _CLOSED and worst > 0.3 * before):
                return _Position(place, found, allowed.null, allowed.inverse.T @ found.force)
            before = worst
            ease = 1 / np.sqrt(1 + np.diagonal(self._stiffness) / _loads(found, self._stiffness))
            step = -ease * (range_of(found.constraints * ease).inverse @ found.gap)
            place = self._equations.moved_carefully(place, step)
        owner = self.system.owners[int(np.argmax(np.abs(found.gap)))]
        raise AnalysisError(f"the bodies cannot be put together, least of all at {owner}; begin elsewhere")

    def _tangent(self, here: _Position) -> _Tangent:
        """That of the core, along directions that keep stiff and soft ones apart."""
        B = here.basis
        if not B.shape[1]:
            return _Tangent(B, np.zeros((0, 0)))
        elastic, soft = B.T @ self._stiffness @ B, _loads(here.found, self._stiffness)
        V = B @ linalg.eigh(elastic, soft * np.eye(B.shape[1]) + elastic)[1]
        return _Tangent(V, V.T @ self._equations.stiffness(here.place, here.multipliers) @ V)

    def _equilibrium(self, here: _Position, iterations: int) -> SystemEquilibrium:
        tangent = self._tangent(here)
        V = tangent.directions
        values, vectors = np.zeros(0, dtype=complex), np.zeros((0, 0))
        if V.shape[1]:
            values, vectors = self._eigenpairs(tangent.stiffness, V.T @ here.found.mass @ V)
        direction = V @ vectors[:, 0].real if len(values) else np.zeros(self.system.size)
        stability = self._judge(here, values, direction)
        apart = frame_displacements(self._begin, here.place)
        return SystemEquilibrium(
            state=state_of(self.system, here.place, self.time),
            multipliers=here.multipliers * self._equations.row_scales,
            stability=stability,
            eigenvalues=values,
            direction=direction * self._equations.scales,
            iterations=iterations,
            moved=np.linalg.norm(apart[:, :3], axis=1),
            turned=np.linalg.norm(apart[:, 3:], axis=1),
            coordinates=self._equations.force_coordinates(here.place),
        )

    def _eigenpairs(self, K: Array, M: Array) -> tuple[ComplexArray, Array]:
        """μ of K v = μ M v by real part, and v; sections of exact beams may have next to no rotary inertia."""
        directions = None
        if self._slender:
            directions = light_modes(K, M).directions  # of unit mass
            K, M = directions.T @ K @ directions, np.eye(directions.shape[1])
        try:
            linalg.cholesky(M)
        except linalg.LinAlgError:
            raise AnalysisError(
                "a free motion has no inertia; give the bodies that move freely a mass and a moment of inertia"
            ) from None
        values, vectors = linalg.eig(K, M)
        order = np.argsort(values.real)
        values, vectors = values[order], vectors[:, order]
        return values, vectors if directions is None else directions @ vectors

    def _judge(self, here: _Position, values: ComplexArray, direction: Array) -> Stability:
        """By the smallest eigenvalue, beside what differences leave uncertain of it."""
        if not len(values):
            return "stable"  # joints and drives leave no motion
        flutter = np.abs(values.imag) > 1e-6 * np.abs(values)
        if flutter.any():
            return "unstable"  # z̈ = −μ z grows for every μ that is not real
        slopes = [
            float(direction @ self._equations.stiffness(here.place, here.multipliers, stride) @ direction)
            for stride in (STRIDE, 2 * STRIDE)
        ]
        forces = np.abs(here.found.force) + np.abs(here.found.constraints.T) @ np.abs(here.multipliers)
        rounding = (
            100 * np.finfo(float).eps * float(forces @ np.abs(direction)) * float(np.abs(direction).max()) / STRIDE
        )
        uncertain = 10 * abs(slopes[1] - slopes[0]) + rounding
        mass = float(direction @ here.found.mass @ direction)
        if abs(values[0].real) * mass <= uncertain:
            return "neutral"
        return "stable" if values[0].real > 0 else "unstable"

    def _loosest(self, here: _Position) -> str:
        """The body that the forces left pull most."""
        step = np.abs(self._tangent(here).step(here.left))
        numbers = self.system.tables.bodies.numbers
        sizes = [step[own[own >= 0]].max(initial=0.0) for own in numbers]
        return self.system.names[int(np.argmax(sizes))]


def _loads(found: Equations, stiffness: Array) -> float:
    """How stiff weight and loads make a motion, roughly: the largest of them times one length."""
    return float(np.abs(found.force).max(initial=0.0)) or float(np.abs(stiffness).max(initial=0.0)) or 1.0


def system_equilibrium(system: DynamicSystem, near: DynamicState) -> SystemEquilibrium:
    """The equilibrium that a system reaches from a position, its laws being frozen at the time of that."""
    return _Search(system, near).solution()


def has_exact_beams(system: DynamicSystem) -> bool:
    """Whether sections of beams are bodies of the system."""
    return bool(len(system.tables.beams.lengths))


def loaded_equilibrium(system: DynamicSystem, start: DynamicState) -> SystemEquilibrium:
    """The equilibrium that a system, its laws frozen, reaches from a position.

    Exact beams go along the path on which their loads grow, and downhill from the position where that has none: a
    rope on a hinge has no stiffness before it carries anything.
    """
    if not has_exact_beams(system):
        return system_equilibrium(system, start)
    try:
        return system_equilibrium(system, load_path(system, start).steps[-1].state)
    except AnalysisError as error:
        try:
            return system_equilibrium(system, start)
        except AnalysisError:
            raise error from None


def loaded_start(system: DynamicSystem) -> tuple[DynamicState, LoadPath]:
    """The start of a motion, deformed by the loads before it and by the inertia of the undeformed system."""
    before = system_before(system, 0.0)
    path = load_path(before, rigid_start(system), motion=_rigid_motion(system))
    found = replace(path.steps[-1].state, velocities=rigid_start(system).velocities)
    found = replace(found, angular_velocities=rigid_start(system).angular_velocities)
    return consistent_start(system, found), path


def _rigid_motion(system: DynamicSystem) -> RigidMotion:
    """How the system moves if beams were rigid."""
    described = system.system
    stiff = [Weld(j.name, j.first, j.second) if isinstance(j, BeamBond) else j for j in described.joints]
    rigid = dynamic_system(replace(described, joints=stiff), _reduced_bodies(system), geometric=system.geometric)
    try:
        state = initial_state(rigid)
    except FlexframeError:  # joints or drives strain beams at once: there is no such motion, and no inertia of it
        free = _free_motions(system, rigid, rigid_start(system))
        return replace(at_rest(system), free=free)
    free = _free_motions(system, rigid, state)
    return RigidMotion(
        velocities=place_of(rigid, state).velocities,
        accelerations=accelerations_at(rigid, state).velocity_rate,
        free=free,
    )


def _free_motions(system: DynamicSystem, rigid: DynamicSystem, state: DynamicState) -> Array:
    """Motions that deform nothing, scaled and orthonormal: (n, k)."""
    rows = [equations_at(rigid, state).constraint * system.tables.scales, _deforming(system)]
    return null_space(np.concatenate(rows)).basis


def _reduced_bodies(system: DynamicSystem) -> dict[str, ReducedBody]:
    return {body.name: body.reduced for body in system.bodies if body.reduced is not None}


def _deforming(system: DynamicSystem) -> Array:
    """Rows that hold the elastic coordinates of bodies with a floating frame: (m, n)."""
    numbers = system.tables.bodies.numbers[:, 6:]
    own = numbers[numbers >= 0]
    rows = np.zeros((len(own), system.size))
    rows[np.arange(len(own)), own] = 1.0
    return rows
