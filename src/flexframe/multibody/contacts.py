"""Contacts as flat tables for the core."""

from collections.abc import Sequence

import numpy as np

from flexframe import _core
from flexframe.maths.arrays import Array
from flexframe.model.contacts import FRICTION_MODELS, Contact
from flexframe.multibody.frames import Frames
from flexframe.multibody.tables import ContactTables

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
