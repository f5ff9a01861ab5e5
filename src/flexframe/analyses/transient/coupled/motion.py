"""Motion of a system in which rigid and elastic coordinates are unknown together (two-way coupling)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Literal

import numpy as np

from flexframe.analyses.judging import judge
from flexframe.analyses.transient.coupled.damping import motion_damping
from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled.exact_stress import largest_strains
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.analyses.transient.coupled.schedule import Schedule, schedule
from flexframe.analyses.transient.coupled.segments import run_segments
from flexframe.analyses.transient.coupled.starts import (
    MotionEnd,
    motion_start,
    require_sound_start,
    steady_cycle,
    with_displacements,
)
from flexframe.analyses.transient.coupled.theory_error import theory_error
from flexframe.analyses.transient.coupled.watching import Watch
from flexframe.analyses.transient.coupled_record import (
    PICTURES,
    ContactHistory,
    CoupledMotion,
    IntegrationFigures,
    SensorRecord,
)
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.formalisms.registry import formalism_named
from flexframe.model.system import System
from flexframe.model.system_damping import SystemDamping
from flexframe.multibody.contract import Integrator, Simulation, SimulationOptions
from flexframe.multibody.integrators.conserving import Conserving, describe_conserving
from flexframe.multibody.integrators.fixed_steps import USUAL_RADIUS
from flexframe.multibody.integrators.recording import start_alone
from flexframe.multibody.inverse_dynamics import MechanismForces, contact_notices
from flexframe.multibody.laws import law_notices, python_errors, start_counting
from flexframe.multibody.signals import Reported
from flexframe.multibody.system import dynamic_system
from flexframe.results.record import thin
from flexframe.sensors.contract import Rate, Sensor, find_markers, naming, read_all
from flexframe.sensors.kinds import LoadSensor, StressSensor, watched_markers

_UNDAMPED = 0.999  # spectral radius beyond which multipliers are not damped within some thousand steps
_ROOM = 20_000_000  # numbers that the snapshots of all bodies may hold


@judge
def system_transient(
    system: System,
    options: SimulationOptions,
    *,
    sensors: Mapping[str, Sensor] | None = None,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    damping: SystemDamping | None = None,
    discrete: Mapping[str, DiscreteBody] | None = None,
    progress: Callable[[float], None] | None = None,
    after: CoupledMotion | None = None,
) -> CoupledMotion:
    """Integrate the equations of the floating frames of a system; `simulate` explains the options.

    Bodies at hand in `discrete` are not integrated again. `progress` is called with the finished fraction.
    """
    own = {name: sensor for name, sensor in system.sensors.items() if isinstance(sensor, Sensor)}
    sensors, left_out = without_rigid_stress(system, own | dict(sensors or {}), reductions or {})
    system = replace(system, sensors={**system.sensors, **_of_loads(sensors)})
    terms = options.terms
    require_whole_terms(terms)
    if options.modes is not None:
        raise InputError(
            "modes belong to one body on a known frame; in a system give reductions to the bodies", field="modes"
        )
    watched = find_markers(system, sensors)
    elastic = elastic_system(system, reductions or {}, watched=watched, discrete=discrete)
    parts = elastic.parts
    dynamic = dynamic_system(
        elastic.system,
        {name: part.reduced for name, part in parts.items()},
        geometric=bool(terms.geometric),
        modal_damping={name: part.damping_ratio for name, part in parts.items() if part.damping_ratio},
    )
    plan, way = schedule(options), options.initial_deformation or "equilibrium"
    options = replace(
        options,
        integrator=_integrator(options),
        step=plan.step,
        steps=None,
        spectral_radius=USUAL_RADIUS if options.spectral_radius is None else options.spectral_radius,
    )
    resumable = options.formalism is None or formalism_named(options.formalism).resumable
    bases = {name: part.reduced.basis.vectors for name, part in parts.items()}
    with python_errors(dynamic):
        if after is None:
            state, start = motion_start(dynamic, way)
        else:
            assert after.end is not None, "as every motion that was computed has"
            way = "undeformed"
            state, start = after.end.begin(dynamic, bases)
            plan = replace(plan, times=plan.times + state.time)
    dynamic, damped = motion_damping(dynamic, state, parts, damping)
    alone = start_alone(dynamic, state)
    require_sound_start(alone)
    if sensors:  # refuses at once what is not there
        read_all(sensors, Observed.of(alone, parts))
    if way == "periodic":
        state, start = steady_cycle(dynamic, state, options)
    reported = dynamic.network.reported
    start_counting(dynamic)
    watch, began = Watch(elastic, sensors, reported), perf_counter()
    run, resumed = run_segments(
        dynamic,
        state,
        plan.times,
        options,
        watch=watch,
        progress=progress,
        keeps=resumable,
        even=options.formalism is not None,
    )
    seconds = perf_counter() - began
    theory = theory_error(run, elastic, options, state, way)
    seen = Observed.of(run, parts)
    snapshots = thin(len(run.times), int(np.clip(_ROOM // max(6 * elastic.nodes, 1), 2, PICTURES)))
    shapes = elastic.shapes(seen, snapshots)
    start = with_displacements(start, {name: nodes[0] for name, nodes in shapes.items()})
    histories = [part.history(seen) for part in watch.stress.values()]
    forces = MechanismForces(seen.motion, seen.forces, seen.described_multipliers, 0.0)
    happened = [found.time for found in run.occurrences]
    return CoupledMotion(
        forces=forces,
        sensors={
            name: SensorRecord(
                found.unit,
                found.values,
                found.components,
                watch.sensor_peaks(name),
                watch.at_events(name, happened),
            )
            for name, found in read_all(sensors, seen).items()
        }
        | {each.name: _sensor_record(each, run, watch) for each in reported},
        events=run.occurrences,
        watched=watched_markers(seen.motion.mechanism.system, sensors),
        energies=seen.energies,
        linear_momentum=run.linear_momentum,
        angular_momentum=run.angular_momentum,
        position_residuals=run.position_residuals,
        velocity_residuals=run.velocity_residuals,
        coordinates={name: seen.bodies[name].deformation for name in elastic.bodies},
        reductions=elastic.figures,
        stress=tuple(found for found in histories if found is not None),
        strains=largest_strains(watch.stress),
        snapshots=snapshots,
        displacements=shapes,
        energy_drift=run.energy_drift,
        theory_error=theory,
        figures=_figures(run, options, plan, seconds, watch),
        terms=terms,
        start=start,
        damping=damped,
        stopped=run.reason or "",
        resumed_at=resumed,
        force_peaks=watch.force_peaks,
        contacts=_contacts(run),
        end=MotionEnd(run.end, bases),
        notices=(
            *left_out,
            *elastic.notices,
            *dynamic.notices,
            *start.notices,
            *plan.notices,
            *theory.notices,
            *contact_notices(forces),
            *law_notices(run),
            *_advice(run, options),
        ),
    )


def _of_loads(sensors: Mapping[str, Sensor]) -> dict[str, Sensor]:
    """Sensors of the forces of loads, which are signals of the system."""
    return {name: sensor for name, sensor in sensors.items() if isinstance(sensor, LoadSensor)}


def _sensor_record(signal: Reported, run: Simulation, watch: Watch) -> SensorRecord:
    values = run.signals[:, signal.signals] if signal.components else run.signals[:, signal.signals[0]]
    happened = watch.at_events(signal.name, [found.time for found in run.occurrences])
    return SensorRecord(signal.unit, values, signal.components, watch.sensor_peaks(signal.name), happened)


def _contacts(run: Simulation) -> dict[str, ContactHistory]:
    """Contacts by name."""
    found = {}
    for k, contact in enumerate(run.system.system.all_contacts):
        gap, normal, friction = run.contacts[:, k, :3].T
        peak, when = map(float, run.contact_peaks[k])
        found[contact.name] = ContactHistory(
            gap, normal, friction, run.contacts[:, k, 3:6], run.contacts[:, k, 6:9], peak, when, contact.turning
        )
    return found


def without_rigid_stress(
    system: System,
    sensors: Mapping[str, Sensor],
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]],
) -> tuple[Mapping[str, Sensor], tuple[str, ...]]:
    """The sensors without those of stress in bodies that are chosen to be rigid, and words about these."""
    kept, words = {}, []
    for name, sensor in sensors.items():
        seen = sensor.of if isinstance(sensor, Rate) else sensor
        if isinstance(seen, StressSensor):
            with naming(name):
                body = seen.markers(system)[0].body
            if reductions.get(body) == "rigid":
                words.append(f"sensor {name} is left out: body {body} is rigid here and has no {seen.quantity}")
                continue
        kept[name] = sensor
    return kept, tuple(words)


def require_whole_terms(terms: Terms) -> None:
    """Refuse multipliers that the equations of an unknown motion do not have."""
    if (terms.coriolis, terms.euler, terms.centrifugal) != (1, 1, 1) or terms.geometric not in (0, 1):
        raise InputError(
            "multipliers of inertia terms cannot be changed where the motion is unknown, and geometric is 0 or 1; "
            "leave them out",
            field="terms",
        )


def _advice(run: Simulation, options: SimulationOptions) -> tuple[str, ...]:
    """What is known to spoil a motion of this kind."""
    found, radius, halved = [], options.spectral_radius or 0.0, run.statistics.halved
    if run.integrator == "generalised_alpha" and run.system.rows and radius > _UNDAMPED:
        found.append(
            f"a spectral radius of {radius:g} damps nothing, so that the forces of joints and "
            "drives oscillate from step to step and grow; give 0.99 or less"
        )
    if halved:
        found.append(
            f"{halved} step{'s were' if halved > 1 else ' was'} taken in two halves, halves of halves counted, "
            "since the iteration did not converge: the step is long for what moves; half of it shows what that "
            "costs"
        )
    return tuple(found)


def _integrator(options: SimulationOptions) -> str | Integrator:
    """The integrator that is asked for; equations of a formalism bring their own."""
    name, formalism = options.integrator, options.formalism
    if formalism is None:
        return name or ("dormand_prince" if options.tolerance is not None else "generalised_alpha")
    if name is not None or options.tolerance is None:
        raise InputError(
            "the equations of a formalism are integrated with error control; give a tolerance alone",
            field="tolerance",
        )
    from flexframe.formalisms.system_motion import ByFormalism

    return ByFormalism(formalism)


_WORDS = {
    "generalised_alpha": "generalised-α",
    "dormand_prince": "Dormand–Prince 5(4)",
    "dormand_prince_853": "Dormand–Prince 8(5,3)",
    "radau": "Radau IIA",
}


def _describe_integrator(words: str, options: SimulationOptions, plan: Schedule) -> str:
    """An integrator with its step or tolerance, in words."""
    if options.step is None:
        return f"{words}, tolerance {options.tolerance:.1g}"
    damped = f", ρ∞ {options.spectral_radius:g}" if words == _WORDS["generalised_alpha"] else ""
    return f"{words}, {plan.words}{damped}"


def _figures(
    run: Simulation, options: SimulationOptions, plan: Schedule, seconds: float, watch: Watch
) -> IntegrationFigures:
    found = run.statistics
    words, formalism = _WORDS.get(run.integrator, run.integrator.replace("_", " ")), "lagrange"
    if run.integrator == Conserving.name:
        words, formalism = describe_conserving(run.system)
    return IntegrationFigures(
        integrator=run.integrator,
        description=_describe_integrator(words, options, plan),
        formalism=options.formalism or formalism,
        steps=found.steps,
        iterations=found.iterations,
        factorisations=found.factorisations,
        rejected=found.rejected,
        unknowns=run.system.size + run.system.rows,
        halved=found.halved,
        seconds=max(0.0, (found.seconds or seconds) - watch.seconds),
        step=plan.step,
        asked_step=plan.asked,
        peaks_seconds=watch.seconds,
    )
