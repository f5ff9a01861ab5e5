"""Nodal stress better than that of the elements, by fits to patches of them or by averages.

Patches: around every corner of the mesh a polynomial of the degree of the elements is fitted to the stress at the
points where elements are most accurate, and taken at the nodes (Zienkiewicz and Zhu 1992). Squares and cubes have
such points. Triangles and tetrahedra do not; the average at the nodes of their linear parts serves them better.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from scipy import sparse

from flexframe.elements.contract import ElementBatch, InterpolatedFamily
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.quadrature import Quadrature, gauss_cube, gauss_square
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_geometry

_SAMPLES: dict[str, Callable[[int], Quadrature]] = {"quad": gauss_square, "hexahedron": gauss_cube}
_SMALLEST = 1e-6  # part of a monomial, squared, that must be new beside those before it


@dataclass(frozen=True, eq=False)
class SampledStress:
    """Elements of one family with their stress at the stiffness points: (elements, points, components)."""

    family: InterpolatedFamily
    batch: ElementBatch
    values: Array


@dataclass(frozen=True, eq=False)
class _Patches:
    """Polynomials Σ_m c_m P_m((x − x_v)/h_v) around the corners v."""

    coefficients: Array  # (nodes, monomials, components)
    sizes: Array  # h: (nodes,)
    trusted: BoolArray  # inside the body and of full degree: (nodes,)
    samples: Array  # number of points: (nodes,)


def recovered_nodal_stress(points: Array, parts: Sequence[SampledStress]) -> Array:
    """Recovered stress of elements of one material at the nodes, NaN at others: (nodes, components).

    Elements with functions of products are fitted in patches, the others averaged; at nodes of both kinds the fit
    stands.
    """
    fitted = [part for part in parts if has_products(part.family)]
    averaged = [part for part in parts if not has_products(part.family)]
    if not averaged:
        return patch_stress(points, fitted)
    mean = average_stress(points, averaged)
    if not fitted:
        return mean
    fit = patch_stress(points, fitted)
    return np.where(np.isfinite(fit), fit, mean)


def average_stress(points: Array, parts: Sequence[SampledStress]) -> Array:
    """Mean at the nodes of the parts of degree p − 1 of the stress, NaN at others: (nodes, components)."""
    total, count = np.zeros((len(points), parts[0].values.shape[2])), np.zeros(len(points))
    for part in parts:
        family, nodes = part.family, part.batch.nodes
        places = cell_geometry(family.cell).nodes
        lower = polynomial_extension(
            family.stiffness_rule, places, family.degree - 1, products=has_products(family), weighted=True
        )
        values = np.einsum("ag,egc->eac", lower, part.values)
        total += _gather(nodes.ravel(), values.reshape(-1, values.shape[2]), len(points))
        count += np.bincount(nodes.ravel(), minlength=len(points))
    return np.where(count[:, None] > 0, total / np.maximum(count, 1)[:, None], np.nan)


def patch_stress(points: Array, parts: Sequence[SampledStress]) -> Array:
    """Fits to the patches of elements of one material at the nodes, NaN at others: (nodes, components)."""
    dimension = parts[0].family.cell.dimension
    places = points[:, :dimension]
    degree = max(part.family.degree for part in parts)
    exponents = _exponents(dimension, degree)
    patches = _fit(points, places, parts, exponents)
    own = patches.coefficients[:, 0]
    good, reached = _mean(places, parts, exponents, patches, patches.trusted.astype(float))
    touched = np.zeros(len(points), dtype=bool)
    for part in parts:
        touched[part.batch.nodes] = True
    if not reached[touched].all():
        # where no patch inside the body reaches, in a thin layer, the fuller ones count more
        rest, _ = _mean(places, parts, exponents, patches, patches.samples**4)
        good = np.where(reached[:, None], good, rest)
    found = np.where(patches.trusted[:, None], own, good)
    return np.where(touched[:, None], found, np.nan)


def polynomial_extension(
    known: Quadrature, wanted: Array, degree: int, *, products: bool, weighted: bool = False
) -> Array:
    """Least-squares polynomial through values at the points of a rule, at wanted points: (wanted, known).

    The polynomial is the richest one of total degree `degree` at most (with `products` of that degree in each
    coordinate) that the points determine.
    """
    weights = np.sqrt(known.weights) if weighted else np.ones(len(known.weights))
    for highest in range(degree, -1, -1):
        exponents = np.array(
            [e for e in np.ndindex(*(highest + 1,) * known.points.shape[1]) if products or sum(e) <= highest]
        )
        basis = _monomials(known.points, exponents) * weights[:, None]
        if len(exponents) <= len(weights) and np.linalg.matrix_rank(basis) == len(exponents):
            return np.asarray(_monomials(wanted, exponents) @ np.linalg.pinv(basis) * weights)
    raise AssertionError("a constant always fits")


def has_products(family: InterpolatedFamily) -> bool:
    """Whether the functions of a family are products of polynomials, as on squares and cubes."""
    return family.cell.linear_name in _SAMPLES


def _samples(family: InterpolatedFamily) -> tuple[Array, Array]:
    """Points of best stress on the reference cell (samples, d), and their values from the stiffness points.

    Where functions of degree p are integrated with more points than p in a direction, the stress is first reduced
    to its part of degree p − 1: what is left out vanishes at these points if the exact stress has degree p.
    """
    at = _SAMPLES[family.cell.linear_name](family.degree).points
    lower = family.degree - 1
    matrix = polynomial_extension(family.stiffness_rule, at, lower, products=has_products(family), weighted=True)
    return at, matrix


def _exponents(dimension: int, degree: int) -> IntArray:
    """Exponents of all monomials up to a total degree, the lowest first: (monomials, dimension)."""
    rows = []
    for total in range(degree + 1):
        for chosen in combinations_with_replacement(range(dimension), total):
            rows.append([chosen.count(axis) for axis in range(dimension)])
    return np.array(rows)


def _monomials(places: Array, exponents: IntArray) -> Array:
    """P_m at places (…, d): (…, monomials). Each is one before it times a coordinate; the first is 1."""
    out = np.ones((*places.shape[:-1], len(exponents)))
    known = {tuple(row): m for m, row in enumerate(exponents.tolist())}
    for m, row in enumerate(exponents.tolist()[1:], 1):
        axis = next(a for a, power in enumerate(row) if power)
        parent = known[tuple(power - (a == axis) for a, power in enumerate(row))]
        np.multiply(out[..., parent], places[..., axis], out=out[..., m])
    return out


def _gather(rows: IntArray, values: Array, count: int) -> Array:
    """Σ of values (n, …) over equal rows (n,): (count, …)."""
    into = sparse.csr_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(count, len(rows)))
    return np.asarray(into @ values.reshape(len(rows), -1)).reshape(count, *values.shape[1:])


def _pieces(part: SampledStress, width: int) -> list[tuple[ElementBatch, Array]]:
    """The elements in runs whose tables of `width` numbers each stay small."""
    step = max(64, 4_000_000 // width)
    starts = range(0, part.batch.count, step)
    return [(part.batch.take(slice(s, s + step)), part.values[s : s + step]) for s in starts]


def _fit(points: Array, places: Array, parts: Sequence[SampledStress], exponents: IntArray) -> _Patches:
    """Normal equations of every patch, solved with the highest degree that its samples determine."""
    count, dimension = places.shape
    terms, components = len(exponents), parts[0].values.shape[2]
    sizes = np.zeros(count)
    for part in parts:
        corners = part.batch.nodes[:, : part.family.cell.corners]
        reach = np.linalg.norm(places[corners][:, :, None] - places[corners][:, None], axis=-1).max(axis=2)
        np.maximum.at(sizes, corners, reach)
    sizes[sizes == 0] = 1.0
    normal = np.zeros((count, terms, terms))
    right = np.zeros((count, terms, components))
    for part in parts:
        at, matrix = _samples(part.family)
        shape = part.family.shape(at)
        number = part.family.cell.corners
        for batch, values in _pieces(part, number * len(at) * terms):
            corners = batch.nodes[:, :number]
            sampled = np.einsum("sg,egc->esc", matrix, values)
            where = np.einsum("sa,eai->esi", shape, batch.coordinates[:, :, :dimension])
            scaled = (where[:, None] - places[corners][:, :, None]) / sizes[corners][..., None, None]
            P = _monomials(scaled, exponents)
            flat = corners.ravel()
            normal += _gather(flat, (P.swapaxes(2, 3) @ P).reshape(-1, terms, terms), count)
            right += _gather(flat, (P.swapaxes(2, 3) @ sampled[:, None]).reshape(-1, terms, components), count)
    coefficients, full = _solve(normal, right)
    # the first monomial is 1: its normal equation counts the samples
    return _Patches(coefficients, sizes, full & ~_on_boundary(points, parts), normal[:, 0, 0])


def _solve(normal: Array, right: Array) -> tuple[Array, BoolArray]:
    """c of each patch, and whether its samples determine all of it: (nodes, monomials, components), (nodes,).

    Monomials are taken one after another, the lowest first; one that the samples cannot tell from those before it
    is left out. A layer of single cells has no second derivative across, but all others.
    """
    diagonal = np.sqrt(np.einsum("vmm->vm", normal))
    scale = np.where(diagonal > 0, diagonal, 1.0)
    matrix = normal / (scale[:, :, None] * scale[:, None])
    count, terms = diagonal.shape
    # Cholesky's factor of all patches together
    lower = np.zeros_like(matrix)
    kept = np.zeros((count, terms), dtype=bool)
    for k in range(terms):
        pivot = matrix[:, k, k] - (lower[:, k, :k] ** 2).sum(axis=1)
        kept[:, k] = pivot > _SMALLEST
        root = np.sqrt(np.where(kept[:, k], pivot, 1.0))
        column = matrix[:, k + 1 :, k] - np.einsum("vij,vj->vi", lower[:, k + 1 :, :k], lower[:, k, :k])
        lower[:, k, k] = root
        lower[:, k + 1 :, k] = np.where(kept[:, k, None], column / root[:, None], 0.0)
        lower[:, k, :k] *= kept[:, k, None]
    wanted = np.where(kept[..., None], right / scale[..., None], 0.0)
    halfway = np.linalg.solve(lower, wanted)
    solution = np.linalg.solve(lower.swapaxes(1, 2), halfway)
    full: BoolArray = np.all(kept, axis=1)
    return np.where(kept[..., None], solution / scale[..., None], 0.0), full


def _on_boundary(points: Array, parts: Sequence[SampledStress]) -> BoolArray:
    """Nodes on the surface of these elements: (nodes,)."""
    mesh = Mesh(points, tuple(CellBlock(part.family.cell, part.batch.nodes) for part in parts))
    flags = np.zeros(len(points), dtype=bool)
    for facets in mesh.boundary():
        flags[facets.nodes] = True
    return flags


def _mean(
    places: Array, parts: Sequence[SampledStress], exponents: IntArray, patches: _Patches, weights: Array
) -> tuple[Array, BoolArray]:
    """Weighted mean at every node of the patches that reach it, and whether there is one: (nodes, c), (nodes,)."""
    count, components = len(places), patches.coefficients.shape[2]
    total, weight = np.zeros((count, components)), np.zeros(count)
    for part in parts:
        number, nodes = part.family.cell.corners, part.family.cell.nodes
        for batch, _ in _pieces(part, number * nodes * len(exponents)):
            corners = batch.nodes[:, :number]
            away = places[batch.nodes][:, None] - places[corners][:, :, None]
            P = _monomials(away / patches.sizes[corners][..., None, None], exponents)
            counted = weights[corners]
            values = np.einsum("evac,ev->eac", P @ patches.coefficients[corners], counted)
            flat = batch.nodes.ravel()
            total += _gather(flat, values.reshape(-1, components), count)
            weight += np.bincount(flat, np.repeat(counted.sum(axis=1), nodes), count)
    reached: BoolArray = weight > 0
    return total / np.where(reached, weight, 1.0)[:, None], reached
