"""Bodies as flat tables for compiled functions, and the numbers and scales of their velocities."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexframe.dynamics.contract import DynamicBody
from flexframe.dynamics.tables import BodyTables
from flexframe.maths.arrays import Array, IntArray
from flexframe.reduction.next_order import QuarticEnergy

PLANAR, SPATIAL = (0, 1, 5), (0, 1, 2, 3, 4, 5)
"""Local velocities (v, ω) that a body in the plane and in space has."""


def numbering(bodies: Sequence[DynamicBody], *, planar: bool) -> tuple[IntArray, list[int]]:
    sizes = [body.size for body in bodies]
    rigid = len(PLANAR if planar else SPATIAL)
    return np.concatenate([[0], np.cumsum([rigid + size for size in sizes])]).astype(np.int64), sizes


def body_tables(bodies: Sequence[DynamicBody], starts: IntArray, *, planar: bool) -> BodyTables:
    count = len(bodies)
    M = max(1, *(body.size for body in bodies))
    N = max(1, *(body.fields for body in bodies))
    K = max(1, *(len(body.products) for body in bodies))
    columns = PLANAR if planar else SPATIAL
    t = BodyTables(
        sizes=np.array([body.size for body in bodies], dtype=np.int64),
        fields=np.array([body.fields for body in bodies], dtype=np.int64),
        mass=np.array([body.mass for body in bodies], dtype=float),
        first_moment=np.array([body.first_moment for body in bodies], dtype=float),
        second_moment=np.array([body.second_moment for body in bodies], dtype=float),
        origin_coupling=np.zeros((count, 3, N)),
        position_coupling=np.zeros((count, 3, 3, N)),
        shape_products=np.zeros((count, 3, 3, N, N)),
        coriolis=np.zeros((count, 3, N, N)),
        elastic_mass=np.zeros((count, N, N)),
        products=np.zeros((count, K, M, M)),
        stiffness=np.zeros((count, M, M)),
        damping=np.zeros((count, M, M)),
        quartic_signs=np.zeros((count, 0)),
        quartic_forms=np.zeros((count, 0, M, M)),
        numbers=np.full((count, 6 + M), -1, dtype=np.int64),
        lengths=np.ones(count),
    )
    for b, body in enumerate(bodies):
        m, n, k, Y = body.size, body.fields, len(body.products), body.shape_products
        t.origin_coupling[b, :, :n] = body.origin_coupling
        t.position_coupling[b, :, :, :n] = body.position_coupling
        t.shape_products[b, :, :, :n, :n] = Y
        t.coriolis[b, :, :n, :n] = [Y[2, 1] - Y[1, 2], Y[0, 2] - Y[2, 0], Y[1, 0] - Y[0, 1]]
        t.elastic_mass[b, :n, :n] = np.einsum("kkrt->rt", Y)
        t.products[b, :k, :m, :m] = body.products
        t.stiffness[b, :m, :m] = body.stiffness
        t.damping[b, :m, :m] = body.damping
        first = int(starts[b])
        t.numbers[b, list(columns)] = first + np.arange(len(columns))
        t.numbers[b, 6 : 6 + m] = first + len(columns) + np.arange(m)
        if body.mass > 0:
            t.lengths[b] = np.sqrt(3 * np.trace(body.second_moment) / body.mass) or 1.0
    return t


def with_quartic_energy(tables: BodyTables, energies: Mapping[int, QuarticEnergy]) -> BodyTables:
    """Tables of bodies that resist by their strain energy of fourth order, too; by the numbers of the bodies."""
    count, M = len(tables.sizes), tables.stiffness.shape[1]
    terms = max((len(energy.signs) for energy in energies.values()), default=0)
    signs, forms = np.zeros((count, terms)), np.zeros((count, terms, M, M))
    for number, energy in energies.items():
        own, m = len(energy.signs), tables.sizes[number]
        signs[number, :own], forms[number, :own, :m, :m] = energy.signs, energy.forms
    return tables._replace(quartic_signs=signs, quartic_forms=forms)


def velocity_scales(bodies: Sequence[DynamicBody], starts: IntArray, length: float, *, planar: bool) -> Array:
    """One length, one radian, and the elastic coordinate that moves a body by one length on average."""
    scales = np.ones(int(starts[-1]))
    for b, body in enumerate(bodies):
        first, rigid = int(starts[b]), len(PLANAR if planar else SPATIAL)
        scales[first : first + (2 if planar else 3)] = length
        own = np.einsum("kkrr->r", body.shape_products)[: body.size]
        usual = np.where(own > 0, own, 1.0)
        scales[first + rigid : first + rigid + body.size] = length * np.sqrt(max(body.mass, 1e-300) / usual)
    return scales
