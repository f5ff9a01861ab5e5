"""Independent integration: product Gauss rules of high order, plain loops, and shape functions of beams from
the differential equations of a beam."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import linalg

from flexframe.elements.contract import Family, is_interpolated, node_dofs
from flexframe.elements.properties import (
    BarProperty,
    BeamProperty,
    PlaneProperty,
    Property,
    Rectangle,
    ShellProperty,
)
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.maths.arrays import Array
from flexframe.mesh.cells import QUAD, TRIANGLE, Cell
from flexframe.mesh.shapes import cell_geometry

# Gauss points in each direction: exact to degrees 15 and 9, above every polynomial that occurs
ORDER = {1: 8, 2: 8, 3: 5}


@dataclass(frozen=True)
class Particle:
    """A piece of an element's mass: dm, its place in the body, and N with three rows at that place."""

    mass: float
    place: Array
    shape: Array


def reference_points(cell: Cell, order: int | None = None) -> tuple[Array, Array]:
    """Points and weights on a reference cell: tensor Gauss, folded onto triangles and tetrahedra."""
    name, n = cell.linear_name, order or ORDER[cell.dimension]
    g, w = np.polynomial.legendre.leggauss(n)
    unit, half = (g + 1) / 2, w / 2
    points, weights = [], []
    if name in ("line", "quad", "hexahedron"):
        for pick in product(range(n), repeat=cell.dimension):
            points.append([g[i] for i in pick])
            weights.append(np.prod([w[i] for i in pick]))
    elif name in ("triangle", "wedge"):
        for i, j in product(range(n), repeat=2):
            # x = a, y = (1 − a) b folds the square onto the triangle
            here, dA = [unit[i], (1 - unit[i]) * unit[j]], half[i] * half[j] * (1 - unit[i])
            if name == "triangle":
                points.append(here)
                weights.append(dA)
            else:
                points += [[*here, g[k]] for k in range(n)]
                weights += [dA * w[k] for k in range(n)]
    else:
        assert name == "tetra"
        for i, j, k in product(range(n), repeat=3):
            a, b, c = unit[i], unit[j], unit[k]
            points.append([a, (1 - a) * b, (1 - a) * (1 - b) * c])
            weights.append(half[i] * half[j] * half[k] * (1 - a) ** 2 * (1 - b))
    return np.array(points), np.array(weights)


def particles(family: Family, prop: Property, coordinates: Array) -> list[Particle]:
    """The mass of one element in pieces."""
    if is_interpolated(family):
        return _interpolated_particles(family, prop, coordinates)
    if len(node_dofs(family)) == 3:  # displacements alone: those of the cell
        return _interpolated_particles(family, prop, coordinates)
    if isinstance(prop, ShellProperty):
        return _shell_particles(prop, coordinates, wide=1.0 if family.name == "shell_facet" else 10.0)
    assert isinstance(prop, BeamProperty), f"no independent shape functions for {family.name}"
    if isinstance(prop.section, SectionMatrices):
        return _coupled_particles(prop, prop.section, coordinates)
    return _beam_particles(family.name == "timoshenko_beam", prop, coordinates)


def thickness(prop: Property) -> float:
    """What turns the measure of a cell into volume."""
    if isinstance(prop, PlaneProperty):
        return prop.thickness
    return prop.area if isinstance(prop, BarProperty) else prop.extent


def measure(tangents: Array) -> float:
    """Length, area or volume that tangents (3, d) span, by Gram's determinant."""
    return float(np.sqrt(np.linalg.det(tangents.T @ tangents)))


def _interpolated_particles(family: Family, prop: Property, coordinates: Array) -> list[Particle]:
    points, weights = reference_points(family.cell)
    components, functions = (
        len(node_dofs(family)),
        family if is_interpolated(family) else cell_geometry(family.cell),
    )
    made = []
    for point, weight in zip(points, weights, strict=True):
        phi = functions.shape(point[None])[0]
        gradient = functions.shape_gradient(point[None])[0]
        N = np.zeros((3, components * len(phi)))
        for a in range(len(phi)):
            for i in range(components):
                N[i, components * a + i] = phi[a]
        volume = weight * measure(coordinates.T @ gradient) * thickness(prop)
        made.append(Particle(prop.material.density * volume, phi @ coordinates, N))
    return made


