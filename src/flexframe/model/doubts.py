"""Doubts about a body or a system as it is described, before anything is computed."""

from collections.abc import Iterator

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.mesh.checks import cell_place, is_flat, separate_parts
from flexframe.model.body import Body, Region
from flexframe.model.joint_contacts import assumed_laws
from flexframe.model.loads import Gravity, NodeForce
from flexframe.model.plausibility import USUAL, material_doubts, shape_doubts
from flexframe.model.supports import NodeSelection
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity

_BESIDE = 0.01  # of the size of an element: farther away than round-off and rounded coordinates


def body_doubts(body: Body) -> tuple[str, ...]:
    """Sentences about what is unlikely in a body."""
    found = [f"body {body.name}: {notice}" for notice in body.notices]
    found += [doubt for region in body.regions for doubt in material_doubts(region.prop.material)]
    found += _size(body)
    for region in body.regions:
        found += shape_doubts(f"body {body.name}", region.prop, _extent(body, region))
    for load in body.loads:
        if isinstance(load, Gravity):
            found += _gravity(f"body {body.name}", load.acceleration)
    found += _parts(body)
    found += _overlaps(body)
    found += [doubt for what, on in _places(body) for doubt in place_doubts(body, what, on)]
    return tuple(dict.fromkeys(found))


def system_doubts(system: System) -> tuple[str, ...]:
    """Sentences about what is unlikely in a system and its bodies."""
    found = [doubt for body in system.bodies if isinstance(body, Body) for doubt in body.doubts]
    for load in system.loads:
        if isinstance(load, SystemGravity):
            found += _gravity(load.name, load.acceleration)
    found += assumed_laws(system.joints)
    return tuple(dict.fromkeys(found))


def place_doubts(body: Body, what: str, on: NodeSelection) -> Iterator[str]:
    """Says which node stands for a point that lies beside it."""
    if isinstance(on, str | int):
        return
    taken = body.place(on)
    if taken.distance > _BESIDE * taken.element_size:
        yield (
            f"body {body.name}: {what} at ({_show(taken.point)}) m is taken at node "
            f"{body.mesh.node_label(taken.node)}, ({_show(taken.position)}) m, {taken.distance:.3g} m away"
        )


def _places(body: Body) -> Iterator[tuple[str, NodeSelection]]:
    yield from (("the support", support.on) for support in body.supports)
    yield from (("the force", load.on) for load in body.loads if isinstance(load, NodeForce))
    yield from (("the point mass", mass.on) for mass in body.point_masses)
    yield from (("the spring", spring.on) for spring in body.springs)
    yield from (("a coupling", on) for coupling in body.couplings for on in coupling.selections)


def _size(body: Body) -> Iterator[str]:
    """Meshes are usually written in millimetres, and read in metres."""
    if body.regions and all(region.prop.material.idealised for region in body.regions):
        return
    low, high = body.mesh.bounding_box
    doubt = USUAL["size"].doubt(f"body {body.name}", float((high - low).max()), "check the scale of its mesh")
    if doubt is not None:
        yield doubt


def _extent(body: Body, region: Region) -> float:
    """Diagonal of the box around the cells of a region, m; around all of a rotor, whose pieces are short."""
    nodes = None if region.cells is None or body.axis is not None else body.mesh.nodes_of(region.cells)
    points = body.mesh.points if nodes is None else body.mesh.points[nodes]
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _gravity(owner: str, acceleration: tuple[float, ...]) -> Iterator[str]:
    doubt = USUAL["gravity"].doubt(owner, float(np.linalg.norm(acceleration)))
    if doubt is not None:
        yield doubt


def _parts(body: Body) -> Iterator[str]:
    ties = [
        np.unique(np.concatenate([body.selected_nodes(on) for on in coupling.selections]))
        for coupling in body.couplings
    ]
    parts = separate_parts(body.mesh, ties)
    count = int(parts.max(initial=-1)) + 1
    if count > 1:
        apart = body.mesh.points[int(np.argmax(parts == 1))]
        yield (
            f"body {body.name}: its mesh falls into {count} parts that nothing joins, one of them at "
            f"({_show(apart)}) m; merge the nodes where they touch, or couple them"
        )


def _overlaps(body: Body) -> Iterator[str]:
    """Plane cells may stand for plates that lie on one another; solids that do are refused with the mesh."""
    mesh = body.mesh
    if is_flat(mesh) and mesh.overlap is not None:
        cells = " and ".join(cell_place(mesh, number) for number in mesh.overlap)
        yield f"body {body.name}: {cells} lie in one another, so that material counts twice there; leave one out"


def _show(point: Array) -> str:
    return ", ".join(f"{value:.4g}" for value in point)
