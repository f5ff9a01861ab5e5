"""Modes and static answers of a body that is divided into substructures."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.multilevel.division import usual_parts
from flexframe.maths.multilevel.modes import is_divisible, multilevel_modes
from flexframe.maths.multilevel.pool import current_pool, divided_into
from flexframe.reduction.attached import AttachedBody, NaturalModes
from flexframe.reduction.contract import Shapes
from flexframe.reduction.modal import Modal, with_attachments


@dataclass(frozen=True)
class Multilevel:
    """The shapes of `Modal`, for bodies whose factors do not fit into memory: no matrix is factorised whole.

    Modes are those of multilevel Craig–Bampton, refined until each frequency is known between bounds; static
    answers come from elimination by substructures. The body keeps that way of solving for all that follows. A
    small body is not divided.
    """

    modes: int = 10
    substructures: int | None = None  # by the size of the body if not given

    name: ClassVar[str] = "multilevel"

    def shapes(self, attached: AttachedBody) -> Shapes:
        equilibrium, pool = attached.discrete.equilibrium, current_pool()
        size = equilibrium.stiffness.shape[0]
        rigid = equilibrium.rigid
        if self.modes < 1:
            raise InputError(f"{self.modes} modes are no basis; ask for at least one", field="modes")
        if not is_divisible(size, self.modes + rigid.shape[1]):
            return Modal(self.modes).shapes(attached)
        parts = self.substructures or usual_parts(size, pool.workers)
        known = rigid if rigid.shape[1] else None
        found = multilevel_modes(
            equilibrium.stiffness,
            equilibrium.mass,
            self.modes + rigid.shape[1],
            parts=parts,
            pool=pool,
            rigid_modes=known,
        )
        elastic = np.sort(np.argsort(np.abs(found.eigenvalues), kind="stable")[rigid.shape[1] :])
        frequencies = np.sqrt(np.maximum(found.eigenvalues[elastic], 0.0)) / (2 * np.pi)
        vectors = attached.without_rigid(attached.discrete.supports.expand(found.vectors[:, elastic]))
        with divided_into(parts):
            assert equilibrium.factor.negative_pivots == 0  # made here, part by part, for all that follows
            return with_attachments(attached, NaturalModes(frequencies, vectors), attachments=True)

    def description(self) -> str:
        return f"{self.modes} modes by substructures, with attachment modes of the interfaces"
