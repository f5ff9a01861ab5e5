"""Reduction strategies: which displacement fields a reduced body keeps."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.multilevel.division import usual_parts
from flexframe.maths.multilevel.modes import is_divisible, multilevel_modes
from flexframe.maths.multilevel.pool import current_pool, divided_into
from flexframe.reduction.attached import AttachedBody, NaturalModes

CoordinateKind = Literal["interface", "attachment", "inertia", "load", "mode"]


@dataclass(frozen=True)
class Coordinate:
    """What one reduced coordinate is: the displacement of an interface, the answer to a load, or a mode."""

    kind: CoordinateKind
    label: str
    frequency_hz: float | None = None  # modes only


@dataclass(frozen=True, eq=False)
class Shapes:
    """Displacement fields with what they stand for; they may contain rigid motions of the body."""

    vectors: Array  # (p, m)
    coordinates: tuple[Coordinate, ...]


class ReductionStrategy(Protocol):
    """A way to choose the displacement fields that a reduced body keeps."""

    @property
    def name(self) -> str:
        """Its name in case files, such as craig_bampton."""
        ...

    def shapes(self, attached: AttachedBody) -> Shapes:
        """The fields, independent of each other, in the order of the coordinates."""
        ...

    def description(self) -> str:
        """The strategy in words."""
        ...


@dataclass(frozen=True)
class Guyan:
    """The static shapes between the interfaces (Guyan 1965): exact for forces at the interfaces at rest."""

    name: ClassVar[str] = "guyan"

    def shapes(self, attached: AttachedBody) -> Shapes:
        """Static shapes for a unit displacement [m] or rotation [rad] of each interface, in body axes."""
        if not attached.rows.shape[0]:
            raise InputError(
                "Guyan reduction keeps interface displacements; give at least one free interface",
                field="interfaces",
            )
        return Shapes(
            attached.static_shapes(), tuple(Coordinate("interface", name) for name in attached.row_names)
        )

    def description(self) -> str:
        """The strategy in words."""
        return "Guyan: static shapes of the interfaces"


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
        """Modes in body axes, with their frequencies [Hz], then the attachment modes if wanted."""
        return with_attachments(attached, attached.modes(self.modes), attachments=self.attachments)

    def description(self) -> str:
        """The strategy in words, with the number of modes."""
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


@dataclass(frozen=True)
class CraigBampton:
    """Static shapes of the interfaces and the lowest modes with the interfaces held (Craig & Bampton 1968)."""

    modes: int = 10

    name: ClassVar[str] = "craig_bampton"

    def shapes(self, attached: AttachedBody) -> Shapes:
        """Static shapes in body axes, then modes with interfaces held and their frequencies [Hz]."""
        found = attached.modes(self.modes, interfaces_held=True)
        coordinates = [Coordinate("interface", name) for name in attached.row_names]
        coordinates += [
            Coordinate("mode", f"fixed-interface mode {k + 1}", float(f))
            for k, f in enumerate(found.frequencies_hz)
        ]
        return Shapes(np.hstack([attached.static_shapes(), found.vectors]), tuple(coordinates))

    def description(self) -> str:
        """The strategy in words, with the number of modes."""
        return f"Craig–Bampton: static shapes of the interfaces and {self.modes} modes with interfaces held"


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
        """Modes in body axes, with their frequencies [Hz], then the attachment modes."""
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
        """The strategy in words, with the number of modes."""
        return f"{self.modes} modes by substructures, with attachment modes of the interfaces"


STRATEGIES: tuple[Callable[..., ReductionStrategy], ...] = (Guyan, CraigBampton, Modal, Multilevel)
"""Every strategy; adding one is one file and one name here."""
