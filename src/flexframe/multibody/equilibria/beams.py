"""Exact beams in equilibrium with the loads and the inertia of a motion in which they do not deform further."""

from dataclasses import replace

import numpy as np

from flexframe.errors import AnalysisError, FlexframeError
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import null_space
from flexframe.model.joints import Weld
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.division.exact import BeamBond
from flexframe.multibody.equations import accelerations_at, equations_at
from flexframe.multibody.equilibria.load_path import LoadPath, RigidMotion, at_rest, load_path
from flexframe.multibody.equilibria.rest import SystemEquilibrium, system_equilibrium
from flexframe.multibody.laws import system_before
from flexframe.multibody.places import place_of
from flexframe.multibody.start import consistent_start, initial_state, rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.reduced_body import ReducedBody


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
    rigid = dynamic_system(replace(described, joints=stiff), _reduced(system), geometric=system.geometric)
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


def _reduced(system: DynamicSystem) -> dict[str, ReducedBody]:
    return {body.name: body.reduced for body in system.bodies if body.reduced is not None}


def _deforming(system: DynamicSystem) -> Array:
    """Rows that hold the elastic coordinates of bodies with a floating frame: (m, n)."""
    numbers = system.tables.bodies.numbers[:, 6:]
    own = numbers[numbers >= 0]
    rows = np.zeros((len(own), system.size))
    rows[np.arange(len(own)), own] = 1.0
    return rows
