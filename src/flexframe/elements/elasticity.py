"""Elasticity matrices of interpolated elements in body axes."""

import numpy as np

from flexframe.elements.orthotropic import in_body_axes, plane_elasticity
from flexframe.elements.properties import BarProperty, Material, PlaneProperty, Property, SolidProperty
from flexframe.errors import InputError
from flexframe.maths.arrays import Array

VOIGT_PLANE = ((0, 0), (1, 1), (0, 1))
VOIGT_SOLID = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def elasticity(prop: Property) -> Array:
    """D of an interpolated element in Voigt order."""
    match prop:
        case PlaneProperty(material=Material() as material, state=state):
            return material.plane_elasticity(state)
        case PlaneProperty(material=material, state=state):
            return plane_elasticity(_solid_elasticity(prop), state, material.name)
        case SolidProperty():
            return _solid_elasticity(prop)
        case BarProperty(material=material):
            return np.array([[material.young]])
    raise InputError(f"{type(prop).__name__} does not fit a bar, plane or solid element; give its own property")


def _solid_elasticity(prop: PlaneProperty | SolidProperty) -> Array:
    """D of the material in body axes: (6, 6)."""
    D = prop.material.solid_elasticity()
    return D if isinstance(prop.material, Material) else in_body_axes(D, prop.orientation)


def stress_across(prop: PlaneProperty) -> Array:
    """c with σzz = c·(σxx, σyy, σxy) in plane strain: (3,)."""
    D, plane = _solid_elasticity(prop), [0, 1, 3]
    return np.asarray(np.linalg.solve(D[np.ix_(plane, plane)], D[2, plane]), dtype=float)


def elasticity_tensor(D: Array) -> Array:
    """C_ikjl of D in Voigt order, so that σ_ik = C_ikjl u_j,l: (d, d, d, d)."""
    voigt = VOIGT_PLANE if len(D) == 3 else VOIGT_SOLID
    dimension = 2 if len(D) == 3 else 3
    tensor = np.zeros((dimension,) * 4)
    for row, (i, k) in enumerate(voigt):
        for column, (j, m) in enumerate(voigt):
            for first in {(i, k), (k, i)}:
                for second in {(j, m), (m, j)}:
                    tensor[(*first, *second)] = D[row, column]
    return tensor
