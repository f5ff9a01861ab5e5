"""Elastic motion of bodies about the rigid motion of their mechanism: kineto-elastodynamics, one-way coupling."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np

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
from flexframe.analyses.judging import judge
from flexframe.analyses.kinematics.analysis import at_instants, driven_motion
from flexframe.analyses.transient.record import SensorHistory
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.coefficients import Terms
from flexframe.equations.cycle import CycleEquations
from flexframe.equations.parts import LOAD
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.constraints import Law, time_law
from flexframe.model.system import System
from flexframe.model.system_damping import SystemDamping
from flexframe.model.system_loads import BodyLoads, MarkerForce
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
from flexframe.results.record import thin
from flexframe.sensors.contract import Sensor
from flexframe.sensors.kinds import DofSensor, watched_markers
from flexframe.stages import checking

Way = Literal["gauss", "frozen", "frozen_start"]
METHODS: dict[str, StepMethod] = {
    "gauss": GaussSteps(),
    "frozen": FrozenSteps(0.5),
    "frozen_start": FrozenSteps(0.0),
}
COARSE = 0.05  # misfit of the energy balance, or energy of unresolved vibrations, beyond which a notice is given
RESOLVED = 1.0  # ωh of a vibration that steps follow: six steps a period, an error of phase of (ωh)⁵/720 a step
REPEATS = 1e-6  # relative change of the loads over a period that still counts as periodic


@judge
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
        link = ElasticLink.attach(discrete)
        sensors = {
            name: replace(s, body=self.body) if isinstance(s, DofSensor) and s.body is None else s
            for name, s in sensors.items()
        }
        marker_rows(self.system, {self.body: discrete}, sensors)  # refuses at once what is not there
        motion, ends, inner, between = self._motion()
        history = link_history(inverse_dynamics(motion), self.body)
        equations = link.equations(history, terms)
        basis = loaded_basis(equations.stiffness, equations.mass, equations.equations.unit_loads, modes)
        reduced, damped = damped_link(equations.project(basis.vectors), discrete, damping)
        added = reduced.damping - basis.vectors.T @ np.asarray(equations.damping @ basis.vectors)
        maps = StepMaps(self.method, self.duration / self.steps, tuple(reduced.at(places) for places in inner))
        period: PeriodMap | None = None
        start = np.zeros((2, reduced.size))
        if periodic:
            self._require_repeating(equations, ends)
            period = maps.period()
            start = np.array(period.periodic_start())
        y, v = maps.run(start[0], start[1])
        at_ends = reduced.at(ends)
        a = at_ends.load_at(slice(None)) - _times(at_ends.damping_at(slice(None)), v)
        a = a - _times(at_ends.stiffness_at(slice(None)), y)
        expand = np.asarray(discrete.supports.basis @ basis.vectors)
        deformed = LinkMotion(y @ expand.T, v @ expand.T, a @ expand.T)
        resisting = v @ added.T @ np.asarray(discrete.mass @ expand).T  # damping of modes acts like their inertia
        ended = at_instants(motion, ends)
        forces = inverse_dynamics(ended)
        history = history.at(ends)
        kinetic, strain, drift = _energies(tuple(reduced.at(places) for places in between), at_ends.times, y, v)
        carried = _link_forces(link, history, terms, deformed, ended, resisting)
        seen = response_sensors(sensors, forces, {self.body: (discrete, deformed)}, carried)
        fast = _fast_vibration(at_ends, y, v)
        snapshots = thin(len(ends), PICTURES)
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
            unresolved=fast.share,
            notices=(*ended.notices, *fast.notices),
        )

    def _motion(self) -> tuple[MechanismMotion, IntArray, tuple[IntArray, ...], tuple[IntArray, ...]]:
        """Motion at the ends of the steps and inside; numbers of the ends, the method's and Gauss's places."""
        h = self.duration / self.steps
        ends = np.linspace(0.0, self.duration, self.steps + 1)
        inside = {place: ends[:-1] + place * h for place in {*self.method.places, *GaussSteps.places, 0.0}}
        times = np.unique(np.concatenate([ends, *inside.values()]))
        motion, _ = driven_motion(self.system, times, self.branch)
        numbers = {place: np.searchsorted(times, instants) for place, instants in inside.items()}
        return (
            motion,
            np.searchsorted(times, ends),
            tuple(numbers[place] for place in self.method.places),
            tuple(numbers[place] for place in GaussSteps.places),
        )

    def _require_repeating(self, equations: CycleEquations[Any], ends: IntArray) -> None:
        """Frame motion and forces at the end of the period must be those at its start."""
        amounts, unit_loads = (
            equations.equations.weights(LOAD, equations.points)[ends],
            equations.equations.unit_loads,
        )
        largest, weight = np.abs(amounts).max(axis=0), np.linalg.norm(unit_loads, axis=0)
        # amounts whose loads are rounding beside the others need not repeat
        least = REPEATS * float((largest * weight).max(initial=0.0)) / np.maximum(weight, np.finfo(float).tiny)
        scale = np.maximum(np.maximum(largest, least), np.finfo(float).tiny)
        change = np.abs(amounts[-1] - amounts[0]) / scale
        if change.max(initial=0.0) <= REPEATS:
            return
        jumping = _not_repeating(self.system, self.duration, 0.0)
        shift = self.duration / self.steps / 1000  # a jump at the end of the period counts for the next one
        later = _not_repeating(self.system, self.duration, shift)
        if jumping and not later:
            return
        way = "give the period of the drives as the duration"
        if later:
            way = f"load {later[0]} goes on otherwise then; write mod(t, period) in it where it starts anew"
        raise AnalysisError(
            f"the motion does not repeat after {self.duration:g} s: its loads differ by {change.max():.1e}; {way}",
            field="duration",
        )


def _not_repeating(system: System, period: float, start: float) -> list[str]:
    """Names of the loads whose laws are not at `start` + `period` what they are at `start` [s]."""
    found = []
    for load in system.loads:
        laws: tuple[Law, ...] = ()
        if isinstance(load, MarkerForce):
            laws = (*load.force, *load.moment)
        elif isinstance(load, BodyLoads):
            laws = (load.factor,)
        values = np.array([time_law(law).jet(np.array([start, start + period]))[0] for law in laws])
        if len(values) and np.abs(values[:, 1] - values[:, 0]).max() > REPEATS * np.abs(values).max():
            found.append(load.name)
    return found


def _times(matrices: Array, vectors: Array) -> Array:
    return np.matmul(matrices, vectors[..., None])[..., 0]


def _repeat(period: PeriodMap, y: Array, duration: float) -> PeriodicResponse:
    largest = float(np.abs(y).max()) or 1.0
    return PeriodicResponse(duration, float(np.abs(y[-1] - y[0]).max()) / largest, period.multipliers)


def _energies(
    inside: tuple[CycleEquations[Array], ...], ends: Array, y: Array, v: Array
) -> tuple[Array, Array, float]:
    """Kinetic and strain energy of the deformation, and the largest misfit with the work done on it, relative.

    The work of a step is taken at Gauss's two places in it, where loads that jump at its ends have one value,
    along the cubic through displacements and rates of the ends: no part of how the step was made.
    """
    K, C = inside[0].stiffness, inside[0].damping
    kinetic, strain = 0.5 * (v * v).sum(axis=1), 0.5 * np.einsum("ti,ij,tj->t", y, K, y)
    h = np.diff(ends)[:, None]
    mean = np.diff(y, axis=0) / h
    gained = np.zeros(len(h))
    for equations, s in zip(inside, GaussSteps.places, strict=True):
        # y(s) = (1 − s) y₀ + s y₁ + h s(1 − s) [(1 − s)(v₀ − m) − s(v₁ − m)], m = (y₁ − y₀)/h, and its slope
        displacements = (1 - s) * y[:-1] + s * y[1:]
        displacements += h * s * (1 - s) * ((1 - s) * (v[:-1] - mean) - s * (v[1:] - mean))
        rates = mean + (1 - s) * (1 - 3 * s) * (v[:-1] - mean) + s * (3 * s - 2) * (v[1:] - mean)
        force = equations.load_at(slice(None)) - rates @ C.T
        force -= _times(equations.stiffness_at(slice(None)) - K, displacements)
        gained += h[:, 0] / 2 * (rates * force).sum(axis=1)
    work = np.concatenate([[0.0], np.cumsum(gained)])
    total = kinetic + strain
    scale = max(float(total.max()), float(np.abs(work).max()), np.finfo(float).tiny)
    return kinetic, strain, float(np.abs(total - total[0] - work).max() / scale)


class _FastVibration(NamedTuple):
    share: float  # of the largest energy
    notices: tuple[str, ...]


def _fast_vibration(equations: CycleEquations[Array], y: Array, v: Array) -> _FastVibration:
    """How much of the energy is vibration that is too fast for the steps.

    It is kinetic: what follows its load without vibrating has hardly any, however stiff it is.
    """
    values, modes = np.linalg.eigh(equations.stiffness)
    omegas, h = np.sqrt(np.maximum(values, 0.0)), float(equations.times[1] - equations.times[0])
    fast = omegas * h > RESOLVED
    along = (v @ modes) ** 2 / 2
    largest = float((along.sum(axis=1) + (y @ modes) ** 2 @ values / 2).max())
    share = float(along[:, fast].sum(axis=1).max(initial=0.0)) / max(largest, np.finfo(float).tiny)
    if share <= COARSE:
        return _FastVibration(share, ())
    strongest = omegas[fast][along[:, fast].max(axis=0).argmax()]
    steps = _rounded_up(math.ceil(float(equations.times[-1] - equations.times[0]) * strongest / RESOLVED))
    return _FastVibration(
        share,
        (
            f"{share:.0%} of the energy is vibration that the steps do not resolve, most of it at "
            f"{strongest / (2 * np.pi):.4g} Hz: peaks are rough; take {steps} steps or more, or let the loads and "
            "drives change less abruptly",
        ),
    )


def _rounded_up(count: int) -> int:
    """To two digits."""
    unit = 10 ** max(0, len(str(count)) - 2)
    return -(-count // unit) * unit


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
