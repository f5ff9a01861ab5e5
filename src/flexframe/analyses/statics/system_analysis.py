"""Equilibrium of a mechanism with joints and springs under its loads, rigid and elastic bodies together."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from flexframe.analyses.judging import judged
from flexframe.analyses.statics.system_record import SpringForce, SystemStatics
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice, elastic_parts
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.analyses.transient.coupled.part_stress import PartStress
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import AnalysisError
from flexframe.model.constraints import Rotation
from flexframe.model.elasticity import RowSpring
from flexframe.model.system import System
from flexframe.multibody.contract import DynamicSystem, Statistics
from flexframe.multibody.equilibria.rest import SystemEquilibrium, system_equilibrium
from flexframe.multibody.integrators.recording import WORKS
from flexframe.multibody.integrators.sampled import bent_too_far, simulation_of
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.multibody.laws import frozen, require_finite_laws
from flexframe.multibody.start import rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.expansion import nodal_displacements
from flexframe.stages import begin_work

_NO_WORK = Statistics(steps=0, rejected=0, iterations=0, factorisations=0, evaluations=0, seconds=0.0)


@judged
def system_statics(
    system: System,
    *,
    time: float = 0.0,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    geometric: bool = True,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> SystemStatics:
    """The position in which a system rests, found from the described start, with its stability.

    Drives hold the positions and loads the values that they have at `time` [s]; dampers and friction do nothing.
    The search goes downhill, so that a pendulum hangs from wherever it starts; a start that is exactly in an
    unstable equilibrium stays there and is called unstable. Meshed bodies are reduced as in a coupled motion.

    Parameters
    ----------
    system
        Bodies with joints, drives and loads.
    time
        Time of drives and loads [s].
    reductions
        Coordinates of each meshed body, or "rigid".
    geometric
        Whether the geometric stiffness takes part.
    discrete
        Bodies that are discretised already, by name.

    Returns
    -------
    SystemStatics
        Positions [m], rotations [rad], joint forces [N, N m] and stability of the equilibrium.

    Examples
    --------
    >>> rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    >>> pendulum = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity()])
    >>> ff.system_statics(pendulum).stability
    'stable'
    """
    system.require_smooth("an equilibrium")
    parts = elastic_parts(system, reductions or {}, watched={}, discrete=discrete)
    moving = dynamic_system(system, {n: part.reduced for n, part in parts.items()}, geometric=geometric)
    require_finite_laws(system, np.array([time]))
    dynamic = frozen(moving, time)
    start = rigid_start(moving, time)
    begin_work()
    found = system_equilibrium(dynamic, start)
    reason = bent_too_far(dynamic, found.state)
    if reason is not None:
        raise AnalysisError(f"in equilibrium {reason}")
    run = simulation_of(dynamic, "statics", [found.state], works=np.zeros((1, WORKS)), statistics=_NO_WORK)
    seen = Observed.of(run, parts)
    shapes, stress = {}, {}
    for name, part in parts.items():
        nodal = nodal_displacements(part.discrete, part.reduced.basis, seen.bodies[name].deformation)
        shapes[name] = nodal[0, : part.nodes]
        watch = PartStress(part)
        watch.take(seen)
        if watch.peak is not None:
            stress[name] = watch.peak
    return SystemStatics(
        forces=MechanismForces(seen.motion, seen.forces, run.multipliers, 0.0),
        stability=found.stability,
        eigenvalues=found.eigenvalues,
        loosest=_loosest(dynamic, found),
        springs=_springs(dynamic, found),
        moved={n: (float(m), float(t)) for n, m, t in zip(dynamic.names, found.moved, found.turned, strict=True)},
        displacements=shapes,
        stress=stress,
        potential=float(run.stored_energy[0]),
        reductions=tuple(part.figures for part in parts.values()),
        iterations=found.iterations,
        geometric=geometric,
        notices=(*(notice for part in parts.values() for notice in part.notices), *dynamic.notices),
    )


def _loosest(system: DynamicSystem, found: SystemEquilibrium) -> str:
    """The body that moves most with the smallest eigenvalue."""
    size = np.abs(found.direction / system.tables.scales)
    parts = [size[own[own >= 0]].max(initial=0.0) for own in system.tables.bodies.numbers]
    return system.names[int(np.argmax(parts))] if len(found.eigenvalues) else ""


def _springs(system: DynamicSystem, found: SystemEquilibrium) -> tuple[SpringForce, ...]:
    """Forces of springs and motors at rest."""
    at = zip(system.mechanism.force_laws, found.coordinates, strict=True)
    return tuple(
        SpringForce(
            name=law.name,
            kind=law.kind,
            coordinate=float(value),
            force=float(law.force(np.array([value]), np.zeros(1))[0]),
            turns=isinstance(law.coordinate(), Rotation),
        )
        for law, value in at
        if not isinstance(law, RowSpring)
    )
