"""What turns and what holds it, as one body: shafts at their own speeds, casings, pedestals, bearings and gears.

Each member has equations of its own, in the frame of its own axis; they stand beside each other on the degrees of
freedom of the whole, and bearings and gears join them there. A pedestal is a point that no element holds: the
mass, stiffness and damping of it are those of a bearing between the point and space.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody, discretise, ensure_discrete
from flexframe.assembly.section_rotors import section_rotor
from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body, Region
from flexframe.model.supports import NodeSelection, Roller
from flexframe.model.trains import GearMesh, RotorTrain
from flexframe.motion.frame import PLANAR_AXIS, FrameMotion
from flexframe.spectra.rotation.harmonic_loads import Unbalance

Rotor = Body | DiscreteBody | RotorTrain


@dataclass(frozen=True, eq=False)
class Member:
    """A body of a rotor: its own matrices, its equations among those of the whole, and its speed over Ω."""

    discrete: DiscreteBody
    numbers: IntArray  # of its degrees of freedom in the whole: (p,)
    ratio: float = 1.0

    def placed(self, matrix: SparseMatrix, size: int) -> SparseMatrix:
        """A matrix of it among the degrees of freedom of the whole: (size, size)."""
        if len(self.numbers) == size and (self.numbers == np.arange(size)).all():
            return matrix
        entries = sparse.coo_array(matrix)
        places = (self.numbers[entries.row], self.numbers[entries.col])
        return sparse.csr_array(sparse.coo_array((entries.data, places), shape=(size, size)))


@dataclass(frozen=True, eq=False)
class RotorModel:
    """The whole with its degrees of freedom and supports, its members, and what acts between them and space."""

    discrete: DiscreteBody
    members: tuple[Member, ...]
    bearings: tuple[Bearing, ...]
    axis: Array  # a unit vector
    gears: tuple[tuple[GearMesh, int, int], ...] = ()  # with the nodes of the whole
    stands: int = 0  # points of pedestals, the last nodes

    @property
    def single(self) -> bool:
        """Whether it is one body and nothing else."""
        return len(self.members) == 1 and len(self.members[0].numbers) == self.discrete.dofs.count

    @property
    def one_speed(self) -> bool:
        """Whether everything turns at the speed of the train, so that a turning frame sees it at rest."""
        return all(member.ratio == 1.0 for member in self.members) and not self.gears

    def is_pedestal(self, bearing: Bearing) -> bool:
        """Whether a bearing holds the point of a pedestal in space."""
        return isinstance(bearing.on, int) and bearing.on >= self.discrete.body.mesh.node_count - self.stands


def unit_axis(axis: ArrayLike) -> Array:
    """The direction of a spin axis."""
    with at_field("axis"):
        return FrameMotion.spin(1.0, axis).angular_velocity


def rotor_axis(rotor: Rotor, axis: ArrayLike | None) -> Array:
    """The spin axis that is given, that of the rotor, or z."""
    if axis is not None:
        return unit_axis(axis)
    if isinstance(rotor, RotorTrain):
        axes = [member.body.axis for member in rotor.members if member.body.axis is not None]
        return unit_axis(axes[0] if axes else PLANAR_AXIS)
    body = rotor.body if isinstance(rotor, DiscreteBody) else rotor
    return unit_axis(PLANAR_AXIS if body.axis is None else body.axis)


def rotor_model(rotor: Rotor, bearings: Sequence[Bearing] = (), axis: ArrayLike | None = None) -> RotorModel:
    """The rotor with its own bearings and further ones."""
    direction = rotor_axis(rotor, axis)
    if isinstance(rotor, RotorTrain):
        return _train_model(rotor, bearings, direction)
    discrete = ensure_discrete(rotor)
    held = (*discrete.body.bearings, *bearings)
    if discrete.body.axisymmetric:
        discrete = section_rotor(discrete)
    own = Member(discrete, np.arange(discrete.dofs.count))
    if all(bearing.pedestal is None for bearing in held):
        return RotorModel(discrete, (own,), held, direction)
    joined = _joined(discrete.body, [discrete.body], [(0.0, 0.0, 0.0)], held, direction)
    whole = discretise(joined, joined=True)
    member = Member(discrete, _numbers(discrete, whole, 0))
    return RotorModel(whole, (member,), joined.bearings, direction, stands=_stands(held))


def _train_model(train: RotorTrain, bearings: Sequence[Bearing], axis: Array) -> RotorModel:
    bodies = [member.body for member in train.members]
    for number, made in enumerate(bodies):
        if made.axisymmetric:
            raise InputError(
                f"train {train.name}: member {made.name} is the section of a body of revolution, which turns "
                "alone; name that body, or make a rotor of beams",
                field=("members", number),
            )
    starts = np.concatenate([[0], np.cumsum([body.mesh.node_count for body in bodies])])
    named = {body.name: (body, int(start)) for body, start in zip(bodies, starts, strict=False)}

    def node(place: NodeSelection) -> int:
        return _node_of_train(train, named, place)

    counts = [body.mesh.node_count for body in bodies]
    speeds = np.repeat([train.ratios[body.name] for body in bodies], counts)
    held = []
    for body, start in named.values():
        for number, bearing in enumerate(body.bearings):
            with at_field("bodies", body.name, "bearings", number):
                to = None if bearing.to is None else _other_end(body, start, bearing.to, node)
                name = bearing.name and f"{body.name} {bearing.name}"
                held += [
                    _at_own_speed(replace(bearing, on=int(start + own), to=to, name=name), speeds)
                    for own in body.selected_nodes(bearing.on)
                ]
    for number, bearing in enumerate((*train.bearings, *bearings)):
        with at_field("bearings", number):
            to = None if bearing.to is None else node(bearing.to)
            held.append(_at_own_speed(replace(bearing, on=node(bearing.on), to=to), speeds))
    like = replace(bodies[0], name=train.name)
    body = _joined(like, bodies, [member.at for member in train.members], held, axis)
    whole = discretise(body, joined=True)
    members = tuple(
        Member(made, _numbers(made, whole, int(start)), train.ratios[member.name])
        for member, start, made in zip(bodies, starts, map(discretise, bodies), strict=False)
    )
    gears = []
    for number, gear in enumerate(train.gears):
        with at_field("gears", number):
            gears.append((gear, node(gear.first), node(gear.second)))
    return RotorModel(whole, members, body.bearings, axis, tuple(gears), _stands(held))


def _at_own_speed(bearing: Bearing, ratios: Array) -> Bearing:
    """A bearing on nodes of a train with its table over the speed of the train.

    Tables are over the speed of the shaft that the bearing is on, or of that to which it goes from a part at rest.
    """
    table = bearing.table
    ends = [ratios[end] for end in (bearing.on, bearing.to) if isinstance(end, int)]
    own = next((abs(float(ratio)) for ratio in ends if ratio), 1.0)
    if table is None or table.speeds is None or own == 1.0:
        return bearing
    return replace(bearing, table=replace(table, speeds=table.speeds / own))


def turning_shaft(model: RotorModel, unbalance: Unbalance, number: int) -> float:
    """Speed of the shaft that an unbalance is on, over that of the train."""
    numbers = model.discrete.dofs.numbers[model.discrete.body.selected_nodes(unbalance.on)]
    used = numbers[numbers >= 0]
    owners = {member.ratio for member in model.members if np.isin(used, member.numbers).any()}
    with at_field("loads", number):
        if 0.0 in owners or not owners:
            raise InputError("an unbalance is on a part that does not turn; put it on a shaft", field="on")
        if len(owners) > 1:
            raise InputError("an unbalance is on shafts of different speeds; give each its own", field="on")
    return owners.pop()


def _node_of_train(train: RotorTrain, named: dict[str, tuple[Body, int]], place: NodeSelection) -> int:
    """The number of one node by "member.set"."""
    if not isinstance(place, str) or "." not in place:
        raise InputError(f"{place!r} is no place of train {train.name}; give it as 'member.set'", field="on")
    name, _, inside = place.partition(".")
    if name not in named:
        raise InputError(
            f"train {train.name} has no member {name}; its members are {', '.join(named)}", field="on"
        )
    body, start = named[name]
    nodes = body.selected_nodes(inside)
    if len(nodes) != 1:
        raise InputError(f"{place} are {len(nodes)} nodes; name a set of one", field="on")
    return int(start + nodes[0])


def _other_end(body: Body, start: int, to: NodeSelection, node: Callable[[NodeSelection], int]) -> int:
    """The other end of a bearing of a member: in the member itself, or in another one."""
    if isinstance(to, str) and "." in to:
        return node(to)
    nodes = body.selected_nodes(to)
    if len(nodes) != 1:
        raise InputError(f"a bearing goes to {len(nodes)} nodes; name one", field="to")
    return int(start + nodes[0])


def _numbers(part: DiscreteBody, whole: DiscreteBody, start: int) -> IntArray:
    """Equation numbers of a member in the whole: (p,)."""
    own = part.dofs.numbers
    there = whole.dofs.numbers[start : start + len(own)]
    out = np.empty(part.dofs.count, dtype=np.int64)
    out[own[own >= 0]] = there[own >= 0]
    assert (out >= 0).all(), "the whole has every degree of freedom of its members"
    return out


def _stands(bearings: Sequence[Bearing]) -> int:
    return sum(bearing.pedestal is not None for bearing in bearings)


def _joined(
    like: Body,
    bodies: Sequence[Body],
    places: Sequence[tuple[float, float, float]],
    bearings: Sequence[Bearing],
    axis: Array,
) -> Body:
    """One body of several, with points for pedestals; sets get the name of their member before them.

    `bearings` act on nodes of the whole, or, of a single body, on what its selections say.
    """
    several = len(bodies) > 1 or like.name != bodies[0].name
    points = [body.mesh.points + np.asarray(place) for body, place in zip(bodies, places, strict=True)]
    node, cell = 0, 0
    blocks: list[CellBlock] = []
    node_sets: dict[str, IntArray] = {}
    cell_sets: dict[str, IntArray] = {}
    facet_sets: dict[str, tuple[CellBlock, ...]] = {}
    parts: dict[str, list[Any]] = {"regions": [], **{name: [] for name in _ON}}
    for body in bodies:
        prefix = f"{body.name}." if several else ""
        mesh = body.mesh
        blocks += [CellBlock(block.cell, block.nodes + node) for block in mesh.blocks]
        node_sets |= {prefix + name: numbers + node for name, numbers in mesh.node_sets.items()}
        node_sets |= {f"{prefix}all": np.arange(node, node + mesh.node_count)} if several else {}
        cell_sets |= {prefix + name: numbers + cell for name, numbers in mesh.cell_sets.items()}
        cell_sets |= {f"{prefix}cells": np.arange(cell, cell + mesh.cell_count)} if several else {}
        for name, facets in mesh.facet_sets.items():
            facet_sets[prefix + name] = tuple(CellBlock(block.cell, block.nodes + node) for block in facets)
        for region in body.regions:
            own = "cells" if region.cells is None and several else region.cells
            parts["regions"].append(Region(region.prop, None if own is None else prefix + own, region.family))
        for name in _ON:
            parts[name] += [_moved(each, prefix, node, body) if several else each for each in getattr(body, name)]
        node, cell = node + mesh.node_count, cell + mesh.cell_count
    held, stands = _with_stands(bodies[0], bearings, np.concatenate(points), node)
    parts["supports"] += [Roller(node + k, tuple(axis.tolist())) for k in range(len(stands))]
    if len(stands):
        blocks.append(CellBlock(VERTEX, np.arange(node, node + len(stands))[:, None]))
    mesh = Mesh(
        np.concatenate([*points, stands]),
        tuple(blocks),
        node_sets=node_sets,
        facet_sets=facet_sets,
        cell_sets=cell_sets,
    )
    return replace(
        like,
        mesh=mesh,
        space="spatial" if several else like.space,
        bearings=held,
        **{name: cast(Any, tuple(found)) for name, found in parts.items()},
    )


_ON = ("supports", "loads", "point_masses", "couplings", "springs")


def _moved(each: object, prefix: str, start: int, body: Body) -> object:
    """A support, load, mass, coupling or spring of a member on the nodes of the whole."""
    changed: dict[str, str | int] = {}
    for name in ("on", "reference"):
        if not hasattr(each, name):
            continue
        selected = getattr(each, name)
        if isinstance(selected, str):
            changed[name] = prefix + selected
        elif selected is not None:
            changed[name] = int(start + body.selected_nodes(selected)[0])
        else:
            changed[name] = f"{prefix}cells"
    return replace(each, **changed)  # type: ignore[type-var]


def _with_stands(
    body: Body, bearings: Sequence[Bearing], points: Array, count: int
) -> tuple[tuple[Bearing, ...], Array]:
    """Bearings with pedestals as bearings to points of their own, and the places of these: (stands, 3)."""
    held: list[Bearing] = []
    stands: list[Array] = []
    for number, bearing in enumerate(bearings):
        pedestal = bearing.pedestal
        if pedestal is None:
            held.append(bearing)
            continue
        node = bearing.on if isinstance(bearing.on, int) else None
        if node is None:
            nodes = body.selected_nodes(bearing.on)
            if len(nodes) != 1:
                with at_field("bearings", number):
                    raise InputError(f"a bearing with a pedestal is on {len(nodes)} nodes; name one", field="on")
            node = int(nodes[0])
        stand = count + len(stands)
        stands.append(points[node])
        pedestal = pedestal.with_mass()
        held.append(replace(bearing, on=node, to=stand, pedestal=None))
        name = bearing.name or f"bearing {number + 1}"
        held.append(
            Bearing(
                stand,
                pedestal.stiffness,
                pedestal.damping,
                mass=0.0 if pedestal.mass is None else pedestal.mass,
                table=pedestal.table,
                angle=bearing.angle,
                name=f"pedestal of {name}",
            )
        )
    return tuple(held), np.array(stands).reshape(-1, 3)