def beam_axes(coordinates: Array, prop: BeamProperty) -> tuple[float, Array]:
    """Length and local axes as rows: x along the beam, `up` in the x–y plane (default: y horizontal)."""
    along = coordinates[1] - coordinates[0]
    length = float(np.linalg.norm(along))
    x = along / length
    up = np.cross([0.0, 0.0, 1.0], x) if prop.up is None else np.asarray(prop.up)
    y = up - (up @ x) * x
    y = y / np.linalg.norm(y)
    return length, np.stack([x, y, np.cross(x, y)])


def bending_shape(length: float, place: float, shear_length: float) -> tuple[Array, Array]:
    """v and θ at a place x, over (v1, θ1, v2, θ2), of a beam without load between its ends.

    v'''' = 0 gives a cubic v = Σ c_k x^k; from M' = −V, κGA(v' − θ) = V, EIθ' = M follows
    θ = v' + λ v''' with λ = EI/κGA (`shear_length` = λ in m²). The constants come from the ends.
    """

    def row(x: float) -> tuple[Array, Array]:
        powers = np.array([1, x, x**2, x**3])
        slope = np.array([0, 1, 2 * x, 3 * x**2 + 6 * shear_length])
        return powers, slope

    ends = np.array([*row(0.0), *row(length)])
    coefficients = np.linalg.inv(ends)
    v, theta = row(place)
    return v @ coefficients, theta @ coefficients


def beam_shear_lengths(timoshenko: bool, prop: BeamProperty) -> tuple[float, float]:
    """EI/κGA in the local x–y and x–z planes; 0 for Euler–Bernoulli."""
    if not timoshenko:
        return 0.0, 0.0
    section, material = prop.section, prop.material
    G = material.young / (2 * (1 + material.poisson))
    shear = section.shear_factor * G * section.area  # type: ignore[attr-defined]
    return material.young * section.inertia_z / shear, material.young * section.inertia_y / shear


def beam_local_shape(timoshenko: bool, prop: BeamProperty, length: float, place: float) -> tuple[Array, Array]:
    """Displacement (3, 12) and rotation (3, 12) of the axis over local nodal dofs."""
    in_plane, out_of_plane = beam_shear_lengths(timoshenko, prop)
    displacement, rotation = np.zeros((3, 12)), np.zeros((3, 12))
    linear = np.array([1 - place / length, place / length])
    displacement[0, [0, 6]] = linear
    rotation[0, [3, 9]] = linear
    v, theta = bending_shape(length, place, in_plane)
    displacement[1, [1, 5, 7, 11]] = v
    rotation[2, [1, 5, 7, 11]] = theta
    w, minus_theta = bending_shape(length, place, out_of_plane)
    # a positive rotation about y lowers w as x grows
    displacement[2, [2, 4, 8, 10]] = w * [1, -1, 1, -1]
    rotation[1, [2, 4, 8, 10]] = -minus_theta * [1, -1, 1, -1]
    return displacement, rotation


def _beam_particles(timoshenko: bool, prop: BeamProperty, coordinates: Array) -> list[Particle]:
    section = prop.section
    assert isinstance(section, Rectangle)
    length, axes = beam_axes(coordinates, prop)
    g, w = np.polynomial.legendre.leggauss(ORDER[1])
    s, ws = np.polynomial.legendre.leggauss(3)  # the section needs y², z², yz only
    made = []
    for i in range(ORDER[1]):
        x = length * (g[i] + 1) / 2
        displacement, rotation = beam_local_shape(timoshenko, prop, length, x)
        for j, k in product(range(3), repeat=2):
            across = np.array([0, section.height / 2 * s[j], section.width / 2 * s[k]])
            volume = w[i] * length / 2 * ws[j] * ws[k] * section.area / 4
            local = displacement + np.cross(rotation, across, axisa=0, axisc=0)
            N = axes.T @ local @ np.kron(np.eye(4), axes)
            place = coordinates[0] + axes.T @ (np.array([x, 0, 0]) + across)
            made.append(Particle(prop.material.density * volume, place, N))
    return made


