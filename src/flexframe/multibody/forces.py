"""Constraints and forces between frames as flat tables for compiled functions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from flexframe import _core
from flexframe.model.constraints import Along, Distance, Fixed, Rotation, TimeLaw
from flexframe.model.friction import Friction
from flexframe.model.system_loads import Actuator, CoordinateForce, MarkerForce
from flexframe.multibody.constraints import BoundFrames, ConstraintSet, constraint_table
from flexframe.multibody.frames import Frames
from flexframe.multibody.laws import LawCollection, value_before
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.signals import SignalNetwork
from flexframe.multibody.tables import FieldTables, ForceTables, RowTables


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
