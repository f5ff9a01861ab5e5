"""Joint values that bring a tool to a pose."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from flexframe.analyses.contract import AnalysisEntry, Bodies
from flexframe.entries.fields import Count, Point
from flexframe.entries.links import AngleVector
from flexframe.entries.problems import Problems, locate_errors
from flexframe.errors import FieldPath
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.inverse_kinematics.record import InverseKinematics


class InverseKinematicsEntry(AnalysisEntry):
    """Values of joints that bring a tool to a place and turn it as asked, within their limits."""

    needs_system: ClassVar[bool] = True

    kind: Literal["inverse_kinematics"]
    tool: str
    position: Point
    rotation: AngleVector | None = None
    joints: Annotated[tuple[str, ...], Field(min_length=1, strict=False)] | None = None
    starts: Count = 16
    nearest: bool = False

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        from flexframe.analyses.inverse_kinematics.analysis import check_pose

        with locate_errors(problems, *path):
            check_pose(
                system,
                self.tool,
                self.position,
                rotation=self.rotation,
                joints=self.joints,
                starts=self.starts,
                nearest=self.nearest,
            )

    def run(self, bodies: Bodies) -> "InverseKinematics":
        from flexframe.analyses.inverse_kinematics.analysis import inverse_kinematics

        return inverse_kinematics(
            bodies.system(),
            self.tool,
            self.position,
            rotation=self.rotation,
            joints=self.joints,
            starts=self.starts,
            nearest=self.nearest,
        )
