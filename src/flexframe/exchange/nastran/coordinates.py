"""Coordinate systems of Nastran (CORD1, CORD2), positions of grid points and axes of their displacements."""

from dataclasses import dataclass, field

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.nastran.cards import CardTable, Deck
from flexframe.exchange.numbering import Numbering
from flexframe.maths.arrays import Array, IntArray

_SMALL = 1e-12  # of the length of the other vector: no plane


@dataclass(frozen=True, eq=False)
class System:
    """A coordinate system in basic axes: kind R, C or S, origin, and unit vectors as columns."""

    kind: str
    origin: Array  # (3,)
    axes: Array  # (3, 3)

    def positions(self, coordinates: Array) -> Array:
        """Points (n, 3) in basic axes; angles are in degrees."""
        a, b, c = coordinates.T
        if self.kind == "C":
            turn = np.radians(b)
            coordinates = np.column_stack([a * np.cos(turn), a * np.sin(turn), c])
        elif self.kind == "S":
            down, turn = np.radians(b), np.radians(c)
            coordinates = a[:, None] * np.column_stack(
                [np.sin(down) * np.cos(turn), np.sin(down) * np.sin(turn), np.cos(down)]
            )
        return np.asarray(self.origin + coordinates @ self.axes.T)

    def axes_at(self, points: Array) -> Array:
        """Unit vectors of the system at points (n, 3) of basic axes, as columns: (n, 3, 3)."""
        made = np.broadcast_to(self.axes, (len(points), 3, 3)).copy()
        if self.kind == "R":
            return made
        local = (points - self.origin) @ self.axes
        around = np.arctan2(local[:, 1], local[:, 0])
        cos, sin, zero = np.cos(around), np.sin(around), np.zeros(len(points))
        radial, tangent = np.column_stack([cos, sin, zero]), np.column_stack([-sin, cos, zero])
        up = np.broadcast_to([0.0, 0.0, 1.0], radial.shape)
        if self.kind == "C":
            columns = (radial, tangent, up)
        else:
            down = np.arctan2(np.hypot(local[:, 0], local[:, 1]), local[:, 2])[:, None]
            columns = (
                np.sin(down) * radial + np.cos(down) * up,
                np.cos(down) * radial - np.sin(down) * up,
                tangent,
            )
        return np.asarray(made @ np.stack(columns, axis=2))


@dataclass(eq=False)
class Systems:
    """The coordinate systems of a file by number; 0 are basic axes."""

    known: dict[int, System] = field(default_factory=lambda: {0: System("R", np.zeros(3), np.eye(3))})

    def of(self, number: int, place: str) -> System:
        """A system; InputError at the place where it is named and not there."""
        if number not in self.known:
            raise InputError(f"{place}: coordinate system {number} is not defined; define it or correct this")
        return self.known[number]

    def axes_at(self, numbers: IntArray, points: Array) -> Array:
        """Axes of the systems of these numbers at points (n, 3): (n, 3, 3)."""
        made = np.empty((len(points), 3, 3))
        for number in np.unique(numbers).tolist():
            members = numbers == number
            made[members] = self.of(number, "GRID").axes_at(points[members])
        return made


@dataclass(frozen=True, eq=False)
class Grid:
    """Grid points: labels, positions in basic axes, and the number of the system of each one's displacements."""

    nodes: Numbering
    points: Array  # (n, 3)
    displacement_systems: IntArray  # (n,)
    fixed: IntArray  # permanent constraints as digits, 0 for none: (n,)
    systems: Systems

    def axes_of(self, nodes: IntArray) -> Array:
        """Axes of displacements of some nodes as columns: (k, 3, 3)."""
        return self.systems.axes_at(self.displacement_systems[nodes], self.points[nodes])


def read_grid(deck: Deck) -> Grid:
    """Grid points and coordinate systems of a file, lengths as filed."""
    table = deck.cards.get("GRID")
    if table is None:
        empty = np.empty(0, dtype=np.int64)
        return Grid(Numbering("node", empty, empty), np.empty((0, 3)), empty, empty, read_systems(deck))
    defaults = [0, 0, 0]  # CP, CD, PS of GRDSET
    if "GRDSET" in deck.cards:
        given = deck.cards["GRDSET"]
        defaults = [int(given.integers(f, default=0)[0]) for f in (2, 6, 7)]
    labels = table.integers(1)
    _require_positive(table, labels)
    nodes = Numbering.of_labels("node", labels, table.place)
    placed, displaced, fixed = (
        table.integers(f, default=default) for f, default in zip((2, 6, 7), defaults, strict=True)
    )
    coordinates = table.reals(3, 4, 5, default=0.0)
    points, systems = _place(deck, table, nodes, placed, coordinates)
    displaced = np.where(displaced == -1, 0, displaced)  # fluid points
    for number in np.unique(displaced).tolist():
        systems.of(number, table.place(int(np.argmax(displaced == number))))
    return Grid(nodes, points, displaced, fixed, systems)


