"""Modes of several bodies of a case side by side."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field

from flexframe.analyses.contract import NO_MESH, AnalysisEntry, Bodies, Misfit, TermsEntry
from flexframe.entries.fields import Count, Name, Time
from flexframe.entries.motions import MotionEntry
from flexframe.errors import InputError
from flexframe.motion.frame import FrameMotion

if TYPE_CHECKING:
    from flexframe.analyses.mode_comparison.record import ModeComparison


class ModeComparisonEntry(AnalysisEntry):
    """Modes of several models of one thing, paired by what they look like; all meshed bodies without a list."""

    kind: Literal["mode_comparison"]
    bodies: Annotated[tuple[Name, ...], Field(min_length=2, strict=False)] | None = None
    motion: MotionEntry | None = None
    time: Time = 0.0
    terms: TermsEntry = TermsEntry()
    count: Count = 10

    def lacks(self, *, has_system: bool, elastic: bool) -> Iterator[Misfit]:  # noqa: ARG002
        """Only elastic bodies have modes."""
        if not elastic:
            yield ("kind",), NO_MESH.format(kind=self.kind)

    def run(self, bodies: Bodies) -> "ModeComparison":
        from flexframe.analyses.mode_comparison.analysis import mode_comparison

        known = tuple(bodies.discrete_bodies())
        names = self.bodies or known
        for place, name in enumerate(names):
            if name not in known:
                raise InputError(
                    f"there is no meshed body '{name}'; choose from {', '.join(known)}", field=("bodies", place)
                )
        frozen = {name: bodies.frozen(name, self.motion, self.time) for name in names}
        motions = [part.motion for part in frozen.values()]
        if self.motion is None and not all(_same(motions[0], other) for other in motions):
            raise InputError("the bodies move in different ways; give the analysis a motion", field="motion")
        models = {name: part.discrete for name, part in frozen.items()}
        return mode_comparison(models, motions[0], terms=self.terms.terms(), count=self.count)


def _same(first: FrameMotion, second: FrameMotion) -> bool:
    return all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("angular_velocity", "angular_acceleration", "origin_acceleration")
    )
