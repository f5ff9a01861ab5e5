"""Rigid and elastic bodies: integrals on the fields of their displacements, and numbers of their velocities.

A second-order displacement u₂ = ½ δᵀG δ enters T through ∫ρG and ∫ρxG as far as T is of second order in the
deformation; they are all kept when G is replaced by its projection on fields a + A x, twelve at most. The
kinetic energy is then that of a real displacement field, so that the mass matrix cannot become indefinite, and
costs little more than that of a linear one. The fields G themselves (`SecondOrderFields`) can be kept instead.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexframe.equations.damping import modal_damping
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.multibody.contract import DynamicBody
from flexframe.multibody.tables import BodyTables
from flexframe.reduction.reduced_body import ReducedBody
from flexframe.reduction.second_order import SecondOrderFields

_NO_MASS = 1e-12  # of a field 1, x, y or z, relative, that carries no mass


def rigid_body(name: str, mass: float, centre: Array, inertia: Array) -> DynamicBody:
    """From mass, centre of mass and inertia about the frame origin."""
    return DynamicBody(
        name=name,
        mass=mass,
        first_moment=mass * centre,
        second_moment=np.trace(inertia) / 2 * np.eye(3) - inertia,
        origin_coupling=np.zeros((3, 0)),
        position_coupling=np.zeros((3, 3, 0)),
        shape_products=np.zeros((3, 3, 0, 0)),
        products=np.zeros((0, 0, 0)),
        stiffness=np.zeros((0, 0)),
        damping=np.zeros((0, 0)),
    )


def elastic_body(
    reduced: ReducedBody, *, geometric: bool = True, second_order: SecondOrderFields | None = None
) -> DynamicBody:
    """From the invariants of a reduced body."""
    linear = DynamicBody(
        name=reduced.name,
        mass=reduced.mass,
        first_moment=reduced.first_moment,
        second_moment=reduced.second_moment,
        origin_coupling=reduced.origin_coupling,
        position_coupling=reduced.position_coupling,
        shape_products=reduced.shape_products,
        products=np.zeros((0, reduced.size, reduced.size)),
        stiffness=reduced.stiffness,
        damping=reduced.damping,
        reduced=reduced,
        loads=reduced.loads,
    )
    if not geometric:
        return linear
    if second_order is not None:
        return _with_fields(linear, second_order)
    return _with_affine_fields(linear, reduced)


def _with_fields(body: DynamicBody, second: SecondOrderFields) -> DynamicBody:
    """½ δ_r² and δ_r δ_t as the amplitudes of the second-order fields."""
    Z = np.zeros((len(second.pairs), body.size, body.size))
    for j, (r, t) in enumerate(second.pairs):
        Z[j, r, t] = Z[j, t, r] = 1.0
    return replace(
        body,
        origin_coupling=second.origin_coupling,
        position_coupling=second.position_coupling,
        shape_products=second.shape_products,
        products=Z,
    )


def _with_affine_fields(body: DynamicBody, reduced: ReducedBody) -> DynamicBody:
    """G_c ≈ Σ ψ_j Z_cj with ψ_j linear functions of the place, ∫ρψ_iψ_j = δ_ij."""
    m, length = body.size, float(np.sqrt(np.trace(body.second_moment) / body.mass)) or 1.0
    scale = np.array([1.0, *[1 / length] * 3])
    gram = np.empty((4, 4))  # ∫ρ φφᵀ, φ = (1, x/ℓ)
    gram[0, 0], gram[0, 1:], gram[1:, 0] = body.mass, body.first_moment, body.first_moment
    gram[1:, 1:] = body.second_moment
    gram *= np.outer(scale, scale)
    values, vectors = np.linalg.eigh(gram)
    kept = values > _NO_MASS * values[-1]
    W = vectors[:, kept] / np.sqrt(values[kept])  # ψ = φ W
    # ∫ρφ G_c: (4, 3, m, m)
    integrals = np.concatenate([reduced.origin_quadratic[None], reduced.position_quadratic / length])
    Z = np.einsum("lj,lcrt->cjrt", W, integrals)
    size = float(np.abs(Z).max(initial=0.0))
    used = [(c, j) for c in range(3) for j in range(W.shape[1]) if np.abs(Z[c, j]).max(initial=0.0) > 1e-14 * size]
    if not used:
        return body
    moments = gram @ W  # ∫ρφψ: (4, j)
    N = np.concatenate([body.origin_coupling[None], body.position_coupling / length])  # ∫ρφN_a: (4, 3, m)
    mixed = np.einsum("lj,lar->jar", W, N)  # ∫ρψ_jN_a
    k = len(used)
    M_O, X = np.zeros((3, m + k)), np.zeros((3, 3, m + k))
    Y = np.zeros((3, 3, m + k, m + k))
    M_O[:, :m], X[..., :m], Y[..., :m, :m] = body.origin_coupling, body.position_coupling, body.shape_products
    for q, (c, j) in enumerate(used, start=m):
        M_O[c, q] = moments[0, j]
        X[:, c, q] = moments[1:, j] * length
        for a in range(3):
            Y[a, c, :m, q] = mixed[j, a]
            Y[c, a, q, :m] = mixed[j, a]
        for p, (b, i) in enumerate(used, start=m):
            Y[c, b, q, p] = 1.0 if i == j else 0.0
    products, order = np.array([Z[c, j] for c, j in used]), reduced.next_order
    if order is not None:
        moments = np.concatenate([order.origin_shortening[None], order.position_shortening / length])
        B = np.einsum("lj,lcg->cjg", W, moments)
        shortening = np.array([B[c, j] for c, j in used])
        body = replace(body, quartic=order.energy, leans=order.leans, shortening=shortening)
    return replace(
        body,
        origin_coupling=M_O,
        position_coupling=X,
        shape_products=Y,
        products=(products + products.swapaxes(1, 2)) / 2,
    )


def to_second_order(body: DynamicBody) -> DynamicBody:
    """The body with T of second order in its deformation only, which is the linear theory with k_g.

    What products of displacements of first and second order add is of third order, but where the frame moves
    freely it keeps the mass matrix definite; a body whose frame moves as prescribed does not need it.
    """
    Y, m = body.shape_products.copy(), body.size
    Y[..., m:, :] = 0.0
    Y[..., :, m:] = 0.0
    return replace(body, shape_products=Y)


def with_modal_damping(body: DynamicBody, ratios: float | Array) -> DynamicBody:
    """The body with damping ratios of its own modes beside the damping it has.

    Modes are those of (k, m) on its coordinates; one ratio for all, or one for each of the lowest.
    """
    mass = np.einsum("kkrt->rt", body.shape_products)[: body.size, : body.size]
    given = np.atleast_1d(np.asarray(ratios, dtype=float))
    if given.size > body.size:
        raise InputError(f"body {body.name} has {body.size} modes but {given.size} damping ratios; give fewer")
    if not ((given >= 0) & np.isfinite(given)).all():
        raise InputError(f"a damping ratio of body {body.name} is not a number of zero or more; correct it")
    zeta = np.zeros(body.size)
    zeta[: given.size if given.size > 1 else body.size] = given
    return replace(body, damping=body.damping + modal_damping(mass, body.stiffness, zeta))


PLANAR, SPATIAL = (0, 1, 5), (0, 1, 2, 3, 4, 5)
"""Local velocities (v, ω) that a body in the plane and in space has."""


def numbering(bodies: Sequence[DynamicBody], *, planar: bool) -> tuple[IntArray, list[int]]:
    sizes = [body.size for body in bodies]
    rigid = len(PLANAR if planar else SPATIAL)
    return np.concatenate([[0], np.cumsum([rigid + size for size in sizes])]).astype(np.int64), sizes


def body_tables(bodies: Sequence[DynamicBody], starts: IntArray, *, planar: bool) -> BodyTables:
    columns = PLANAR if planar else SPATIAL
    most = max(1, *(body.size for body in bodies))
    numbers, lengths = np.full((len(bodies), 6 + most), -1, dtype=np.int64), np.ones(len(bodies))
    for b, body in enumerate(bodies):
        first = int(starts[b])
        numbers[b, list(columns)] = first + np.arange(len(columns))
        numbers[b, 6 : 6 + body.size] = first + len(columns) + np.arange(body.size)
        if body.mass > 0:
            lengths[b] = np.sqrt(3 * np.trace(body.second_moment) / body.mass) or 1.0
    return BodyTables(np.array([body.size for body in bodies], dtype=np.int64), numbers, lengths)


def velocity_scales(bodies: Sequence[DynamicBody], starts: IntArray, length: float, *, planar: bool) -> Array:
    """One length, one radian, and the elastic coordinate that moves a body by one length on average."""
    scales = np.ones(int(starts[-1]))
    for b, body in enumerate(bodies):
        first, rigid = int(starts[b]), len(PLANAR if planar else SPATIAL)
        scales[first : first + (2 if planar else 3)] = length
        own = np.diagonal(body.elastic_mass)
        usual = np.where(own > 0, own, 1.0)
        scales[first + rigid : first + rigid + body.size] = length * np.sqrt(max(body.mass, 1e-300) / usual)
    return scales
