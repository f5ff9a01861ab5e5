"""Elastic bodies in the place of links: beams between joints, or meshes, with the mass of the link."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexframe.assembly.discrete import discretise
from flexframe.errors import InputError
from flexframe.maths.rotations import skew, vector_from_rotation
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.reference_points import with_points
from flexframe.model.body import Body, PointMass
from flexframe.model.couplings import RigidCoupling
from flexframe.multibody.robots.description import Robot, RobotLink

_SAME = 1e-9  # of a length of a link or of its mass, that is none
_REST = "rest of the link"


def link_line(robot: Robot, link: str, divisions: int = 8, to: Sequence[float] | None = None) -> Mesh:
    """Straight lines from the joint that carries a link to all others at it, which are node sets by name.

    A link that carries nothing reaches to the point `to` [m], the set "end", or to twice its centre of mass.
    """
    places, carrying = robot.joint_places(link), robot.parent_of(link)
    ends = {name: pose.place for name, pose in places.items() if carrying is None or name != carrying.name}
    if to is not None:
        ends["end"] = np.asarray(to, dtype=float)
    if not ends:
        ends["end"] = 2 * robot.links[link].centre
    distinct = {name: place for name, place in ends.items() if np.linalg.norm(place) > _SAME}
    if not distinct:
        raise InputError(
            f"the joints of link {link} lie at one point, and there is no beam between them; give it a mesh, or a "
            "point to which it reaches (to)",
            field="to",
        )
    points, cells = [np.zeros(3)], []
    sets = {name: [0] for name in ends if name not in distinct}
    if carrying is not None:
        sets[carrying.name] = [0]
    for name, place in distinct.items():
        first = len(points)
        points += [place * share for share in np.linspace(0.0, 1.0, divisions + 1)[1:]]
        cells += [(0 if k == 0 else first + k - 1, first + k) for k in range(divisions)]
        sets[name] = [first + divisions - 1]
    block = CellBlock(LINE, np.array(cells, dtype=np.int64))
    node_sets = {name: np.array(nodes, dtype=np.int64) for name, nodes in sets.items()}
    return Mesh(np.array(points), (block,), node_sets=node_sets)


def link_body(
    robot: Robot, link: str, body: Body, *, keep_mass: bool = True, attach: Mapping[str, str] | None = None
) -> Body:
    """An elastic body in the place of a link: axes of its joints and, where asked for, the mass of the link.

    Joints attach at node sets of their names, or at those that `attach` names. What the link weighs beyond the
    body is a rigid piece on the node next to its centre.
    """
    places = robot.joint_places(link)
    for name in attach or {}:
        if name not in places:
            raise InputError(
                f"'{name}' is no joint of link {link}; it has {', '.join(places) or 'none'}",
                field=("attach", name),
            )
    named = {name: body.selected_nodes(on) for name, on in (attach or {}).items()}
    mesh = replace(body.mesh, node_sets={**body.mesh.node_sets, **named})
    for name in places:
        if name not in {*mesh.node_sets, *mesh.facet_sets, *mesh.cell_sets}:
            raise InputError(
                f"the mesh has no set '{name}' for the joint of that name; say where it attaches: "
                f"attach: {{{name}: SET}}",
                field="attach",
            )
    axes = {name: vector_from_rotation(pose.rotation) for name, pose in places.items()}
    made = replace(body, mesh=mesh, axes={**axes, **body.axes})
    return _with_mass_of(robot.links[link], made) if keep_mass else made


def _with_mass_of(link: RobotLink, body: Body) -> Body:
    """The body with a rigid piece that makes up for what the link has more of mass, centre and inertia."""
    own = discretise(body).inertia
    rest = link.mass - own.mass
    if rest <= _SAME * link.mass:
        words = f"body {body.name} weighs {own.mass:.4g} kg, the link in whose place it is {link.mass:.4g} kg"
        return body if rest > -_SAME * own.mass else _noted(body, words)
    centre = (link.mass * link.centre - own.mass * own.centre_of_mass) / rest
    arm, rest_arm = skew(link.centre), skew(centre)
    # about the origin of the link, less that of the body, taken to the centre of what is left
    inertia = link.inertia - link.mass * arm @ arm - own.inertia_tensor + rest * rest_arm @ rest_arm
    values = np.linalg.eigvalsh((inertia + inertia.T) / 2)
    possible = bool(values[0] >= 0 and values[0] + values[1] >= values[2])
    moments = (inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[1, 2], inertia[2, 0])
    apart = np.linalg.norm(body.mesh.points - centre, axis=1)
    jointed = np.unique(np.concatenate([body.selected_nodes(name) for name in body.axes]))
    if len(jointed) < len(apart):
        apart[jointed] = np.inf  # joints hold their own nodes
    node = int(np.argmin(apart))
    made = replace(
        body,
        mesh=with_points(body.mesh, {_REST: centre}),
        couplings=(*body.couplings, RigidCoupling(_REST, node)),
        point_masses=(*body.point_masses, PointMass(_REST, rest, moments if possible else None)),
    )
    if possible:
        return made
    return _noted(
        made,
        f"body {body.name}: what the link weighs beyond it, {rest:.4g} kg, is a point at its centre: no solid has "
        "the moments of inertia that are left",
    )


def _noted(body: Body, words: str) -> Body:
    return replace(body, mesh=replace(body.mesh, notices=(*body.mesh.notices, words)))
