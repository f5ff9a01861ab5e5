"""Where the theory of small strains and displacements ends: said with the place, not left to the reader."""

import numpy as np

from flexframe.analyses.body_forces import frame_body_force
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_recovery import RecoveredStress, recovered_stress
from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import Material
from flexframe.equations.bodies import affine_equations
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array
from flexframe.motion.frame import FrameMotion

LARGEST_STRAIN = 0.01
"""Strain beyond which terms of its square are more than a per cent of it."""

LARGEST_DISPLACEMENT = 0.1
"""Displacement, as a part of the body's size, beyond which the first shape is no place to form equilibrium at."""

_NOWHERE = 1e-12  # of the size of a body: a coordinate that is zero but for rounding

STRESSES = ("von_mises", "fibre")


def deformation_notices(
    discrete: DiscreteBody, displacements: Array, recovered: tuple[RecoveredStress, ...]
) -> tuple[str, ...]:
    """Warnings for displacements (nodes, 6) and the stress that goes with them."""
    notices = []
    strain, place = _largest_strain(discrete, recovered)
    if strain > LARGEST_STRAIN:
        x, y, z = np.where(np.abs(place) < _NOWHERE * discrete.size, 0.0, place)
        notices.append(
            f"strain of about {100 * strain:.2g} % at ({x:.4g}, {y:.4g}, {z:.4g}) m is beyond the small strains "
            f"({100 * LARGEST_STRAIN:g} %) of this theory; do not trust the stress there"
        )
    largest = float(np.linalg.norm(displacements[:, :3], axis=1).max(initial=0.0))
    if largest > LARGEST_DISPLACEMENT * discrete.size:
        notices.append(
            f"the largest displacement is {100 * largest / discrete.size:.2g} % of the body's size: equilibrium "
            "was formed about the undeformed shape and is not accurate for that"
        )
    return tuple(notices)


def prestress_notices(discrete: DiscreteBody, motion: FrameMotion, terms: Terms) -> tuple[str, ...]:
    """Warnings for the static state about which small motions are taken: what rotation and loads strain it by."""
    parts = affine_equations(discrete, terms, held_in_space=True).load_parts(motion)
    if not parts or not terms.geometric or not discrete.batches:
        return ()
    solution = discrete.equilibrium.solve(np.sum(list(parts.values()), axis=0))
    displacements = solution.displacements[:, 0]
    force = frame_body_force(motion, terms, discrete.loads.gravity, solution.relief[:, 0])
    recovered = recovered_stress(discrete, displacements, force)
    found = deformation_notices(discrete, discrete.dofs.nodal(displacements), recovered)
    spin = f" at {motion.speed:.6g} rad/s" if motion.speed else ""
    return tuple(f"prestress{spin}: {notice}" for notice in found)


def _largest_strain(discrete: DiscreteBody, recovered: tuple[RecoveredStress, ...]) -> tuple[float, Array]:
    """The largest stress over Young's modulus, and where."""
    strain, place = 0.0, np.zeros(3)
    for batch, part in zip(discrete.batches, recovered, strict=True):
        stiffness = _young(batch.prop.material)
        for name, values in part.measures.items():
            if name not in STRESSES:
                continue
            at = np.unravel_index(int(np.argmax(np.abs(values))), values.shape)
            if abs(values[at]) > strain * stiffness:
                strain, place = float(abs(values[at])) / stiffness, part.positions[at]
    return strain, place


def _young(material: Material | OrthotropicMaterial) -> float:
    """Young's modulus, of an orthotropic material the smallest: the strain is then not underestimated."""
    return min(material.young) if isinstance(material, OrthotropicMaterial) else material.young
