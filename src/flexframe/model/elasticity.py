"""Springs in the place of rigid links: bushings, and joints with a stiffness.

Each is a sum of springs with dampers along coordinates of its two frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.characteristics import Acts, Characteristic, Sprung, scales
from flexframe.model.constraints import (
    Along,
    Coupled,
    Displacement,
    Distance,
    Fixed,
    Holonomic,
    JointConstraint,
    Law,
    Perpendicular,
    state_law,
)
from flexframe.model.joint_contacts import clearance_of, constraints_beside_play
from flexframe.model.joints import Joint, elasticity_of


@dataclass(frozen=True)
class RowSpring(Sprung):
    """A spring with damper along a coordinate between two frames, as part of a bushing or a joint."""

    kind: ClassVar[str] = "spring"
    name: str
    first: str
    second: str
    row: Holonomic
    stiffness: float = 0.0
    free: float = 0.0
    damping: float | str | Formula = 0.0
    preload: float = 0.0
    acts: Acts = "both"
    clearance: float = 0.0
    characteristic: Characteristic | None = None
    factor: Law = 1.0
    of_joint: bool = False

    def coordinate(self) -> Holonomic:
        return self.row


# ---------------------------------------------------------------------- joints


def rigid_constraints(joint: Joint) -> tuple[JointConstraint, ...]:
    """The constraints of a joint without those that it has springs for, or play."""
    if getattr(joint, "at_start_only", False):
        return ()
    if clearance_of(joint) is not None:
        return constraints_beside_play(joint)
    return tuple(row for row in joint.constraints() if _stiffness(joint, row) is None)


def joint_springs(joint: Joint) -> tuple[RowSpring, ...]:
    """A spring with damper for each constraint of a joint that has a stiffness."""
    springs = []
    for row in joint.constraints():
        found = _stiffness(joint, row)
        if found is None:
            continue
        assert isinstance(row, Along | Perpendicular | Distance), "other joints refuse a stiffness"
        law = getattr(row, "law", Fixed())
        free = law.value if isinstance(law, Fixed) else 0.0
        ends = (joint.name, joint.first, joint.second)
        springs.append(RowSpring(*ends, row, found[0], free, found[1], of_joint=True))
    return tuple(springs)


def _stiffness(joint: Joint, row: JointConstraint) -> tuple[float, float] | None:
    """Stiffness and damping in the place of a constraint: of a rotation, or of a displacement."""
    if isinstance(row, Coupled):  # as the thread of a screw
        return None
    own = elasticity_of(joint)
    stiffness, damping = own.rotation if isinstance(row, Perpendicular) else own.displacement
    return None if stiffness is None else (stiffness, damping)


# ---------------------------------------------------------------------- bushings

Numbers = Sequence[float] | Sequence[Sequence[float]]


@dataclass(frozen=True)
class Bushing(Described):
    """An elastic mount between two markers: stiffness and damping for displacements and rotations.

    Numbers for x, y and the rotation about z in the plane, for x, y, z and the rotations about them in space, or
    symmetric matrices of all (N/m, N m/rad, between both N). Displacements of the second marker and the vector of
    its rotation, less than a half turn, are measured in the axes of the first. `preload` is its force and moment
    on the second marker at zero displacement and rotation. `factor`, a formula of t, sensors and controllers,
    multiplies all of it.
    """

    kind: ClassVar[str] = "bushing"
    name: str
    first: str
    second: str
    stiffness: Numbers
    damping: Numbers | None = None
    preload: Sequence[float] | None = None
    factor: Law = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("factor"):
            state_law(self.factor)
        size = len(self.stiffness)
        if size not in (3, 6):
            raise InputError(
                f"bushing {self.name} has {size} values of stiffness; give three in the plane, six in space",
                field="stiffness",
            )
        for name in ("stiffness", "damping"):
            with at_field(name):
                self._matrix(name)
        if self.preload is not None and len(self.preload) != size:
            raise InputError(
                f"the preload of bushing {self.name} has {len(self.preload)} components; give {size}",
                field="preload",
            )

    @property
    def follows(self) -> bool:
        """Whether its force depends on more than its displacements, rotations and rates."""
        return scales(self.factor)

    def require_space(self, *, planar: bool) -> None:
        """Refuse numbers that do not fit the plane or space."""
        if planar != (len(self.stiffness) == 3):
            where, count = ("the plane", "three") if planar else ("space", "six")
            raise InputError(
                f"bushing {self.name} has {len(self.stiffness)} values of stiffness and moves in {where}; "
                f"give {count}",
                field="stiffness",
            )

    def springs(self) -> tuple[RowSpring, ...]:
        """Springs with dampers along combinations w of its coordinates: K = Σ k w wᵀ, D = Σ d w wᵀ."""
        K, D = self._matrix("stiffness"), self._matrix("damping")
        found = [self._spring(w, float(k), float(d)) for w, k, d in zip(*_together(K, D), strict=True)]
        preload = np.zeros(len(K)) if self.preload is None else np.asarray(self.preload, dtype=float)
        size = float(np.abs(preload).max(initial=0.0))
        return (*found, *([self._spring(preload / size, 0.0, 0.0, size)] if size else []))

    def _spring(self, weights: Array, stiffness: float, damping: float, preload: float = 0.0) -> RowSpring:
        full = np.zeros(6)
        full[[0, 1, 5] if len(weights) == 3 else slice(None)] = weights
        row = Displacement(tuple(full[:3].tolist()), tuple(full[3:].tolist()))
        ends = (self.name, self.first, self.second)
        return RowSpring(*ends, row, stiffness, 0.0, damping, preload, factor=self.factor)

    def _matrix(self, name: str) -> Array:
        """Stiffness or damping, (3, 3) or (6, 6): symmetric, and none that gives energy away."""
        size, given = len(self.stiffness), getattr(self, name)
        if given is None:
            return np.zeros((size, size))
        try:
            values = np.array(given, dtype=float)
        except ValueError:
            values = np.zeros(0)
        if values.shape not in ((size,), (size, size)):
            raise InputError(
                f"the {name} of bushing {self.name} is no list of {size} and no {size} × {size} matrix"
            )
        matrix = np.diag(values) if values.ndim == 1 else values
        scale = np.sqrt(np.abs(np.diag(matrix)))
        scale[scale == 0] = 1.0
        scaled = matrix / scale / scale[:, None]
        if np.abs(scaled - scaled.T).max() > 1e-9:
            raise InputError(f"the {name} of bushing {self.name} is not symmetric; correct the matrix")
        if np.linalg.eigvalsh(scaled).min() < -1e-9:
            raise InputError(f"the {name} of bushing {self.name} has a negative eigenvalue; correct the matrix")
        return np.asarray((matrix + matrix.T) / 2)


def _together(K: Array, D: Array) -> tuple[Array, Array, Array]:
    """w, k and d with K = Σ k w wᵀ and D = Σ d w wᵀ, for matrices without negative eigenvalues.

    Of S = K + τD = L Lᵀ and L⁺ K L⁺ᵀ = U Λ Uᵀ follow W = L U with K = W Λ Wᵀ and τD = W (1 − Λ) Wᵀ.
    """
    if not K.any() and not D.any():
        return np.zeros((0, len(K))), np.zeros(0), np.zeros(0)
    if not (K - np.diag(np.diag(K))).any() and not (D - np.diag(np.diag(D))).any():
        used = np.flatnonzero(np.diag(K) + np.diag(D))
        return np.eye(len(K))[used], np.diag(K)[used], np.diag(D)[used]
    tau = np.abs(K).max() / np.abs(D).max() if K.any() and D.any() else 1.0
    S = K + tau * D
    scale = np.sqrt(np.diag(S))
    scale[scale == 0] = 1.0
    values, vectors = np.linalg.eigh(S / scale / scale[:, None])
    kept = values > 1e-14 * values.max()
    L = scale[:, None] * vectors[:, kept] * np.sqrt(values[kept])
    inverse = (vectors[:, kept] / np.sqrt(values[kept])).T / scale
    shares, U = np.linalg.eigh(inverse @ K @ inverse.T)
    shares = np.clip(shares, 0.0, 1.0)
    return (L @ U).T, shares, (1.0 - shares) / tau if D.any() else np.zeros(len(shares))
