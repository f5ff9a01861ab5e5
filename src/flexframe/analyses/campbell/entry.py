"""Modes of a body, or of a whole system, over its speed of rotation."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, Misfit, TermsEntry
from flexframe.assembly.discrete import DiscreteBody
from flexframe.entries.analysis_fields import SpeedsEntry
from flexframe.entries.bearings import Bearings, bearings
from flexframe.entries.entry import Entry
from flexframe.entries.fields import (
    AngularVelocity,
    Count,
    Direction,
    Frequency,
    Name,
    NodalDiameters,
    PositiveNumber,
)
from flexframe.entries.motions import MotionEntry
from flexframe.entries.problems import Problems, unknown_name
from flexframe.errors import FieldPath, InputError
from flexframe.model.system import System
from flexframe.motion.frame import PLANAR_AXIS

if TYPE_CHECKING:
    from flexframe.analyses.campbell.record import CampbellDiagram
    from flexframe.analyses.campbell.system_record import SystemCampbell

_OF_BODY = ("axis", "bearings", "frame", "tolerance", "nodal_diameters")
_OF_SYSTEM = ("drive", "spin")
_MISPLACED_IN_SYSTEM = "belongs to the diagram of one body; leave it out, or name the body"
_MISPLACED_ON_BODY = "belongs to the diagram of a whole system; leave it out"


class MeasuredEntry(Entry):
    """Frequencies that were measured at a speed, drawn beside the branches."""

    speed: AngularVelocity
    frequencies: Annotated[tuple[Frequency, ...], Field(strict=False, min_length=1)]


class CampbellEntry(BodyAnalysisEntry):
    """Frequencies over the speed, with engine orders and solved critical speeds.

    With `body`, and in a case without a system, one body turns about `axis`, in both frames. Else the whole
    system turns by its `drive`; the others hold their value of t = 0. With `spin: free` the drive only gives the
    torque of the steady state, and the speed takes part in the vibrations. A body of exact beams turns as a system
    of its own, clamped to a hub, about its equilibrium at every speed. A body of revolution (plane: axisymmetric)
    has `modes` branches of each of its `nodal_diameters`.
    """

    motion: ClassVar[MotionEntry | None] = None  # the speeds say how the body turns
    takes_exact: ClassVar[bool] = True
    takes_rotors: ClassVar[bool] = True
    takes_sections: ClassVar[bool] = True

    kind: Literal["campbell"]
    speeds: SpeedsEntry
    axis: Direction | None = None
    modes: Count = 10
    engine_orders: Annotated[tuple[Count, ...], Field(strict=False)] = (1, 2, 3, 4)
    bearings: Bearings = ()
    frame: Literal["rotating", "inertial"] | None = None
    terms: TermsEntry = TermsEntry()
    tolerance: PositiveNumber = 1e-6
    drive: Name | None = None
    spin: Literal["held", "free"] = "held"
    nodal_diameters: NodalDiameters | None = None
    measured: Annotated[tuple[MeasuredEntry, ...], Field(strict=False)] = ()

    def is_of_system(self, *, has_system: bool) -> bool:
        """Whether the whole system turns."""
        return has_system and self.body is None

    def misfits(self, *, of_system: bool) -> Iterator[Misfit]:
        """Fields that do not belong to this sort of diagram, and what to do."""
        for name in _OF_BODY if of_system else _OF_SYSTEM:
            if name in self.model_fields_set:
                yield (name,), _MISPLACED_IN_SYSTEM if of_system else _MISPLACED_ON_BODY
        if of_system:
            for name, value in self.terms:
                if name != "geometric" and value != 1.0:
                    yield ("terms", name), "cannot be changed where a system turns; leave it out"
            if self.terms.geometric not in (0.0, 1.0):
                yield ("terms", "geometric"), "is 0 or 1 where a system turns; give one of them"

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        drives = [drive.name for drive in system.drives]
        if self.drive not in (None, *drives):
            problems.add((*path, "drive"), unknown_name("drive", str(self.drive), drives))

    def run(self, bodies: Bodies) -> "CampbellDiagram | SystemCampbell":
        from flexframe.analyses.campbell.speed_branches import MeasuredFrequencies

        found = self._diagram(bodies)
        return found.with_measured([MeasuredFrequencies(at.speed, at.frequencies) for at in self.measured])

    def _diagram(self, bodies: Bodies) -> "CampbellDiagram | SystemCampbell":
        if self.is_of_system(has_system=bodies.has_system):
            return self._of_system(bodies)
        from flexframe.analyses.campbell.analysis import campbell_diagram

        rotor = bodies.rotor(self.body)
        if isinstance(rotor, DiscreteBody):
            frozen = bodies.frozen(self.body, None, 0.0)
            if frozen.exact:
                return self._of_exact_body(frozen.discrete)
        return campbell_diagram(
            rotor,
            self.speeds.values(),
            modes=self.modes,
            axis=self.axis,
            terms=self.terms.terms(),
            bearings=bearings(self.bearings, bodies.folder),
            engine_orders=self.engine_orders,
            frame=self.frame,
            tolerance=self.tolerance,
            nodal_diameters=self.nodal_diameters,
        )

    def _of_exact_body(self, discrete: DiscreteBody) -> "SystemCampbell":
        from flexframe.analyses.campbell.system_analysis import system_campbell
        from flexframe.analyses.exact_bodies import hub_system, require_whole_physics
        from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice

        require_whole_physics(self.terms.terms())
        for name in ("bearings", "frame"):
            if name in self.model_fields_set:
                raise InputError(
                    f"body {discrete.body.name} of exact beams turns with the hub to which it is clamped; leave "
                    f"{name} out, or make a system with springs or joints of it",
                    field=name,
                )
        return system_campbell(
            hub_system(discrete.body, PLANAR_AXIS if self.axis is None else self.axis),
            self.speeds.values(),
            modes=self.modes,
            engine_orders=self.engine_orders,
            reductions={discrete.body.name: ReductionChoice(exact=True)},
            discrete={discrete.body.name: discrete},
        )

    def _of_system(self, bodies: Bodies) -> "SystemCampbell":
        from flexframe.analyses.campbell.system_analysis import system_campbell

        return system_campbell(
            bodies.system(),
            self.speeds.values(),
            drive=self.drive,
            spin=self.spin,
            modes=self.modes,
            engine_orders=self.engine_orders,
            reductions=bodies.reductions(),
            geometric=bool(self.terms.geometric),
            discrete=bodies.discrete_bodies(),
        )
