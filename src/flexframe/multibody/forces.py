"""Forces, loads and contacts of a system as flat tables for the core."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from flexframe import _core
from flexframe.assembly.discrete import discretise
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.constraints import Along, Distance, Fixed, Rotation, TimeLaw
from flexframe.model.contacts import FRICTION_MODELS, Contact
from flexframe.model.friction import Friction
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import Actuator, BodyLoads, CoordinateForce, MarkerForce
from flexframe.multibody.constraints import BoundFrames, ConstraintSet, constraint_table
from flexframe.multibody.contract import DynamicBody
from flexframe.multibody.frames import Frames
from flexframe.multibody.laws import LawCollection, value_before
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.signals import SignalNetwork
from flexframe.multibody.tables import ContactTables, FieldTables, ForceTables, LoadTables, RowTables
from flexframe.reduction.loads import ReducedLoads, has_loads, reduced_loads


def row_tables(
    entries: Sequence[BoundFrames], constraints: ConstraintSet, ready: Mechanism, laws: LawCollection, ground: int
) -> RowTables:
    numbered = [
        replace(e, first=e.first if e.first >= 0 else ground, second=e.second if e.second >= 0 else ground)
        for e in entries
    ]
    table = constraint_table(numbered, ground)
    followed = [_law(e) for e in entries]
    return RowTables(
        types=table.types,
        frames=table.frames,
        places=table.places,
        directions=table.directions,
        radii=table.radii,
        laws=np.array([laws.number(law) for law in followed], dtype=np.int64),
        holonomic=constraints.holonomic.astype(np.int64),
        scales=ready.row_scale(constraints) if constraints.count else np.zeros(0),
        leading=np.array([(e.number, len(e.leaders)) for e in entries], dtype=np.int64).reshape(-1, 2),
        locks=np.full((len(entries), 2), -1, dtype=np.int64),
    )


def _law(entry: BoundFrames) -> TimeLaw:
    if entry.leaders:
        return entry.law
    return entry.constraint.law if isinstance(entry.constraint, Along | Rotation | Distance) else Fixed()


def force_tables(
    ready: Mechanism, placed: Sequence[MarkerForce], frames: Frames, laws: LawCollection, network: SignalNetwork
) -> ForceTables:
    count = len(placed)
    numbers, in_body = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    arms, law_numbers, before = np.zeros((count, 3)), np.zeros((count, 6), dtype=np.int64), np.zeros((count, 6))
    for k, load in enumerate(placed):
        given, k_force = network.laws_of(load), len(load.force)
        none = (Fixed(), Fixed())
        parts = (*given[:k_force], *none)[:3] + (*given[k_force:], *none)[:3]
        law_numbers[k] = [laws.number(part) for part in parts]
        before[k] = [value_before(part, known) for part, known in zip(parts, load.before(), strict=True)]
        numbers[k], arms[k], _ = frames.number(
            load.on, load.name, turning=bool(law_numbers[k, 3:].any() or before[k, 3:].any())
        )
        in_body[k] = load.axes == "body"
    kept = numbers >= 0  # forces on the ground do nothing
    actuators = np.full(len(ready.force_laws), -1, dtype=np.int64)
    actuators_before = np.full(len(ready.force_laws), np.nan)
    bristles = np.full(len(ready.force_laws), -1, dtype=np.int64)
    for k, law in enumerate(ready.force_laws):
        followed = network.law_along(law)
        if followed is not None:
            earlier = law.law_before if isinstance(law, Actuator) else None
            actuators[k], actuators_before[k] = laws.number(followed), value_before(followed, earlier)
        if isinstance(law, Friction):
            bristles[k] = network.bristles.get(law.name, -1)
    return ForceTables(
        frames=numbers[kept],
        arms=arms[kept],
        in_body=in_body[kept],
        laws=law_numbers[kept],
        before=before[kept],
        **_element_tables(ready.force_laws),
        actuators=actuators,
        actuators_before=actuators_before,
        bristles=bristles,
    )


def field_tables(ready: Mechanism, laws: LawCollection) -> FieldTables:
    fields = ready.fields
    return FieldTables(
        accelerations=np.array([field.acceleration for field in fields]).reshape(-1, 3),
        laws=np.array([laws.number(field.law) for field in fields], dtype=np.int64),
        before=np.array([value_before(field.law, field.before) for field in fields]),
    )


def _element_tables(laws: Sequence[CoordinateForce]) -> dict[str, Any]:
    """Laws of forces along coordinates, each with its constants, its curve and two formulas."""
    kinds, constants = np.zeros(len(laws), dtype=np.int64), np.zeros((len(laws), 6))
    curve_starts, curve = [0], [np.zeros((0, 3))]
    tape_starts, opcodes, operands = [0], [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    grid_starts, grid_columns, grids = [0], np.zeros(len(laws), dtype=np.int64), [np.zeros(0)]
    stack_size = 1
    known = {name: number for number, name in enumerate(_core.force_laws())}
    for k, element in enumerate(laws):
        law = element.parameters()
        kinds[k], constants[k, : len(law.constants)] = known[law.law or element.kind], law.constants
        curve.append(law.curve)
        curve_starts.append(curve_starts[-1] + len(law.curve))
        if law.grid is not None:
            grid_columns[k] = len(law.grid.y)
            grids.append(law.grid.numbers)
        grid_starts.append(sum(map(len, grids)))
        for formula in (law.force, law.damping):
            if formula is not None:
                opcodes.append(formula.opcodes)
                operands.append(formula.operands)
                stack_size = max(stack_size, formula.stack_size)
            tape_starts.append(tape_starts[-1] + (0 if formula is None else len(formula.opcodes)))
    return {
        "kinds": kinds,
        "constants": constants,
        "curve_starts": np.array(curve_starts, dtype=np.int64),
        "curve": np.ascontiguousarray(np.concatenate(curve)),
        "tape_starts": np.array(tape_starts, dtype=np.int64),
        "opcodes": np.concatenate(opcodes),
        "operands": np.concatenate(operands),
        "grid_starts": np.array(grid_starts, dtype=np.int64),
        "grid_columns": grid_columns,
        "grids": np.concatenate(grids),
        "stack_size": stack_size,
    }


def rigid_loads(body: Body | RigidBody) -> ReducedLoads | None:
    """The loads of a meshed body that moves as a rigid one."""
    if not isinstance(body, Body) or not body.loads:
        return None
    discrete = discretise(body)
    return reduced_loads(discrete, np.zeros((discrete.dofs.count, 0))) if has_loads(discrete) else None


def load_tables(
    system: System, bodies: Sequence[DynamicBody], laws: LawCollection, network: SignalNetwork, *, geometric: bool
) -> LoadTables:
    """Flat tables, one load for each body on which something acts."""
    loaded = [(number, body.loads) for number, body in enumerate(bodies) if body.loads is not None]
    ways = {
        name: load for load in system.loads if isinstance(load, BodyLoads) for name in system.pieces_of(load.body)
    }
    count, M = len(loaded), max(1, *(body.size for body in bodies))
    t = LoadTables(
        bodies=np.array([number for number, _ in loaded], dtype=np.int64),
        laws=np.zeros(count, dtype=np.int64),
        before=np.ones(count),
        in_space=np.zeros(count, dtype=np.int64),
        used=np.zeros((count, 3, 3), dtype=np.int64),
        force=np.zeros((count, 3)),
        moment=np.zeros((count, 3)),
        positions=np.zeros((count, 3, 3)),
        rows=np.zeros((count, 3, 3, M)),
        quadratic=np.zeros((count, 3, 3, M, M)),
        work_rows=np.zeros((count, 3, 3, M)),
        work_quadratic=np.zeros((count, 3, 3, M, M)),
    )
    always: TimeLaw = Fixed(1.0)
    for k, (number, loads) in enumerate(loaded):
        m, way = bodies[number].size, ways.get(bodies[number].name)
        factor = always if way is None else network.laws_of(way)[0]
        t.laws[k] = laws.number(factor)
        t.before[k] = value_before(factor, None if way is None else way.factor_before)
        t.in_space[k] = way is not None and way.axes == "space"
        t.force[k], t.moment[k], t.positions[k] = loads.force, loads.moment, loads.positions
        t.rows[k, ..., :m], t.work_rows[k, ..., :m] = loads.rows, loads.rows + loads.turn_rows
        if geometric:
            t.quadratic[k, ..., :m, :m] = loads.quadratic
            t.work_quadratic[k, ..., :m, :m] = loads.quadratic + loads.turn_quadratic
        there = (loads.positions != 0) | (t.work_rows[k] != 0).any(axis=-1) | (t.rows[k] != 0).any(axis=-1)
        t.used[k] = there | (t.work_quadratic[k] != 0).any(axis=(-2, -1))
    return t


COLUMNS = ("gap", "normal", "friction", "fx", "fy", "fz", "x", "y", "z")
"""What a simulation holds of each contact: gap, sizes of forces, force on the second shape, and where."""


def contact_tables(contacts: Sequence[Contact], frames: Frames) -> ContactTables:
    """One row for each contact, in their order; frames of the ground are −1 until `with_ground`."""
    count = len(contacts)
    pairs, laws = _core.contact_pairs(), _core.contact_laws()
    numbers = np.zeros((count, 2), dtype=np.int64)
    places, axes, sizes = np.zeros((count, 2, 3)), np.zeros((count, 2, 3, 3)), np.zeros((count, 2, 2))
    constants, curves, closed = np.zeros((count, 13)), [np.zeros((0, 5))], np.zeros(count, dtype=np.int64)
    for k, contact in enumerate(contacts):
        markers = (contact.first, contact.second)
        for side, (marker, shape) in enumerate(zip(markers, contact.shapes(), strict=True)):
            turning = side == 0 or contact.turning or shape.radius > 0 or shape.length > 0
            number, place, own = frames.number(marker, contact.name, turning=turning)
            numbers[k, side], places[k, side] = number, place + own @ shape.beside
            axes[k, side], sizes[k, side] = own @ shape.axes, (shape.radius, shape.length)
        curve, is_closed = contact.curve()
        curves.append(curve)
        closed[k], constants[k] = is_closed, contact.constants()
    return ContactTables(
        pairs=np.array([pairs.index(contact.kind) for contact in contacts], dtype=np.int64),
        laws=np.array([laws.index(contact.law.kind) for contact in contacts], dtype=np.int64),
        frictions=np.array([_friction_model(contact) for contact in contacts], dtype=np.int64),
        frames=numbers,
        places=places,
        axes=axes,
        sizes=sizes,
        constants=constants,
        closed=closed,
        curve_starts=np.cumsum([len(curve) for curve in curves]).astype(np.int64),
        curves=np.ascontiguousarray(np.concatenate(curves)),
    )


def places_of_contacts(tables: ContactTables) -> list[slice]:
    """Which of all places where shapes may touch are those of each contact."""
    counts = [_core.contact_points()[pair] for pair in tables.pairs]
    return [slice(end - count, end) for end, count in zip(np.cumsum(counts), counts, strict=True)]


def contact_columns(tables: ContactTables, touches: Array) -> Array:
    """The columns of each contact from all places where it may touch, the deepest of them: (contacts, 9)."""
    out = np.zeros((len(tables.pairs), len(COLUMNS)))
    for k, places in enumerate(places_of_contacts(tables)):
        own = touches[places]
        deepest = own[np.argmin(own[:, 0])]
        out[k] = [deepest[0], *own[:, 2:4].sum(axis=0), *own[:, 10:13].sum(axis=0), *deepest[7:10]]
    return out


def _friction_model(contact: Contact) -> int:
    return 0 if contact.friction is None else FRICTION_MODELS.index(contact.friction.model)


def bristle_states(tables: ContactTables) -> int:
    """States of the bristles of all places of contact: three for each."""
    points = np.array(_core.contact_points(), dtype=np.int64)
    return 3 * int(points[tables.pairs[tables.frictions > 0]].sum())


def with_ground(tables: ContactTables, ground: int) -> ContactTables:
    """The tables with the number of the ground, which is known once all frames are."""
    return tables._replace(frames=np.where(tables.frames < 0, ground, tables.frames))
