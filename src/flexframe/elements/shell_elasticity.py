"""Elasticity of shells in the local axes of their elements, isotropic or orthotropic."""

from dataclasses import dataclass

import numpy as np

from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import ShellProperty
from flexframe.errors import InputError
from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class ShellElasticity:
    """Plane stress and transverse shear of the elements of one property; one row stands for all if they agree."""

    plane: Array  # (σxx, σyy, σxy) = D (εxx, εyy, γxy), Pa: (elements or 1, 3, 3)
    shear: Array  # (τxz, τyz) = κG (γxz, γyz), Pa, with the shear factor: (elements or 1, 2, 2)
    drilling: float  # shear modulus of the plane, Pa
    poisson: float  # √(ν12 ν21)
    thickness: float

    def along(self, tangents: Array) -> tuple[Array, Array]:
        """Moduli of stretching and shear along tangents (elements, sides, 2): (elements, sides) each."""
        x, y = tangents[..., 0], tangents[..., 1]
        # σ_ss of ε_ss = 1 alone: strain (x², y², 2xy) and its partner
        strain = np.stack([x * x, y * y, 2 * x * y], axis=-1)
        stretch = np.einsum("esr,erq,esq->es", strain, self._rows(self.plane, len(x)), strain)
        shear = np.einsum("esi,eij,esj->es", tangents, self._rows(self.shear, len(x)), tangents)
        return stretch, shear

    @staticmethod
    def _rows(values: Array, count: int) -> Array:
        return np.broadcast_to(values, (count, *values.shape[1:]))


def shell_elasticity(prop: ShellProperty, axes: Array) -> ShellElasticity:
    """Elasticity in local axes whose rows are x, y, n (elements, 3, 3).

    Axis 3 of an orthotropic material is the normal; axis 1 is the projection of the first axis of the orientation
    on the shell, or local x without an orientation.
    """
    material = prop.material
    if not isinstance(material, OrthotropicMaterial):
        shear = prop.shear_factor * material.shear_modulus * np.eye(2)
        plane = material.plane_elasticity("stress")
        return ShellElasticity(plane[None], shear[None], material.shear_modulus, material.poisson, prop.thickness)
    inverse = np.linalg.inv(material.compliance()[np.ix_([0, 1, 3], [0, 1, 3])])
    plane = np.asarray(inverse, dtype=float)
    _, G23, G13 = material.shear
    transverse = prop.shear_factor * np.diag([G13, G23])
    c, s = _directions(prop, axes)
    # strains and transverse shear in the axes of the material from those in local axes
    T = np.stack(
        [
            np.stack([c * c, s * s, c * s], axis=-1),
            np.stack([s * s, c * c, -c * s], axis=-1),
            np.stack([-2 * c * s, 2 * c * s, c * c - s * s], axis=-1),
        ],
        axis=-2,
    )
    R = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=-2)
    ratio = float(np.sqrt(plane[0, 1] ** 2 / (plane[0, 0] * plane[1, 1])))
    return ShellElasticity(
        plane=T.swapaxes(1, 2) @ plane @ T,
        shear=R.swapaxes(1, 2) @ transverse @ R,
        drilling=material.shear[0],
        poisson=ratio,
        thickness=prop.thickness,
    )


def _directions(prop: ShellProperty, axes: Array) -> tuple[Array, Array]:
    """Cosine and sine of the angle from local x to axis 1 of the material: (elements,) each."""
    if prop.orientation is None:
        return np.ones(len(axes)), np.zeros(len(axes))
    first = prop.orientation.axes()[0]
    along = axes[:, :2] @ first
    length = np.linalg.norm(along, axis=1)
    if (length < 1e-3).any():
        raise InputError(
            f"material {prop.material.name}: axis 1 of its orientation stands across the shell; "
            "give a direction that lies in it, or regions with orientations of their own"
        )
    return along[:, 0] / length, along[:, 1] / length
