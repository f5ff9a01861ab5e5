"""The equations of motion of a body whose frame moves in a known way, term by term.

m δ̈ + 2c(ω) δ̇ + [k + k_g + k(ε) + k(ω²)] δ = q − q_i(ε) − q_i(ω²) − M_Oᵀ a_O
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.motion.frame import FrameMotion


@dataclass(frozen=True)
class Terms:
    """Multipliers of the terms that the moving frame adds: 1 is the physics, other values are for study.

    `euler` and `centrifugal` scale matrix and load alike; the stress behind `geometric` is always that of the
    true loads.
    """

    coriolis: float = 1.0
    euler: float = 1.0
    centrifugal: float = 1.0
    geometric: float = 1.0

    @property
    def physical(self) -> bool:
        """Whether every term is on as it is."""
        return self == Terms()


@dataclass(frozen=True, eq=False)
class EquationsOfMotion:
    """M δ̈ + C δ̇ + K δ = f with C, K and f in named parts, multipliers already applied.

    Parts that are zero are left out. Matrices are those of the unsupported body; `DiscreteBody.supports` reduces.
    """

    mass: SparseMatrix
    damping_parts: Mapping[str, SparseMatrix]  # coriolis (2c, skew), structural and springs (symmetric)
    stiffness_parts: Mapping[str, SparseMatrix]  # elastic, geometric, euler (skew), centrifugal
    load_parts: Mapping[str, Array]  # applied, euler, centrifugal, origin
    terms: Terms = field(default_factory=Terms)

    @property
    def damping(self) -> SparseMatrix:
        """C, the sum of its parts."""
        return _sum(self.damping_parts, self.mass)

    @property
    def stiffness(self) -> SparseMatrix:
        """K, the sum of its parts."""
        return _sum(self.stiffness_parts, self.mass)

    @property
    def load(self) -> Array:
        """f, the sum of its parts."""
        return np.sum([np.zeros(self.mass.shape[0]), *self.load_parts.values()], axis=0)


def equations_of_motion(
    discrete: DiscreteBody, motion: FrameMotion, terms: Terms | None = None
) -> EquationsOfMotion:
    """Combine the invariants of a body for one instant of its frame motion.

    Parameters
    ----------
    discrete
        The body with its invariants.
    motion
        ω, ε, v_O and a_O of its frame at one instant.
    terms
        Multipliers of the parts; all 1 if not given.

    Returns
    -------
    EquationsOfMotion
        M, C, the parts of K and of the load, before supports are applied; SI units.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=2, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> equations = ff.bodies.equations_of_motion(ff.discretise(blade), ff.FrameMotion.spin(30.0))
    >>> equations.mass.shape
    (9, 9)
    """
    terms = terms or Terms()
    inertia = discrete.inertia
    W, E = motion.W, motion.E
    C: dict[str, SparseMatrix] = {}
    K: dict[str, SparseMatrix] = {"elastic": discrete.stiffness}
    if W.any() and terms.coriolis:
        C["coriolis"] = 2 * terms.coriolis * inertia.contraction(W)
    if discrete.rayleigh is not None:
        C["structural"] = discrete.rayleigh.matrix
    if discrete.spring_damping is not None:
        C["springs"] = discrete.spring_damping
    if E.any() and terms.euler:
        K["euler"] = terms.euler * inertia.contraction(E)
    if W.any() and terms.centrifugal:
        K["centrifugal"] = terms.centrifugal * inertia.contraction(W @ W)
    if terms.geometric and discrete.geometric.coefficients(motion):
        K["geometric"] = terms.geometric * discrete.geometric.stiffness(motion)
    return EquationsOfMotion(discrete.mass, C, K, load_parts(discrete, motion, terms), terms)


def load_parts(discrete: DiscreteBody, motion: FrameMotion, terms: Terms) -> dict[str, Array]:
    """f in parts: inertia of the undeformed body in the motion of its frame, and applied loads; zeros left out."""
    inertia, W, E = discrete.inertia, motion.W, motion.E
    f: dict[str, Array] = {}
    if E.any() and terms.euler:
        f["euler"] = -terms.euler * inertia.position_load(E)
    if W.any() and terms.centrifugal:
        f["centrifugal"] = -terms.centrifugal * inertia.position_load(W @ W)
    if motion.origin_acceleration.any():
        f["origin"] = -inertia.origin_load(motion.origin_acceleration)
    if discrete.loads.forces.any():
        f["applied"] = discrete.loads.forces
    return f


def _sum(parts: Mapping[str, SparseMatrix], like: SparseMatrix) -> SparseMatrix:
    total = None
    for part in parts.values():
        total = part if total is None else total + part
    return like * 0.0 if total is None else total
