"""Bar: two nodes, linear interpolation of all displacement components, stiff along its axis only."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, gauss_line
from flexframe.mesh.cells import LINE, Cell


@dataclass(frozen=True)
class Bar:
    """Straight bar on ξ ∈ [-1, 1]."""

    name: ClassVar[str] = "bar"
    cell: ClassVar[Cell] = LINE
    degree: ClassVar[int] = 1
    stiffness_rule: ClassVar[Quadrature] = gauss_line(1)
    mass_rule: ClassVar[Quadrature] = gauss_line(2)

    def shape(self, points: Array) -> Array:
        """φ = (1 ∓ ξ)/2: (points, 2)."""
        xi = points[:, 0]
        return np.stack([(1 - xi) / 2, (1 + xi) / 2], axis=1)

    def shape_gradient(self, points: Array) -> Array:
        """∂φ/∂ξ = ∓1/2: (points, 2, 1)."""
        return np.broadcast_to(np.array([[[-0.5], [0.5]]]), (len(points), 2, 1)).copy()
