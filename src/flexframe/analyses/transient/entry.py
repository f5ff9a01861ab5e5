"""Motion in time: of one body on a frame that moves in a known way, or of a whole system, all coupled."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, cast

import numpy as np
from pydantic import Field

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, Misfit, TermsEntry
from flexframe.entries import quantities as q
from flexframe.entries.analysis_fields import FormalismName, Samples, SystemDampingEntry
from flexframe.entries.fields import AnyQuantity, Count, Name, Number, PositiveNumber, count, quantity
from flexframe.entries.links import AnyJointVariant
from flexframe.entries.motions import MotionEntry
from flexframe.entries.problems import Problems, unknown_name
from flexframe.entries.sensors import AnySensorEntry, check_sensors, describe_sensors
from flexframe.errors import FieldPath, InputError
from flexframe.model.body import Body
from flexframe.model.joint_contacts import clearance_of, with_variants
from flexframe.model.system import MOST_INSTANTS, MOST_STEPS, InitialDeformation, System
from flexframe.stages import checking

if TYPE_CHECKING:
    from flexframe.analyses.transient.coupled_record import CoupledMotion
    from flexframe.analyses.transient.record import Transient
    from flexframe.multibody.contract import SimulationOptions

IntegratorName = Literal["generalised_alpha", "dormand_prince", "dormand_prince_853", "conserving"]
Seconds = Annotated[float, quantity(q.TIME, "positive")]
Steps = Annotated[int, count(1, MOST_STEPS)]
_KNOWN_MOTION = ("modes",)
_CONTROLLED = ("dormand_prince", "dormand_prince_853")
_COUPLED = ("tolerance", "integrator", "damping", "period", "joints", "after")


class TransientEntry(BodyAnalysisEntry):
    """Motion over time, with sensors, energies and forces.

    In a system (joints, drives, rigid bodies, a start) rigid motion and deformation are solved together. With
    `body` or `motion`, and in a case without a system, one body deforms on a frame that moves in a known way.
    """

    kind: Literal["transient"]
    motion: MotionEntry | None = None
    terms: TermsEntry = TermsEntry()
    formalism: FormalismName | None = None
    duration: Seconds
    steps: Steps | None = None
    step: Seconds | None = None
    tolerance: PositiveNumber | None = None
    integrator: IntegratorName | None = None
    samples: Samples | None = None
    sensors: dict[Name, AnySensorEntry] = Field(default_factory=dict)
    settling: dict[Name, AnyQuantity] = Field(default_factory=dict)
    spectral_radius: Number | None = None
    modes: Count | None = None
    initial_deformation: InitialDeformation | None = None
    damping: SystemDampingEntry | None = None
    period: Seconds | None = None
    joints: dict[Name, AnyJointVariant] = Field(default_factory=dict)
    after: Name | None = None

    def foreseen_steps(self) -> float | None:
        """Equal steps; with error control their number is not known before."""
        if self.steps is not None:
            return float(self.steps)
        return None if self.step is None else self.duration / self.step

    def is_of_system(self, *, has_system: bool) -> bool:
        """Whether this is the motion of the whole system."""
        return has_system and self.body is None and self.motion is None

    def misfits(self, *, of_system: bool) -> Iterator[Misfit]:
        """Fields that do not belong to this sort of motion, and what to do."""
        for name in _KNOWN_MOTION if of_system else _COUPLED:
            if getattr(self, name) not in (None, {}):
                yield (name,), _misplacement(name, of_system)
        given = [name for name in ("steps", "step", "tolerance") if getattr(self, name) is not None]
        if not of_system and self.steps is None and self.step is None:
            yield ("steps",), "is missing; give the number of steps"
        elif len(given) != 1 and (of_system or self.tolerance is None):
            message = f"{' and '.join(given) or 'no step'} is given; give one of step, steps and tolerance"
            yield (given[-1] if given else "step",), message
        steps = self.foreseen_steps()
        if steps is not None and steps > MOST_STEPS:
            yield (
                ("step",),
                f"{self.step:g} s makes {steps:.2g} steps in {self.duration:g} s, more than {MOST_STEPS:.0e}; "
                "give a longer step or a shorter duration",
            )
        if of_system:
            yield from self._coupled_misfits()
        elif self.initial_deformation in ("periodic", "at_rest"):
            words = f"{self.initial_deformation} belongs to a system; give equilibrium or undeformed"
            yield ("initial_deformation",), words

    def _coupled_misfits(self) -> Iterator[Misfit]:
        for name, value in self.terms:
            if name != "geometric" and value != 1.0:
                yield ("terms", name), "cannot be changed where the motion is unknown; leave it out"
        if self.terms.geometric not in (0.0, 1.0):
            yield ("terms", "geometric"), "is 0 or 1 where the motion is unknown; give one of them"
        if self.after is not None and self.initial_deformation is not None:
            yield ("initial_deformation",), "a motion that goes on begins as the one before ended; leave it out"
        if self.period is not None and self.initial_deformation != "periodic":
            yield ("period",), "belongs to initial_deformation: periodic; leave it out, or give that"
        if self.formalism is not None:
            if self.integrator is not None:
                yield ("integrator",), "a formalism brings its own integration; leave one of the two out"
            if self.tolerance is None:
                yield ("formalism",), "is integrated with error control in a system; give tolerance, not a step"
        controlled = self.integrator in _CONTROLLED
        if controlled and self.tolerance is None:
            yield ("integrator",), "chooses its steps by a tolerance; give tolerance instead of a step"
        if not controlled and self.integrator is not None and self.tolerance is not None:
            yield ("tolerance",), "belongs to dormand_prince; give step, or leave the integrator out"

    def own_system(self, system: System) -> System:
        """The system with the joints of this motion."""
        if not self.joints:
            return system
        by_name = {joint.name: joint for joint in system.joints}
        return with_variants(
            system,
            {
                name: {} if variant == "ideal" else variant.values(by_name[name])
                for name, variant in self.joints.items()
            },
        )

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        names = [joint.name for joint in system.joints]
        lost = [name for name in self.joints if name not in names]
        for name in lost:
            problems.add((*path, "joints", name), unknown_name("joint", name, names))
        try:
            system = system if lost else self.own_system(system)
        except InputError as error:  # at the field of this analysis that it came from
            problems.add((*path, *error.place(("joints",))), str(error))
        check_sensors(self.sensors, system, problems, path)
        for name, period in sampling_periods(system).items():
            if self.is_of_system(has_system=True) and self.duration / period > MOST_INSTANTS:
                problems.add(
                    ("controllers", name, "period"),
                    f"{period:g} s makes {self.duration / period:.2g} instants in {self.duration:g} s "
                    f"({'.'.join(map(str, path))}), at each of which a step ends; give a longer period or a "
                    "shorter duration",
                )

    def doubts(self, system: System) -> Iterator[str]:
        """Periods of controllers beside the duration and the step."""
        if not self.is_of_system(has_system=True):
            return
        from flexframe.multibody.laws import speed_jumps

        system = self.own_system(system)
        yield from speed_jumps(system, np.array([0.0, self.duration]))
        step = self.duration / self.steps if self.steps else self.step
        elastic = {body.name for body in system.bodies if isinstance(body, Body)}
        for contact in system.all_contacts:
            struck = {marker.partition(".")[0] for marker in (contact.first, contact.second)} & elastic
            if contact.law.kind == "impulsive" and struck:
                yield (
                    f"contact {contact.name} throws elastic {', '.join(sorted(struck))} back by impulses, which "
                    "excite all modes; those that a step does not resolve lose energy, as the balance shows. Give "
                    "a law with a stiffness, or short steps"
                )
        for joint in system.joints:
            play = clearance_of(joint)
            if play is not None and play.radial > play.radius:
                yield (
                    f"joint {joint.name} has a clearance of {play.radial * 1e3:g} mm, more than the radius of "
                    f"{play.radius * 1e3:g} mm of what moves in it; give its unit (such as 0.1 mm), or the radius"
                )
        for name, period in sampling_periods(system).items():
            if period > self.duration:
                yield (
                    f"controller {name} acts every {period:g} s, once in a motion of {self.duration:g} s; give a "
                    "shorter period or a longer duration"
                )
            elif step is not None and step > 2 * period:
                yield (
                    f"controller {name} acts every {period:g} s, {step / period:.3g} times in a step of {step:g} "
                    f"s: steps end there, so that the motion takes {self.duration / period:,.0f} of them"
                )

    def options(self) -> "SimulationOptions":
        """How the motion is computed."""
        from flexframe.multibody.contract import SimulationOptions

        same = ("duration", "step", "steps", "tolerance", "integrator", "formalism", "samples", "spectral_radius")
        more = ("initial_deformation", "period", "modes")
        return SimulationOptions(
            **{name: getattr(self, name) for name in (*same, *more)}, terms=self.terms.terms()
        )

    def run(self, bodies: Bodies) -> "Transient | CoupledMotion":
        from flexframe.analyses.signal_blocks import settling_bands

        sensors, settling = describe_sensors(self.sensors), settling_bands(self.settling, list(self.sensors))
        if not self.is_of_system(has_system=bodies.has_system):
            from flexframe.analyses.transient.analysis import body_transient

            moving = bodies.moving(self.body, self.motion)
            with self.blaming_motion(moving.discrete.body.name):
                found = body_transient(
                    moving.discrete, moving.law, self.options(), sensors=sensors, progress=bodies.monitor.progress
                )
                return replace(found, settling=settling)
        from flexframe.analyses.transient.coupled.motion import system_transient

        before = None if self.after is None or checking() else bodies.monitor.records.get(self.after)
        if self.after is not None and before is None and not checking():
            raise InputError(
                f"the motion {self.after} has not been computed here; run the whole case", field="after"
            )
        if before is not None and getattr(before, "end", None) is None:
            raise InputError(f"{self.after} is no motion of the system; name a transient of it", field="after")
        record = system_transient(
            self.own_system(bodies.system()),
            self.options(),
            sensors=sensors,
            reductions=bodies.reductions(),
            damping=None if self.damping is None else self.damping.damping(),
            discrete=bodies.discrete_bodies(),
            progress=bodies.monitor.progress,
            after=cast("CoupledMotion | None", before),
        )
        return replace(record, settling=settling, notices=(*record.notices, *bodies.recordings()))


def sampling_periods(system: System) -> dict[str, float]:
    """Periods [s] of the controllers of a system that act at instants, by name."""
    found = {each.name: getattr(each, "period", None) for each in system.controllers}
    return {name: period for name, period in found.items() if period is not None}


def _misplacement(name: str, coupled: bool) -> str:
    if coupled:
        return f"belongs to one body on a known motion; in a system give reduction to the bodies instead of {name}"
    if name == "damping":
        return "belongs to the motion of a system; give damping to the body"
    return "belongs to the motion of a system; on one body give steps"
