"""An elastic body with few coordinates and every integral that its motion needs, projected once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.inertia import CYCLIC, displacement_columns
from flexframe.equations.bodies import affine_equations
from flexframe.maths.arrays import Array, BoolArray
from flexframe.model.body import Body
from flexframe.reduction.attached import AttachedBody, Reference, attach
from flexframe.reduction.basis import ReductionBasis, reduction_basis
from flexframe.reduction.geometric import quadratic_field
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.loads import ReducedLoads, has_loads, reduced_loads
from flexframe.reduction.strategies import CraigBampton, ReductionStrategy


@dataclass(frozen=True, eq=False)
class QuarticEnergy:
    """V₄ = ½ Σ_j s_j (δᵀR_j δ)² with symmetric R_j."""

    signs: Array  # ±1: (terms,)
    forms: Array  # R: (terms, m, m)

    def value(self, deformation: Array) -> Array:
        """V₄ [J] of coordinates (…, m)."""
        squares = np.einsum("...r,jrt,...t->...j", deformation, self.forms, deformation, optimize=True)
        return np.asarray(0.5 * (squares**2) @ self.signs)


@dataclass(frozen=True, eq=False)
class Shortening:
    """u₄ and its rotation at one point, U ϑ⁴ by slopes ϑ = L δ of the body."""

    leans: Array  # L: (g, m)
    moved: Array  # U: (6, g)


@dataclass(frozen=True, eq=False)
class NextOrder:
    """V₄, and the displacement u₄ = Σ_g U_g ϑ_g⁴ by slopes ϑ = L δ of the body at points along it."""

    energy: QuarticEnergy
    leans: Array  # L: (g, m)
    origin_shortening: Array  # ∫ρU: (3, g)
    position_shortening: Array  # ∫ρx_aU_b: (3, 3, g)


@dataclass(frozen=True, eq=False)
class ReducedPoint:
    """A point that moves with the body: (u_P, θ_P) = rows δ + ½ δᵀ quadratic δ.

    With equations of third order U_P ϑ⁴ is added, and the rotation is as long as the sine of its angle.
    """

    name: str
    position: Array  # x_P: (3,)
    rows: Array  # N_P, displacement and rotation: (6, m)
    quadratic: Array  # G_P: (6, m, m)
    present: BoolArray  # which of the six exist: (6,)
    shortening: Shortening | None = None  # of a body with equations of third order


@dataclass(frozen=True, eq=False)
class ReducedBody:
    """Invariants of a body on a reduction basis, in body axes about the frame origin; δ are its coordinates.

    Names of the integrals: M_O = ∫ρN, X_km = ∫ρ x_k N_m, Y_kn = ∫ρ N_kᵀN_n, and with the quadratic field
    u₂ = ½ δᵀG δ also g_i = ∫ρ G_i and H_ab = ∫ρ x_a G_b.
    """

    name: str
    mass: float  # m
    first_moment: Array  # S: (3,)
    second_moment: Array  # J: (3, 3)
    origin_coupling: Array  # M_O: (3, m)
    position_coupling: Array  # X: (3, 3, m)
    shape_products: Array  # Y: (3, 3, m, m)
    stiffness: Array  # k: (m, m)
    damping: Array  # (m, m)
    origin_quadratic: Array  # g: (3, m, m)
    position_quadratic: Array  # H: (3, 3, m, m)
    interfaces: tuple[ReducedPoint, ...]
    sensors: tuple[ReducedPoint, ...]
    basis: ReductionBasis
    loads: ReducedLoads | None = None  # none where nothing acts on the body itself
    next_order: NextOrder | None = None  # of a body with equations of third order

    @property
    def size(self) -> int:
        """Number of coordinates m."""
        return len(self.stiffness)

    @cached_property
    def elastic_mass(self) -> Array:
        """m = ΣY_kk: (m, m)."""
        return np.asarray(np.einsum("kkrt->rt", self.shape_products))

    @cached_property
    def coriolis(self) -> Array:
        """C_a = Y_cb − Y_bc: (3, m, m), skew."""
        Y = self.shape_products
        return np.array([Y[c, b] - Y[b, c] for _, b, c in CYCLIC])

    @cached_property
    def centrifugal(self) -> Array:
        """K_ab = ½(Y_ab + Y_ba) − δ_ab m: (3, 3, m, m)."""
        Y = self.shape_products
        return np.asarray((Y + Y.swapaxes(0, 1)) / 2 - np.einsum("ab,rt->abrt", np.eye(3), self.elastic_mass))

    @cached_property
    def euler_loads(self) -> Array:
        """d_a = X_bc − X_cb: (3, m)."""
        X = self.position_coupling
        return np.array([X[b, c] - X[c, b] for _, b, c in CYCLIC])

    @cached_property
    def centrifugal_loads(self) -> Array:
        """e_ab = ½(X_ab + X_ba) − δ_ab ΣX_kk: (3, 3, m)."""
        X = self.position_coupling
        trace = np.einsum("kkr->r", X)
        return np.asarray((X + X.swapaxes(0, 1)) / 2 - np.einsum("ab,r->abr", np.eye(3), trace))

    @cached_property
    def euler_quadratic(self) -> Array:
        """k_g^a = H_bc − H_cb: (3, m, m)."""
        H = self.position_quadratic
        return np.array([H[b, c] - H[c, b] for _, b, c in CYCLIC])

    @cached_property
    def centrifugal_quadratic(self) -> Array:
        """k_g^ab = ½(H_ab + H_ba) − δ_ab ΣH_kk: (3, 3, m, m)."""
        H = self.position_quadratic
        trace = np.einsum("kkrt->rt", H)
        return np.asarray((H + H.swapaxes(0, 1)) / 2 - np.einsum("ab,rt->abrt", np.eye(3), trace))

    def point(self, name: str) -> ReducedPoint:
        """The interface or sensor of this name."""
        return next(point for point in (*self.interfaces, *self.sensors) if point.name == name)


def reduced_body(attached: AttachedBody, basis: ReductionBasis) -> ReducedBody:
    """Project every invariant of an attached body."""
    discrete, V = attached.discrete, basis.vectors
    inertia = discrete.inertia
    stiffness = basis.reduce(discrete.stiffness)
    stiffness = (stiffness + stiffness.T) / 2
    Y = shape_products(discrete, V)
    rows = (*attached.interfaces, *attached.sensors)
    field = quadratic_field(discrete, rows, V)
    points = [
        ReducedPoint(point.name, point.position, np.asarray(point.rows @ V), G, point.present)
        for point, G in zip(rows, field.points, strict=True)
    ]
    return ReducedBody(
        name=discrete.body.name,
        mass=inertia.mass,
        first_moment=inertia.first_moment,
        second_moment=inertia.second_moment,
        origin_coupling=inertia.origin_coupling @ V,
        position_coupling=inertia.position_coupling @ V,
        shape_products=Y,
        stiffness=stiffness,
        damping=affine_equations(discrete).project(V).damping,
        origin_quadratic=field.origin,
        position_quadratic=field.position,
        interfaces=tuple(points[: len(attached.interfaces)]),
        sensors=tuple(points[len(attached.interfaces) :]),
        basis=basis,
        loads=reduced_loads(discrete, V) if has_loads(discrete) else None,
    )


def reduce_body(
    body: Body | DiscreteBody,
    strategy: ReductionStrategy | None = None,
    *,
    interfaces: Sequence[Interface] = (),
    sensors: Sequence[Interface] = (),
    reference: Reference | None = None,
    inertia_shapes: bool = False,
    orthonormal: bool = False,
) -> ReducedBody:
    """Reduce a body in one call; Craig–Bampton with ten modes unless another strategy is given.

    Parameters
    ----------
    body
        A body, described or discretised.
    strategy
        `CraigBampton`, `Guyan` or `Modal`.
    interfaces, sensors
        Points where the body is joined, and points that are only recorded.
    reference
        `ClampedFrame` or `MeanAxes`; without it the supports of the body fix it in its frame.
    inertia_shapes
        Whether static shapes of accelerations and spins are added.
    orthonormal
        Whether the fields are combined so that mass and stiffness are diagonal.

    Returns
    -------
    ReducedBody
        Invariants on the basis, in SI units and body axes.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> body = ff.reduction.reduce_body(blade, ff.reduction.Modal(3), reference=ff.reduction.MeanAxes())
    >>> body.size, round(body.mass, 6)  # kg
    (3, 3.768)
    """
    attached = attach(body, interfaces=interfaces, sensors=sensors, reference=reference)
    basis = reduction_basis(
        attached, strategy or CraigBampton(), inertia_shapes=inertia_shapes, orthonormal=orthonormal
    )
    return reduced_body(attached, basis)


def shape_products(discrete: DiscreteBody, vectors: Array) -> Array:
    """Y_ab = ∫ρ N_aᵀN_b on the basis: (3, 3, m, m)."""
    inertia, size = discrete.inertia, vectors.shape[1]
    Y = np.zeros((3, 3, size, size))
    nodal = discrete.dofs.nodal(vectors)
    columns = displacement_columns(discrete.dofs)
    fields = {a: np.ascontiguousarray(nodal[:, a]) for a in columns}
    for b in columns:
        moved = np.asarray(inertia.scalar @ fields[b])
        for a in columns:
            Y[a, b] += fields[a].T @ moved
    if inertia.full is not None:
        for a in range(3):
            for b in range(3):
                Y[a, b] += vectors.T @ np.asarray(inertia.full[a][b] @ vectors)
    return (Y + Y.transpose(1, 0, 3, 2)) / 2
