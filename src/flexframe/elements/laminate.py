"""Laminates: shells of layers, by classical laminate theory with transverse shear in balance with bending.

With z from the plane of the elements along the normal and Q̄ the plane stress elasticity of a layer,

    (N, M) = [[A, B], [B, D]] (ε, κ),  A = Σ Q̄ (z₂ − z₁),  B = Σ Q̄ (z₂² − z₁²)/2,  D = Σ Q̄ (z₂³ − z₁³)/3 .

The plane is that of the centre of mass of the layers, so that mass and turning do not couple; rigid arms join it
to the nodes. Shear stress across the layers is in balance with bending along each of the two axes by itself,

    τ = −Q F/R,  F(z) = ∫ E (z − z₀) dz,  R = ∫ E (z − z₀)² dz,  κGt = R² / ∫ F²/G dz ,

which is 5/6 G t where all layers are alike (Whitney 1973). It depends on the axes where layers lie askew: turned
by 20°, frequencies of a sandwich with faces at 0, 45 and -30° change by 1e-3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial, plane_rotation
from flexframe.elements.properties import Material, ShellProperty
from flexframe.elements.sections import require_positive
from flexframe.errors import InputError
from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class Layer:
    """A layer: its material, thickness [m], and the angle [rad] of axis 1 from that of the laminate, about n."""

    material: Material | OrthotropicMaterial
    thickness: float
    angle: float = 0.0

    def __post_init__(self) -> None:
        require_positive("layer", thickness=self.thickness)
        if not np.isfinite(self.angle):
            raise InputError(f"layer: angle is {self.angle:g}; give a finite angle")

    def elasticity(self) -> tuple[Array, Array]:
        """Of plane stress (3, 3) and of transverse shear (2, 2) in the axes of the laminate, Pa."""
        plane, shear = plane_moduli(self.material)
        T, R = plane_rotation(np.cos(self.angle), np.sin(self.angle))
        return T.T @ plane @ T, R.T @ shear @ R


@dataclass(frozen=True)
class ShellStiffness:
    """Stiffness of a shell for each length in the axes of its property, about the plane of its elements."""

    membrane: Array  # A, N/m: (3, 3)
    coupling: Array | None  # B, N: (3, 3); None where it is zero
    bending: Array  # D, N m: (3, 3)
    shear: Array  # κGt, N/m: (2, 2)


@dataclass(frozen=True)
class LaminateProperty(ShellProperty):
    """A shell of layers from the bottom to the top, where the normal points; make one by `laminate`.

    `material` is the mean over the thickness, for mass and judgement; `offset` [m] is the place of the middle of
    the layers above the nodes. Stress is that of the forces and moments in a shell of one material.
    """

    layers: tuple[Layer, ...] = ()
    offset: float = 0.0

    @cached_property
    def heights(self) -> Array:
        """Of the faces of the layers over the middle, m: (layers + 1,)."""
        return np.concatenate([[0.0], np.cumsum([layer.thickness for layer in self.layers])]) - self.thickness / 2

    @cached_property
    def _masses(self) -> tuple[float, float]:
        """Centre of mass over the middle, and the radius of inertia about it, m."""
        low, high = self.heights[:-1], self.heights[1:]
        density = np.array([layer.material.density for layer in self.layers])
        total, first, second = (float((density * (high**k - low**k) / k).sum()) for k in (1, 2, 3))
        centre = first / total
        if abs(centre) < _LEVEL * self.thickness:  # rounding
            centre = 0.0
        return centre, float(np.sqrt(second / total - centre**2))

    @property
    def lift(self) -> float:
        return self.offset + self._masses[0]

    @property
    def faces(self) -> tuple[float, float]:
        low, high = (self.heights[[0, -1]] - self._masses[0]).tolist()
        return low, high

    @property
    def gyration(self) -> float:
        return self._masses[1]

    @property
    def depth(self) -> float:
        return self.thickness / 2 + abs(self.offset)

    @cached_property
    def stiffness(self) -> ShellStiffness:
        """A, B, D and shear about the centre of mass."""
        z = self.heights - self._masses[0]
        plane, shear = (
            np.array(kind) for kind in zip(*(layer.elasticity() for layer in self.layers), strict=True)
        )
        A, B, D = (np.einsum("l,lij->ij", (z[1:] ** k - z[:-1] ** k) / k, plane) for k in (1, 2, 3))
        none = np.abs(B).max() < _LEVEL * self.thickness * np.abs(A).max()
        mean = np.einsum("l,lij->ij", np.diff(z), shear)
        own = [np.sqrt(_shear_stiffness(z, plane[:, k, k], shear[:, k, k]) / mean[k, k]) for k in (0, 1)]
        return ShellStiffness(A, None if none else B, D, mean * np.outer(own, own))

    @property
    def layer_count(self) -> int:
        return len(self.layers)

    @property
    def stress_remark(self) -> str:
        return (
            f"is a laminate of {len(self.layers)} layers: its stress is that of its forces and moments in a shell "
            "of one material, not that of the layers"
        )


_LEVEL = 1e-12  # of the thickness


def _shear_stiffness(z: Array, young: Array, shear: Array) -> float:
    """R²/∫F²/G of bending along one axis, with moduli of the layers between the heights z."""
    low, high = z[:-1], z[1:]
    neutral = (young * (high**2 - low**2) / 2).sum() / (young * (high - low)).sum()
    low, high = low - neutral, high - neutral
    R = (young * (high**3 - low**3) / 3).sum()
    flexibility, F = 0.0, 0.0
    points, weights = np.polynomial.legendre.leggauss(3)  # F² is of fourth degree
    for a, b, E, G in zip(low, high, young, shear, strict=True):
        at = (a + b) / 2 + (b - a) / 2 * points
        inside = F + E * (at**2 - a**2) / 2
        flexibility += float((weights * inside**2).sum()) * (b - a) / 2 / G
        F += E * (b**2 - a**2) / 2
    return float(R**2 / flexibility)


def plane_moduli(material: Material | OrthotropicMaterial) -> tuple[Array, Array]:
    """Of plane stress (3, 3) and transverse shear without a factor (2, 2), in the axes of the material, Pa."""
    if isinstance(material, Material):
        return material.plane_elasticity("stress"), material.shear_modulus * np.eye(2)
    _, G23, G13 = material.shear
    inverse = np.linalg.inv(material.compliance()[np.ix_([0, 1, 3], [0, 1, 3])])
    return np.asarray(inverse, dtype=float), np.diag([G13, G23])


def laminate(
    layers: Sequence[Layer],
    *,
    offset: float = 0.0,
    orientation: Orientation | None = None,
    name: str = "laminate",
    extra_mass: float = 0.0,
) -> LaminateProperty:
    """A shell of layers, with mass [kg/m²] that carries nothing spread evenly over its thickness."""
    if not layers:
        raise InputError(f"{name} has no layers; give one at least")
    thickness = float(sum(layer.thickness for layer in layers))
    parts = [layer.material.density * layer.thickness for layer in layers]
    density = (sum(parts) + extra_mass) / thickness
    plane = sum(layer.elasticity()[0] * layer.thickness / thickness for layer in layers)
    S = np.linalg.inv(plane)
    E1, E2, G12 = (float(1 / S[k, k]) for k in range(3))
    mean = OrthotropicMaterial((E1, E2, E2), (float(-S[0, 1] * E1), 0.0, 0.0), (G12, G12, G12), density, name)
    return LaminateProperty(mean, thickness, orientation=orientation, layers=tuple(layers), offset=offset)
