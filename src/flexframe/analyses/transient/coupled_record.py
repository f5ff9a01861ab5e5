"""The record of a motion in which rigid and elastic coordinates are unknown together (two-way coupling)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from flexframe.analyses.kinematics.record import motion_arrays
from flexframe.analyses.transient.motion_start import MotionStart
from flexframe.analyses.transient.record import SensorHistory
from flexframe.analyses.transient.theory_error import TheoryError
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.model.body import Body
from flexframe.multibody.contract import Occurrence
from flexframe.multibody.division.exact import SECTION_LAW
from flexframe.multibody.inverse_dynamics import JointForce, MechanismForces
from flexframe.multibody.motion import MechanismMotion
from flexframe.results.body_fields import frame_variables, mesh_variables
from flexframe.results.motion_damping import MotionDamping
from flexframe.results.peaks import Peaks, StressHistory, peaks_of, stored_words
from flexframe.results.record import NamedArrays, Record
from flexframe.sensors.contract import Marker

if TYPE_CHECKING:
    from flexframe.analyses.transient.coupled.starts import MotionEnd

SUMMARY_SAMPLES = 401
CLOSED = 1e-5  # misfit of the energy balance that is said to be closed
_WORTH_A_WORD = 1e-3  # misfit beyond which advice is given
PICTURES = 240  # shapes that are kept, as many as a moving scene shows


@dataclass(frozen=True, eq=False)
class ContactHistory:
    """A contact at the instants, and its largest normal force over all steps.

    Of a stop of a hinge (`turning`) gaps are angles [rad] and forces moments [N m].
    """

    gap: Array  # m, negative where the shapes overlap: (instants,)
    normal: Array  # N: (instants,)
    friction: Array  # N: (instants,)
    force: Array  # on the second body, in space [N]: (instants, 3)
    points: Array  # where it acts, m: (instants, 3)
    peak: float  # N
    peak_at: float  # s
    turning: bool = False

    @property
    def units(self) -> tuple[str, str]:
        """Of gaps and of forces."""
        return ("rad", "N m") if self.turning else ("m", "N")

    def summary(self) -> dict[str, Any]:
        """Largest normal force, and part of the instants at which the shapes touch."""
        largest = "max_normal_Nm" if self.turning else "max_normal_N"
        return {largest: self.peak, "max_normal_at_s": self.peak_at, "touching": self.touching}

    @property
    def touching(self) -> float:
        """Part of the instants at which the shapes touch."""
        return float(np.mean((self.gap < 0) | (self.normal > 0)))


@dataclass(frozen=True, eq=False)
class SensorRecord:
    """What one sensor saw: one number at each instant, or a vector with named components."""

    unit: str
    values: Array  # (instants,) or (instants, components)
    components: tuple[str, ...] = ()
    peaks: tuple[Peaks, ...] = ()  # of each component over all steps; none where every step is stored
    at_events: Array | None = None  # behind each event of the motion: (events, components)

    def columns(self) -> dict[str, Array]:
        """Component → values; a single number has the component ""."""
        if not self.components:
            return {"": self.values}
        return dict(zip(self.components, self.values.T, strict=True))

    def summary(self, times: Array, kept: IntArray) -> dict[str, Any]:
        """Values at some instants; extremes, with their times, of all steps."""
        out: dict[str, Any] = {"unit": self.unit}
        if self.components:
            out["components"] = list(self.components)
        return out | {"values": self.values[kept].tolist()} | self.peaks_summary(times)

    def extremes(self, times: Array) -> dict[str, Peaks]:
        """Component → its peaks; `times` are those of the values."""
        found = self.peaks or tuple(peaks_of(times, column) for column in self.columns().values())
        return dict(zip(self.columns(), found, strict=True))

    def peaks_summary(self, times: Array) -> dict[str, Any]:
        """Smallest and largest value with their times, lists where there are components."""
        found = [peaks.summary() for peaks in self.extremes(times).values()]
        if not self.components:
            return dict(found[0])
        return {word: [peaks[word] for peaks in found] for word in found[0]}


@dataclass(frozen=True, eq=False)
class ReductionFigures:
    """Which coordinates an elastic body has in the motion, and how good they are."""

    body: str
    strategy: str
    reference: str  # what ties the frame to the body
    by_default: bool
    full_size: int
    size: int
    coordinates: tuple[str, ...]
    frequencies_hz: Array  # of the reduced body at rest, tied to its frame: (size,)
    band_hz: float  # frequency below which every mode of the body is met to 1 %
    interface_errors: Mapping[str, float]  # part of the static answer that is missing, energy norm
    inertia_errors: Mapping[str, float]
    exact: bool = False  # geometrically exact beams: deflections of any size, nothing is left out of the mesh

    def summary(self) -> dict[str, Any]:
        worst = {
            name: max(errors.values(), default=0.0)
            for name, errors in (("interface", self.interface_errors), ("inertia", self.inertia_errors))
        }
        return {
            "strategy": self.strategy,
            "frame": self.reference,
            "by_default": self.by_default,
            "full_size": self.full_size,
            "coordinates": self.size,
            "frequencies_hz": self.frequencies_hz.tolist(),
            "good_below_hz": self.band_hz if np.isfinite(self.band_hz) else None,
            "largest_static_error": worst,
            **({"section_law": SECTION_LAW} if self.exact else {}),
        }


@dataclass(frozen=True, eq=False)
class IntegrationFigures:
    """What the integrator did."""

    integrator: str  # name
    description: str
    formalism: str
    steps: int
    iterations: int  # of Newton's method
    factorisations: int
    rejected: int
    unknowns: int
    seconds: float
    step: float | None = None  # s, where all steps are equal
    asked_step: float | None = None  # s, that it was made of
    peaks_seconds: float = 0.0  # that looking at every step took besides
    halved: int = 0  # steps, and parts of them, that were taken in two halves, since their iteration failed

    @property
    def steps_per_second(self) -> float:
        """Speed of the time loop."""
        return self.steps / self.seconds if self.seconds > 0 else 0.0

    def summary(self) -> dict[str, Any]:
        return {**asdict(self), "steps_per_second": self.steps_per_second}


@dataclass(frozen=True, eq=False, repr=False)
class CoupledMotion(Record):
    """Motion and deformation of all bodies of a system under its forces, solved together.

    `energy_drift` is the largest misfit of the energy balance (kinetic, strain and potential energy and what is
    dissipated, less what drives and loads supply), relative to the largest of them; `constraint_residual` the
    largest misfit of joints and drives, in lengths of the system and radians. `stopped` says why the motion ends
    before its time, and is empty otherwise. `theory_error` estimates how far small deflections are from the truth.
    """

    kind: ClassVar[str] = "transient"
    presented_by: ClassVar[str] = ".coupled_presentation:CoupledMotionPresentation"
    coupling: ClassVar[str] = "two-way"

    forces: MechanismForces  # with the motion of the frames
    sensors: Mapping[str, SensorRecord]
    energies: Mapping[str, Array]  # kinetic, strain, potential, supplied, dissipated, contact, J: (instants,) each
    linear_momentum: Array  # kg m/s, space axes: (instants, 3)
    angular_momentum: Array  # kg m²/s about the origin, space axes: (instants, 3)
    position_residuals: Array  # (instants,)
    velocity_residuals: Array  # (instants,)
    coordinates: Mapping[str, Array]  # δ of each elastic body: (instants, m)
    reductions: tuple[ReductionFigures, ...]
    stress: tuple[StressHistory, ...]
    snapshots: IntArray  # instants whose shapes are kept
    displacements: Mapping[str, Array]  # of each elastic body, in its axes: (snapshots, nodes, 6)
    energy_drift: float
    theory_error: TheoryError
    figures: IntegrationFigures
    terms: Terms
    start: MotionStart
    damping: MotionDamping = field(default_factory=MotionDamping)
    watched: Mapping[str, Marker] = field(default_factory=dict)  # points that sensors follow
    stopped: str = ""
    events: tuple[Occurrence, ...] = ()  # that happened, in order
    resumed_at: float | None = None
    force_peaks: Mapping[str, tuple[Peaks, ...]] = field(
        default_factory=dict
    )  # sizes of force and moment; values of drives
    notices: tuple[str, ...] = ()
    strains: Mapping[str, float] = field(default_factory=dict)  # largest of each body of exact beams, all steps
    contacts: Mapping[str, ContactHistory] = field(default_factory=dict)
    end: "MotionEnd | None" = None  # from where another motion may go on
    settling: Mapping[str, float] = field(default_factory=dict)  # half bands of sensors, SI

    @property
    def motion(self) -> MechanismMotion:
        """Motion of the frames of all bodies."""
        return self.forces.motion

    @property
    def times(self) -> Array:
        """s: (instants,)."""
        return self.motion.times

    @property
    def constraint_residual(self) -> float:
        """Largest misfit of joints and drives."""
        return float(np.max(self.position_residuals, initial=0.0))

    @property
    def _energy_balance(self) -> Array:
        """Stored energy and what was dissipated, by contacts too, less what was supplied: (instants,)."""
        e = self.energies
        lost = e["dissipated"] + e.get("contact", 0.0)
        return np.asarray(e["kinetic"] + e["strain"] + e["potential"] + lost - e["supplied"])

    @property
    def lost_in_contacts(self) -> float:
        """What contacts dissipated by damping, friction and impulses until the end [J]."""
        lost = self.energies.get("contact")
        return 0.0 if lost is None else float(lost[-1] - lost[0])

    @property
    def energy_misfit(self) -> Array:
        """Change of the energy balance since the start, relative to the largest of its parts: (instants,)."""
        e = self.energies
        balance = self._energy_balance
        scale = max(float(np.abs(values - values[0]).max(initial=0.0)) for values in e.values())
        scale = max(
            scale, float(np.abs(e["kinetic"]).max(initial=0.0)), float(np.abs(e["strain"]).max(initial=0.0))
        )
        return np.asarray((balance - balance[0]) / scale if scale else balance - balance[0])

    @property
    def energy_lost(self) -> float:
        """What supplied energy became neither stored nor dissipated by the end [J]; gained if negative."""
        balance = self._energy_balance
        return float(balance[0] - balance[-1])

    @property
    def balance_words(self) -> str:
        """How the energy balance closes, and if it does not, where the rest went."""
        if self.energy_drift <= CLOSED:
            return "the balance closes"
        parts = np.array_split(self.energy_misfit, min(4, len(self.times)))
        quarters = np.array([part.mean() for part in parts])
        steadily = quarters[0] < 0 and (np.diff(quarters) < 0).all()  # other errors come and go
        if self.figures.integrator == "generalised_alpha" and steadily:
            return (
                f"{self.energy_lost:.3g} J lost steadily, by numerical dissipation: it damps motions that are "
                "fast beside the step; a smaller step, a larger spectral_radius or a tolerance loses less"
            )
        if self.energy_drift <= _WORTH_A_WORD:
            return "an error of integration, smaller with smaller steps"
        return "an error of integration; take a smaller step or tolerance and compare"

    @property
    def stored_words(self) -> str:
        """Which part of the motion is stored."""
        steps, kept = self.figures.steps, len(self.times)
        if self.figures.step is None:
            return f"{kept} instants; peaks are over all {steps} steps"
        return next(iter(stored_words(steps, kept)), "every step")

    def summary(self) -> dict[str, Any]:
        kept, seen = even_instants(len(self.times)), self.at_events()
        momentum = {"linear": self.linear_momentum, "angular": self.angular_momentum}
        return {
            "kind": self.kind,
            "coupling": self.coupling,
            "system": self.motion.mechanism.system.name,
            "space": self.motion.mechanism.system.space,
            "finished": not self.stopped,
            "stopped": self.stopped,
            "event_count": len(self.events),  # of which the summary lists the first ones
            "events": [
                asdict(event) | {"sensors": {name: values[k] for name, (_, values) in seen.items()}}
                for k, event in enumerate(self.events[:SUMMARY_SAMPLES])
            ],
            "end_s": float(self.times[-1]),
            "times_s": self.times[kept].tolist(),
            "sensors": {name: sensor.summary(self.times, kept) for name, sensor in self.sensors.items()},
            "start": self.start.summary(),
            "damping": self.damping.summary(),
            "peaks": {name: self._peaks_summary(name) for name in self.sensors},
            "samples": {"shown": len(kept), "kept": len(self.times), "stored": self.stored_words},
            "energy_drift": self.energy_drift,
            "energy_balance": {"lost_J": self.energy_lost, "words": self.balance_words},
            "constraint_residual": self.constraint_residual,
            "theory_error": self.theory_error.value,
            "theory": self.theory_error.summary(),
            "velocity_residual": float(np.max(self.velocity_residuals, initial=0.0)),
            "steps": self.figures.steps,
            "seconds": self.figures.seconds,
            "method": self.figures.description,
            "formalism": self.figures.formalism,
            "integration": self.figures.summary(),
            "energies_J": {name: values[kept].tolist() for name, values in self.energies.items()},
            "momentum_change": {name: _change(values) for name, values in momentum.items()},
            "axes": "space",
            "joints": {
                name: self._largest(found) for name, found in self.forces.joints.items() if not found.drive
            },
            "drives": {name: self._largest(found) for name, found in self.forces.joints.items() if found.drive},
            "contacts": {name: found.summary() for name, found in self.contacts.items()},
            "stress": {found.body: found.summary() for found in self.stress},
            **({"max_strain": dict(self.strains)} if self.strains else {}),
            "reductions": {figures.body: figures.summary() for figures in self.reductions},
            "terms": asdict(self.terms),
            "resumed_at_s": self.resumed_at,
            "notices": list(self.notices),
        }

    def _peaks_summary(self, name: str) -> dict[str, Any]:
        sensor = self.sensors[name]
        named = {"components": list(sensor.components)} if sensor.components else {}
        return {"unit": sensor.unit, **named, **sensor.peaks_summary(self.times)}

    def _largest(self, found: JointForce) -> dict[str, Any]:
        """Largest force and moment of a joint or drive over all steps."""
        force, moment, *_ = self.force_peaks.get(found.name) or tuple(
            peaks_of(self.times, np.linalg.norm(values, axis=1)) for values in (found.force, found.moment)
        )
        return {
            "on": found.second,
            "by": found.first,
            "max_force_N": force.largest,
            "max_force_at_s": force.largest_at,
            "max_moment_Nm": moment.largest,
            "max_moment_at_s": moment.largest_at,
        }

    def arrays(self) -> NamedArrays:
        vector = ("time", "axis")
        data: dict[str, Any] = {
            f"{name}_energy": ("time", values, {"units": "J"}) for name, values in self.energies.items()
        }
        for name, contact in self.contacts.items():
            of_gap, of_force = contact.units
            data[f"{name}_gap"] = ("time", contact.gap, {"units": of_gap})
            data[f"{name}_normal_force"] = ("time", contact.normal, {"units": of_force})
            data[f"{name}_contact_force"] = (vector, contact.force, {"units": of_force})
        data["linear_momentum"] = (vector, self.linear_momentum, {"units": "kg m/s"})
        data["angular_momentum"] = (vector, self.angular_momentum, {"units": "kg m^2/s"})
        data["position_residual"] = ("time", self.position_residuals)
        data["velocity_residual"] = ("time", self.velocity_residuals)
        components: dict[str, Any] = {}
        for name, sensor in self.sensors.items():
            dims = ("time",) if not sensor.components else ("time", f"component_{name}")
            data[f"sensor_{name}"] = (dims, sensor.values, {"units": sensor.unit})
            if sensor.components:
                components[f"component_{name}"] = list(sensor.components)
        for name, found in self.forces.joints.items():
            data[f"force_{name}"] = (vector, found.force, {"units": "N"})
            data[f"moment_{name}"] = (vector, found.moment, {"units": "N m"})
        for name, values in self.coordinates.items():
            data[f"coordinates_{name}"] = (("time", f"coordinate_{name}"), values)
        for name, shapes in self.displacements.items():
            data[f"displacement_{name}"] = (("picture", f"node_{name}", "dof"), shapes)
            body, moved = self.motion.mechanism.system.body(name), self.motion.body(name)
            assert isinstance(body, Body)
            turned = quaternion_from_rotation(moved.rotations[self.snapshots])
            data |= mesh_variables(body.mesh, name)
            data |= frame_variables(moved.positions[self.snapshots], turned, name)
        for found_stress in self.stress:
            name = found_stress.body
            data[f"stress_{name}"] = (f"stress_time_{name}", found_stress.largest, {"units": "Pa"})
            data[f"stress_time_{name}"] = (f"stress_time_{name}", found_stress.times, {"units": "s"})
        return motion_arrays(self.motion, self.kind).extend(
            data,
            coords={
                **components,
                "picture": self.times[self.snapshots],
                "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
            },
            attrs={
                "bodies": ", ".join(self.displacements),
                "coupling": self.coupling,
                "energy_drift": self.energy_drift,
                "constraint_residual": self.constraint_residual,
                "theory_error": self.theory_error.value,
            },
        )

    def columns(self) -> dict[str, SensorHistory]:
        """Every component of every sensor by name, such as "tip y"."""
        return {
            f"{name} {component}".strip(): SensorHistory(sensor.unit, values)
            for name, sensor in self.sensors.items()
            for component, values in sensor.columns().items()
        }

    def at_events(self) -> dict[str, tuple[str, list[float | None]]]:
        """The unit of every component of every sensor, and what it saw behind each event; None where nothing."""
        out: dict[str, tuple[str, list[float | None]]] = {}
        for name, sensor in self.sensors.items():
            if sensor.at_events is not None:
                for component, values in zip(sensor.columns(), sensor.at_events.T, strict=True):
                    seen = [float(value) if np.isfinite(value) else None for value in values]
                    out[f"{name} {component}".strip()] = sensor.unit, seen
        return out


def even_instants(count: int) -> IntArray:
    """At most as many instants as a summary holds, evenly spaced if the number of intervals allows it."""
    least = max(1, -(-(count - 1) // (SUMMARY_SAMPLES - 1)))
    for stride in range(least, 2 * least + 1):
        if (count - 1) % stride == 0:
            return np.arange(0, count, stride)
    return np.unique(np.append(np.arange(0, count, least), count - 1))


def _change(values: Array) -> float:
    """Largest change since the start, relative to the largest size."""
    size = float(np.linalg.norm(values, axis=1).max())
    return float(np.linalg.norm(values - values[0], axis=1).max()) / size if size else 0.0
