"""How a body of a case is reduced to few coordinates."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from flexframe.entries.entry import Entry, refusal
from flexframe.entries.fields import Count, Multiplier, Selection

if TYPE_CHECKING:
    from flexframe.reduction.attached import Reference
    from flexframe.reduction.strategies import ReductionStrategy

StrategyName = Literal["guyan", "craig_bampton", "modal", "multilevel"]


class ClampedFrameEntry(Entry):
    """A frame that moves with some nodes, or with an interface."""

    clamp: Selection


ReferenceEntry = Literal["mean_axes"] | ClampedFrameEntry


def build_reference(entry: ReferenceEntry | None) -> "Reference | None":
    """The reference condition that is described."""
    from flexframe.reduction.attached import ClampedFrame, MeanAxes

    if entry is None:
        return None
    return MeanAxes() if entry == "mean_axes" else ClampedFrame(entry.clamp)


def build_strategy(
    name: StrategyName, modes: int, *, attachments: bool, substructures: int | None = None
) -> "ReductionStrategy":
    """The strategy of that name."""
    from flexframe.reduction.strategies import CraigBampton, Guyan, Modal, Multilevel

    strategies: dict[str, ReductionStrategy] = {
        "guyan": Guyan(),
        "craig_bampton": CraigBampton(modes),
        "modal": Modal(modes, attachments),
        "multilevel": Multilevel(modes, substructures),
    }
    return strategies[name]


def require_divided(strategy: StrategyName, substructures: int | None) -> None:
    """Refuse a number of substructures beside a strategy that does not divide."""
    if substructures is not None and strategy != "multilevel":
        raise refusal(f"substructures belong to the multilevel strategy, not to {strategy}; leave them out")


class ReductionChoiceEntry(Entry):
    """The few coordinates of an elastic body in a coupled motion; its joints and loads act at interfaces."""

    strategy: StrategyName = "modal"
    modes: Count = 8
    attachments: bool = True
    inertia_shapes: bool = False
    reference: ReferenceEntry | None = None
    damping_ratio: Multiplier = 0.0
    interfaces: dict[str, Literal["rigid", "mean"]] = Field(default_factory=dict)
    parts: Count = 1
    substructures: Count | None = None
    order: Literal[2, 3] = 2

    @model_validator(mode="after")
    def _meant(self) -> "ReductionChoiceEntry":
        if self.strategy != "modal" and not self.attachments:
            raise refusal(f"attachments belong to the modal strategy, not to {self.strategy}; leave them out")
        require_divided(self.strategy, self.substructures)
        return self
