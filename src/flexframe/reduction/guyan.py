"""Static condensation."""

from dataclasses import dataclass
from typing import ClassVar

from flexframe.errors import InputError
from flexframe.reduction.attached import AttachedBody
from flexframe.reduction.basis import Coordinate
from flexframe.reduction.contract import Shapes


@dataclass(frozen=True)
class Guyan:
    """The static shapes between the interfaces (Guyan 1965): exact for forces at the interfaces at rest."""

    name: ClassVar[str] = "guyan"

    def shapes(self, attached: AttachedBody) -> Shapes:
        if not attached.rows.shape[0]:
            raise InputError(
                "Guyan reduction keeps interface displacements; give at least one free interface",
                field="interfaces",
            )
        return Shapes(
            attached.static_shapes(), tuple(Coordinate("interface", name) for name in attached.row_names)
        )

    def description(self) -> str:
        return "Guyan: static shapes of the interfaces"
