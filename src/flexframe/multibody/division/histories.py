"""The way back from the pieces of a divided body to the body: its frame, its points and its shape over time."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import cross, rotation_from_vector, tangent_operator, vector_from_rotation
from flexframe.multibody.contract import BodyHistory, DynamicBody, DynamicSystem
from flexframe.multibody.division.pieces import Division, FittedFrame, Moments, Piece, fit_frame
from flexframe.multibody.histories import point_deformation
from flexframe.sensors.states import Deformation, MarkerMotion, marker_motion

Histories = Mapping[str, BodyHistory]

_STRIDE = 1e-4  # of a central difference of T(θ) [rad], good to its square


def whole_history(system: DynamicSystem, division: Division, motions: Histories) -> BodyHistory:
    """The frame of a divided body over time, with the elastic coordinates of all its pieces."""
    own = [motions[piece.name] for piece in division.pieces]
    together = {
        name: np.concatenate([getattr(motion, name) for motion in own], axis=1)
        for name in ("deformation", "rates", "second")
    }
    if isinstance(division.frame, int):
        near = _of_whole(own[division.frame], division.pieces[division.frame])
        return BodyHistory(division.name, near.positions, near.rotations, own[division.frame].angles,
                           near.velocities, near.angular_velocities, near.accelerations,
                           own[division.frame].angular_accelerations, **together)  # fmt: skip
    middle = len(own) // 2
    near, turned = _of_whole(own[middle], division.pieces[middle]), own[middle].angles
    moments = _moments(system, division, division.frame, motions)
    found = fit_frame(division.frame, moments, (near.positions, near.rotations), planar=system.planar)
    if turned is not None:
        apart = np.swapaxes(near.rotations, 1, 2) @ found.rotations
        turned = turned + np.arctan2(apart[:, 1, 0], apart[:, 0, 0])
    return BodyHistory(
        division.name,
        found.positions,
        found.rotations,
        turned,
        found.velocities,
        found.angular_velocities,
        found.accelerations,
        found.angular_accelerations,
        **together,
    )


def piece_point(
    system: DynamicSystem, piece: Piece, name: str, motions: Histories
) -> tuple[MarkerMotion, Deformation]:
    """Motion in space of a point that a piece keeps, and its deformation in the frame of the piece."""
    body, motion = system.bodies[system.number(piece.name)], motions[piece.name]
    if body.reduced is None:  # a rigid section at its node
        none = np.zeros((len(motion.positions), 6))
        return marker_motion(motion, np.zeros(3), None), Deformation(
            none, none, none, None, np.ones(6, dtype=bool)
        )
    there = body.reduced.point(name)
    found = point_deformation(motion, there, geometric=system.geometric)
    return marker_motion(motion, there.position, found), found


def deformation_in_whole(
    system: DynamicSystem, division: Division, piece: Piece, name: str, motions: Histories
) -> Deformation:
    """(u, θ) of a point that a piece keeps, relative to the frame of the whole body.

    `motions` are those of all bodies and pieces. Rotations are rotation vectors, up to π in space.
    """
    there, own = piece_point(system, piece, name, motions)
    body, whole = system.bodies[system.number(piece.name)], motions[division.name]
    own_place = np.zeros(3) if body.reduced is None else body.reduced.point(name).position
    point = piece.position + piece.rotation @ own_place
    R, omega = whole.rotations, whole.angular_velocities
    arm, speed = there.positions - whole.positions, there.velocities - whole.velocities
    turn = cross(omega, arm)
    pushed = there.accelerations - whole.accelerations - cross(whole.angular_accelerations, arm)
    # d²(Rᵀ d)/dt² = Rᵀ(d̈ − ε × d − 2ω × ḋ + ω × (ω × d))
    pushed = pushed - 2 * cross(omega, speed) + cross(omega, turn)
    theta = vector_from_rotation(np.swapaxes(R, 1, 2) @ there.rotations @ piece.rotation.T)
    carrier = motions[piece.name].angles
    if carrier is not None and whole.angles is not None:
        theta[:, 2] = carrier + own.values[:, 5] - whole.angles
    spin = _back(R, there.angular_velocities - omega)
    # ω_P − ω = R Tᵀ(θ) θ̇
    rate = np.linalg.solve(np.swapaxes(tangent_operator(theta), 1, 2), spin[..., None])[..., 0]
    unknown = np.full_like(spin, np.nan)
    return Deformation(
        np.concatenate([_back(R, arm) - point, theta], axis=1),
        np.concatenate([_back(R, speed - turn), rate], axis=1),
        np.concatenate([_back(R, pushed), unknown], axis=1),
        None,
        own.present,
    )


def whole_shapes(
    system: DynamicSystem,
    division: Division,
    shapes: Mapping[str, Array],
    motions: Histories,
    instants: IntArray | Sequence[int] | slice,
) -> Array:
    """Displacements and rotations of all nodes relative to the frame of the whole body: (T, nodes, 6).

    `shapes` (T, own nodes, 6) are those in the frames of the pieces, of first order. What they lack of second
    order is known at the ends of a piece, and taken as linear between them.
    """
    nodes, whole = division.whole.mesh.points, motions[division.name]
    back, origin = np.swapaxes(whole.rotations[instants], 1, 2), whole.positions[instants]
    out = np.zeros((len(origin), len(nodes), 6))
    for piece in reversed(division.pieces):  # where two meet, the first one is shown
        motion = motions[piece.name]
        own = shapes.get(piece.name, np.zeros((len(origin), len(piece.nodes), 6)))
        r, R = motion.positions[instants], motion.rotations[instants]
        points = (nodes[piece.nodes] - piece.position) @ piece.rotation
        moved = own[..., :3] + _second_order(system, piece, points, motions, instants)
        places = r[:, None] + np.einsum("tij,tnj->tni", R, points + moved)
        out[:, piece.nodes, :3] = np.einsum("tij,tnj->tni", back, places - origin[:, None]) - nodes[piece.nodes]
        axes = back[:, None] @ R[:, None] @ rotation_from_vector(own[..., 3:]) @ piece.rotation.T
        out[:, piece.nodes, 3:] = vector_from_rotation(axes)
        if motion.angles is not None and whole.angles is not None:
            out[:, piece.nodes, 5] = own[..., 5] + (motion.angles - whole.angles)[instants, None]
    return out


def _second_order(
    system: DynamicSystem,
    piece: Piece,
    points: Array,
    motions: Histories,
    instants: IntArray | Sequence[int] | slice,
) -> Array:
    """½ δᵀG δ at the ends of a piece, linear along its nodes: (T, nodes, 3)."""
    body = system.bodies[system.number(piece.name)]
    if body.reduced is None or not system.geometric or len(piece.ends) != 2:
        return np.zeros((1, len(points), 3))
    delta = motions[piece.name].deformation[instants]
    ends = [
        np.einsum("tr,irs,ts->ti", delta, body.reduced.point(end_name(end)).quadratic[:3], delta, optimize=True)
        / 2
        for end in piece.ends
    ]
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    share = np.concatenate([[0.0], np.cumsum(steps) / steps.sum()])[:, None]
    return np.asarray((1 - share) * ends[0][:, None] + share * ends[1][:, None])


def end_name(node: int) -> str:
    """Name of a point that a piece keeps for the way back."""
    return f"end {node}"


def kept_points(division: Division) -> dict[str, dict[str, int]]:
    """Points that the way back asks for: piece → name → own node."""
    found = {piece.name: {end_name(end): end for end in piece.ends} for piece in division.pieces}
    if isinstance(division.frame, FittedFrame):
        for node in division.frame.nodes:
            piece, own = division.locate(int(node))
            assert isinstance(own, int)
            found[piece.name][end_name(own)] = own
    return found


def _of_whole(motion: BodyHistory, piece: Piece) -> MarkerMotion:
    """The frame that the whole body would have, were it rigid with a piece."""
    point = -piece.rotation.T @ piece.position
    there = marker_motion(motion, point, None)
    return MarkerMotion(
        there.displacements,
        motion.rotations @ piece.rotation.T,
        there.positions,
        there.velocities,
        there.accelerations,
        motion.angular_velocities,
    )


def _moments(system: DynamicSystem, division: Division, frame: FittedFrame, motions: Histories) -> Moments:
    """Positions and directors of the nodes that place the frame, then ∫ρr and ∫ρx_i r of all pieces."""
    parts: list[tuple[Array, Array, Array]] = []
    weights: list[float] = []
    at_rest: list[Array] = []
    for node in frame.nodes:
        piece, own = division.locate(int(node))
        assert isinstance(own, int)
        there, deformed = piece_point(system, piece, end_name(own), motions)
        parts.append((there.positions, there.velocities, there.accelerations))
        weights.append(1.0)
        at_rest.append(division.whole.mesh.points[node])
        axes, omega = there.rotations @ piece.rotation.T, there.angular_velocities
        epsilon = _angular_acceleration(motions[piece.name], deformed)
        for k in range(3):
            turn = cross(omega, axes[:, :, k])
            parts.append((axes[:, :, k], turn, cross(epsilon, axes[:, :, k]) + cross(omega, turn)))
            weights.append(0.0)
            at_rest.append(np.eye(3)[k])
    mass = [_mass_moments(system, piece, motions[piece.name]) for piece in division.pieces]
    for i in range(4):
        parts.append(tuple(sum(part[0][i][order] for part in mass) for order in range(3)))  # type: ignore[arg-type]
        weights.append(sum(part[1][i] for part in mass))
        at_rest.append(np.sum([part[2][i] for part in mass], axis=0))
    values, rates, accelerations = (np.stack([part[order] for part in parts], axis=1) for order in range(3))
    return Moments(values, rates, accelerations, np.array(weights), np.array(at_rest))


def _angular_acceleration(frame: BodyHistory, point: Deformation) -> Array:
    """Of a point that turns by θ in its frame, ω_P = ω + R Tᵀ(θ) θ̇: (T, 3), space axes."""
    assert point.accelerations is not None
    theta, rate, second = point.values[:, 3:], point.rates[:, 3:], point.accelerations[:, 3:]
    T, size = np.swapaxes(tangent_operator(theta), 1, 2), np.linalg.norm(rate, axis=1)[:, None]
    along = np.divide(rate, size, out=np.zeros_like(rate), where=size > 0)
    ahead, behind = (tangent_operator(theta + side * _STRIDE * along) for side in (1.0, -1.0))
    change = size[..., None] * np.swapaxes(ahead - behind, 1, 2) / (2 * _STRIDE)
    spin, turned = (
        np.einsum("tij,tj->ti", frame.rotations, local)
        for local in ((T @ rate[..., None])[..., 0], (T @ second[..., None] + change @ rate[..., None])[..., 0])
    )
    return np.asarray(frame.angular_accelerations + cross(frame.angular_velocities, spin) + turned)


def _mass_moments(
    system: DynamicSystem, piece: Piece, motion: BodyHistory
) -> tuple[list[tuple[Array, Array, Array]], list[float], list[Array]]:
    """∫ρr and ∫ρx_i r of a piece with time derivatives, their weights ∫ρ and ∫ρx_i, and ∫ρx and ∫ρx_i x.

    x are places in the whole body.
    """
    body = system.bodies[system.number(piece.name)]
    local = [_local_moment(body, motion, None, system.geometric)]
    local += [_local_moment(body, motion, axis, system.geometric) for axis in range(3)]
    weights = np.array([body.mass, *body.first_moment])
    moments = [_point_motion(motion, float(w), part) for w, part in zip(weights, local, strict=True)]
    # x = p + A ξ: ∫ρx_i r = p_i ∫ρr + A_il ∫ρξ_l r
    p, A = piece.position, piece.rotation
    mixed = [
        tuple(
            p[i] * moments[0][order] + sum(A[i, k] * moments[1 + k][order] for k in range(3)) for order in range(3)
        )
        for i in range(3)
    ]
    first = weights[0] * p + A @ weights[1:]
    second = np.outer(first, p) + np.outer(p, A @ weights[1:]) + A @ body.second_moment @ A.T
    return [moments[0], *mixed], [float(weights[0]), *first.tolist()], [first, *second]


def _local_moment(
    body: DynamicBody, motion: BodyHistory, axis: int | None, geometric: bool
) -> tuple[Array, Array, Array]:
    """∫ρ(ξ + u) or ∫ρξ_l(ξ + u) in the frame of the piece, with time derivatives: (T, 3) each."""
    d, dd, ddd = motion.deformation, motion.rates, motion.second
    m = body.size
    rest = body.first_moment if axis is None else body.second_moment[axis]
    rows = (body.origin_coupling if axis is None else body.position_coupling[axis])[:, :m]
    value, rate, second = rest + d @ rows.T, dd @ rows.T, ddd @ rows.T
    reduced = body.reduced
    if geometric and reduced is not None:
        G = reduced.origin_quadratic if axis is None else reduced.position_quadratic[axis]
        slope, turning = (np.tensordot(part, G, axes=(1, 2)) for part in (d, dd))
        value = value + np.einsum("tir,tr->ti", slope, d) / 2
        rate = rate + np.einsum("tir,tr->ti", slope, dd)
        second = second + np.einsum("tir,tr->ti", slope, ddd) + np.einsum("tir,tr->ti", turning, dd)
    return value, rate, second


def _point_motion(
    motion: BodyHistory, weight: float, local: tuple[Array, Array, Array]
) -> tuple[Array, Array, Array]:
    """w r + R q with its time derivatives."""
    R, omega = motion.rotations, motion.angular_velocities
    q, qd, qdd = (np.einsum("tij,tj->ti", R, part) for part in local)
    turn = cross(omega, q)
    return (
        weight * motion.positions + q,
        weight * motion.velocities + turn + qd,
        weight * motion.accelerations
        + cross(motion.angular_accelerations, q)
        + cross(omega, turn)
        + 2 * cross(omega, qd)
        + qdd,
    )


def _back(R: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("tji,tj->ti", R, vectors))
