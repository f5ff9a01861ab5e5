"""Textbook shape functions and product Gauss rules, written apart from the package, to measure cells.

Derivatives are taken by the complex step, which is exact to rounding for polynomials.
"""

import itertools

import numpy as np

_QUAD = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
_CUBE = np.array([(*c, z) for z in (-1, 1) for c in _QUAD.tolist()])


def _triangle6(x, y):
    a = 1 - x - y
    return [a * (2 * a - 1), x * (2 * x - 1), y * (2 * y - 1), 4 * a * x, 4 * x * y, 4 * y * a]


def _tetra10(x, y, z):
    a = 1 - x - y - z
    corners = [c * (2 * c - 1) for c in (a, x, y, z)]
    return [*corners, 4 * a * x, 4 * x * y, 4 * y * a, 4 * a * z, 4 * x * z, 4 * y * z]


def _quad8(x, y):
    corners = [(1 + x * p) * (1 + y * q) * (x * p + y * q - 1) / 4 for p, q in _QUAD]
    middles = [(1 - x * x) * (1 - y) / 2, (1 + x) * (1 - y * y) / 2]
    return [*corners, *middles, (1 - x * x) * (1 + y) / 2, (1 - x) * (1 - y * y) / 2]


def _hexahedron20(x, y, z):
    corners = [(1 + x * p) * (1 + y * q) * (1 + z * r) * (x * p + y * q + z * r - 2) / 8 for p, q, r in _CUBE]
    ring = lambda s: [  # noqa: E731
        (1 - x * x) * (1 - y) * (1 + s * z) / 4,
        (1 + x) * (1 - y * y) * (1 + s * z) / 4,
        (1 - x * x) * (1 + y) * (1 + s * z) / 4,
        (1 - x) * (1 - y * y) * (1 + s * z) / 4,
    ]
    uprights = [(1 - z * z) * (1 + x * p) * (1 + y * q) / 4 for p, q in _QUAD]
    return [*corners, *ring(-1), *ring(1), *uprights]


def _wedge15(x, y, z):
    area = (1 - x - y, x, y)
    end = lambda s: [c * ((2 * c - 1) * (1 + s * z) - (1 - z * z)) / 2 for c in area]  # noqa: E731
    edge = lambda s: [  # noqa: E731
        2 * area[i] * area[j] * (1 + s * z) for i, j in ((0, 1), (1, 2), (2, 0))
    ]
    return [*end(-1), *end(1), *edge(-1), *edge(1), *(c * (1 - z * z) for c in area)]


SHAPES = {
    "line": lambda x: [(1 - x) / 2, (1 + x) / 2],
    "line3": lambda x: [x * (x - 1) / 2, x * (x + 1) / 2, 1 - x * x],
    "triangle": lambda x, y: [1 - x - y, x, y],
    "triangle6": _triangle6,
    "quad": lambda x, y: [(1 + x * p) * (1 + y * q) / 4 for p, q in _QUAD],
    "quad8": _quad8,
    "tetra": lambda x, y, z: [1 - x - y - z, x, y, z],
    "tetra10": _tetra10,
    "hexahedron": lambda x, y, z: [(1 + x * p) * (1 + y * q) * (1 + z * r) / 8 for p, q, r in _CUBE],
    "hexahedron20": _hexahedron20,
    "wedge": lambda x, y, z: [
        *(c * (1 - z) / 2 for c in (1 - x - y, x, y)),
        *(c * (1 + z) / 2 for c in (1 - x - y, x, y)),
    ],
    "wedge15": _wedge15,
}


def rule(name, points=4):
    """Points and weights on the reference cell; triangles and tetrahedra by collapsing a cube."""
    x, w = np.polynomial.legendre.leggauss(points)
    u, v = (x + 1) / 2, w / 2
    shape = name.rstrip("0123456789")
    if shape in ("line", "quad", "hexahedron"):
        dimension = {"line": 1, "quad": 2, "hexahedron": 3}[shape]
        grid = list(itertools.product(range(points), repeat=dimension))
        return np.array([x[list(g)] for g in grid]), np.array([w[list(g)].prod() for g in grid])
    if shape == "triangle":
        pairs = itertools.product(range(points), repeat=2)
        triples = [(u[i], (1 - u[i]) * u[j], v[i] * v[j] * (1 - u[i])) for i, j in pairs]
        table = np.array(triples)
        return table[:, :2], table[:, 2]
    if shape == "wedge":
        base, weights = rule("triangle", points)
        full = [(*b, z) for b in base.tolist() for z in x]
        return np.array(full), np.array([a * b for a in weights for b in w])
    rows = []
    for i, j, k in itertools.product(range(points), repeat=3):
        a, b = 1 - u[i], 1 - u[j]
        rows.append((u[i], a * u[j], a * b * u[k], v[i] * v[j] * v[k] * a * a * b))
    table = np.array(rows)
    return table[:, :3], table[:, 3]


def gradients(name, points):
    """∂N/∂ξ at points (p, d): (p, nodes, d)."""
    step = 1e-30
    columns = []
    for axis in range(points.shape[1]):
        moved = points.astype(complex)
        moved[:, axis] += 1j * step
        values = np.array(np.broadcast_arrays(*SHAPES[name](*moved.T)))
        columns.append(values.imag.T / step)
    return np.stack(columns, axis=-1)


def jacobian_determinants(mesh):
    """det J at the rule's points of every plane (seen from +z) or solid cell, with the weights."""
    for block in mesh.blocks:
        points, weights = rule(block.cell.name)
        dimension = points.shape[1]
        jacobian = np.einsum(
            "cai,paj->cpij", mesh.points[block.nodes][..., :dimension], gradients(block.cell.name, points)
        )
        yield np.linalg.det(jacobian), weights


def measured_size(mesh):
    """Area or volume of a mesh."""
    return sum(float((det @ weights).sum()) for det, weights in jacobian_determinants(mesh))


def smallest_determinant(mesh):
    """Smallest det J anywhere."""
    return min(float(det.min()) for det, _ in jacobian_determinants(mesh))


def outward_flux(mesh, facets):
    """∫ x·n over facets: d × the enclosed area or volume when they close it with normals outwards."""
    total = 0.0
    for block in facets:
        points, weights = rule(block.cell.name)
        shapes = np.array(np.broadcast_arrays(*SHAPES[block.cell.name](*points.T))).T
        coordinates = mesh.points[block.nodes]
        position = np.einsum("pa,cai->cpi", shapes, coordinates)
        tangents = np.einsum("cai,paj->cpij", coordinates, gradients(block.cell.name, points))
        if points.shape[1] == 1:
            normal = np.cross(tangents[..., 0], [0.0, 0.0, 1.0])
        else:
            normal = np.cross(tangents[..., 0], tangents[..., 1])
        total += float(np.einsum("cpi,cpi,p->", position, normal, weights))
    return total


def facet_nodes(facets):
    """Facets as comparable rows, by shape."""
    return {b.cell.name: sorted(map(tuple, b.nodes.tolist())) for b in facets}
