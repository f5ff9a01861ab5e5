"""Equilibrium of a mechanism with joints and springs under its loads, rigid and elastic bodies together."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from flexframe.analyses.judging import judge
from flexframe.analyses.statics.system_record import LoadCurve, SpringForce, SystemStatics
from flexframe.analyses.transient.coupled.division import ElasticSystem, elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled.exact_stress import largest_strains
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.model.constraints import Rotation
from flexframe.model.elasticity import RowSpring
from flexframe.model.state_laws import StateForce
from flexframe.model.system import System
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, Statistics
from flexframe.multibody.division.pieces import whole_name
from flexframe.multibody.equations import frame_displacements, place_of
from flexframe.multibody.equilibria.load_path import LoadPath, buckling_factors, load_path
from flexframe.multibody.equilibria.rest import SystemEquilibrium, has_exact_beams, system_equilibrium
from flexframe.multibody.integrators.recording import WORKS, bent_too_far, simulation_of
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.multibody.laws import frozen, require_finite_laws
from flexframe.multibody.signals import SignalLaw
from flexframe.multibody.start import rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.stages import begin_work

_NO_WORK = Statistics(steps=0, rejected=0, iterations=0, factorisations=0, evaluations=0, seconds=0.0)


@judge
def system_statics(
    system: System,
    *,
    time: float = 0.0,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    geometric: bool = True,
    path: bool = False,
    buckling: int = 0,
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
    path
        Whether loads grow from nothing along the path of equilibria, which is recorded: through limits of the load
        and large deflections. Systems with exact beams always do.
    buckling
        How many linear buckling factors of all loads together are wanted.
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
    system.require_stops_at_most("an equilibrium")
    elastic = elastic_system(system, reductions or {}, watched={}, discrete=discrete)
    parts = elastic.parts
    moving = dynamic_system(elastic.system, {n: part.reduced for n, part in parts.items()}, geometric=geometric)
    require_finite_laws(system, np.array([time]))
    dynamic = frozen(moving, time)
    start = rigid_start(moving, time)
    begin_work()
    grown = load_path(dynamic, start) if path or has_exact_beams(dynamic) else None
    found = system_equilibrium(dynamic, start if grown is None else grown.steps[-1].state)
    reason = bent_too_far(dynamic, found.state)
    if reason is not None:
        raise AnalysisError(f"in equilibrium {reason}")
    run = simulation_of(dynamic, "statics", [found.state], works=np.zeros((1, WORKS)), statistics=_NO_WORK)
    seen = Observed.of(run, parts)
    shapes = {name: found[0] for name, found in elastic.shapes(seen, np.array([0])).items()}
    stress, watches = {}, elastic.stress()
    for name, watch in watches.items():
        watch.take(seen)
        if watch.peak is not None:
            stress[name] = watch.peak
    iterations = found.iterations
    if grown is not None:
        moved, turned = _gone(start, found.state, dynamic)
        found = replace(found, moved=moved, turned=turned)
        iterations += sum(len(step.corrections) for step in grown.steps)
    return SystemStatics(
        forces=MechanismForces(seen.motion, seen.forces, seen.described_multipliers, 0.0),
        stability=found.stability,
        eigenvalues=found.eigenvalues,
        loosest=_loosest(dynamic, found),
        springs=(*_springs(dynamic, found, run.signals[0], time), *_stops(system, run)),
        moved=_frame_motions(dynamic, found),
        displacements=shapes,
        stress=stress,
        strains=largest_strains(watches),
        potential=float(run.stored_energy[0]),
        reductions=elastic.figures,
        iterations=iterations,
        geometric=geometric,
        path=None if grown is None else _curve(dynamic, elastic, grown),
        buckling_factors=buckling_factors(dynamic, start, buckling) if buckling else np.zeros(0),
        notices=(*elastic.notices, *dynamic.notices),
    )


def _gone(before: DynamicState, after: DynamicState, system: DynamicSystem) -> tuple[Array, Array]:
    """How far frames moved [m] and turned [rad]: (bodies,) each."""
    apart = frame_displacements(place_of(system, before), place_of(system, after))
    return np.linalg.norm(apart[:, :3], axis=1), np.linalg.norm(apart[:, 3:], axis=1)


def _curve(system: DynamicSystem, elastic: ElasticSystem, grown: LoadPath) -> LoadCurve:
    """The largest displacement of every elastic body along the path."""
    states = [step.state for step in grown.steps]
    run = simulation_of(system, "statics", states, works=np.zeros((len(states), WORKS)), statistics=_NO_WORK)
    seen = Observed.of(run, elastic.parts)
    shapes = elastic.shapes(seen, np.arange(len(states)))
    largest = {name: np.linalg.norm(u[..., :3], axis=2).max(axis=1) for name, u in shapes.items()}
    singular = tuple(float(grown.factors[k : k + 2].max()) for k in grown.singular)
    return LoadCurve(grown.factors, largest, singular)


def _frame_motions(system: DynamicSystem, found: SystemEquilibrium) -> dict[str, tuple[float, float]]:
    """How far each frame moved [m] and turned [rad] since the start; of a divided body that which did so most."""
    moved: dict[str, tuple[float, float]] = {}
    for name, *sizes in zip(system.names, found.moved, found.turned, strict=True):
        whole = whole_name(system.system, name)
        before = moved.get(whole, (0.0, 0.0))
        moved[whole] = (max(before[0], float(sizes[0])), max(before[1], float(sizes[1])))
    return moved


def _loosest(system: DynamicSystem, found: SystemEquilibrium) -> str:
    """The body that moves most with the smallest eigenvalue."""
    size = np.abs(found.direction / system.tables.scales)
    parts = [size[own[own >= 0]].max(initial=0.0) for own in system.tables.bodies.numbers]
    return whole_name(system.system, system.names[int(np.argmax(parts))]) if len(found.eigenvalues) else ""


def _stops(system: System, run: Simulation) -> tuple[SpringForce, ...]:
    """What stops of joints carry, over their gaps."""
    return tuple(
        SpringForce(
            name=contact.name,
            kind="stop" if normal > 0 else "stop, open",
            coordinate=float(gap),
            force=float(normal),
            turns=contact.turning,
        )
        for contact, (gap, normal) in zip(system.all_contacts, run.contacts[0, :, :2], strict=True)
    )


def _springs(
    system: DynamicSystem, found: SystemEquilibrium, signals: Array, time: float
) -> tuple[SpringForce, ...]:
    """Forces of springs, motors and actuators at rest, with what they follow beside their coordinate."""
    network, laws = system.mechanism.network, system.mechanism.force_laws
    more = dict.fromkeys((law.name for law in laws), 0.0)
    for law in laws:
        followed = network.law_along(law)
        if followed is not None:
            at_rest = signals[followed.signal] if isinstance(followed, SignalLaw) else followed.jet(time)[0]
            more[law.name] += float(at_rest)
    return tuple(
        SpringForce(
            name=law.name,
            kind=law.kind,
            coordinate=float(value),
            force=float(law.force(np.array([value]), np.zeros(1))[0]) + more[law.name],
            turns=isinstance(law.coordinate(), Rotation),
        )
        for law, value in zip(laws, found.coordinates, strict=True)
        if not isinstance(law, RowSpring | StateForce)
    )
