"""What flat shell elements share: local axes, strains with their quadratic parts, inertia in the volume.

A shell carries membrane forces N, moments M and shear forces Q in its mean plane, with local axes x, y in the
plane and n across it; local x is the projection of the body's x (of y where x is nearly normal). In the volume

    u = u0 + ζ θ×n ,   |ζ| ≤ t/2 .

Strains are those of a surface r with the director d = Λn, Λ = exp θ̃, at the places where the element takes them,

    ε_ij = ½(r,i·r,j − δ_ij),  κ_ij = r,i·d,j,  shear along an edge Δr·d,  drilling ½(Λe_x·r,y − Λe_y·r,x) ,

so that a rigid rotation turns the internal forces and does nothing else, also to second order. Shear lives on the
edges: the strains inside follow from the shear of the edges alone, which is what keeps thin shells from locking.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.elements.contract import InertiaFields, StrainFields, SurfaceFamily
from flexframe.elements.laminate import LaminateProperty, ShellStiffness, plane_moduli
from flexframe.elements.orthotropic import plane_rotation
from flexframe.elements.properties import Material, Property, ShellProperty
from flexframe.elements.stress_measures import surface_measures, von_mises
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature
from flexframe.mesh.cells import Cell
from flexframe.mesh.shapes import cell_geometry


@dataclass(frozen=True)
class ShellElasticity:
    """Stiffness of the elements of one property for each length; one row stands for all if they agree."""

    membrane: Array  # N = A ε, N/m: (elements or 1, 3, 3)
    coupling: Array | None  # N = B κ and M = B ε, N: (elements or 1, 3, 3); None where it is zero
    bending: Array  # M = D κ, N m: (elements or 1, 3, 3)
    shear: Array  # Q = κGt (γxz, γyz), N/m, with the shear factor: (elements or 1, 2, 2)
    drilling: float  # shear stiffness of the plane, N/m
    poisson: float  # √(ν12 ν21)

    def along(self, tangents: Array) -> tuple[Array, Array]:
        """Stiffness of bending and shear along tangents (elements, sides, 2): (elements, sides) each."""
        x, y = tangents[..., 0], tangents[..., 1]
        # M_ss of κ_ss = 1 alone: curvature (x², y², 2xy) and its partner
        strain = np.stack([x * x, y * y, 2 * x * y], axis=-1)
        bending = np.einsum("esr,erq,esq->es", strain, self._rows(self.bending, len(x)), strain)
        shear = np.einsum("esi,eij,esj->es", tangents, self._rows(self.shear, len(x)), tangents)
        return bending, shear

    @staticmethod
    def _rows(values: Array, count: int) -> Array:
        return np.broadcast_to(values, (count, *values.shape[1:]))


def shell_elasticity(prop: ShellProperty, axes: Array) -> ShellElasticity:
    """Elasticity in local axes whose rows are x, y, n (elements, 3, 3).

    Axis 3 of an orthotropic material is the normal; axis 1 is the projection of the first axis of the orientation
    on the shell, or local x without an orientation.
    """
    material, t = prop.material, prop.thickness
    if isinstance(prop, LaminateProperty):
        own = prop.stiffness
    else:
        plane, shear = plane_moduli(material)
        own = ShellStiffness(t * plane, None, t**3 / 12 * plane, t * prop.shear_factor * shear)
    if isinstance(material, Material):
        return ShellElasticity(
            own.membrane[None],
            None,
            own.bending[None],
            own.shear[None],
            t * material.shear_modulus,
            material.poisson,
        )
    T, R = plane_rotation(*_directions(prop, axes))
    back = T.swapaxes(1, 2)
    A = own.membrane
    return ShellElasticity(
        membrane=back @ A @ T,
        coupling=None if own.coupling is None else back @ own.coupling @ T,
        bending=back @ own.bending @ T,
        shear=R.swapaxes(1, 2) @ own.shear @ R,
        drilling=float(A[2, 2]),
        poisson=float(np.sqrt(A[0, 1] ** 2 / (A[0, 0] * A[1, 1]))),
    )


def _directions(prop: ShellProperty, axes: Array) -> tuple[Array, Array]:
    """Cosine and sine of the angle from local x to axis 1 of the material: (elements,) each."""
    if prop.orientation is None:
        return np.ones(len(axes)), np.zeros(len(axes))
    first = prop.orientation.axes()[0]
    along = axes[:, :2] @ first
    length = np.linalg.norm(along, axis=1)
    if (length < 1e-3).any():
        raise InputError(
            f"material {prop.material.name}: axis 1 of its orientation stands across the shell; "
            "give a direction that lies in it, or regions with orientations of their own"
        )
    return along[:, 0] / length, along[:, 1] / length


RESULTANTS = ("Nxx", "Nyy", "Nxy", "Mxx", "Myy", "Mxy", "Qx", "Qy", "drilling", "edge")
"""Forces [N/m], moments [N m/m] in local axes; then the partners of the drilling and of the edge strains."""

MEMBRANE, BENDING, SHEAR, DRILLING, EDGE = slice(0, 3), slice(3, 6), slice(6, 8), 8, 9
_STRAINS = len(RESULTANTS)

# places of the slopes: u,x u,y v,x v,y w,x w,y | θ | θx,x θx,y θy,x … | θ of the drilling | Δu Δv of the edge,
# its θ, and θ along the edge
_UX, _UY, _VX, _VY, _WX, _WY, _RX, _RY, _RZ = range(9)
_RXX, _RXY, _RYX, _RYY, _RZX, _RZY = range(9, 15)
_TX, _TY, _TZ, _EU, _EV, _EX, _EY, _EZ, _ALONG = range(15, 24)
_SLOPES = 24


def _quadratic_strains() -> Array:
    """H_r of e_r = … + ½ ΓᵀH_rΓ: second-order terms of the strains with d = n + θ×n + ½θ×(θ×n) + …"""
    H = np.zeros((_STRAINS, _SLOPES, _SLOPES))

    def add(strain: int, first: int, second: int, coefficient: float) -> None:
        H[strain, first, second] += coefficient
        H[strain, second, first] += coefficient

    for x, y in ((_UX, _UY), (_VX, _VY), (_WX, _WY)):
        add(0, x, x, 0.5)
        add(1, y, y, 0.5)
        add(2, x, y, 1.0)
    # r,i·d,j: u,i·(θ,j×n) + ½(θ_i θz),j
    for strain, (u, v), (turn_x, turn_y), (own, along), z in (
        (3, (_UX, _VX), (_RXX, _RYX), (_RX, _RXX), _RZX),
        (4, (_UY, _VY), (_RXY, _RYY), (_RY, _RYY), _RZY),
        (5, (_UX, _VX), (_RXY, _RYY), (_RX, _RXY), _RZY),
        (5, (_UY, _VY), (_RXX, _RYX), (_RY, _RYX), _RZX),
    ):
        add(strain, u, turn_y, 1.0)
        add(strain, v, turn_x, -1.0)
        add(strain, along, _RZ, 0.5)
        add(strain, own, z, 0.5)
    # ½(Λe_x·r,y − Λe_y·r,x): ½[θz(u,x + v,y) − θx w,x − θy w,y]
    add(DRILLING, _TZ, _UX, 0.5)
    add(DRILLING, _TZ, _VY, 0.5)
    add(DRILLING, _TX, _WX, -0.5)
    add(DRILLING, _TY, _WY, -0.5)
    # Δr·d: Δu·(θ×n) + ½(g·θ)θz
    add(EDGE, _EU, _EY, 1.0)
    add(EDGE, _EV, _EX, -1.0)
    add(EDGE, _ALONG, _EZ, 0.5)
    return H


QUADRATIC = _quadratic_strains()


def shell_property(prop: Property) -> ShellProperty:
    """The property, if it is one of a shell."""
    if not isinstance(prop, ShellProperty):
        raise InputError(f"{type(prop).__name__} does not fit a shell; give a ShellProperty (material, thickness)")
    return prop


def local_axes(coordinates: Array) -> Array:
    """Rows are the local x, y and n in body components: (elements, 3, 3)."""
    last = coordinates.shape[1] - 1
    # the diagonals of a quadrilateral, two sides of a triangle; n points where the nodes run counter-clockwise
    normal = np.cross(coordinates[:, 2] - coordinates[:, 0], coordinates[:, last] - coordinates[:, 1])
    if last == 2:
        normal = np.cross(coordinates[:, 1] - coordinates[:, 0], coordinates[:, 2] - coordinates[:, 0])
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    along = np.where(np.abs(normal[:, :1]) < 0.999, [[1.0, 0, 0]], [[0.0, 1, 0]])
    x = along - np.einsum("ei,ei->e", along, normal)[:, None] * normal
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, np.cross(normal, x), normal], axis=1)


@dataclass(frozen=True)
class Surface:
    """Flat elements in their own axes, at the points of a rule."""

    axes: Array  # rows x, y, n: (elements, 3, 3)
    plane: Array  # nodes in the plane: (elements, nodes, 2)
    shape: Array  # φ: (points, nodes)
    gradient: Array  # ∂φ/∂x_i: (elements, points, nodes, 2)
    inverse: Array  # ∂ξ_d/∂x_i: (elements, points, 2, 2)
    weights: Array  # dA: (elements, points)
    positions: Array  # (elements, points, 3)
    ends: Array  # first and last node of each edge: (edges, 2)

    @property
    def edges(self) -> Array:
        """Vectors along the edges: (elements, edges, 2)."""
        return self.plane[:, self.ends[:, 1]] - self.plane[:, self.ends[:, 0]]


def surface(coordinates: Array, cell: Cell, rule: Quadrature) -> Surface:
    """Geometry of flat elements; the mean plane is that of the nodes."""
    geometry = cell_geometry(cell)
    axes = local_axes(coordinates)
    plane = np.einsum("eki,eai->eak", axes[:, :2], coordinates)
    shape, reference = geometry.shape(rule.points), geometry.shape_gradient(rule.points)
    jacobian = np.einsum("gad,eai->egid", reference, plane)
    determinant = jacobian[..., 0, 0] * jacobian[..., 1, 1] - jacobian[..., 0, 1] * jacobian[..., 1, 0]
    inverse = np.empty_like(jacobian)
    inverse[..., 0, 0], inverse[..., 0, 1] = jacobian[..., 1, 1], -jacobian[..., 0, 1]
    inverse[..., 1, 0], inverse[..., 1, 1] = -jacobian[..., 1, 0], jacobian[..., 0, 0]
    inverse /= determinant[..., None, None]
    return Surface(
        axes=axes,
        plane=plane,
        shape=shape,
        gradient=np.matmul(reference[None], inverse),
        inverse=inverse,
        weights=determinant * rule.weights,
        positions=np.einsum("ga,eai->egi", shape, coordinates),
        ends=np.array([edge[:2] for edge in cell.edges]),
    )


def drilling_factors(at: Surface, prop: ShellProperty, wide: float) -> Array:
    """Multipliers of the drilling stiffness, smaller in elements much wider than thick: (elements,).

    Where flat elements meet at an angle, bending of one is drilling of the other. A wide thin element would lock
    with its full stiffness; the factor tends to `drilling` as the mesh is refined, and is half of that where width
    over thickness is `wide`. Rigid motion and constant strain have no relative rotation, so that any factor passes
    the patch test.
    """
    square = at.weights.sum(axis=1) * (2.0 if at.plane.shape[1] == 3 else 1.0)
    return np.asarray(prop.drilling / (1 + square / (wide * prop.thickness) ** 2))


@dataclass(frozen=True)
class Compatible:
    """Linear strains of the interpolated fields over the local nodal dofs, and all slopes."""

    membrane: Array  # εxx, εyy, γxy: (elements, points, 3, p)
    bending: Array  # κxx, κyy, 2κxy: (elements, points, 3, p)
    edge: Array  # Δw + g·(θ×n) of each edge: (elements, edges, p)
    drilling: Array  # θz − ½(v,x − u,y): (elements, points, p)
    slope: Array  # Γ: (elements, points, slopes, p)


def compatible(at: Surface, drilling_shape: Array) -> Compatible:
    """Strains and slopes; point g holds the slopes of edge g and of the drilling with θ by `drilling_shape`."""
    elements, points, nodes, _ = at.gradient.shape
    gradient, shape = at.gradient, np.broadcast_to(at.shape, (elements, points, nodes))
    slope = np.zeros((elements, points, _SLOPES, nodes, 6))
    for component in range(3):
        slope[:, :, _UX + 2 * component, :, component] = gradient[..., 0]
        slope[:, :, _UY + 2 * component, :, component] = gradient[..., 1]
        slope[:, :, _RX + component, :, 3 + component] = shape
        slope[:, :, _RXX + 2 * component, :, 3 + component] = gradient[..., 0]
        slope[:, :, _RXY + 2 * component, :, 3 + component] = gradient[..., 1]
        slope[:, :, _TX + component, :, 3 + component] = drilling_shape
    g = at.edges
    for number, (first, last) in enumerate(at.ends):
        for component in range(2):
            slope[:, number, _EU + component, first, component] = -1.0
            slope[:, number, _EU + component, last, component] = 1.0
            slope[:, number, _ALONG, [first, last], 3 + component] = g[:, number, component, None] / 2
        for component in range(3):
            slope[:, number, _EX + component, [first, last], 3 + component] = 0.5
    lifted = np.zeros((elements, len(at.ends), nodes, 6))
    numbers = np.arange(len(at.ends))
    lifted[:, numbers, at.ends[:, 0], 2] = -1.0
    lifted[:, numbers, at.ends[:, 1], 2] = 1.0
    return _strains(at, slope.reshape(elements, points, _SLOPES, -1), lifted.reshape(elements, len(at.ends), -1))


def _strains(at: Surface, slope: Array, lifted: Array) -> Compatible:
    """Linear strains from the slopes; `lifted` is Δw of the edges."""
    g = at.edges
    return Compatible(
        membrane=np.stack([slope[:, :, _UX], slope[:, :, _VY], slope[:, :, _UY] + slope[:, :, _VX]], axis=2),
        bending=np.stack([slope[:, :, _RYX], -slope[:, :, _RXY], slope[:, :, _RYY] - slope[:, :, _RXX]], axis=2),
        edge=lifted + g[..., :1] * slope[:, :, _EY] - g[..., 1:] * slope[:, :, _EX],
        drilling=slope[:, :, _TZ] - (slope[:, :, _VX] - slope[:, :, _UY]) / 2,
        slope=slope,
    )


@dataclass(frozen=True)
class EdgeRule:
    """How the shear of the edges makes curvature and shear inside: κ = κ(θ) + a e, γ = c e."""

    bending: Array | None  # a: (elements, points, 3, edges)
    shear: Array  # c: (elements, points, 2, edges)


def curvature(fields: Compatible, edges: EdgeRule) -> Array:
    """κ with what the shear of the edges adds: (elements, points, 3, p)."""
    return fields.bending if edges.bending is None else fields.bending + edges.bending @ fields.edge[:, None]


@dataclass(frozen=True)
class MembranePart:
    """Strains and resultants of the membrane with its drilling rotations, over the local dofs."""

    strain: Array  # (elements, points, 3, p)
    stretched: Array  # ε that the elasticity takes, with the drilling rotations: (elements, points, 3, p)
    resultant: Array  # (elements, points, 3, p)
    drilling_strain: Array  # (elements, points, p)
    drilling_resultant: Array  # (elements, points, p)


def shell_fields(
    at: Surface, fields: Compatible, membrane: MembranePart, edges: EdgeRule, elasticity: ShellElasticity
) -> StrainFields:
    """All strains and resultants in body dofs.

    The energy of shear, and of the curvature that it brings, is written with the edge strains e and their
    partners F = ∫(aᵀM + cᵀQ) dA; the strains beside Q stay zero.
    """
    elements, points, _, dofs = fields.slope.shape
    moment = np.matmul(elasticity.bending[:, None], curvature(fields, edges))
    if elasticity.coupling is not None:
        moment = moment + np.matmul(elasticity.coupling[:, None], membrane.stretched)
    force = np.matmul(elasticity.shear[:, None], edges.shear @ fields.edge[:, None])
    partner = np.einsum("eg,egik,egip->ekp", at.weights, edges.shear, force, optimize=True)
    if edges.bending is not None:
        partner = partner + np.einsum("eg,egik,egip->ekp", at.weights, edges.bending, moment, optimize=True)
    strain = np.zeros((elements, points, _STRAINS, dofs))
    resultant = np.zeros_like(strain)
    strain[:, :, MEMBRANE], resultant[:, :, MEMBRANE] = membrane.strain, membrane.resultant
    strain[:, :, BENDING], resultant[:, :, BENDING] = fields.bending, moment
    resultant[:, :, SHEAR] = force
    strain[:, :, DRILLING], resultant[:, :, DRILLING] = membrane.drilling_strain, membrane.drilling_resultant
    strain[:, :, EDGE], resultant[:, :, EDGE] = fields.edge, partner / at.weights[..., None]
    return StrainFields(
        weights=at.weights,
        positions=at.positions,
        strain=to_body(strain, at.axes),
        resultant=to_body(resultant, at.axes),
        slope=to_body(fields.slope, at.axes),
    )


def to_body(local: Array, axes: Array) -> Array:
    """Columns for local nodal dofs turned into columns for body nodal dofs: (elements, ..., p)."""
    blocks = local.reshape(len(local), -1, 3)
    return np.matmul(blocks, axes).reshape(local.shape)


# three points (ζ, s)/r whose sums of ζ, s, ζs vanish and whose means of ζ² and s² are r²
_FIBRE = np.sqrt(2.0) * np.array([[1.0, 0.0], [-0.5, np.sqrt(0.75)], [-0.5, -np.sqrt(0.75)]])


def shell_inertia(at: Surface, prop: ShellProperty, factors: Array) -> InertiaFields:
    """u = u0 + ζ θ×n at three points of each fibre; its inertia, rigid or not, has a multiplier.

    Turning a fibre about itself moves nothing, which would leave the drilling rotations without inertia and the
    mass matrix singular. The same points therefore also move by ± r (θz − ω) across the shell, ω the mean rotation
    ½(v,x − u,y) of the element; in a rigid motion, and on the average, this is nothing. With r² = t²/12 (of a
    laminate, of its mass) times the drilling factors the drilling rotations vibrate at about the frequency of
    thickness shear, √(12G/ρ)/t.
    """
    elements, points, nodes, _ = at.gradient.shape
    radius, rotary = prop.gyration, np.sqrt(prop.rotary_inertia)
    middle, across = np.zeros((2, elements, points, 3, nodes, 6))
    for component in range(3):
        middle[:, :, component, :, component] = at.shape
    across[:, :, 0, :, 4] = at.shape  # θ×n = (θy, −θx, 0)
    across[:, :, 1, :, 3] = -at.shape
    mean = np.einsum("eg,egai->eai", at.weights, at.gradient) / at.weights.sum(axis=1)[:, None, None]
    drilling = np.zeros((elements, points, nodes, 6))
    drilling[..., 5] = at.shape
    drilling[..., 0], drilling[..., 1] = mean[:, None, :, 1] / 2, -mean[:, None, :, 0] / 2
    drilling *= np.sqrt(factors)[:, None, None, None]
    shape = np.empty((elements, points, 3, 3, nodes * 6))
    for number, (zeta, side) in enumerate(_FIBRE):
        shape[:, :, number] = (middle + rotary * radius * zeta * across).reshape(elements, points, 3, nodes * 6)
        shape[:, :, number, 2] += rotary * radius * side * drilling.reshape(elements, points, nodes * 6)
    in_body = np.einsum("eki,egckp->egcip", at.axes, to_body(shape, at.axes), optimize=True)
    positions = at.positions[:, :, None] + rotary * radius * _FIBRE[:, 0, None] * at.axes[:, None, None, 2]
    weights = prop.material.density * prop.thickness / 3 * at.weights
    return InertiaFields(
        weights=np.repeat(weights, 3, axis=1),
        positions=positions.reshape(elements, 3 * points, 3),
        shape=in_body.reshape(elements, 3 * points, 3, nodes * 6),
    )


def fibre_kernel(axes: Array, prop: ShellProperty, gradient: Array) -> Array:
    """θᵀ[tr(P)1 − sym(P)]θ, P = ρt r² (An)nᵀ, the body force in turned fibres: (elements, slopes, slopes)."""
    normal = axes[:, 2]
    inertia = prop.rotary_inertia * prop.material.density * prop.thickness * prop.gyration**2
    force = inertia * np.einsum("eki,ij,ej->ek", axes, gradient, normal)
    product = np.zeros((len(axes), 3, 3))
    product[:, :, 2] = force  # n is the third local axis
    kernel = np.zeros((len(axes), _SLOPES, _SLOPES))
    symmetric = (product + product.swapaxes(1, 2)) / 2
    kernel[:, _RX : _RZ + 1, _RX : _RZ + 1] = force[:, 2, None, None] * np.eye(3) - symmetric
    return kernel


class FlatShell(SurfaceFamily):
    """What flat elements answer alike; a member gives its strains."""

    degree: ClassVar[int] = 2
    property_type: ClassVar[type[Property]] = ShellProperty
    resultants: ClassVar[tuple[str, ...]] = RESULTANTS
    units: ClassVar[Mapping[str, str]] = {n: "N" if n[0] == "M" else "N/m" for n in RESULTANTS if n[0] in "NMQ"}
    quadratic: ClassVar[Array] = QUADRATIC

    @property
    @abstractmethod
    def wide(self) -> float:
        """Width over thickness that halves the drilling stiffness."""

    def axes(self, coordinates: Array) -> Array:
        """Rows x, y, n: (elements, 3, 3)."""
        return local_axes(coordinates)

    def arms(self, coordinates: Array, prop: Property) -> Array | None:
        """Along the normal, where the plane of the elements lies beside the nodes."""
        lift = shell_property(prop).lift
        if not lift:
            return None
        normal = local_axes(coordinates)[:, 2]
        return np.broadcast_to(lift * normal[:, None], coordinates.shape)

    def areas(self, coordinates: Array) -> Array:
        """dA at the points of the rule: (elements, points)."""
        return surface(coordinates, self.cell, self.rule).weights

    def compliance(self, coordinates: Array, prop: Property) -> Array:
        """The inverse of [[A, B], [B, D]] in local axes: (elements or 1, 6, 6)."""
        found = shell_elasticity(shell_property(prop), local_axes(coordinates))
        whole = np.zeros((len(found.membrane), 6, 6))
        whole[:, :3, :3], whole[:, 3:, 3:] = found.membrane, found.bending
        if found.coupling is not None:
            whole[:, :3, 3:] = whole[:, 3:, :3] = found.coupling
        return np.asarray(np.linalg.inv(whole), dtype=float)

    def faces(self, prop: Property) -> tuple[float, float]:
        """Bottom and top over the plane of the elements, m."""
        return shell_property(prop).faces

    def inertia_fields(self, coordinates: Array, prop: Property) -> InertiaFields:
        """The fibres at the points of the rule, exact for the interpolation of a flat element."""
        prop, at = shell_property(prop), surface(coordinates, self.cell, self.rule)
        return shell_inertia(at, prop, drilling_factors(at, prop, self.wide))

    def section_kernel(self, coordinates: Array, prop: Property, gradient: Array) -> Array:
        """The body force in the turned fibres."""
        return fibre_kernel(local_axes(coordinates), shell_property(prop), gradient)[:, None]

    def stress_measures(self, values: Mapping[str, Array], prop: Property) -> dict[str, Array]:
        """Forces and moments, and the stress of both surfaces."""
        return surface_measures(values, shell_property(prop).thickness)

    def equivalent_stress(self, values: Mapping[str, Any]) -> Any:
        """The larger von Mises stress of both surfaces, from their components."""
        sides = [
            von_mises({f"s{pair}": values[f"s{pair}_{side}"] for pair in ("xx", "yy", "xy")})
            for side in ("top", "bottom")
        ]
        return np.maximum(*sides)
