"""Supports and couplings: homogeneous linear constraints on displacements, and which node is meant."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.mesh.mesh import Mesh
from flexframe.motion.frame import vector3

NodeSelection = str | int | tuple[float, ...]
"""A set name, a node number, or a point of the body whose nearest node is meant."""


class Support(Protocol):
    """Rows a·(ux, uy, uz, rx, ry, rz) = 0 that hold at every selected node."""

    @property
    def on(self) -> NodeSelection:
        """The nodes that it holds."""
        ...

    def constraints(self) -> Array:
        """(constraints, 6)."""
        ...


@dataclass(frozen=True)
class Clamp(Described):
    """No displacement and no rotation."""

    on: NodeSelection

    def constraints(self) -> Array:
        """Rows of all six displacements and rotations, in body axes: (6, 6)."""
        return np.eye(6)


@dataclass(frozen=True)
class Pin(Described):
    """No displacement; rotations stay free."""

    on: NodeSelection

    def constraints(self) -> Array:
        """Rows of the three displacements, in body axes: (3, 6)."""
        return np.eye(6)[:3]


@dataclass(frozen=True)
class Roller(Described):
    """No displacement along `direction`."""

    on: NodeSelection
    direction: tuple[float, ...]

    def constraints(self) -> Array:
        """The row of the displacement along the unit vector of `direction`, in body axes: (1, 6)."""
        normal = _unit(self.direction, "roller direction")
        return np.concatenate([normal, np.zeros(3)])[None]


@dataclass(frozen=True)
class Symmetric(Described):
    """A plane of symmetry: no displacement along its normal, no rotation about directions in the plane."""

    on: NodeSelection
    normal: tuple[float, ...]

    def constraints(self) -> Array:
        """Rows of the displacement along the normal and the rotations in the plane, in body axes: (4, 6)."""
        normal = _unit(self.normal, "symmetry normal")
        rows = np.zeros((4, 6))
        rows[0, :3] = normal
        rows[1:, 3:] = np.eye(3) - np.outer(normal, normal)
        return rows


@dataclass(frozen=True)
class Fix(Described):
    """The named degrees of freedom are zero, in body axes or along three unit vectors of their own."""

    on: NodeSelection
    dofs: tuple[str, ...]
    axes: tuple[tuple[float, ...], ...] | None = None

    def constraints(self) -> Array:
        """A row for each of `dofs`, in body axes or along `axes`: (dofs, 6)."""
        unknown = [dof for dof in self.dofs if dof not in NODE_DOFS]
        if unknown:
            raise InputError(f"support holds '{unknown[0]}'; choose from {', '.join(NODE_DOFS)}")
        turned = np.eye(3) if self.axes is None else np.array(self.axes, dtype=float)
        if turned.shape != (3, 3) or not np.allclose(turned @ turned.T, np.eye(3), atol=1e-9):
            raise InputError("the axes of a support are not three unit vectors at right angles; give such")
        return np.kron(np.eye(2), turned)[[NODE_DOFS.index(dof) for dof in self.dofs]]


def _unit(direction: tuple[float, ...], what: str) -> Array:
    vector = vector3(direction, what)
    length = np.linalg.norm(vector)
    if length == 0:
        raise InputError(f"{what} has no length; give a vector other than zero")
    return np.asarray(vector / length)


Vector = tuple[float, ...]


class _Referenced(Described):
    """A coupling of nodes with a reference."""

    reference: NodeSelection
    on: NodeSelection

    @property
    def selections(self) -> tuple[NodeSelection, ...]:
        """The nodes that it joins."""
        return self.on, self.reference


@dataclass(frozen=True)
class RigidCoupling(_Referenced):
    """The nodes `on` follow the reference node as one rigid piece (RBE2).

    The reference gets three rotations if its elements have none. `dofs` are those of the nodes that follow.
    """

    reference: NodeSelection
    on: NodeSelection
    dofs: tuple[str, ...] = NODE_DOFS

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_dofs("rigid coupling", self.dofs)


@dataclass(frozen=True)
class MeanCoupling(_Referenced):
    """The reference node moves with the mean of the nodes `on` (RBE3), which stay free to deform.

    Displacement and rotation are those of the rigid motion nearest to the nodes by weighted least squares, so a
    force and a moment on the reference spread over them. Weights are 1 for each node ("nodes"), or its share of
    the surface ("area", `on` a facet set), or `weights`, one for each node in the order of their numbers. `dofs`
    are those of the reference that are tied.
    """

    reference: NodeSelection
    on: NodeSelection
    dofs: tuple[str, ...] = NODE_DOFS
    weighting: Literal["nodes", "area"] = "nodes"
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_dofs("mean coupling", self.dofs)
        if self.weights is not None and not (np.array(self.weights) > 0).all():
            raise InputError("mean coupling: a weight is not positive; give positive weights")


Term = tuple[NodeSelection, str, float]
"""A node, its degree of freedom (ux … rz), and a factor."""


@dataclass(frozen=True, eq=False)
class EquationCoupling(Described):
    """Linear equations among displacements and rotations of nodes, each Σ factor · dof = 0 (MPC).

    `nodes` selects them; `factors` (equations, 6 × nodes) has six columns, ux … rz in body axes, for each node in
    the order of the selections. Displacements are m and rotations rad. An equation is linear: what it joins at a
    distance moves to first order only, and takes no part in the geometric stiffness.
    """

    nodes: tuple[NodeSelection, ...]
    factors: SparseMatrix | ArrayLike

    def __post_init__(self) -> None:
        super().__post_init__()
        made = self.matrix
        if made.shape[1] % 6 or not np.isfinite(made.data).all():
            raise InputError(
                f"equation coupling: factors have {made.shape[1]} columns, or are not finite; give six numbers, "
                "ux … rz, of each node"
            )
        if (abs(made).sum(axis=1) == 0).any():
            raise InputError("equation coupling: an equation has no factor other than zero; leave it out")

    @property
    def matrix(self) -> SparseMatrix:
        """The factors (equations, 6 × nodes)."""
        given = self.factors
        return sparse.csr_array(given if sparse.issparse(given) else np.atleast_2d(np.asarray(given, dtype=float)))

    @classmethod
    def of_terms(cls, terms: Sequence[Term]) -> "EquationCoupling":
        """One equation, Σ factor · dof = 0.

        Parameters
        ----------
        terms
            Node, degree of freedom (ux … rz) and factor of each term.

        Returns
        -------
        EquationCoupling
            A coupling for `Body`.

        Examples
        --------
        >>> slide = ff.supports.EquationCoupling.of_terms([("left", "ux", 1.0), ("right", "ux", -1.0)])
        >>> slide.nodes
        ('left', 'right')
        """
        _require_dofs("equation coupling", tuple(dof for _, dof, _ in terms))
        factors = np.zeros((len(terms), 6))
        for row, (_, dof, factor) in enumerate(terms):
            factors[row, NODE_DOFS.index(dof)] = factor
        return cls(tuple(node for node, _, _ in terms), factors.ravel())

    @property
    def selections(self) -> tuple[NodeSelection, ...]:
        """The nodes that it joins."""
        return self.nodes


Coupling = RigidCoupling | MeanCoupling | EquationCoupling


def with_selections(coupling: Coupling, name: Callable[[NodeSelection], NodeSelection]) -> Coupling:
    """The coupling on other names of its nodes."""
    if isinstance(coupling, EquationCoupling):
        return replace(coupling, nodes=tuple(name(on) for on in coupling.nodes))
    return replace(coupling, on=name(coupling.on), reference=name(coupling.reference))


@dataclass(frozen=True)
class FrameSpring(Described):
    """A spring and damper from each selected node to the frame of the body, along and about the body axes.

    Units: N/m, N m/rad, N s/m, N m s/rad.
    """

    on: NodeSelection
    stiffness: Vector = (0.0, 0.0, 0.0)
    rotational_stiffness: Vector = (0.0, 0.0, 0.0)
    damping: Vector = (0.0, 0.0, 0.0)
    rotational_damping: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("stiffness", "damping"):
            if (self.values(name) < 0).any():
                raise InputError(f"spring: a {name} is negative; give values from zero up")

    def values(self, name: str) -> Array:
        """Stiffness or damping of the six degrees of freedom: (6,)."""
        along, about = getattr(self, name), getattr(self, f"rotational_{name}")
        return np.concatenate([vector3(along, f"spring {name}"), vector3(about, f"rotational spring {name}")])


def _require_dofs(what: str, dofs: tuple[str, ...]) -> None:
    unknown = [dof for dof in dofs if dof not in NODE_DOFS]
    if unknown or not dofs:
        raise InputError(f"{what}: dofs are {list(dofs)}; choose one or more of {', '.join(NODE_DOFS)}")


_OFF_PLANE = 1e-9  # of the size of the mesh: out-of-plane coordinate of a planar place that is no round-off
_UNITS = ((1e-3, "mm"), (1e-2, "cm"))  # forgotten units of a place


@dataclass(frozen=True, eq=False)
class NodePlace:
    """The node that a point [m] of body axes stands for."""

    point: Array  # (3,)
    node: int
    position: Array  # of the node: (3,)
    distance: float  # m
    element_size: float  # of the cells at the node, m


def node_place(owner: str, mesh: Mesh, point: Sequence[float], *, planar: bool, depth: float = 0.0) -> NodePlace:
    """The node nearest to a point; a point that is farther from it than the size of its element is refused.

    `depth` [m] is how far the material reaches beyond the nodes (half a section, half a thickness). A planar body
    has no place beside its plane.
    """
    found = _nearest(mesh, point)
    beside = planar and abs(found.point[2] - found.position[2]) > depth + _OFF_PLANE * _size(mesh)
    if not beside and found.distance <= found.element_size + depth:
        return found
    label, at = mesh.node_label(found.node), _numbers(found.position)
    raise InputError(
        f"{_show(found.point)} is {found.distance:.4g} m from body {owner}: its nearest node is "
        f"{label} at ({at}) m, with elements of {found.element_size:.3g} m; "
        f"{_remedy(mesh, found, planar=planar, depth=depth)}"
    )


def _nearest(mesh: Mesh, point: Sequence[float]) -> NodePlace:
    node = mesh.nearest_node(point)
    place = np.zeros(3)
    place[: len(point)] = point
    position = mesh.points[node]
    return NodePlace(place, node, position, float(np.linalg.norm(place - position)), _element_size(mesh, node))


def _element_size(mesh: Mesh, node: int) -> float:
    """Largest diagonal of the boxes around the cells at a node; of all cells where it has none.

    A body that is only nodes has no elements to compare with: as large as all of it, no limit for a single node.
    """
    own = largest = 0.0
    for block in mesh.blocks:
        if block.cell.dimension == 0:
            continue
        corners = mesh.points[block.nodes]
        sizes = np.linalg.norm(corners.max(axis=1) - corners.min(axis=1), axis=1)
        here = sizes[(block.nodes == node).any(axis=1)]
        own, largest = max(own, float(here.max(initial=0.0))), max(largest, float(sizes.max()))
    return own or largest or _size(mesh) or float("inf")


def _size(mesh: Mesh) -> float:
    low, high = mesh.bounding_box
    return float(np.linalg.norm(high - low))


def _remedy(mesh: Mesh, found: NodePlace, *, planar: bool, depth: float) -> str:
    def fits(candidate: Sequence[float]) -> bool:
        near = _nearest(mesh, candidate)
        return near.distance <= near.element_size + depth

    if planar and found.point[2] != 0:
        for text, candidate in _with_decimal_points(found.point):
            if fits(candidate):
                return f"a place in the plane has two numbers: was a decimal comma meant as a point, {text}?"
    for factor, unit in _UNITS:
        if fits(tuple(factor * found.point)):
            texts = ", ".join(f"{value:g} {unit}" for value in found.point[: 2 if found.point[2] == 0 else 3])
            return f"a place without a unit is in metres: was [{texts}] meant?"
    if fits(tuple(1000 * found.point)):
        return "1000 times that is on the body: is its mesh in millimetres? Give it in metres (scale: 0.001)"
    if planar and found.point[2] != 0:
        return "a place in the plane has two numbers; give a place on the body"
    return "give a place on the body, the number of a node, or the name of a set"


def _with_decimal_points(point: Array) -> Iterator[tuple[str, tuple[float, float]]]:
    """Two numbers that three could be the halves of: 1, 1, 5 was 1 and 1,5, or 1,1 and 5."""
    a, b, c = point
    whole = [value == round(value) and abs(value) < 1e9 for value in point]
    if whole[1] and whole[2] and c >= 0:
        second = float(f"{b:.0f}.{c:.0f}")
        yield f"[{a:g}, {second:g}]", (float(a), second)
    if whole[0] and whole[1] and b >= 0:
        first = float(f"{a:.0f}.{b:.0f}")
        yield f"[{first:g}, {c:g}]", (first, float(c))


def _numbers(point: Array) -> str:
    return ", ".join(f"{value:.6g}" for value in point)


def _show(point: Array) -> str:
    return f"[{_numbers(point if point[2] else point[:2])}]"
