"""Component modes with fixed interfaces."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.reduction.attached import AttachedBody
from flexframe.reduction.basis import Coordinate
from flexframe.reduction.contract import Shapes


@dataclass(frozen=True)
class CraigBampton:
    """Static shapes of the interfaces and the lowest modes with the interfaces held (Craig & Bampton 1968)."""

    modes: int = 10

    name: ClassVar[str] = "craig_bampton"

    def shapes(self, attached: AttachedBody) -> Shapes:
        found = attached.modes(self.modes, interfaces_held=True)
        coordinates = [Coordinate("interface", name) for name in attached.row_names]
        coordinates += [
            Coordinate("mode", f"fixed-interface mode {k + 1}", float(f))
            for k, f in enumerate(found.frequencies_hz)
        ]
        return Shapes(np.hstack([attached.static_shapes(), found.vectors]), tuple(coordinates))

    def description(self) -> str:
        return f"Craig–Bampton: static shapes of the interfaces and {self.modes} modes with interfaces held"
