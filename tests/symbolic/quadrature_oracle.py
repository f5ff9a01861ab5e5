"""The same elements by Gauss quadrature in floating point, written without the package.

Shape functions are typed from textbooks and sections are integrated over a real rectangle, not through their
second moments. Gradients are complex-step derivatives, so they are exact to rounding.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array

Shape = Callable[[Array], Array]
"""Place x (3,) → N (3, p), for complex x too."""


@dataclass(frozen=True)
class Cloud:
    """Weighted places in the volume and the shape matrix as a function of place."""

    weights: Array  # dV
    places: Array  # (points, 3)
    shape: Shape
    rows: tuple[int, ...]  # displacement components that meet an initial stress

    def N(self) -> Array:
        """Shape matrices at the places: (points, 3, p)."""
        return np.array([self.shape(place).real for place in self.places])

    def slopes(self) -> Array:
        """∂N/∂x_i: (points, 3 axes, 3, p)."""
        step = 1e-30
        return np.array(
            [
                [self.shape(place + 1j * step * axis).imag / step for axis in np.eye(3)]
                for place in self.places.astype(complex)
            ]
        )


def cloud(element: str, motion: str, numbers: dict[str, float]) -> Cloud:
    """Points and shape functions of an element with the given dimensions."""
    if element in ("bar", "planar_beam", "spatial_beam"):
        return _line(element, motion, numbers)
    if element == "rectangle":
        return _rectangle(numbers)
    if element == "triangle":
        nodes = np.array([[0, 0, 0], [numbers["x_2"], 0, 0], [numbers["x_3"], numbers["y_3"], 0]])
        return _simplex(nodes, 2, numbers["t"])
    nodes = np.array([[numbers[f"{axis}_{a}"] for axis in "xyz"] for a in (1, 2, 3, 4)])
    return _simplex(nodes, 3, 1.0)


def _gauss(low: float, high: float, count: int = 5) -> tuple[Array, Array]:
    points, weights = np.polynomial.legendre.leggauss(count)
    return (low + high) / 2 + (high - low) / 2 * points, (high - low) / 2 * weights


def _line(element: str, motion: str, numbers: dict[str, float]) -> Cloud:
    L, height, width = numbers["L"], 0.3, 0.2
    assert np.isclose(height * width, numbers["A"], rtol=1e-14)
    flat = element == "bar"
    xs, wx = _gauss(0, L)
    ys, wy = (np.zeros(1), np.array([height])) if flat else _gauss(-height / 2, height / 2)
    zs, wz = _gauss(-width / 2, width / 2) if element == "spatial_beam" else (np.zeros(1), np.array([width]))
    grid = np.array(np.meshgrid(xs, ys, zs, indexing="ij")).reshape(3, -1).T
    weights = np.einsum("i,j,k->ijk", wx, wy, wz).ravel()
    if flat:
        components = 2 if motion == "planar" else 3

        def bar(x: Array) -> Array:
            s = x[0] / L
            unit = np.eye(3)[:, :components]
            return np.hstack([(1 - s) * unit, s * unit])

        return Cloud(weights, grid, bar, (0, 1, 2)[:components])
    if element == "planar_beam":
        return Cloud(
            weights, grid, lambda x: _spatial_beam(x, L)[:, [0, 1, 5, 6, 7, 11]] * [[1], [1], [0]], (0, 1)
        )
    return Cloud(weights, grid, lambda x: _spatial_beam(x, L), (0, 1, 2))


def _spatial_beam(place: Array, L: float) -> Array:
    x, y, z = place
    s = x / L
    deflection = np.array([1 - 3 * s**2 + 2 * s**3, x * (1 - s) ** 2, s**2 * (3 - 2 * s), x * (s**2 - s)])
    slope = np.array([6 * (s**2 - s) / L, 1 - 4 * s + 3 * s**2, 6 * (s - s**2) / L, 3 * s**2 - 2 * s])
    N = np.zeros((3, 12), dtype=np.result_type(place, float))
    N[0, [0, 6]] = 1 - s, s
    N[1, [1, 5, 7, 11]] = deflection
    N[0, [1, 5, 7, 11]] = -y * slope
    sign = np.array([1, -1, 1, -1])  # a positive rotation about y lowers w'
    N[2, [2, 4, 8, 10]] = sign * deflection
    N[0, [2, 4, 8, 10]] = -z * sign * slope
    N[1, [3, 9]] = -z * (1 - s), -z * s
    N[2, [3, 9]] = y * (1 - s), y * s
    return N


def _rectangle(numbers: dict[str, float]) -> Cloud:
    a, b = numbers["a"], numbers["b"]
    xs, wx = _gauss(0, a)
    ys, wy = _gauss(0, b)
    grid = np.array(np.meshgrid(xs, ys, [0.0], indexing="ij")).reshape(3, -1).T

    def shape(x: Array) -> Array:
        s, r = x[0] / a, x[1] / b
        functions = ((1 - s) * (1 - r), s * (1 - r), s * r, (1 - s) * r)
        return np.hstack([f * np.eye(3)[:, :2] for f in functions])

    return Cloud(np.outer(wx, wy).ravel() * numbers["t"], grid, shape, (0, 1))


def _simplex(nodes: Array, dimension: int, thickness: float) -> Cloud:
    """Gauss points of the cube collapsed on the simplex (Duffy)."""
    points, weights = _gauss(0, 1)
    cube = np.array(np.meshgrid(*[points] * dimension, indexing="ij")).reshape(dimension, -1)
    cube_weights = np.prod(np.array(np.meshgrid(*[weights] * dimension, indexing="ij")), axis=0).ravel()
    u = cube[0]
    if dimension == 2:
        local = np.array([u, (1 - u) * cube[1]])
        jacobian = 1 - u
    else:
        v = (1 - u) * cube[1]
        local = np.array([u, v, (1 - u - v) * cube[2]])
        jacobian = (1 - u) * (1 - u - v)
    edges = (nodes[1:] - nodes[0])[:, :dimension]
    inverse = np.linalg.inv(edges)
    places = nodes[0] + np.pad(local.T @ edges, ((0, 0), (0, 3 - dimension)))

    def shape(x: Array) -> Array:
        others = (x - nodes[0])[:dimension] @ inverse
        functions = np.concatenate([[1 - others.sum()], others])
        return np.hstack([f * np.eye(3)[:, :dimension] for f in functions])

    size = abs(np.linalg.det(edges)) * thickness
    return Cloud(cube_weights * jacobian * size, places, shape, tuple(range(dimension)))
