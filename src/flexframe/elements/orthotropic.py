"""Orthotropic materials: nine elastic constants in axes of their own, and how these axes lie in the body."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector

Triple = tuple[float, float, float]
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


@dataclass(frozen=True)
class OrthotropicMaterial:
    """Linear elastic material with three planes of symmetry, SI units.

    ν_ij is the contraction along j over the stretch along i under stress along i, so that ν_ji = ν_ij E_j / E_i.
    """

    young: Triple  # E1, E2, E3
    poisson: Triple  # ν12, ν23, ν13
    shear: Triple  # G12, G23, G13
    density: float
    name: str = "material"
    idealised: bool = False  # values are intended: no doubt about them is reported

    def __post_init__(self) -> None:
        for field, values in (("young", self.young), ("shear", self.shear), ("density", (self.density,))):
            for value in values:
                if not (np.isfinite(value) and value > 0):
                    raise InputError(f"material {self.name}: {field} is {value:g}; give positive numbers")
        if np.linalg.eigvalsh(self.compliance()[:3, :3])[0] <= 0:
            raise InputError(
                f"material {self.name}: Poisson's ratios {self.poisson} make energy without work; "
                "check them, |ν_ij| < sqrt(E_i/E_j) and 1 > ν12ν21 + ν23ν32 + ν13ν31 + 2 ν21ν32ν13"
            )

    def compliance(self) -> Array:
        """S with (ε11, ε22, ε33, γ12, γ23, γ31) = S σ in the axes of the material: (6, 6)."""
        (E1, E2, E3), (nu12, nu23, nu13), (G12, G23, G13) = self.young, self.poisson, self.shear
        S = np.diag([1 / E1, 1 / E2, 1 / E3, 1 / G12, 1 / G23, 1 / G13])
        S[0, 1] = S[1, 0] = -nu12 / E1
        S[1, 2] = S[2, 1] = -nu23 / E2
        S[0, 2] = S[2, 0] = -nu13 / E1
        return S

    def solid_elasticity(self) -> Array:
        """D with σ = D (ε11, ε22, ε33, γ12, γ23, γ31) in the axes of the material: (6, 6)."""
        return np.asarray(np.linalg.inv(self.compliance()), dtype=float)


@dataclass(frozen=True)
class Orientation:
    """Axes of a material in its body: axis 1 along `first`, axis 2 on the side of `second` in their plane."""

    first: tuple[float, ...] = (1.0, 0.0, 0.0)
    second: tuple[float, ...] = (0.0, 1.0, 0.0)

    def __post_init__(self) -> None:
        one, two = self._vectors()
        if np.linalg.norm(np.cross(one, two)) <= 1e-9 * np.linalg.norm(one) * np.linalg.norm(two):
            raise InputError(
                f"material orientation: axes {self.first} and {self.second} span no plane; "
                "give two directions at an angle"
            )

    @classmethod
    def of_rotation(cls, rotation: tuple[float, ...] | float) -> "Orientation":
        """Body axes turned by a rotation vector [rad], or by an angle [rad] about z.

        Parameters
        ----------
        rotation
            Rotation vector [rad], or an angle about z [rad].

        Returns
        -------
        Orientation
            Material axes in body components.

        Examples
        --------
        >>> ff.materials.Orientation.of_rotation(np.pi / 2).axes().round(12) + 0.0
        array([[ 0.,  1.,  0.],
               [-1.,  0.,  0.],
               [ 0.,  0.,  1.]])
        """
        vector = np.array([0, 0, rotation] if isinstance(rotation, int | float) else rotation, dtype=float)
        if vector.shape != (3,) or not np.isfinite(vector).all():
            raise InputError(f"material orientation: {rotation} is no rotation; give an angle or three components")
        R = rotation_from_vector(vector)
        return cls(tuple(R[:, 0]), tuple(R[:, 1]))

    def axes(self) -> Array:
        """Unit vectors of the material axes as rows, in body components: (3, 3)."""
        one, two = self._vectors()
        e1 = one / np.linalg.norm(one)
        e3 = np.cross(e1, two)
        e3 = e3 / np.linalg.norm(e3)
        return np.stack([e1, np.cross(e3, e1), e3])

    def _vectors(self) -> tuple[Array, Array]:
        one, two = (np.array((*v, 0.0)[:3] if len(v) == 2 else v, dtype=float) for v in (self.first, self.second))
        for vector in (one, two):
            if vector.shape != (3,) or not np.isfinite(vector).all():
                raise InputError(
                    f"material orientation: {tuple(vector)} is no direction; give two or three numbers"
                )
        return one, two


def strain_rotation(axes: Array) -> Array:
    """T with ε' = T ε in Voigt order (shear as γ), for axes whose rows are the new unit vectors: (6, 6)."""
    T = np.zeros((6, 6))
    for row, (i, j) in enumerate(_PAIRS):
        for column, (k, m) in enumerate(_PAIRS):
            # ε'_ij = a_ik a_jm ε_km; a shear γ_km stands for ε_km + ε_mk
            value = axes[i, k] * axes[j, m]
            if k != m:
                value = (value + axes[i, m] * axes[j, k]) / 2
            T[row, column] = value * (1 if i == j else 2)
    return T


def in_body_axes(D: Array, orientation: Orientation | None) -> Array:
    """D of the material axes as it acts on strains in body axes, TᵀDT: (6, 6)."""
    if orientation is None:
        return D
    T = strain_rotation(orientation.axes())
    return np.asarray(T.T @ D @ T)


def plane_elasticity(D: Array, state: Literal["stress", "strain"], name: str) -> Array:
    """D of a plane body of a solid D (6, 6) in body axes: (3, 3)."""
    plane, outside = [0, 1, 3], [2, 4, 5]
    if np.abs(D[np.ix_(plane, [4, 5])]).max() > 1e-9 * np.abs(D).max():
        raise InputError(
            f"material {name}: its axes are tilted out of the plane; in a plane body one of them must be along z"
        )
    inner = D[np.ix_(plane, plane)]
    if state == "strain":
        return inner
    # no stress across the plane
    across = D[np.ix_(plane, outside)]
    return np.asarray(inner - across @ np.linalg.solve(D[np.ix_(outside, outside)], across.T))


def plane_rotation(cosine: Array, sine: Array) -> tuple[Array, Array]:
    """What turns (εxx, εyy, γxy) and (γxz, γyz) into axes that are turned by an angle: (…, 3, 3) and (…, 2, 2)."""
    c, s = np.asarray(cosine), np.asarray(sine)
    T = np.stack(
        [
            np.stack([c * c, s * s, c * s], axis=-1),
            np.stack([s * s, c * c, -c * s], axis=-1),
            np.stack([-2 * c * s, 2 * c * s, c * c - s * s], axis=-1),
        ],
        axis=-2,
    )
    R = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=-2)
    return T, R