def read_systems(deck: Deck) -> Systems:
    """Coordinate systems of a file without grid points."""
    systems = Systems()
    _resolve(deck, systems, {})
    return systems


def _require_positive(table: CardTable, labels: IntArray) -> None:
    if (labels <= 0).any():
        card = int(np.argmax(labels <= 0))
        raise InputError(f"{table.place(card)}: GRID {labels[card]} is not possible; grid points count from 1")


def _place(
    deck: Deck, table: CardTable, nodes: Numbering, placed: IntArray, coordinates: Array
) -> tuple[Array, Systems]:
    """Positions of the grid points; systems and points may depend on each other by turns."""
    systems, points = Systems(), np.full(coordinates.shape, np.nan)
    open_systems = set(np.unique(placed).tolist())
    while True:
        for number in [n for n in open_systems if n in systems.known]:
            members = placed == number
            points[members] = systems.known[number].positions(coordinates[members])
            open_systems.discard(number)
        where = {int(label): points[k] for k, label in _corners(deck, nodes) if np.isfinite(points[k]).all()}
        if not _resolve(deck, systems, where) and not any(n in systems.known for n in open_systems):
            break
    for number in sorted(open_systems):
        systems.of(number, table.place(int(np.argmax(placed == number))))
    _resolve(deck, systems, where, strict=True)
    return points, systems


def _corners(deck: Deck, nodes: Numbering) -> list[tuple[int, int]]:
    """Number and label of the grid points that CORD1 cards name."""
    found = []
    for kind in "RCS":
        if f"CORD1{kind}" in deck.cards:
            labels = np.unique(deck.cards[f"CORD1{kind}"].integers(2, 3, 4, 6, 7, 8, default=0))
            labels = labels[nodes.is_known(labels)]
            found += list(zip(nodes.of(labels, "CORD1").tolist(), labels.tolist(), strict=True))
    return found


def _resolve(deck: Deck, systems: Systems, points: dict[int, Array], *, strict: bool = False) -> bool:
    """Add the systems whose reference is known; whether any was added."""
    added = False
    for kind in "RCS":
        for place, number, corners in _two_point(deck, kind, systems, strict=strict):
            added |= _add(systems, place, number, kind, corners)
        for place, number, labels in _three_grids(deck, kind):
            missing = [label for label in labels if label not in points]
            if not missing:
                added |= _add(systems, place, number, kind, np.array([points[label] for label in labels]))
            elif strict:
                raise InputError(f"{place}: grid point {missing[0]} of coordinate system {number} is not defined")
    return added


def _two_point(deck: Deck, kind: str, systems: Systems, *, strict: bool) -> list[tuple[str, int, Array]]:
    """CORD2: number, and three points in basic axes."""
    table = deck.cards.get(f"CORD2{kind}")
    if table is None:
        return []
    numbers, references = table.integers(1), table.integers(2, default=0)
    values = table.reals(*range(3, 12), default=0.0).reshape(-1, 3, 3)
    found = []
    for card, (number, reference) in enumerate(zip(numbers.tolist(), references.tolist(), strict=True)):
        if number in systems.known:
            continue
        if reference in systems.known:
            found.append((table.place(card), number, systems.known[reference].positions(values[card])))
        elif strict:
            raise InputError(
                f"{table.place(card)}: coordinate system {number} refers to {reference}, which is not defined "
                "without it; define it in basic axes"
            )
    return found


def _three_grids(deck: Deck, kind: str) -> list[tuple[str, int, list[int]]]:
    """CORD1: number, and labels of three grid points; two systems may stand on one card."""
    table = deck.cards.get(f"CORD1{kind}")
    if table is None:
        return []
    values = table.integers(*range(1, 9), default=0)
    return [
        (table.place(card), row[start], row[start + 1 : start + 4])
        for card, row in enumerate(values.tolist())
        for start in (0, 4)
        if row[start]
    ]


def _add(systems: Systems, place: str, number: int, kind: str, corners: Array) -> bool:
    """The system with its origin, a point on its third axis, and one in the plane of the first and third."""
    if number in systems.known:
        return False
    origin, on_z, in_plane = corners
    z = on_z - origin
    y = np.cross(z, in_plane - origin)
    size = float(np.linalg.norm(z)) * float(np.linalg.norm(in_plane - origin))
    if np.linalg.norm(y) <= _SMALL * size:
        raise InputError(f"{place}: the three points of coordinate system {number} lie in line; give a plane")
    z, y = z / np.linalg.norm(z), y / np.linalg.norm(y)
    systems.known[number] = System(kind, origin, np.column_stack([np.cross(y, z), y, z]))
    return True
