"""Reference conditions: what ties the frame to an elastic body, so that its displacements hold no rigid motion.

A clamped frame moves with some nodes. Mean axes (Tisserand, Buckens) move with the body as a whole: M_O δ = 0 and
d_aᵀδ = 0, so that the deformation has neither momentum nor moment of momentum.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.projection import supported
from flexframe.errors import InputError
from flexframe.model.supports import Clamp, NodeSelection
from flexframe.reduction.interfaces import Interface


@dataclass(frozen=True)
class ClampedFrame:
    """The frame moves with these nodes, or with the interface of this name."""

    on: NodeSelection

    def attach(self, discrete: DiscreteBody, interfaces: Sequence[Interface]) -> DiscreteBody:
        """The body held at the nodes."""
        named = {interface.name: interface.on for interface in interfaces}
        on = named.get(self.on, self.on) if isinstance(self.on, str) else self.on
        body = replace(discrete.body, supports=(*discrete.body.supports, Clamp(on)))
        held = replace(discrete, body=body, supports=supported(body, discrete.dofs))
        if held.equilibrium.rigid.shape[1]:
            raise InputError(
                f"body {body.name}: a frame clamped at '{self.on}' leaves the body free to turn; clamp three "
                "nodes that are not in line, or use mean axes"
            )
        return held


@dataclass(frozen=True)
class MeanAxes:
    """The frame moves with the body as a whole, in the directions that its supports leave free."""

    def attach(self, discrete: DiscreteBody, interfaces: Sequence[Interface]) -> DiscreteBody:
        """The body itself; refused where supports hold it already."""
        del interfaces
        if not discrete.equilibrium.rigid.shape[1]:
            raise InputError(
                f"body {discrete.body.name}: its supports hold it in its frame, so that mean axes have nothing to "
                "do; leave the supports out, or the reference"
            )
        return discrete


Reference = ClampedFrame | MeanAxes


def reference_description(discrete: DiscreteBody, reference: Reference | None) -> str:
    """What ties the frame to an attached body, in words."""
    if isinstance(reference, ClampedFrame):
        return f"clamped at {reference.on}"
    if not discrete.equilibrium.rigid.shape[1]:
        return "held by its supports"
    return "mean axes beside its supports" if discrete.body.supports else "mean axes"
