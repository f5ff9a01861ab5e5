"""Cross-sections by their full 6×6 stiffness and mass, such as those of composite blades; for exact beams."""

from dataclasses import dataclass

import numpy as np

from flexframe.elements.sections import Rectangle
from flexframe.errors import InputError
from flexframe.maths.arrays import Array

Rows = tuple[tuple[float, ...], ...]
ORDER = "axial, shear y, shear z, torsion, bending y, bending z"
_SYMMETRIC = 1e-6  # relative, of matrices printed with some digits


@dataclass(frozen=True)
class SectionMatrices(Rectangle):
    """Stiffness and mass for each length, about the line of the beam in the axes of its section.

    Rows and columns are axial, shear y, shear z, torsion, bending y, bending z: (N, Vy, Vz, Mx, My, Mz) by
    (ε, γy, γz, κx, κy, κz), and momentum and angular momentum by velocity and angular velocity. `height` along y
    and `width` along z are of the rectangle that is drawn; stress is Young's modulus of the material times the
    largest strain at its corners.
    """

    stiffness: Rows = ()  # N, N m, N m²
    mass: Rows = ()  # kg/m, kg, kg m

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("stiffness", "mass"):
            object.__setattr__(self, name, _rows(getattr(self, name), name))
        if np.linalg.eigvalsh(_scaled(self.stiffness_matrix))[0] <= 1e-12:
            raise InputError(
                "section: stiffness is not positive definite, some strain would cost nothing; check the order "
                f"({ORDER})",
                field="stiffness",
            )
        M = self.mass_matrix
        first = M[3:, :3] / M[0, 0] if M[0, 0] > 0 else M[3:, :3]
        rigid = np.allclose(M[:3, :3], M[0, 0] * np.eye(3), atol=_SYMMETRIC * np.abs(M[0, 0]))
        skew = np.allclose(first, -first.T, atol=_SYMMETRIC * max(float(np.abs(first).max()), 1e-300))
        if not (M[0, 0] > 0 and rigid and skew and np.linalg.eigvalsh(_scaled(M))[0] >= -_SYMMETRIC):
            raise InputError(
                "section: mass is not that of a section, [[m, -m c~], [m c~, J]] with the mass m for each length, "
                f"the skew matrix c~ of its centre and J positive; check the order ({ORDER})",
                field="mass",
            )

    @property
    def stiffness_matrix(self) -> Array:
        """(6, 6)."""
        return np.array(self.stiffness)

    @property
    def mass_matrix(self) -> Array:
        """(6, 6)."""
        return np.array(self.mass)

    def fibre_strains(self, resultants: Array) -> Array:
        """ε + z κy − y κz at the corners for (N, Vy, Vz, Mx, My, Mz): (..., 6) → (..., corners)."""
        strain = resultants @ np.linalg.inv(self.stiffness_matrix).T
        y, z = np.array(self.stress_points).T
        return np.asarray(strain[..., :1] + strain[..., 4:5] * z - strain[..., 5:6] * y)


def _rows(given: object, name: str) -> Rows:
    matrix = np.array(given, dtype=float)
    if matrix.shape != (6, 6):
        raise InputError(
            f"section: {name} has the shape {matrix.shape}; give six rows of six numbers ({ORDER})", field=name
        )
    if not np.isfinite(matrix).all():
        raise InputError(f"section: {name} has an entry that is not a number; give finite numbers", field=name)
    size = np.sqrt(np.abs(np.diag(matrix)))
    apart = np.abs(matrix - matrix.T) > _SYMMETRIC * np.outer(size, size)
    if apart.any():
        i, j = (int(k) for k in np.argwhere(apart)[0])
        raise InputError(
            f"section: {name} is not symmetric: row {i + 1} has {matrix[i, j]:g} in column {j + 1}, row {j + 1} "
            f"has {matrix[j, i]:g} in column {i + 1}; give the same number twice",
            field=name,
        )
    return tuple(tuple(float(v) for v in row) for row in (matrix + matrix.T) / 2)


def _scaled(matrix: Array) -> Array:
    """With ones in the diagonal, since forces and moments have different units."""
    size = np.sqrt(np.where(np.diag(matrix) > 0, np.diag(matrix), 1.0))
    return np.asarray(matrix / np.outer(size, size))
