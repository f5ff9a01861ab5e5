"""From a system of bodies, joints, drives and loads to flat tables for compiled integration."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.redundant_systems import RANK_TOLERANCE, rank
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.bodies import (
    PLANAR,
    SPATIAL,
    body_tables,
    elastic_body,
    numbering,
    rigid_body,
    to_second_order,
    velocity_scales,
    with_modal_damping,
)
from flexframe.multibody.closure import rough_assembly, scaled_jacobian
from flexframe.multibody.contacts import contact_tables, with_ground
from flexframe.multibody.contract import DynamicBody, DynamicState, DynamicSystem
from flexframe.multibody.division.exact import beam_tables, piece_loads
from flexframe.multibody.division.system import divisions_of
from flexframe.multibody.equations import evaluation_at
from flexframe.multibody.forces import field_tables, force_tables, row_tables
from flexframe.multibody.frames import Frames
from flexframe.multibody.laws import LawCollection, law_tables
from flexframe.multibody.loads import load_tables, rigid_loads
from flexframe.multibody.mechanism import Mechanism, measured_set, mechanism
from flexframe.multibody.mobility import named_rows
from flexframe.multibody.places import place_of
from flexframe.multibody.tables import Tables
from flexframe.reduction.reduced_body import ReducedBody
from flexframe.reduction.second_order import SecondOrderFields

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
    rows = [frames.bound(e, links[o]) for e, o in zip(constraints.entries, constraints.owners, strict=True)]
    coordinates = [frames.bound(e, law) for e, law in zip(forces.entries, ready.force_laws, strict=True)]
    leading = [frames.bound(e, links[o]) for e, o in zip(ready.leaders.entries, ready.leaders.owners, strict=True)]
    placed = [load for load in system.loads if isinstance(load, MarkerForce)]
    placed_forces = force_tables(ready, placed, frames, laws, network)
    own_loads = load_tables(system, bodies, laws, network, geometric=geometric)
    read = measured_set(system, network.coordinates)
    measured = [frames.bound(e, c) for e, c in zip(read.entries, network.coordinates, strict=True)]
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
    prescribed = _prescribed(ready, elastic, chains=linear) if geometric else set()
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


def _prescribed(ready: Mechanism, elastic: Mapping[str, ReducedBody], *, chains: bool) -> set[int]:
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
