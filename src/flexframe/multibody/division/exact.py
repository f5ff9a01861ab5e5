"""A body of geometrically exact beams: its nodes are rigid sections, and what is between them bends without limit.

Exact beams between two sections: the screw d = (U, Ω) from one to the other, and flexibility.

An element is curved and twisted at rest as the constant deformation d₀/L says, exp d₀ = H_A⁻¹H_B. Without load
along it the forces of its sections change by f' = ad_dᵀf/L, and with A(ξ) = T⁻¹(d) e^(−(1−ξ) ad_d) a change of
strain δε(ξ) changes d by L∫A δε dξ. Both ends are then as flexible as

    F = ∫ A(ξ) C A(ξ)ᵀ dξ = C + (1/12) ad_d C ad_dᵀ + O(L⁴),      C the flexibility of the section, full 6×6,

so that small displacements of nodes by forces at nodes are exact. F is taken at rest; where the beam is bent on,
the term of second order follows Ω (`core/src/beams.cpp`).

Every node is a piece with six coordinates and, but for point masses, no mass: stiffness and inertia are those of
the elements (`core/src/beams.cpp`, `beam_elements.py`), whose section law is linear in the strains (Γ, κ) of the
section.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flexframe.assembly.discrete import element_batches
from flexframe.elements.contract import ElementBatch, SectionLaw, StructuralFamily
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import quaternion_from_rotation, skew, vector_from_rotation
from flexframe.model.body import Body, PointMass
from flexframe.model.constraints import Fixed, TimeLaw
from flexframe.model.joints import Weld
from flexframe.model.loads import Gravity, LineLoad, NodeForce
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import BodyLoads
from flexframe.multibody.contract import DynamicBody
from flexframe.multibody.division.pieces import ORIGIN, Division, Piece, divisions_of
from flexframe.multibody.laws import LawCollection, value_before
from flexframe.multibody.signals import SignalNetwork
from flexframe.multibody.tables import BeamTables
from flexframe.reduction.attached import ClampedFrame, Reference
from flexframe.reduction.loads import ReducedLoads

_TERMS = 30  # of exponential series; turns are below half a revolution
_POINTS, _WEIGHTS = (np.polynomial.legendre.leggauss(10)[i] / 2 for i in (0, 1))


class ElementLaw(NamedTuple):
    """How elements deform, seen from rest."""

    lengths: Array  # L: (elements,)
    references: Array  # d₀: (elements, 6)
    flexibility: Array  # F₀ = F − (1/12) A C Aᵀ with A = [Ũ₀; Ω̃₀]: (elements, 6, 6)
    bending: Array  # C of twist and bends: (elements, 3, 3)

    def at(self, d: Array) -> Array:
        """F(d) = F₀ + (1/12) A C Aᵀ with A = [Ũ₀; Ω̃]: (..., elements, 6) → (..., elements, 6, 6)."""
        arms = self._arms(d)
        return np.asarray(self.flexibility + arms @ self.bending @ np.swapaxes(arms, -1, -2) / 12)

    def _arms(self, d: Array) -> Array:
        fixed = np.broadcast_to(skew(self.references[:, :3]), (*d.shape[:-1], 3, 3))
        return np.concatenate([fixed, skew(d[..., 3:])], axis=-2)


def screws(first: Array, last: Array, apart: Array) -> Array:
    """d of sections with axes first, last (..., 3, 3) as columns, apart in space (..., 3): (..., 6).

    Ω = log RᵀR' and U = (1 − ½ Ω̃ + c Ω̃²) Rᵀ(r' − r) with c = (1 − (φ/2) cot(φ/2))/φ².
    """
    back = np.swapaxes(first, -1, -2)
    turn = vector_from_rotation(back @ last)
    moved = (back @ apart[..., None])[..., 0]
    x = (turn * turn).sum(axis=-1, keepdims=True)
    half = np.sqrt(x) / 2
    near = x < 1e-3  # where the quotient would cancel: 1/12 + x/720 + x²/30240
    quotient = np.divide(half, np.tan(half), out=np.ones_like(half), where=~near)
    c = np.where(
        near, 1 / 12 + x / 720 + x**2 / 30240, np.divide(1 - quotient, x, out=np.ones_like(x), where=~near)
    )
    once = np.cross(turn, moved)
    return np.concatenate([moved - once / 2 + c * np.cross(turn, once), turn], axis=-1)


def element_law(law: SectionLaw, coordinates: Array) -> ElementLaw:
    """Of all elements of a section, from where their nodes are: (elements, 2, 3)."""
    places = coordinates + law.arms
    axes = np.swapaxes(law.axes, -1, -2)
    d = screws(axes[:, 0], axes[:, 1], places[:, 1] - places[:, 0])
    C = law.flexibility
    ad = _adjoint(d)
    back = [_exponential(-(0.5 - point) * ad) for point in _POINTS]  # e^(−(1−ξ) ad), ξ = ½ + point
    T = sum(w * B for w, B in zip(_WEIGHTS, back, strict=True))
    A = [np.linalg.solve(T, B) for B in back]
    F = sum(w * a @ C @ np.swapaxes(a, -1, -2) for w, a in zip(_WEIGHTS, A, strict=True))
    made = ElementLaw(
        np.linalg.norm(d[:, :3], axis=1), d, np.asarray(F), np.repeat(C[None, 3:, 3:], len(d), axis=0)
    )
    return made._replace(flexibility=2 * made.flexibility - made.at(d))


def _adjoint(d: Array) -> Array:
    """[Ω̃, Ũ; 0, Ω̃]: (elements, 6, 6)."""
    out = np.zeros((len(d), 6, 6))
    out[:, :3, :3] = out[:, 3:, 3:] = skew(d[:, 3:])
    out[:, :3, 3:] = skew(d[:, :3])
    return out


def _exponential(matrix: Array) -> Array:
    one = np.eye(6)
    total = one + matrix / _TERMS
    for n in range(_TERMS - 1, 0, -1):
        total = one + matrix @ total / n
    return np.asarray(total)


SECTION_LAW = "section law linear in the strains of the section, warping and deformation of the section left out"
STRESS_ALONG = (
    "stress is that of section forces in balance with loads, weight and inertia along each element; the largest "
    "is looked for at five sections of every element and, within the one that has it, between them"
)
_NODE = "0"  # marker of a piece at its node
_NEXT = "next"  # where the other end of an element is when nothing is deformed


@dataclass(frozen=True)
class BeamBond(Weld):
    """An exact beam between two pieces; bodies are put together at the start as if it were rigid."""

    at_start_only: ClassVar[bool] = True


@dataclass(frozen=True, eq=False)
class ExactBeams:
    """The elements of a body one after the other, as the core reads them, and what loads them."""

    nodes: Array  # of the body, both ends: (elements, 2)
    cells: Array  # (elements,)
    arms: Array  # from the nodes to the centroids, body axes: (elements, 2, 3)
    axes: Array  # x, y, z of the sections at both ends as rows in body components: (elements, 2, 3, 3)
    law: ElementLaw
    damping: Array  # (elements, 6, 6)
    mass: Array  # (elements, 6, 6)
    line_loads: Array  # force for each length, body axes: (elements, 3)
    weights: Array  # the same at the centres of mass: (elements, 3)
    node_loads: Mapping[str, Array] = field(default_factory=dict)  # piece → force and moment: (6,)

    @property
    def lengths(self) -> Array:
        """Along their axes, which may be curved: (elements,)."""
        return self.law.lengths


def exact_beams(body: Body, reference: Reference | None = None) -> Division:
    """The body as rigid sections and exact beams between them."""
    batches = _beam_batches(body)
    _require_simple(body)
    points = body.mesh.points
    used = np.unique(np.concatenate([batch.nodes.ravel() for batch in batches]))
    if len(used) < len(points):
        lost = int(np.setdiff1d(np.arange(len(points)), used)[0])
        raise InputError(
            f"node {body.mesh.node_label(lost)} of body {body.name} is at no beam; take it out of the mesh"
        )
    frame = _frame_node(body, reference)
    beams = _elements(body, batches)
    nexts: dict[int, dict[str, Array]] = {node: {} for node in range(len(points))}
    for element, (a, b) in enumerate(beams.nodes):
        nexts[int(a)][f"{_NEXT} {element}"] = points[b] - points[a]
    pieces = []
    for node, place in enumerate(points):
        own = {_NODE: np.zeros(3), **nexts[node]}
        if node == frame:
            own[ORIGIN] = -place
        mass, inertia = _point_mass(body, node)
        section = RigidBody(f"{body.name}/{node + 1}", mass, inertia, points=own)
        pieces.append(Piece(section, np.array([node]), np.zeros(0, dtype=np.int64), position=place))
    bonds = [
        BeamBond(f"beam {k + 1} of {body.name}", f"{pieces[a].name}.{_NEXT} {k}", f"{pieces[b].name}.{_NODE}")
        for k, (a, b) in enumerate(beams.nodes)
    ]
    return Division(body, tuple(pieces), tuple(bonds), frame, exact=beams)


def _beam_batches(body: Body) -> tuple[ElementBatch, ...]:
    batches = element_batches(body)
    for batch in batches:
        family = batch.family
        if not isinstance(family, StructuralFamily) or family.section_law(batch.coordinates, batch.prop) is None:
            raise InputError(
                f"body {body.name} has {batch.family.name} elements; exact beams are made of beams alone: mesh "
                "it by lines with a section, or give another reduction",
                field="reduction",
            )
    return batches


def _require_simple(body: Body) -> None:
    """What is said relative to the one frame of a body has no meaning where every section has its own."""
    name = body.name
    if body.couplings:
        raise InputError(
            f"body {name} has couplings, and its sections have frames of their own; join bodies instead, or leave "
            "reduction: exact out",
            field="couplings",
        )
    if body.springs:
        raise InputError(
            f"body {name} has springs to its frame, and its sections have frames of their own; give springs to "
            "the system instead",
            field="springs",
        )
    if body.damping.mass:
        raise InputError(
            f"damping by mass of body {name} is relative to its frame, and its sections have frames of their own; "
            "give damping by stiffness",
            field="damping",
        )


def _frame_node(body: Body, reference: Reference | None) -> int:
    """The node whose section carries the frame of the body: the clamped one, else the first."""
    held: set[int] = set()
    if isinstance(reference, ClampedFrame):
        held = {int(node) for node in body.selected_nodes(reference.on)}
    for support in body.supports:
        rows = np.atleast_2d(support.constraints())
        kept = [0, 1, 5] if body.space == "planar" else list(range(6))
        if np.linalg.matrix_rank(rows[:, kept]) < len(kept):
            raise InputError(
                f"a support of body {body.name} holds a section in some directions only; exact beams are clamped "
                "to the frame of the body, or held by joints: use clamp, or a joint of the system",
                field="supports",
            )
        held |= {int(node) for node in body.selected_nodes(support.on)}
    if len(held) > 1:
        raise InputError(
            f"body {body.name} is clamped at {len(held)} nodes, but its frame moves with one section; clamp one, "
            "and give the others a joint that is fixed to the ground or to a body",
            field="supports",
        )
    return held.pop() if held else 0


def _point_mass(body: Body, node: int) -> tuple[float, Array]:
    """Mass and inertia about a node."""
    own: list[PointMass] = [m for m in body.point_masses if node in body.selected_nodes(m.on)]
    second = sum((m.second_moments() for m in own), np.zeros((3, 3)))
    return sum(m.mass for m in own), np.trace(second) * np.eye(3) - second


def _elements(body: Body, batches: tuple[ElementBatch, ...]) -> ExactBeams:
    parts = []
    for batch in batches:
        assert isinstance(batch.family, StructuralFamily)
        tangents = None if body.mesh.tangents is None else body.mesh.tangents[batch.nodes]
        law = batch.family.section_law(batch.coordinates, batch.prop, tangents)
        assert law is not None, "others are refused before"
        mass = np.repeat(law.mass[None], batch.count, axis=0)
        parts.append((batch.nodes, batch.cells, law.arms, law.axes, mass, *element_law(law, batch.coordinates)))
    together = [np.concatenate(each) for each in zip(*parts, strict=True)]
    order = np.argsort(together[1], kind="stable")
    nodes, cells, arms, axes, mass, *own = (each[order] for each in together)
    law_of_all = ElementLaw(*own)
    _require_half_turns(body, cells, law_of_all)
    line, weights, at_nodes = _loads(body, nodes, cells, mass)
    stiffness = np.asarray(np.linalg.inv(law_of_all.at(law_of_all.references)), dtype=float)
    return ExactBeams(
        nodes, cells, arms, axes, law_of_all, body.damping.stiffness * stiffness, mass, line, weights, at_nodes
    )


def _require_half_turns(body: Body, cells: Array, law: ElementLaw) -> None:
    """Ends of one element that are turned far against each other at rest leave no room for more."""
    turn = np.linalg.norm(law.references[:, 3:], axis=1)
    if (turn > np.pi / 2).any():
        k = int(turn.argmax())
        raise InputError(
            f"body {body.name}: the ends of cell {body.mesh.cell_label(int(cells[k]))} are turned by "
            f"{np.degrees(turn[k]):.0f}° against each other at rest; give more cells",
            field="mesh",
        )


def element_screws(beams: ExactBeams, positions: Array, rotations: Array) -> Array:
    """d of all elements from places (T, nodes, 3) and axes (T, nodes, 3, 3) of the nodes: (T, elements, 6)."""
    own = np.swapaxes(beams.axes, -1, -2)
    axes, places = [], []
    for end, nodes in enumerate(beams.nodes.T):
        turned = rotations[:, nodes]
        axes.append(turned @ own[:, end])
        places.append(positions[:, nodes] + np.einsum("teij,ej->tei", turned, beams.arms[:, end]))
    return screws(axes[0], axes[1], places[1] - places[0])


def _in_space(vector: ArrayLike) -> Array:
    """Three components of a vector that may have two."""
    given = np.asarray(vector, dtype=float)
    return np.append(given, np.zeros(3 - len(given)))


def _loads(body: Body, nodes: Array, cells: Array, mass: Array) -> tuple[Array, Array, dict[str, Array]]:
    """Forces for each length on the line and on the mass, and forces and moments at nodes, in body axes."""
    line, weights = np.zeros((len(nodes), 3)), np.zeros((len(nodes), 3))
    at_nodes: dict[str, Array] = {}

    def add(node: int, wrench: Array) -> None:
        name = f"{body.name}/{node + 1}"
        at_nodes[name] = at_nodes.get(name, np.zeros(6)) + wrench

    for load in body.loads:
        match load:
            case NodeForce():
                for node in body.selected_nodes(load.on):
                    add(int(node), np.concatenate([_in_space(load.force), load.moment]))
            case LineLoad():
                chosen = slice(None) if load.on is None else np.isin(cells, body.mesh.cell_sets[load.on])
                line[chosen] += _in_space(load.force)
            case Gravity():
                weights += mass[:, 0, 0][:, None] * _in_space(load.acceleration)
                for mass_at in body.point_masses:
                    for node in body.selected_nodes(mass_at.on):
                        add(int(node), np.concatenate([mass_at.mass * _in_space(load.acceleration), np.zeros(3)]))
            case _:
                raise InputError(f"body {body.name}: a {type(load).__name__} has no place on beams; take it out")
    return line, weights, at_nodes


def piece_loads(divisions: Mapping[str, Division]) -> dict[str, ReducedLoads]:
    """Forces and moments on rigid sections, by piece."""
    found = {}
    none = np.zeros((3, 3, 0))
    for division in divisions.values():
        if division.exact is None:
            continue
        for name, wrench in division.exact.node_loads.items():
            found[name] = ReducedLoads(
                wrench[:3],
                wrench[3:],
                np.zeros((3, 3)),
                none,
                np.zeros((3, 3, 0, 0)),
                none,
                np.zeros((3, 3, 0, 0)),
            )
    return found


def beam_tables(
    system: System,
    divisions: Mapping[str, Division],
    number: Callable[[str], int],
    laws: LawCollection,
    network: SignalNetwork,
) -> BeamTables:
    """All exact beams of a system; `number` is that of a piece among the bodies."""
    ways = {load.body: load for load in system.loads if isinstance(load, BodyLoads)}
    beams = [(division, division.exact) for division in divisions.values() if division.exact is not None]
    counts = [len(own.lengths) for _, own in beams]
    firsts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    total = int(firsts[-1])
    t = BeamTables(
        bodies=np.zeros((total, 2), dtype=np.int64),
        places=np.zeros((total, 2, 3)),
        quaternions=np.zeros((total, 2, 4)),
        lengths=np.zeros(total),
        references=np.zeros((total, 6)),
        flexibilities=np.zeros((total, 6, 6)),
        bending=np.zeros((total, 3, 3)),
        damping=np.zeros((total, 6, 6)),
        mass=np.zeros((total, 6, 6)),
        loaded=np.zeros(0, dtype=np.int64),
        laws=np.zeros(0, dtype=np.int64),
        before=np.zeros(0),
        in_space=np.zeros(0, dtype=np.int64),
        wrenches=np.zeros((0, 6)),
        arms=np.zeros((0, 3)),
    )
    loads: list[tuple[int, int, float, int, Array, Array]] = []
    always: TimeLaw = Fixed(1.0)
    for (division, own), first in zip(beams, firsts, strict=False):
        here = slice(int(first), int(first) + len(own.lengths))
        numbers = np.array([number(piece.name) for piece in division.pieces], dtype=np.int64)
        t.bodies[here] = numbers[own.nodes]
        t.places[here] = own.arms
        t.quaternions[here] = quaternion_from_rotation(np.swapaxes(own.axes, -1, -2))
        t.lengths[here], t.references[here] = own.lengths, own.law.references
        t.flexibilities[here], t.bending[here] = own.law.flexibility, own.law.bending
        t.damping[here], t.mass[here] = own.damping, own.mass
        way = ways.get(division.name)
        factor = always if way is None else network.laws_of(way)[0]
        before = value_before(factor, None if way is None else way.factor_before)
        in_space = way is not None and way.axes == "space"
        # first moments of the mass over the mass
        centres = np.stack([own.mass[:, 5, 1], own.mass[:, 3, 2], own.mass[:, 4, 0]], 1) / own.mass[:, :1, 0]
        for given, arms in ((own.line_loads, np.zeros_like(centres)), (own.weights, centres)):
            for k in np.flatnonzero(given.any(axis=1)):
                force = given[k] if in_space else own.axes[k, 0] @ given[k]
                wrench = np.concatenate([force, np.zeros(3)])
                loads.append((int(first) + int(k), laws.number(factor), before, int(in_space), wrench, arms[k]))
    if not loads:
        return t
    loaded, numbers_of_laws, values, spaces, wrenches, arms_of_all = zip(*loads, strict=True)
    return t._replace(
        loaded=np.array(loaded, dtype=np.int64),
        laws=np.array(numbers_of_laws, dtype=np.int64),
        before=np.array(values),
        in_space=np.array(spaces, dtype=np.int64),
        wrenches=np.array(wrenches),
        arms=np.array(arms_of_all),
    )


def weigh_bodies(system: System, bodies: Sequence[DynamicBody]) -> tuple[DynamicBody, ...]:
    """Bodies with the mass of exact beams shared by the sections at their ends, to tell shares of energy."""
    shares: dict[str, tuple[float, Array]] = {}
    for division in divisions_of(system).values():
        own = division.exact
        if own is None:
            continue
        for k, ends in enumerate(own.nodes):
            for axes, node in zip(own.axes[k], ends, strict=True):
                turned = axes.T @ own.mass[k, 3:, 3:] @ axes
                mass, inertia = shares.get(division.pieces[node].name, (0.0, np.zeros((3, 3))))
                half = own.lengths[k] / 2
                shares[division.pieces[node].name] = (mass + half * own.mass[k, 0, 0], inertia + half * turned)
    return tuple(_heavier(body, *shares[body.name]) if body.name in shares else body for body in bodies)


def _heavier(body: DynamicBody, mass: float, inertia: Array) -> DynamicBody:
    second = np.trace(inertia) / 2 * np.eye(3) - inertia
    return replace(body, mass=body.mass + mass, second_moment=body.second_moment + second)
