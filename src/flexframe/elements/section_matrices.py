"""Cross-sections by their full 6×6 stiffness and mass, such as those of composite blades."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexframe.elements.sections import Rectangle
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew

Rows = tuple[tuple[float, ...], ...]
ORDER = "axial, shear y, shear z, torsion, bending y, bending z"
_SYMMETRIC = 1e-6  # relative, of matrices printed with some digits


@dataclass(frozen=True)
class SectionMatrices(Rectangle):
    """Stiffness and mass for each length, about the line of the beam in the axes of its section.

    Rows and columns are axial, shear y, shear z, torsion, bending y, bending z: (N, Vy, Vz, Mx, My, Mz) by
    (ε, γy, γz, κx, κy, κz), and momentum and angular momentum by velocity and angular velocity. `height` along y
    and `width` along z are of the rectangle that is drawn; stress is Young's modulus of the material times the
    largest strain at its corners. The matrices say how the section shears and turns: theories of shear and
    multipliers of the inertia have no place beside them.
    """

    stiffness: Rows = ()  # N, N m, N m²
    mass: Rows = ()  # kg/m, kg, kg m

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("stiffness", "mass"):
            object.__setattr__(self, name, _rows(getattr(self, name), name))
        if np.linalg.eigvalsh(_scale(self.stiffness_matrix))[0] <= 1e-12:
            raise InputError(
                "section: stiffness is not positive definite, some strain would cost nothing; check the order "
                f"({ORDER})",
                field="stiffness",
            )
        M = self.mass_matrix
        first = M[3:, :3] / M[0, 0] if M[0, 0] > 0 else M[3:, :3]
        rigid = np.allclose(M[:3, :3], M[0, 0] * np.eye(3), atol=_SYMMETRIC * np.abs(M[0, 0]))
        skew = np.allclose(first, -first.T, atol=_SYMMETRIC * max(float(np.abs(first).max()), 1e-300))
        if not (M[0, 0] > 0 and rigid and skew and np.linalg.eigvalsh(_scale(M))[0] >= -_SYMMETRIC):
            raise InputError(
                "section: mass is not that of a section, [[m, -m c~], [m c~, J]] with the mass m for each length, "
                f"the skew matrix c~ of its centre and J positive; check the order ({ORDER})",
                field="mass",
            )
        if abs(self.centre[0]) > _SYMMETRIC * max(float(np.abs(self.centre).max()), 1e-300):
            raise InputError(
                "section: mass has its centre before or behind the section (rows 5 and 6, columns 3 and 2); a "
                "section has it in its plane, give zeros there",
                field="mass",
            )

    @cached_property
    def stiffness_matrix(self) -> Array:
        """(6, 6)."""
        return np.array(self.stiffness)

    @cached_property
    def flexibility(self) -> Array:
        """Strains by forces: (6, 6)."""
        return np.asarray(np.linalg.inv(self.stiffness_matrix), dtype=float)

    @cached_property
    def mass_matrix(self) -> Array:
        """(6, 6)."""
        return np.array(self.mass)

    @cached_property
    def centre(self) -> Array:
        """Of the mass, from the line, (0, y, z) [m]: (3,)."""
        M = self.mass_matrix
        return np.array([M[5, 1], M[3, 2], M[4, 0]]) / M[0, 0]

    @cached_property
    def about_centre(self) -> Array:
        """Stiffness about the centre of mass, where Γ = Γ_line + κ × c: (6, 6)."""
        return self._about(self.centre)

    def _about(self, point: Array) -> Array:
        moved = np.eye(6)
        moved[:3, 3:] = skew(point)  # Γ_line = Γ + c × κ
        return np.asarray(moved.T @ self.stiffness_matrix @ moved)

    def about_line(self, forces: Array) -> Array:
        """Forces and moments (..., 6) about the centre of mass, with moments about the line."""
        moments = forces[..., 3:] + np.cross(self.centre, forces[..., :3])
        return np.concatenate([forces[..., :3], moments], axis=-1)

    @cached_property
    def polar_radius(self) -> float:
        """Root of (EIy + EIz)/EA about the point where an axial force does not bend [m]."""
        C = self.flexibility
        # a force through it has the moments (z N, −y N) about the line, which take κy and κz away
        z, minus_y = -np.linalg.solve(C[4:, 4:], C[4:, 0])
        K = self._about(np.array([0.0, -minus_y, z]))
        return float(np.sqrt((K[4, 4] + K[5, 5]) / K[0, 0]))

    @cached_property
    def second_moments(self) -> Array:
        """∫ρ s sᵀ dA about the centre of mass [kg m]: (3, 3)."""
        c, M = self.centre, self.mass_matrix
        J = M[3:, 3:] - M[0, 0] * ((c @ c) * np.eye(3) - np.outer(c, c))
        return np.asarray(np.trace(J) / 2 * np.eye(3) - J)

    @cached_property
    def points(self) -> tuple[Array, Array]:
        """Shares of the mass (7,) and places (7, 3) [m] from its centre with these second moments."""
        sizes, directions = np.linalg.eigh(self.second_moments / self.mass_matrix[0, 0])
        radius = np.sqrt(max(float(np.abs(sizes).max()), 1e-300))
        pairs = np.repeat(sizes / (2 * radius**2), 2)
        places = radius * np.repeat(directions.T, 2, axis=0) * np.tile([1.0, -1.0], 3)[:, None]
        return np.append(pairs, 1 - pairs.sum()), np.concatenate([places, np.zeros((1, 3))])

    def fibre_strains(self, resultants: Array) -> Array:
        """ε + z κy − y κz at the corners for (N, Vy, Vz, Mx, My, Mz): (..., 6) → (..., corners)."""
        strain = resultants @ self.flexibility.T
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


def _scale(matrix: Array) -> Array:
    """With ones in the diagonal, since forces and moments have different units."""
    size = np.sqrt(np.where(np.diag(matrix) > 0, np.diag(matrix), 1.0))
    return np.asarray(matrix / np.outer(size, size))
