"""The inertia of a reduced body in a state of deformation, as plain array functions of its invariants.

With the displacement field u_k = N_k δ + ½ δᵀG_k δ (quadratic: with foreshortening; else its first part only) and
the invariants of `ReducedBody`

    s = S + M_O δ + ½ δᵀg δ,                 𝒥 = J + sym(2 X δ) + δᵀY δ + ½ δᵀ(H + Hᵀ) δ,   I = tr 𝒥 1 − 𝒥,
    M_O(δ) = M_O + δᵀg,                      M_r(δ)_a = (d_a + (C_a + H_bc − H_cb) δ)ᵀ,

and T = ½ uᵀ M(δ) u with u = (v, ω, δ̇). What is of third order and higher in the deformation is left out, so that
M(δ) with the quadratic field is definite for small δ only.
"""

from typing import TYPE_CHECKING

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew

if TYPE_CHECKING:
    from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint


def first_moment(body: "ReducedBody", deformation: Array, *, quadratic: bool = True) -> Array:
    """s(δ) = ∫ρ (x + u): (3,)."""
    moment = body.first_moment + body.origin_coupling @ deformation
    if quadratic:
        moment = moment + np.einsum("irt,r,t->i", body.origin_quadratic, deformation, deformation) / 2
    return np.asarray(moment)


def second_moment(body: "ReducedBody", deformation: Array, *, quadratic: bool = True) -> Array:
    """𝒥(δ) = ∫ρ (x + u)(x + u)ᵀ: (3, 3)."""
    linear = body.position_coupling @ deformation
    if quadratic:
        linear = linear + np.einsum("abrt,r,t->ab", body.position_quadratic, deformation, deformation) / 2
    moved = np.einsum("abrt,r,t->ab", body.shape_products, deformation, deformation)
    return np.asarray(body.second_moment + linear + linear.T + moved)


def inertia_tensor(body: "ReducedBody", deformation: Array, *, quadratic: bool = True) -> Array:
    """I(δ) = tr 𝒥 1 − 𝒥: (3, 3).

    Parameters
    ----------
    body
        The reduced body.
    deformation
        Amplitudes δ of the fields, which give displacements [m, rad]: (m,).
    quadratic
        Whether displacements of second order take part.

    Returns
    -------
    Array
        Inertia about the origin of the frame [kg m²], in body axes.

    Examples
    --------
    >>> rod = ff.Body.beam("rod", length=1.2, divisions=10, section=ff.Circle(0.01), material=ff.STEEL)
    >>> body = ff.reduction.reduce_body(rod, ff.reduction.Modal(2), reference=ff.reduction.MeanAxes())
    >>> round(float(ff.reduction.inertia_tensor(body, np.zeros(2))[2, 2] / (body.mass * 1.2**2 / 3)), 3)
    1.0
    """
    moment = second_moment(body, deformation, quadratic=quadratic)
    return np.asarray(np.trace(moment) * np.eye(3) - moment)


def origin_coupling(body: "ReducedBody", deformation: Array, *, quadratic: bool = True) -> Array:
    """M_O(δ) = ∫ρ ∂u/∂δ: (3, m)."""
    if not quadratic:
        return body.origin_coupling
    return np.asarray(body.origin_coupling + body.origin_quadratic @ deformation)


def rotation_coupling(body: "ReducedBody", deformation: Array, *, quadratic: bool = True) -> Array:
    """M_r(δ) = ∫ρ (x + u) × ∂u/∂δ to first order: (3, m)."""
    rows = body.euler_loads + body.coriolis @ deformation
    if quadratic:
        rows = rows + body.euler_quadratic @ deformation
    return np.asarray(rows)


