"""Modes of the attached body with static corrections."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.reduction.attached import AttachedBody, NaturalModes
from flexframe.reduction.basis import Coordinate
from flexframe.reduction.contract import Shapes

_COMPLETE = 1e-12  # strain energy that modes lack of a static answer, relative, which is rounding


@dataclass(frozen=True)
class Modal:
    """The lowest modes of the attached body and what they lack of the static answers to interface forces.

    With mean axes these are the free–free modes and inertia-relief attachment modes. The corrections are the
    residual flexibility T Lᵀ − Φ Λ⁻¹ Φᵀ Lᵀ, so that forces at the interfaces are answered exactly at rest.
    """

    modes: int = 10
    attachments: bool = True

    name: ClassVar[str] = "modal"

    def shapes(self, attached: AttachedBody) -> Shapes:
        return with_attachments(attached, attached.modes(self.modes), attachments=self.attachments)

    def description(self) -> str:
        added = ", with attachment modes of the interfaces" if self.attachments else ""
        return f"{self.modes} modes of the attached body{added}"


def with_attachments(attached: AttachedBody, found: NaturalModes, *, attachments: bool) -> Shapes:
    """Modes, and what they lack of the static answers to forces at the interfaces."""
    coordinates = [Coordinate("mode", f"mode {k + 1}", float(f)) for k, f in enumerate(found.frequencies_hz)]
    if not attachments or not attached.rows.shape[0]:
        return Shapes(found.vectors, tuple(coordinates))
    # Φᵀ M T Lᵀ = Λ⁻¹ Φᵀ Lᵀ
    moved = np.asarray(attached.discrete.mass @ found.vectors)
    residual = attached.attachments
    for _ in range(2):
        residual = residual - found.vectors @ (moved.T @ residual)
    K = attached.discrete.stiffness
    before, after = (np.einsum("pk,pk->k", t, np.asarray(K @ t)) for t in (attached.attachments, residual))
    kept = after > _COMPLETE * before
    coordinates += [
        Coordinate("attachment", name) for name, there in zip(attached.row_names, kept, strict=True) if there
    ]
    return Shapes(np.hstack([found.vectors, residual[:, kept]]), tuple(coordinates))
