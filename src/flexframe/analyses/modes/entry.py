"""Modes of a body at rest or at one instant of its motion, or of a whole system."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, Misfit, TermsEntry
from flexframe.entries.analysis_fields import FormalismName
from flexframe.entries.fields import AngularVelocity, Count, Name, NodalDiameters, Time
from flexframe.entries.motions import MotionEntry
from flexframe.entries.problems import Problems, unknown_name
from flexframe.errors import FieldPath
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.modes.record import Modes
    from flexframe.analyses.modes.system_record import SystemModes


class ModesEntry(BodyAnalysisEntry):
    """Natural frequencies and shapes; eigenvalues of the frozen equations.

    In a system (joints, drives, rigid bodies, a start), without `body` and `motion`, those of all bodies together,
    about the equilibrium with drives and loads as they are at `time`, or about the steady rotation at a `speed` by
    a `drive` (the only one without a name). A body of revolution (plane: axisymmetric) has `count` modes of each
    of its `nodal_diameters`.
    """

    takes_exact: ClassVar[bool] = True
    takes_sections: ClassVar[bool] = True

    kind: Literal["modes"]
    motion: MotionEntry | None = None
    time: Time = 0.0
    terms: TermsEntry = TermsEntry()
    count: Count = 10
    formalism: FormalismName | None = None
    drive: Name | None = None
    speed: AngularVelocity | None = None
    nodal_diameters: NodalDiameters | None = None
    substructures: Count | None = None

    def is_of_system(self, *, has_system: bool) -> bool:
        """Whether all bodies move."""
        return has_system and self.body is None and self.motion is None and self.formalism is None

    def misfits(self, *, of_system: bool) -> Iterator[Misfit]:
        """Fields that belong to a body or to a system alone, and what to do."""
        if not of_system:
            for name in ("drive", "speed"):
                if getattr(self, name) is not None:
                    yield (name,), "belongs to the modes of a whole system; leave it out, or give a motion"
            return
        if self.nodal_diameters is not None:
            yield ("nodal_diameters",), "belong to one body of revolution; leave them out, or name the body"
        if self.substructures is not None:
            yield ("substructures",), "divide one body; name it, or leave them out"
        if self.drive is not None and self.speed is None:
            yield ("drive",), "names what turns the system; give its speed too"
        if self.speed is not None and self.time:
            yield ("time",), "is that of a system at rest; leave it out beside a speed"
        for name, value in self.terms:
            if name != "geometric" and value != 1.0:
                yield ("terms", name), "cannot be changed in a system; leave it out, or name the body"
        if self.terms.geometric not in (0.0, 1.0):
            yield ("terms", "geometric"), "is 0 or 1 in a system; give one of them"

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        drives = [drive.name for drive in system.drives]
        if self.drive not in (None, *drives):
            problems.add((*path, "drive"), unknown_name("drive", str(self.drive), drives))

    def run(self, bodies: Bodies) -> "Modes | SystemModes":
        if self.is_of_system(has_system=bodies.has_system):
            from flexframe.analyses.modes.system_analysis import system_modes

            return system_modes(
                bodies.system(),
                count=self.count,
                time=self.time,
                drive=self.drive,
                speed=self.speed,
                reductions=bodies.reductions(),
                geometric=bool(self.terms.geometric),
                discrete=bodies.discrete_bodies(),
            )
        from flexframe.analyses.modes.analysis import modes

        frozen = bodies.frozen(self.body, self.motion, self.time)
        return modes(
            frozen.discrete,
            frozen.motion,
            terms=self.terms.terms(),
            count=self.count,
            formalism=self.formalism,
            exact=frozen.exact,
            nodal_diameters=self.nodal_diameters,
            substructures=self.substructures,
        )