def mass_matrix(body: "ReducedBody", deformation: Array, *, quadratic: bool = True) -> Array:
    """M(δ) of the velocities (v, ω, δ̇): (6 + m, 6 + m).

    Parameters
    ----------
    body
        The reduced body.
    deformation
        Amplitudes δ of the fields, which give displacements [m, rad]: (m,).
    quadratic
        Whether displacements of second order take part.

    Returns
    -------
    Array
        M(δ) in body axes; blocks of (v, ω): mass [kg], first moment [kg m], inertia [kg m²].

    Examples
    --------
    >>> rod = ff.Body.beam("rod", length=1.2, divisions=10, section=ff.Circle(0.01), material=ff.STEEL)
    >>> body = ff.reduction.reduce_body(rod, ff.reduction.Modal(2), reference=ff.reduction.MeanAxes())
    >>> M = ff.reduction.mass_matrix(body, np.zeros(2))
    >>> M.shape, bool(np.isclose(M[0, 0], body.mass))
    ((8, 8), True)
    """
    s = skew(first_moment(body, deformation, quadratic=quadratic))
    M_O = origin_coupling(body, deformation, quadratic=quadratic)
    M_r = rotation_coupling(body, deformation, quadratic=quadratic)
    inertia = inertia_tensor(body, deformation, quadratic=quadratic)
    return np.block([[body.mass * np.eye(3), -s, M_O], [s, inertia, M_r], [M_O.T, M_r.T, body.elastic_mass]])


def kinetic_energy(
    body: "ReducedBody",
    deformation: Array,
    velocity: Array,
    angular_velocity: Array,
    rates: Array,
    *,
    quadratic: bool = True,
) -> float:
    """T(δ, v, ω, δ̇) = ½ uᵀM(δ)u, with the frame's velocities in body components.

    Parameters
    ----------
    body
        The reduced body.
    deformation, rates
        Amplitudes δ of the fields, which give displacements [m, rad], and their rates per s: (m,) each.
    velocity, angular_velocity
        Of the frame, in body components [m/s, rad/s]: (3,) each.
    quadratic
        Whether displacements of second order take part.

    Returns
    -------
    float
        Kinetic energy [J].

    Examples
    --------
    >>> rod = ff.Body.beam("rod", length=1.2, divisions=10, section=ff.Circle(0.01), material=ff.STEEL)
    >>> body = ff.reduction.reduce_body(rod, ff.reduction.Modal(2), reference=ff.reduction.MeanAxes())
    >>> still = np.zeros(2)
    >>> energy = ff.reduction.kinetic_energy(body, still, np.array([2.0, 0, 0]), np.zeros(3), still)
    >>> bool(np.isclose(energy, body.mass * 2.0**2 / 2))
    True
    """
    u = np.concatenate([velocity, angular_velocity, rates])
    return float(u @ mass_matrix(body, deformation, quadratic=quadratic) @ u / 2)


def point_position(point: "ReducedPoint", deformation: Array, *, quadratic: bool = True) -> Array:
    """x_P + N_P δ + ½ δᵀG_P δ in body components: (3,).

    Parameters
    ----------
    point
        An interface or sensor of a reduced body.
    deformation
        Amplitudes δ of the fields, which give displacements [m, rad]: (m,).
    quadratic
        Whether displacements of second order take part.

    Returns
    -------
    Array
        Position relative to the frame [m].

    Examples
    --------
    >>> rod = ff.Body.beam("rod", length=1.2, divisions=10, section=ff.Circle(0.01), material=ff.STEEL)
    >>> body = ff.reduction.reduce_body(
    ...     rod,
    ...     ff.reduction.Modal(2),
    ...     sensors=[ff.reduction.Interface("tip", "end")],
    ...     reference=ff.reduction.MeanAxes(),
    ... )
    >>> ff.reduction.point_position(body.point("tip"), np.zeros(2))
    array([1.2, 0. , 0. ])
    """
    place = point.position + point.rows[:3] @ deformation
    if quadratic:
        place = place + np.einsum("irt,r,t->i", point.quadratic[:3], deformation, deformation) / 2
    return np.asarray(place)
