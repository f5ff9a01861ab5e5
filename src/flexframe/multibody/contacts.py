"""Contacts as flat tables for the core."""

from collections.abc import Sequence

import numpy as np

from flexframe import _core
from flexframe.model.contacts import Contact
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
    constants, curves, closed = np.zeros((count, 9)), [np.zeros((0, 5))], np.zeros(count, dtype=np.int64)
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
        frames=numbers,
        places=places,
        axes=axes,
        sizes=sizes,
        constants=constants,
        closed=closed,
        curve_starts=np.cumsum([len(curve) for curve in curves]).astype(np.int64),
        curves=np.ascontiguousarray(np.concatenate(curves)),
    )


def with_ground(tables: ContactTables, ground: int) -> ContactTables:
    """The tables with the number of the ground, which is known once all frames are."""
    return tables._replace(frames=np.where(tables.frames < 0, ground, tables.frames))
