"""From a system of bodies, joints, drives and loads to flat tables for compiled integration.

Rigid and elastic bodies: integrals on the fields of their displacements, and numbers of their velocities.

A second-order displacement u₂ = ½ δᵀG δ enters T through ∫ρG and ∫ρxG as far as T is of second order in the
deformation; they are all kept when G is replaced by its projection on fields a + A x, twelve at most. The
kinetic energy is then that of a real displacement field, so that the mass matrix cannot become indefinite, and
costs little more than that of a linear one. The fields G themselves (`SecondOrderFields`) can be kept instead.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexframe.equations.damping import modal_damping
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.null_spaces import RANK_TOLERANCE, rank
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.closure import rough_assembly, scaled_jacobian
from flexframe.multibody.contract import DynamicBody, DynamicState, DynamicSystem
from flexframe.multibody.division.exact import beam_tables, piece_loads
from flexframe.multibody.division.pieces import divisions_of
from flexframe.multibody.equations import evaluation_at, place_of
from flexframe.multibody.forces import (
    contact_tables,
    field_tables,
    force_tables,
    load_tables,
    rigid_loads,
    row_tables,
    with_ground,
)
from flexframe.multibody.frames import Frames
from flexframe.multibody.laws import LawCollection, law_tables
from flexframe.multibody.mechanism import Mechanism, measured_set, mechanism
from flexframe.multibody.mobility import named_rows
from flexframe.multibody.tables import BodyTables, Tables
from flexframe.reduction.reduced_body import ReducedBody
from flexframe.reduction.second_order import SecondOrderFields

_NO_MASS = 1e-12  # of a field 1, x, y or z, relative, that carries no mass


def rigid_body(name: str, mass: float, centre: Array, inertia: Array) -> DynamicBody:
    """From mass, centre of mass and inertia about the frame origin."""
    return DynamicBody(
        name=name,
        mass=mass,
        first_moment=mass * centre,
        second_moment=np.trace(inertia) / 2 * np.eye(3) - inertia,
        origin_coupling=np.zeros((3, 0)),
        position_coupling=np.zeros((3, 3, 0)),
        shape_products=np.zeros((3, 3, 0, 0)),
        products=np.zeros((0, 0, 0)),
        stiffness=np.zeros((0, 0)),
        damping=np.zeros((0, 0)),
    )


def elastic_body(
    reduced: ReducedBody, *, geometric: bool = True, second_order: SecondOrderFields | None = None
) -> DynamicBody:
    """From the invariants of a reduced body."""
    linear = DynamicBody(
        name=reduced.name,
        mass=reduced.mass,
        first_moment=reduced.first_moment,
        second_moment=reduced.second_moment,
        origin_coupling=reduced.origin_coupling,
        position_coupling=reduced.position_coupling,
        shape_products=reduced.shape_products,
        products=np.zeros((0, reduced.size, reduced.size)),
        stiffness=reduced.stiffness,
        damping=reduced.damping,
        reduced=reduced,
        loads=reduced.loads,
    )
    if not geometric:
        return linear
    if second_order is not None:
        return _with_fields(linear, second_order)
    return _with_affine_fields(linear, reduced)


def _with_fields(body: DynamicBody, second: SecondOrderFields) -> DynamicBody:
    """½ δ_r² and δ_r δ_t as the amplitudes of the second-order fields."""
    Z = np.zeros((len(second.pairs), body.size, body.size))
    for j, (r, t) in enumerate(second.pairs):
        Z[j, r, t] = Z[j, t, r] = 1.0
    return replace(
        body,
        origin_coupling=second.origin_coupling,
        position_coupling=second.position_coupling,
        shape_products=second.shape_products,
        products=Z,
    )


def _with_affine_fields(body: DynamicBody, reduced: ReducedBody) -> DynamicBody:
    """G_c ≈ Σ ψ_j Z_cj with ψ_j linear functions of the place, ∫ρψ_iψ_j = δ_ij."""
    m, length = body.size, float(np.sqrt(np.trace(body.second_moment) / body.mass)) or 1.0
    scale = np.array([1.0, *[1 / length] * 3])
    gram = np.empty((4, 4))  # ∫ρ φφᵀ, φ = (1, x/ℓ)
    gram[0, 0], gram[0, 1:], gram[1:, 0] = body.mass, body.first_moment, body.first_moment
    gram[1:, 1:] = body.second_moment
    gram *= np.outer(scale, scale)
    values, vectors = np.linalg.eigh(gram)
    kept = values > _NO_MASS * values[-1]
    W = vectors[:, kept] / np.sqrt(values[kept])  # ψ = φ W
    # ∫ρφ G_c: (4, 3, m, m)
    integrals = np.concatenate([reduced.origin_quadratic[None], reduced.position_quadratic / length])
    Z = np.einsum("lj,lcrt->cjrt", W, integrals)
    size = float(np.abs(Z).max(initial=0.0))
    used = [(c, j) for c in range(3) for j in range(W.shape[1]) if np.abs(Z[c, j]).max(initial=0.0) > 1e-14 * size]
    if not used:
        return body
    moments = gram @ W  # ∫ρφψ: (4, j)
    N = np.concatenate([body.origin_coupling[None], body.position_coupling / length])  # ∫ρφN_a: (4, 3, m)
    mixed = np.einsum("lj,lar->jar", W, N)  # ∫ρψ_jN_a
    k = len(used)
    M_O, X = np.zeros((3, m + k)), np.zeros((3, 3, m + k))
    Y = np.zeros((3, 3, m + k, m + k))
    M_O[:, :m], X[..., :m], Y[..., :m, :m] = body.origin_coupling, body.position_coupling, body.shape_products
    for q, (c, j) in enumerate(used, start=m):
        M_O[c, q] = moments[0, j]
        X[:, c, q] = moments[1:, j] * length
        for a in range(3):
            Y[a, c, :m, q] = mixed[j, a]
            Y[c, a, q, :m] = mixed[j, a]
        for p, (b, i) in enumerate(used, start=m):
            Y[c, b, q, p] = 1.0 if i == j else 0.0
    products, order = np.array([Z[c, j] for c, j in used]), reduced.next_order
    if order is not None:
        moments = np.concatenate([order.origin_shortening[None], order.position_shortening / length])
        B = np.einsum("lj,lcg->cjg", W, moments)
        shortening = np.array([B[c, j] for c, j in used])
        body = replace(body, quartic=order.energy, leans=order.leans, shortening=shortening)
    return replace(
        body,
        origin_coupling=M_O,
        position_coupling=X,
        shape_products=Y,
        products=(products + products.swapaxes(1, 2)) / 2,
    )


def to_second_order(body: DynamicBody) -> DynamicBody:
    """The body with T of second order in its deformation only, which is the linear theory with k_g.

    What products of displacements of first and second order add is of third order, but where the frame moves
    freely it keeps the mass matrix definite; a body whose frame moves as prescribed does not need it.
    """
    Y, m = body.shape_products.copy(), body.size
    Y[..., m:, :] = 0.0
    Y[..., :, m:] = 0.0
    return replace(body, shape_products=Y)


def with_modal_damping(body: DynamicBody, ratios: float | Array) -> DynamicBody:
    """The body with damping ratios of its own modes beside the damping it has.

    Modes are those of (k, m) on its coordinates; one ratio for all, or one for each of the lowest.
    """
    mass = np.einsum("kkrt->rt", body.shape_products)[: body.size, : body.size]
    given = np.atleast_1d(np.asarray(ratios, dtype=float))
    if given.size > body.size:
        raise InputError(f"body {body.name} has {body.size} modes but {given.size} damping ratios; give fewer")
    if not ((given >= 0) & np.isfinite(given)).all():
        raise InputError(f"a damping ratio of body {body.name} is not a number of zero or more; correct it")
    zeta = np.zeros(body.size)
    zeta[: given.size if given.size > 1 else body.size] = given
    return replace(body, damping=body.damping + modal_damping(mass, body.stiffness, zeta))


PLANAR, SPATIAL = (0, 1, 5), (0, 1, 2, 3, 4, 5)
"""Local velocities (v, ω) that a body in the plane and in space has."""


def numbering(bodies: Sequence[DynamicBody], *, planar: bool) -> tuple[IntArray, list[int]]:
    sizes = [body.size for body in bodies]
    rigid = len(PLANAR if planar else SPATIAL)
    return np.concatenate([[0], np.cumsum([rigid + size for size in sizes])]).astype(np.int64), sizes


def body_tables(bodies: Sequence[DynamicBody], starts: IntArray, *, planar: bool) -> BodyTables:
    columns = PLANAR if planar else SPATIAL
    most = max(1, *(body.size for body in bodies))
    numbers, lengths = np.full((len(bodies), 6 + most), -1, dtype=np.int64), np.ones(len(bodies))
    for b, body in enumerate(bodies):
        first = int(starts[b])
        numbers[b, list(columns)] = first + np.arange(len(columns))
        numbers[b, 6 : 6 + body.size] = first + len(columns) + np.arange(body.size)
        if body.mass > 0:
            lengths[b] = np.sqrt(3 * np.trace(body.second_moment) / body.mass) or 1.0
    return BodyTables(np.array([body.size for body in bodies], dtype=np.int64), numbers, lengths)


def velocity_scales(bodies: Sequence[DynamicBody], starts: IntArray, length: float, *, planar: bool) -> Array:
    """One length, one radian, and the elastic coordinate that moves a body by one length on average."""
    scales = np.ones(int(starts[-1]))
    for b, body in enumerate(bodies):
        first, rigid = int(starts[b]), len(PLANAR if planar else SPATIAL)
        scales[first : first + (2 if planar else 3)] = length
        own = np.diagonal(body.elastic_mass)
        usual = np.where(own > 0, own, 1.0)
        scales[first + rigid : first + rigid + body.size] = length * np.sqrt(max(body.mass, 1e-300) / usual)
    return scales


_SLACK = 1e-9


def dynamic_system(
    system: System,
    elastic: Mapping[str, ReducedBody] | None = None,
    *,
    geometric: bool = True,
    second_order: Mapping[str, SecondOrderFields] | None = None,
    modal_damping: Mapping[str, float | Array] | None = None,
    deflection_limit: float = 0.3,
    linear_theory: bool = False,
    observed: Sequence[str] = (),
) -> DynamicSystem:
    """Make a system ready for two-way dynamics.

    `elastic` holds the reduced bodies by name, the others are rigid. A marker "body.point" of an elastic body is
    the interface or sensor of that name, "body" alone the origin of its frame. `geometric` keeps the quadratic
    displacement field (stiffening by rotation and loads). `modal_damping` are damping ratios, in addition to the
    damping of the reduced bodies. A section that turns by more than `deflection_limit` [rad] ends the run.
    Where the frame of a body moves as prescribed T is of second order in the deformation; `linear_theory` counts
    among these the bodies that joints fix to such a body, as small motions about a steady state want it.
    Sensors, or components of theirs as `tip.x`, that are `observed` become signals.
    """
    elastic, second_order, modal_damping = elastic or {}, second_order or {}, modal_damping or {}
    ready = mechanism(system, observed=observed)
    for name in (*elastic, *second_order, *modal_damping):
        system.body(name)
    bodies = _bodies(ready, elastic, second_order, geometric=geometric, linear=linear_theory)
    bodies = tuple(
        with_modal_damping(body, modal_damping[body.name]) if body.name in modal_damping else body
        for body in bodies
    )
    starts, sizes = numbering(bodies, planar=ready.planar)
    frames = Frames(ready, elastic, geometric=geometric)
    network = ready.network
    laws = LawCollection(list(network.laws))
    constraints, forces = ready.rows, ready.forces
    links: dict[str, Joint | Drive] = {link.name: link for link in (*system.joints, *system.drives)}
    rows = [frames.bind(e, links[o]) for e, o in zip(constraints.entries, constraints.owners, strict=True)]
    coordinates = [frames.bind(e, law) for e, law in zip(forces.entries, ready.force_laws, strict=True)]
    leading = [frames.bind(e, links[o]) for e, o in zip(ready.leaders.entries, ready.leaders.owners, strict=True)]
    placed = [load for load in system.loads if isinstance(load, MarkerForce)]
    placed_forces = force_tables(ready, placed, frames, laws, network)
    own_loads = load_tables(system, bodies, laws, network, geometric=geometric)
    read = measured_set(system, network.coordinates)
    measured = [frames.bind(e, c) for e, c in zip(read.entries, network.coordinates, strict=True)]
    contacts = contact_tables(system.all_contacts, frames)
    fields = field_tables(ready, laws)
    beams = beam_tables(system, divisions_of(system), ready.names.index, laws, network)
    flat_bodies = body_tables(bodies, starts, planar=ready.planar)
    ground = frames.count
    tables = Tables(
        bodies=flat_bodies,
        frames=frames.tables(max(1, *(body.size for body in bodies))),
        rows=row_tables(rows, constraints, ready, laws, ground)._replace(locks=_lock_table(ready)),
        arguments=row_tables(leading, ready.leaders, ready, laws, ground),
        coordinates=row_tables(coordinates, forces, ready, laws, ground),
        measured=row_tables(measured, read, ready, laws, ground),
        signals=network.tables,
        laws=law_tables(laws.laws, 0.0, 1.0),
        forces=placed_forces,
        beams=beams,
        contacts=with_ground(contacts, ground),
        loads=own_loads,
        gravity=ready.gravity,
        fields=fields,
        size=int(starts[-1]),
        scales=velocity_scales(bodies, starts, ready.length, planar=ready.planar),
        joined_damping=np.zeros((0, 0)),
        slack=0.0,
    )
    made = DynamicSystem(
        system=system,
        mechanism=ready,
        bodies=bodies,
        geometric=geometric,
        size=int(starts[-1]),
        rigid_starts=starts[:-1],
        elastic_starts=np.concatenate([[0], np.cumsum(sizes)]),
        owners=constraints.owners,
        length=ready.length,
        deflection_limit=deflection_limit,
        notices=(),
        laws=tuple(laws.laws),
        network=network,
        tables=tables,
    )
    return _with_redundancy(made)


def _lock_table(ready: Mechanism) -> IntArray:
    """Held values that close a lock and that its coordinate keeps, −1 of rows that always act: (rows, 2)."""
    numbers = [(lock.held, place) for lock in ready.network.locks for place in lock.places]
    always = np.full((ready.constraints.count, 2), -1, dtype=np.int64)
    return np.concatenate([always, np.array(numbers, dtype=np.int64).reshape(-1, 2)])


def _bodies(
    ready: Mechanism,
    elastic: Mapping[str, ReducedBody],
    second_order: Mapping[str, SecondOrderFields],
    *,
    geometric: bool,
    linear: bool,
) -> tuple[DynamicBody, ...]:
    made = []
    prescribed = _prescribed_bodies(ready, elastic, chains=linear) if geometric else set()
    rigid = [body for body in ready.system.bodies if body.name not in elastic]
    masses = ready.masses if rigid else None
    on_sections = piece_loads(divisions_of(ready.system))
    for number, body in enumerate(ready.system.bodies):
        if body.name in elastic:
            reduced = elastic[body.name]
            own = elastic_body(reduced, geometric=geometric, second_order=second_order.get(body.name))
            driven = number in prescribed and body.name not in second_order and own.quartic is None
            made.append(to_second_order(own) if driven else own)
        else:
            assert masses is not None
            plain = rigid_body(
                body.name, float(masses.mass[number]), masses.centre[number], masses.inertia[number]
            )
            made.append(replace(plain, loads=on_sections.get(body.name) or rigid_loads(body)))
    return tuple(made)


def _prescribed_bodies(ready: Mechanism, elastic: Mapping[str, ReducedBody], *, chains: bool) -> set[int]:
    """Bodies whose frame joints and drives hold to the ground or, with `chains`, to such a body."""
    known = {ready.bodies}  # the ground
    rows = _rows_of_still_markers(ready, elastic)
    while True:
        fresh = {
            number
            for number in rows
            if number not in known and _frame_is_driven(ready, rows[number], number, known)
        }
        known |= fresh
        if not (fresh and chains):
            return known - {ready.bodies}


def _rows_of_still_markers(
    ready: Mechanism, elastic: Mapping[str, ReducedBody]
) -> dict[int, list[tuple[int, int]]]:
    """By bodies: rows of joints and drives between markers that are fixed in their bodies, and the other body."""
    links = {link.name: link for link in (*ready.system.joints, *ready.system.drives)}
    still = {
        name: all(_is_still(elastic, ready.system.resolve(marker)) for marker in (link.first, link.second))
        for name, link in links.items()
    }
    found: dict[int, list[tuple[int, int]]] = {number: [] for number in range(ready.bodies)}
    for row, (entry, owner) in enumerate(zip(ready.constraints.entries, ready.constraints.owners, strict=True)):
        if still[owner] and not entry.leaders:
            for number, other in ((entry.first, entry.second), (entry.second, entry.first)):
                if number < ready.bodies:
                    found[number].append((row, other))
    return found


def _frame_is_driven(
    ready: Mechanism, rows: Sequence[tuple[int, int]], number: int, known: Collection[int]
) -> bool:
    """Whether joints and drives between known frames and markers fixed in this one prescribe its motion."""
    constraints = ready.constraints
    kept = [row for row, other in rows if other in known]
    rigid = len(PLANAR if ready.planar else SPATIAL)
    if len(kept) < rigid:
        return False
    J = scaled_jacobian(ready, constraints, rough_assembly(ready, 0.0, elastic=True), 0.0)[0]
    own = J[kept, rigid * number : rigid * (number + 1)]
    return rank(np.linalg.svd(own, compute_uv=False)) == rigid


def _is_still(elastic: Mapping[str, ReducedBody], marker: str) -> bool:
    """Whether a marker does not move in the frame of its body."""
    owner, _, name = marker.partition(".")
    if owner not in elastic or not name:
        return True
    points = (*elastic[owner].interfaces, *elastic[owner].sensors)
    return any(point.name == name and not point.rows.any() for point in points)


def _with_redundancy(system: DynamicSystem) -> DynamicSystem:
    """The system ready for rows that follow from the others where it starts, which is said."""
    if not system.rows:
        return system
    c = rough_assembly(system.mechanism, 0.0, elastic=bool(system.elastic_starts[-1]))
    bodies, total = len(system.bodies), int(system.elastic_starts[-1])
    none = np.zeros((bodies, 3))
    state = DynamicState(
        time=0.0,
        positions=c.positions[0, :-1],
        quaternions=quaternion_from_rotation(c.rotations[0, :-1]),
        deformation=np.zeros(total),
        velocities=none,
        angular_velocities=none,
        rates=np.zeros(total),
        angles=np.zeros(bodies),
    )
    evaluation = evaluation_at(system, 0.0)
    place = place_of(system, state)
    place.held[[lock.held for lock in system.network.locks]] = 1.0  # all locks closed: the most that may happen
    evaluation.evaluate(place, 0.0, np.zeros(system.size), np.zeros(system.rows), True)
    vectors = evaluation.dependent_rows(RANK_TOLERANCE)
    redundant = vectors.shape[1]
    if not redundant:
        return system
    notice = (
        f"{redundant} redundant constraint{'s' if redundant > 1 else ''} among "
        f"{', '.join(named_rows(vectors, system.owners))}: the motion and the resultant on each body are "
        "unique, the share of each joint is not; the smallest forces are given"
    )
    return replace(system, notices=(notice,), tables=system.tables._replace(slack=_SLACK))