def _coupled_particles(prop: BeamProperty, section: SectionMatrices, coordinates: Array) -> list[Particle]:
    """Fields by the exponential of the equations of a beam, (u, θ)' = −ad (u, θ) + C f and f' = adᵀf.

    The mass of the section is in four points that have its moments.
    """
    length, axes = beam_axes(coordinates, prop)
    ad = np.zeros((6, 6))
    ad[1, 5], ad[2, 4] = -1.0, 1.0  # u' = Γ + θ × e_x
    flexible = np.linalg.inv(np.array(section.stiffness))
    equations = np.block([[-ad, flexible], [np.zeros((6, 6)), ad.T]])
    whole = linalg.expm(length * equations)
    # forces at the start for displacements of both ends
    first = np.linalg.solve(whole[:6, 6:], np.hstack([-whole[:6, :6], np.eye(6)]))
    M = np.array(section.mass)
    centre = np.array([0.0, M[3, 2], M[4, 0]]) / M[0, 0]
    about = M[4:, 4:] / M[0, 0] - np.array([[centre[2] ** 2, -centre[1] * centre[2]], [0, centre[1] ** 2]])
    moments = np.array([[about[1, 1], -M[4, 5] / M[0, 0] - centre[1] * centre[2]], [0, about[0, 0]]])
    root = np.linalg.cholesky(np.triu(moments) + np.triu(moments, 1).T)  # of ∫y², ∫yz, ∫z²
    places = [centre + np.array([0, *(side * np.sqrt(2) * column)]) for column in root.T for side in (1, -1)]
    g, w = np.polynomial.legendre.leggauss(ORDER[1])
    made = []
    for i in range(ORDER[1]):
        x = length * (g[i] + 1) / 2
        there = linalg.expm(x * equations)
        fields = there[:6, 6:] @ first
        fields[:, :6] += there[:6, :6]
        for across in places:
            local = fields[:3] + np.cross(fields[3:], across, axisa=0, axisc=0)
            N = axes.T @ local @ np.kron(np.eye(4), axes)
            place = coordinates[0] + axes.T @ (np.array([x, 0, 0]) + across)
            made.append(Particle(w[i] * length / 2 * M[0, 0] / 4, place, N))
    return made


def shell_axes(coordinates: Array) -> Array:
    """Local axes of a flat element as rows: x along the body's x as far as it lies in the plane, n across."""
    n = np.cross(coordinates[1] - coordinates[0], coordinates[2] - coordinates[0])
    n = n / np.linalg.norm(n)
    x = np.array([1.0, 0, 0]) - n[0] * n
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(n, x), n])


def flat_shape(corners: Array, point: Array) -> tuple[Array, Array, float]:
    """φ, ∂φ/∂x in the plane and dA for flat corners (n, 2) at a reference point, linear or bilinear."""
    xi, eta = point
    if len(corners) == 3:
        phi = np.array([1 - xi - eta, xi, eta])
        reference = np.array([[-1.0, -1], [1, 0], [0, 1]])
    else:
        signs = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
        phi = (1 + signs[:, 0] * xi) * (1 + signs[:, 1] * eta) / 4
        reference = np.stack([signs[:, 0] * (1 + signs[:, 1] * eta), signs[:, 1] * (1 + signs[:, 0] * xi)], axis=1)
        reference /= 4
    jacobian = corners.T @ reference
    return phi, reference @ np.linalg.inv(jacobian), float(np.linalg.det(jacobian))


def _shell_particles(prop: ShellProperty, coordinates: Array, wide: float) -> list[Particle]:
    """u = u0 + ζ θ×n, and a pair of particles at ± r(θz − ω) across, which the mean does not notice.

    ω = ½(v,x − u,y) at the centre; the drilling rotations of elements wider than `wide` thicknesses are weaker.
    """
    axes = shell_axes(coordinates)
    corners = coordinates @ axes[:2].T
    points, weights = reference_points(TRIANGLE if len(corners) == 3 else QUAD)
    x, y = corners.T
    # for triangles the square that two of them make
    area = abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / (1 if len(corners) == 3 else 2)
    radius = prop.thickness * np.sqrt(prop.drilling / (1 + area / (wide * prop.thickness) ** 2) / 12)
    g, w = np.polynomial.legendre.leggauss(3)
    _, mean, _ = flat_shape(corners, np.zeros(2))
    made = []
    for point, weight in zip(points, weights, strict=True):
        phi, _, dA = flat_shape(corners, point)
        for zeta, part in zip(g * prop.thickness / 2, w / 2, strict=True):
            for side in (-1, 1):
                local = np.zeros((3, len(phi), 6))
                for a in range(len(phi)):
                    local[:, a, :3] = phi[a] * np.eye(3)
                    local[0, a, 4], local[1, a, 3] = zeta * phi[a], -zeta * phi[a]
                    local[2, a, 5] = side * radius * phi[a]
                    local[2, a, 0] += side * radius * mean[a, 1] / 2
                    local[2, a, 1] -= side * radius * mean[a, 0] / 2
                N = axes.T @ local.reshape(3, -1) @ np.kron(np.eye(2 * len(phi)), axes)
                mass = prop.material.density * prop.thickness * weight * dA * part / 2
                made.append(Particle(mass, phi @ coordinates + zeta * axes[2], N))
    return made
