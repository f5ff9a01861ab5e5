"""A tool that drives lead along a path."""

from typing import TYPE_CHECKING, ClassVar, Literal

from flexframe.analyses.contract import AnalysisEntry, Bodies
from flexframe.entries.analysis_fields import Samples
from flexframe.entries.problems import Problems
from flexframe.errors import FieldPath
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.tool_motion.record import ToolMotion


class ToolMotionEntry(AnalysisEntry):
    """Joint motions, speeds and torques along the path on which drives lead a tool, beside limits of joints."""

    needs_system: ClassVar[bool] = True

    kind: Literal["tool_motion"]
    samples: Samples = 361

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:  # noqa: ARG002
        from flexframe.multibody.robots.tool_drives import path_of

        with problems.at("drives"):
            path_of(system)

    def run(self, bodies: Bodies) -> "ToolMotion":
        from flexframe.analyses.tool_motion.analysis import tool_motion

        return tool_motion(bodies.system(), samples=self.samples)
