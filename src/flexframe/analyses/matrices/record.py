"""The record of the matrices of a small body."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.results.record import Frame, NamedArrays, Record


@dataclass(frozen=True, eq=False, repr=False)
class Matrices(Record):
    """The matrices and load vectors of a small body, part by part, and its inertia invariants."""

    kind: ClassVar[str] = "matrices"
    presented_by: ClassVar[str] = ".presentation:MatricesPresentation"

    body: str
    mesh: Mesh
    dofs: tuple[str, ...]  # "1.ux", "1.uy", …: node number (from 1) and degree of freedom
    matrices: Mapping[str, Array]  # name → (p, p) or (3, p)
    vectors: Mapping[str, Array]  # name → (p,)
    scalars: Mapping[str, float]
    frame: Frame
    speed_rad_s: float
    terms: Terms
    notices: tuple[str, ...] = ()
    model: Body | None = None  # as it is drawn

    def summary(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "body": self.body,
            "frame": self.frame,
            "speed_rad_s": self.speed_rad_s,
            "terms": asdict(self.terms),
            "dofs": list(self.dofs),
            "matrices": {name: matrix.tolist() for name, matrix in self.matrices.items()},
            "vectors": {name: vector.tolist() for name, vector in self.vectors.items()},
            "scalars": dict(self.scalars),
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {}
        for name, matrix in self.matrices.items():
            rows = "dof_row" if matrix.shape[0] == len(self.dofs) else f"row_{matrix.shape[0]}"
            data[name] = ((rows, "dof"), matrix)
        data |= {name: ("dof", vector) for name, vector in self.vectors.items()}
        return NamedArrays(
            data,
            coords={"dof": list(self.dofs)},
            attrs={"kind": self.kind, "body": self.body, "frame": self.frame, **self.scalars},
        )


def dense(matrix: SparseMatrix) -> Array:
    """A sparse matrix written out."""
    return np.asarray(matrix.toarray())
