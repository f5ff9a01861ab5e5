"""Elastic motion of bodies about the rigid motion of their mechanism: kineto-elastodynamics, one-way coupling."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal

import numpy as np
from scipy.integrate import cumulative_simpson

from flexframe.analyses.body_state import marker_rows
from flexframe.analyses.cycle_spectrum.analysis import drive_angles, elastic_body
from flexframe.analyses.elastic_response.joined_response import joined_response, response_sensors
from flexframe.analyses.elastic_response.link_stress import link_stress
from flexframe.analyses.elastic_response.record import (
    PICTURES,
    ElasticJointForce,
    ElasticResponse,
    PeriodicResponse,
)
from flexframe.analyses.elastic_response.response_damping import ResponseDamping, damped_link
from flexframe.analyses.judging import judged
from flexframe.analyses.kinematics.analysis import driven_motion
from flexframe.analyses.transient.record import SensorHistory
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.cycle import CycleEquations
from flexframe.equations.parts import LOAD
from flexframe.equations.terms import Terms
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.system import System
from flexframe.model.system_damping import SystemDamping
from flexframe.multibody.inverse_dynamics import inverse_dynamics
from flexframe.multibody.laws import require_finite_laws
from flexframe.multibody.links.assembly import elastic_assembly
from flexframe.multibody.links.link import (
    ElasticLink,
    LinkHistory,
    LinkMotion,
    at_marker,
    link_history,
    support_forces,
)
from flexframe.multibody.links.steps import FrozenSteps, GaussSteps, PeriodMap, StepMaps, StepMethod
from flexframe.multibody.motion import MechanismMotion
from flexframe.reduction.rest_basis import loaded_basis
from flexframe.results.record import thinned
from flexframe.sensors.contract import Sensor
from flexframe.sensors.kinds import DofSensor, watched_markers
from flexframe.stages import checking

Way = Literal["gauss", "frozen", "frozen_start"]
METHODS: dict[str, StepMethod] = {
    "gauss": GaussSteps(),
    "frozen": FrozenSteps(0.5),
    "frozen_start": FrozenSteps(0.0),
}
COARSE = 0.05  # misfit of the energy balance beyond which a notice is given
REPEATS = 1e-6  # relative change of the loads over a period that still counts as periodic


@judged
def elastic_response(
    system: System,
    *,
    duration: float,
    steps: int,
    body: str | None = None,
    method: Way = "gauss",
    periodic: bool = False,
    sensors: Mapping[str, Sensor] | None = None,
    terms: Terms | None = None,
    modes: int | None = None,
    branch: int | None = None,
    quasi_static: bool = False,
    spectral_radius: float = 0.8,
    damping: SystemDamping | None = None,
    damping_ratios: Mapping[str, float] | None = None,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> ElasticResponse:
    """Deformation from t = 0 to `duration` [s] in equal steps.

    With `body` that link alone deforms in its frame, held by its own supports, from the undeformed shape or
    (`periodic`, the duration being one period) in the response that repeats. `method` is "gauss" (continuous
    coefficients, order 4), "frozen" (exact propagator, coefficients held at the middle of each step, order 2) or
    "frozen_start" (held at its start, order 1). Without `body` all elastic bodies are joined by the joints and
    integrated by generalised-α; `quasi_static` leaves out the inertia of the deformation there. `damping` gives
    ratios to the modes of the link in its frame, or of the joined bodies, about one instant; `damping_ratios` to
    the modes of single bodies, in their frames or free. Both come beside the damping of the bodies.

    Parameters
    ----------
    system
        Bodies with joints, and drives for every freedom.
    duration, steps
        Time [s], and the number of equal steps.
    body
        The link that deforms; all meshed bodies if not given.
    method, spectral_radius
        How steps are made; the radius at infinite frequency belongs to generalised-α.
    periodic
        Whether the response that repeats with the duration is searched.
    sensors
        Degrees of freedom to record, by name.
    terms
        Multipliers of the terms; all 1 if not given.
    modes
        Number of modes that carry the deformation of a link; all degrees of freedom if not given.
    branch
        Number of the assembly, from 1.
    quasi_static
        Whether the inertia of the deformation is left out.
    damping, damping_ratios
        Damping of the assembled bodies, and of single bodies by name.
    discrete
        Bodies that are discretised already, by name.

    Returns
    -------
    ElasticResponse
        Sensor histories [m, rad] and joint forces [N, N m] over time.

    Examples
    --------
    >>> crank = ff.Body.beam(
    ...     "crank",
    ...     length=0.3,
    ...     divisions=4,
    ...     section=ff.Rectangle(0.02, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ... )
    >>> motor = ff.AngleDrive("motor", "ground", "crank", "10*t")
    >>> system = ff.System([crank], [ff.Revolute("A", "ground", "crank.start")], [motor])
    >>> tip = {"tip": ff.sensors.DofSensor("end", "ux")}
    >>> found = ff.elastic_response(system, duration=0.1, steps=20, body="crank", periodic=True, sensors=tip)
    >>> bool(found.sensors["tip"].values[0] > 0)  # the centrifugal force stretches the crank
    True
    """
    if not (np.isfinite(duration) and duration > 0):
        raise InputError(f"the duration is {duration:g} s; give a positive time", field="duration")
    if steps < 2:
        raise InputError(f"the number of steps is {steps}; give two or more", field="steps")
    if method not in METHODS:
        raise InputError(f"unknown method '{method}'; choose from {', '.join(METHODS)}", field="method")
    began = perf_counter()
    terms = terms or Terms()
    damped = ResponseDamping(damping_ratios or {}, damping)
    if body is not None and quasi_static:
        raise InputError(
            "a single link has no quasi-static response here; leave out its name to join the bodies",
            field="quasi_static",
        )
    if body is None and periodic:
        raise InputError("a periodic response is found for a single link; name it with body", field="periodic")
    whole = np.linspace(0.0, duration, steps + 1)
    require_finite_laws(system, whole)
    damped.instant(whole)
    if checking():  # two steps are enough to try everything
        damped = ResponseDamping(damping_ratios or {}, None if damping is None else replace(damping, at=0.0))
        duration, steps, periodic = 2 * duration / steps, 2, False
    if body is not None:
        run = _LinkRun(system, body, METHODS[method], duration, steps, branch)
        made = run.response(
            elastic_body(system, body, discrete), terms, modes, sensors or {}, periodic=periodic, damping=damped
        )
    else:
        times = np.linspace(0.0, duration, steps + 1)
        motion, _ = driven_motion(system, times, branch)
        forces = inverse_dynamics(motion)
        joined = elastic_assembly(motion, forces, terms, discrete=discrete)
        made = joined_response(
            joined,
            forces,
            sensors or {},
            quasi_static=quasi_static,
            spectral_radius=spectral_radius,
            damping=damped,
        )
    return replace(made, seconds=perf_counter() - began, notices=(*made.notices, *_coarse(made)))


def _coarse(made: ElasticResponse) -> tuple[str, ...]:
    if made.energy_drift <= COARSE:
        return ()
    return (
        f"the energy balance of the deformation misses by {made.energy_drift:.1%}: the steps are coarse for some "
        "of the motions that the loads excite; take more steps",
    )


@dataclass(frozen=True, eq=False)
class _LinkRun:
    """One link along the motion of its mechanism."""

    system: System
    body: str
    method: StepMethod
    duration: float
    steps: int
    branch: int | None

    def response(
        self,
        discrete: DiscreteBody,
        terms: Terms,
        modes: int | None,
        sensors: Mapping[str, Sensor],
        *,
        periodic: bool,
        damping: ResponseDamping,
    ) -> ElasticResponse:
        """Integrate, and recover what follows."""
        link = ElasticLink.attached(discrete)
        sensors = {
            name: replace(s, body=self.body) if isinstance(s, DofSensor) and s.body is None else s
            for name, s in sensors.items()
        }
        marker_rows(self.system, {self.body: discrete}, sensors)  # refuses at once what is not there
        motion, ends, inner = self._motion()
        history = link_history(inverse_dynamics(motion), self.body)
        equations = link.equations(history, terms)
        basis = loaded_basis(equations.stiffness, equations.mass, equations.equations.unit_loads, modes)
        reduced, damped = damped_link(equations.project(basis.vectors), discrete, damping)
        added = reduced.damping - basis.vectors.T @ np.asarray(equations.damping @ basis.vectors)
        maps = StepMaps(self.method, self.duration / self.steps, tuple(reduced.at(places) for places in inner))
        period: PeriodMap | None = None
        start = np.zeros((2, reduced.size))
        if periodic:
            weights = equations.equations.weights(LOAD, equations.points)[ends]
            _require_repeating(weights, equations.equations.unit_loads, self.duration)
            period = maps.period()
            start = np.array(period.periodic_start())
        y, v = maps.run(start[0], start[1])
        at_ends = reduced.at(ends)
        a = at_ends.load_at(slice(None)) - _times(at_ends.damping_at(slice(None)), v)
        a = a - _times(at_ends.stiffness_at(slice(None)), y)
        expand = np.asarray(discrete.supports.basis @ basis.vectors)
        deformed = LinkMotion(y @ expand.T, v @ expand.T, a @ expand.T)
        resisting = v @ added.T @ np.asarray(discrete.mass @ expand).T  # damping of modes acts like their inertia
        ended = _at_instants(motion, ends)
        forces = inverse_dynamics(ended)
        history = history.at(ends)
        kinetic, strain, drift = _energies(at_ends, y, v)
        carried = _link_forces(link, history, terms, deformed, ended, resisting)
        seen = response_sensors(sensors, forces, {self.body: (discrete, deformed)}, carried)
        snapshots = thinned(len(ends), PICTURES)
        shapes = np.moveaxis(discrete.dofs.nodal(deformed.displacements[snapshots].T), -1, 0)
        stress = link_stress(discrete, history, terms, deformed)
        return ElasticResponse(
            motion=ended,
            forces=forces,
            bodies=(self.body,),
            sensors=seen
            | {"kinetic_energy": SensorHistory("J", kinetic), "strain_energy": SensorHistory("J", strain)},
            watched=watched_markers(ended.mechanism.system, sensors),
            joints=carried,
            stress=() if stress is None else (stress,),
            snapshots=snapshots,
            displacements={self.body: shapes},
            energy_drift=drift,
            constraint_residual=0.0,
            steps=self.steps,
            seconds=0.0,
            method=self.method.name,
            basis=basis.description,
            drive_angles=drive_angles(ended),
            terms=terms,
            periodic=None if period is None else _repeat(period, y, self.duration),
            damping=damped,
            notices=ended.notices,
        )

    def _motion(self) -> tuple[MechanismMotion, IntArray, tuple[IntArray, ...]]:
        """Motion at the ends of the steps and at the places of the method inside, with the numbers of both."""
        h = self.duration / self.steps
        ends = np.linspace(0.0, self.duration, self.steps + 1)
        inner = [ends[:-1] + place * h for place in self.method.places if place > 0]
        times = np.sort(np.concatenate([ends, *inner]))
        motion, _ = driven_motion(self.system, times, self.branch)
        numbers = [
            np.searchsorted(times, ends[:-1] + place * h if place > 0 else ends[:-1])
            for place in self.method.places
        ]
        return motion, np.searchsorted(times, ends), tuple(numbers)


def _at_instants(motion: MechanismMotion, instants: IntArray) -> MechanismMotion:
    return replace(
        motion,
        times=motion.times[instants],
        configuration=motion.configuration.at(instants),
        velocities=motion.velocities.at(instants),
        accelerations=motion.accelerations.at(instants),
    )


def _times(matrices: Array, vectors: Array) -> Array:
    return np.matmul(matrices, vectors[..., None])[..., 0]


def _require_repeating(amounts: Array, unit_loads: Array, period: float) -> None:
    """Frame motion and forces at the end of the period must be those at its start."""
    largest, weight = np.abs(amounts).max(axis=0), np.linalg.norm(unit_loads, axis=0)
    # amounts whose loads are rounding beside the others need not repeat
    least = REPEATS * float((largest * weight).max(initial=0.0)) / np.maximum(weight, np.finfo(float).tiny)
    change = np.abs(amounts[-1] - amounts[0]) / np.maximum(np.maximum(largest, least), np.finfo(float).tiny)
    if change.max(initial=0.0) > REPEATS:
        raise AnalysisError(
            f"the motion does not repeat after {period:g} s: its loads differ by {change.max():.1e}; give the "
            "period of the drives as the duration",
            field="duration",
        )


def _repeat(period: PeriodMap, y: Array, duration: float) -> PeriodicResponse:
    largest = float(np.abs(y).max()) or 1.0
    return PeriodicResponse(duration, float(np.abs(y[-1] - y[0]).max()) / largest, period.multipliers)


def _energies(equations: CycleEquations[Array], y: Array, v: Array) -> tuple[Array, Array, float]:
    """Kinetic and strain energy of the deformation, and the largest misfit with the work done on it, relative."""
    kinetic, strain = 0.5 * (v * v).sum(axis=1), 0.5 * np.einsum("ti,ij,tj->t", y, equations.stiffness, y)
    force = equations.load_at(slice(None)) - v @ equations.damping.T
    force = force - _times(equations.stiffness_at(slice(None)) - equations.stiffness, y)
    work = cumulative_simpson((v * force).sum(axis=1), x=equations.times, initial=0.0)
    total = kinetic + strain
    scale = max(float(total.max()), float(np.abs(work).max()), np.finfo(float).tiny)
    return kinetic, strain, float(np.abs(total - total[0] - work).max() / scale)


def _link_forces(  # noqa: PLR0917
    link: ElasticLink,
    history: LinkHistory,
    terms: Terms,
    deformed: LinkMotion,
    motion: MechanismMotion,
    resisting: Array,
) -> dict[str, ElasticJointForce]:
    """Forces on the link at its joints: the rigid value and what its supports carry beyond."""
    body = link.discrete.body
    carried = support_forces(link, history, terms, deformed, resisting)
    R = motion.body(body.name).rotations
    system = motion.mechanism.system
    links = {each.name for each in (*system.joints, *system.drives)}
    shared: set[tuple[int, ...]] = set()
    out = {}
    for load in history.loads:
        if load.name not in links:
            continue
        force, moment = load.force, load.moment
        key = tuple(int(node) for node in load.nodes)
        if key not in shared:  # a place that a joint and a drive share: the joint, which comes first, carries
            shared.add(key)
            more = at_marker(carried, load.nodes, body.mesh.points, load.point)
            force, moment = force + more[0], moment + more[1]
        out[load.name] = ElasticJointForce(
            body.name, *(np.einsum("tij,tj->ti", R, vector) for vector in (force, moment, load.force))
        )
    return out
