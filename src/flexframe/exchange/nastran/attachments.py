"""What sits at grid points of Nastran: masses, springs, single-point constraints, sets."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.exchange.contract import matrix_in_si
from flexframe.exchange.equations import Equations, fix_nodes
from flexframe.exchange.nastran.cards import Card, Deck
from flexframe.exchange.nastran.coordinates import Grid
from flexframe.exchange.numbering import Numbering
from flexframe.exchange.units import Units
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import skew
from flexframe.model.body import PointMass
from flexframe.model.supports import Coupling, RigidCoupling, Support

Value = TypeVar("Value")
ALL = "123456"
_SET = re.compile(r"^SET\s+(\d+)\s*=\s*(.*)$", re.IGNORECASE)


@dataclass(eq=False)
class Attachments:
    """Masses, couplings and supports on node sets of the mesh, springs as a matrix, and what could not be had."""

    node_sets: dict[str, IntArray] = field(default_factory=dict)
    points: dict[str, Array] = field(default_factory=dict)  # further nodes by the name of their set, as filed
    point_masses: list[PointMass] = field(default_factory=list)
    couplings: list[Coupling] = field(default_factory=list)
    supports: list[Support] = field(default_factory=list)
    stiffness: list[tuple[IntArray, Array]] = field(
        default_factory=list
    )  # rows (k, 2) by label and dof, and (k, k)
    mass: list[tuple[IntArray, Array]] = field(default_factory=list)
    equations: Equations = field(default_factory=Equations)
    lacks: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def read_attachments(deck: Deck, grid: Grid, units: Units, mass_factor: float) -> Attachments:
    """Everything that is attached to grid points, in SI units but for the places of further nodes."""
    made = Attachments()
    _read_masses(deck, grid, made, units, mass_factor)
    _read_springs(deck, grid, made, units)
    _read_supports(deck, grid, made)
    return made


def components(text: str, place: str) -> list[int]:
    """Columns 0 … 5 of component digits such as 123."""
    if not set(text) <= set("0" + ALL):
        raise InputError(f"{place}: '{text}' are not components; give digits from 1 to 6")
    return sorted({int(digit) - 1 for digit in text if digit != "0"})


# ---------------------------------------------------------------------- masses


def _read_masses(deck: Deck, grid: Grid, made: Attachments, units: Units, mass_factor: float) -> None:
    for card in deck.of("CONM2"):
        label = card.integer(1)
        node = int(grid.nodes.of(np.array([card.integer(2)]), f"{card.place}: CONM2")[0])
        system, mass = card.integer(3, 0), card.real(4, 0.0) * units.mass * mass_factor
        offset = np.array(card.reals(5, 3))
        I11, I21, I22, I31, I32, I33 = card.reals(9, 6)
        axes = np.eye(3)
        if system > 0:
            axes = grid.systems.of(system, card.place).axes_at(grid.points[node : node + 1])[0]
        place = offset if system == -1 else grid.points[node] + axes @ offset
        tensor = axes @ np.array([[I11, -I21, -I31], [-I21, I22, -I32], [-I31, -I32, I33]]) @ axes.T
        tensor = tensor * units.inertia * mass_factor
        name = f"CONM2 {label}"
        if not mass > 0:
            if mass < 0 or tensor.any():
                made.lacks.append(f"{card.place}: CONM2 {label} has no positive mass; give it one")
            continue
        made.node_sets[name] = np.array([node])
        if np.linalg.norm(place - grid.points[node]) > 0:
            made.points[f"{name} centre"] = place
            made.couplings.append(RigidCoupling(name, f"{name} centre"))
            name = f"{name} centre"
        inertia = (tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[1, 2], tensor[2, 0])
        given = tuple(float(value) for value in inertia) if tensor.any() else None
        try:
            made.point_masses.append(PointMass(name, mass, given))
        except InputError as error:
            made.lacks.append(f"{card.place}: CONM2 {label}: {error}")
    values = {card.integer(1): card.real(2, 0.0) for card in deck.of("PMASS")}
    for card in deck.of("CMASS1", "CMASS2"):
        amount = card.real(2, 0.0) if card.name == "CMASS2" else values.get(card.integer(2), 0.0)
        if _joins_scalars(card, made):
            continue
        rows, matrix = _between(card, grid, amount)
        made.mass.append((rows, _in_si(matrix, rows, "mass", units) * mass_factor))
    refuse_others(deck, made, ("CONM1", "CMASS3", "CMASS4"), "are not read")


# ---------------------------------------------------------------------- springs


def _read_springs(deck: Deck, grid: Grid, made: Attachments, units: Units) -> None:
    values = {card.integer(1): card.real(2, 0.0) for card in deck.of("PELAS")}
    for card in deck.of("CELAS1", "CELAS2"):
        amount = card.real(2, 0.0) if card.name == "CELAS2" else _property(values, card, "PELAS")
        if _joins_scalars(card, made):
            continue
        rows, matrix = _between(card, grid, amount)
        made.stiffness.append((rows, _in_si(matrix, rows, "K", units)))
    bushings = {card.integer(1): _bushing_stiffness(card) for card in deck.of("PBUSH")}
    for card in deck.of("CBUSH"):
        given = _property(bushings, card, "PBUSH")
        rows, matrix = _bushing(card, grid, np.array(given))
        made.stiffness.append((rows, _in_si(matrix, rows, "K", units)))
    refuse_others(
        deck,
        made,
        ("CELAS3", "CELAS4", "CBUSH1D", "CBUSH2D", "CGAP", "CFAST", "CWELD", "GENEL"),
        "are not read; give CBUSH or CELAS2",
    )
    dampers = [name for name in ("CDAMP1", "CDAMP2", "CVISC") if name in deck.cards]
    if dampers:
        made.notices.append(f"dampers ({', '.join(dampers)}) were left out; give the body damping")


def _property(values: dict[int, Value], card: Card, name: str) -> Value:
    number = card.integer(2, card.integer(1))
    if number not in values:
        raise InputError(f"{card.place}: {name} {number} is not defined; define it or correct this")
    return values[number]


def _in_si(matrix: Array, rows: IntArray, name: str, units: Units) -> Array:
    return np.asarray(matrix_in_si(sparse.csr_array(matrix), rows, name, units).toarray())


def _joins_scalars(card: Card, made: Attachments) -> bool:
    """Whether an element joins scalar points, which are no nodes here."""
    scalar = any(card.integer(f, 0) and card.text(f + 1) in ("", "0") for f in (3, 5))
    if scalar:
        made.lacks.append(f"{card.place}: {card.name} {card.integer(1)} joins a scalar point, which is not read")
    return scalar


def _between(card: Card, grid: Grid, amount: float) -> tuple[IntArray, Array]:
    """A scalar between two degrees of freedom of grid points, or one of them and the ground."""
    ends = []
    for f in (3, 5):
        if card.integer(f, 0):
            digits = components(card.text(f + 1) or "0", f"{card.place}: {card.name}")
            if len(digits) != 1:
                raise InputError(f"{card.place}: {card.name} joins one component of each point; give one digit")
            ends.append((card.integer(f), digits[0]))
    if not ends:
        raise InputError(f"{card.place}: {card.name} {card.integer(1)} joins no grid point; give one")
    rows, fields = [], []
    for label, column in ends:
        own, direction = _direction(grid, label, column, f"{card.place}: {card.name}")
        rows.append(own)
        fields.append(direction)
    vector = np.concatenate(fields) if len(fields) == 1 else np.concatenate([fields[0], -fields[1]])
    kept = vector != 0
    return np.concatenate(rows)[kept], amount * np.outer(vector[kept], vector[kept])


def _direction(grid: Grid, label: int, column: int, place: str) -> tuple[IntArray, Array]:
    """Rows of a node and the unit vector of one of its components in body axes."""
    node = int(grid.nodes.of(np.array([label]), place)[0])
    axes = grid.axes_of(np.array([node]))[0]
    first = 0 if column < 3 else 3
    rows = np.column_stack([np.full(3, label), first + np.arange(1, 4)])
    return rows, axes[:, column - first]


def _bushing_stiffness(card: Card) -> list[float]:
    for f in range(2, len(card.fields) + 1, 8):
        if card.text(f) == "K":
            return [0.0 if card.text(f + k) == "RIGID" else card.real(f + k, 0.0) for k in range(1, 7)]
    return [0.0] * 6


def _bushing(card: Card, grid: Grid, stiffness: Array) -> tuple[IntArray, Array]:
    """K of six springs between two points or to the ground, with rigid arms from its place to the points."""
    labels = [card.integer(f) for f in (3, 4) if card.integer(f, 0)]
    nodes = grid.nodes.of(np.array(labels), f"{card.place}: CBUSH")
    points = grid.points[nodes]
    axes = _bushing_axes(card, grid, points, int(nodes[0]))
    share = card.real(9, 0.5)
    centre = points[0] + (share * (points[1] - points[0]) if len(points) == 2 else 0.0)
    if card.integer(10, -1) >= 0:  # a place of its own
        system = grid.systems.of(card.integer(10), card.place)
        centre = system.positions(np.array([card.reals(11, 3)]))[0]
    turn = np.kron(np.eye(2), axes)
    moved = []
    for point, sign in zip(points, (-1.0, 1.0), strict=False):
        carried = np.eye(6)
        carried[:3, 3:] = -skew(centre - point)  # u + θ × r
        moved.append(sign * turn.T @ carried)
    fields = np.hstack(moved)
    rows = np.concatenate([np.column_stack([np.full(6, label), np.arange(1, 7)]) for label in labels])
    return rows, fields.T @ (stiffness[:, None] * fields)


def _bushing_axes(card: Card, grid: Grid, points: Array, node: int) -> Array:
    """Axes of a CBUSH as columns: of a system, or along the line of its points and a vector."""
    if card.text(8):
        return grid.systems.of(card.integer(8), card.place).axes_at(points[:1])[0]
    line = points[1] - points[0] if len(points) == 2 else np.zeros(3)
    length = float(np.linalg.norm(line))
    if not length:
        return np.eye(3)
    if card.text(5) and "." not in card.text(5) and not card.text(6):
        up = grid.points[int(grid.nodes.of(np.array([card.integer(5)]), card.place)[0])] - points[0]
    elif card.text(5) or card.text(6) or card.text(7):
        up = grid.axes_of(np.array([node]))[0] @ np.array(card.reals(5, 3))
    else:
        up = np.eye(3)[int(np.argmin(np.abs(line)))]  # round about the line, or it does not matter
    x = line / length
    z = np.cross(x, up)
    if not np.linalg.norm(z) > 0:
        raise InputError(
            f"{card.place}: CBUSH {card.integer(1)} is turned along its own line; give another vector"
        )
    z = z / np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])


# ---------------------------------------------------------------------- supports


def _read_supports(deck: Deck, grid: Grid, made: Attachments) -> None:
    """Constraints of the set that case control names, of the only one there is, and those of the points."""
    chosen = chosen_constraints(deck, made, "SPC", ("SPC", "SPC1"))
    held: dict[int, set[int]] = {}
    scalar = {label for card in deck.of("SPOINT") for label in card.labels(1)}
    for card in deck.of("SPC", "SPC1"):
        if card.integer(1) not in chosen:
            continue
        for label, digits in _constrained_dofs(card, grid, made):
            # component 0 is that of a scalar point, which an element that joins it may define
            implied = not digits.strip("0") and not grid.nodes.is_known(np.array([label]))[0]
            if label in scalar or implied:
                continue
            node = int(grid.nodes.of(np.array([label]), f"{card.place}: {card.name}")[0])
            held.setdefault(node, set()).update(components(digits, f"{card.place}: {card.name}"))
    for node in np.flatnonzero(grid.fixed).tolist():
        held.setdefault(node, set()).update(components(str(grid.fixed[node]), "GRID"))
    nodes = np.array(list(held), dtype=np.int64)
    made.supports += fix_nodes(held, grid.axes_of(nodes), "SPC", made.node_sets)


def chosen_constraints(deck: Deck, made: Attachments, kind: str, cards: tuple[str, ...]) -> set[int]:
    """Numbers of the constraints (SPC, MPC) that case control asks for, or of the only set there is."""
    listed = {card.integer(1) for card in deck.of(*cards)}
    sums = {card.integer(1): set(card.labels(2)) for card in deck.of(f"{kind}ADD")}
    asked = [
        int(found[1])
        for _, text in deck.control
        if (found := re.match(rf"^{kind}\s*=\s*(\d+)\s*$", text, re.IGNORECASE)) is not None
    ]
    numbers = set(asked) if asked else set(sums) if len(sums) == 1 else listed
    if len(numbers) > 1:
        made.notices.append(
            f"the file has several sets of {kind} ({', '.join(map(str, sorted(numbers)))}); none was taken, give "
            f"{'supports' if kind == 'SPC' else 'couplings'}"
        )
        return set()
    return {part for number in numbers for part in sums.get(number, {number})}


def _constrained_dofs(card: Card, grid: Grid, made: Attachments) -> Iterator[tuple[int, str]]:
    if card.name == "SPC1":
        labels: Iterable[int] = card.labels(3)
        if "THRU" in card.fields:  # points that do not exist are passed over
            labels = [label for label in labels if grid.nodes.is_known(np.array([label]))[0]]
        for label in labels:
            yield label, card.text(2)
        return
    for f in (2, 5):
        if card.integer(f, 0):
            if card.real(f + 2, 0.0):
                made.notices.append(
                    f"{card.place}: SPC moves point {card.integer(f)}; the body is held there, without that motion"
                )
            yield card.integer(f), card.text(f + 1)


# ---------------------------------------------------------------------- sets


def read_sets(deck: Deck, nodes: Numbering, cells: Numbering) -> tuple[dict[str, IntArray], dict[str, IntArray]]:
    """Node sets and cell sets: SET of case control, SET1 and SET3, and the sets of matrices (ASET …).

    A set of case control does not say of what it is: it becomes both where its numbers exist as both.
    """
    node_sets: dict[str, IntArray] = {}
    cell_sets: dict[str, IntArray] = {}
    for name, numbers in _control_sets(deck):
        labels = np.array(sorted(set(numbers)), dtype=np.int64)
        for sets, numbering in ((node_sets, nodes), (cell_sets, cells)):
            if labels.size and numbering.is_known(labels).all():
                sets[name] = numbering.of(labels, name)
    for card in deck.of("SET1"):
        if any(word.startswith("-") for word in card.fields):  # left out of a range: of aerodynamics
            continue
        labels = np.array(sorted(set(card.labels(2))), dtype=np.int64)
        known = labels[nodes.is_known(labels)]
        if known.size:
            node_sets[_set_name(deck, card)] = np.sort(nodes.of(known, card.place))
    for card in deck.of("SET3"):
        labels, kind = np.array(sorted(set(card.labels(3))), dtype=np.int64), card.text(2)
        target = node_sets if kind in ("GRID", "POINT") else cell_sets if kind.startswith("ELEM") else None
        if target is not None:
            numbering = nodes if target is node_sets else cells
            target[_set_name(deck, card)] = np.sort(numbering.of(labels[numbering.is_known(labels)], card.place))
    for name in ("ASET", "BSET", "CSET", "QSET", "OMIT"):
        labels = np.array(sorted(set(_of_matrix_set(deck, name))), dtype=np.int64)
        labels = labels[nodes.is_known(labels)]
        if labels.size:
            node_sets[name] = np.sort(nodes.of(labels, name))
    return node_sets, cell_sets


def read_retained(deck: Deck) -> IntArray | None:
    """Label and degree of freedom of the analysis set, in the order of its matrices; 0 for scalar points."""
    scalar = {label for card in deck.of("SPOINT") for label in card.labels(1)}
    rows: set[tuple[int, int]] = set()
    for kind in ("ASET", "BSET", "CSET", "QSET"):
        for card in deck.of(kind):
            for f in (1, 3, 5, 7):
                if card.text(f):
                    rows |= _rows_of(card.integer(f), card.text(f + 1), scalar, card.place)
        for card in deck.of(f"{kind}1"):
            for label in card.labels(2):
                rows |= _rows_of(label, card.text(1), scalar, card.place)
    return np.array(sorted(rows), dtype=np.int64) if rows else None


def _rows_of(label: int, digits: str, scalar: set[int], place: str) -> set[tuple[int, int]]:
    if label in scalar or digits in ("", "0"):
        return {(label, 0)}
    return {(label, column + 1) for column in components(digits, place)}


def _set_name(deck: Deck, card: Card) -> str:
    return deck.set_names.get(card.integer(1), f"{card.name} {card.integer(1)}")


def _of_matrix_set(deck: Deck, name: str) -> Iterator[int]:
    for card in deck.of(name):
        yield from (card.integer(f) for f in (1, 3, 5, 7) if card.text(f))
    for card in deck.of(f"{name}1"):
        yield from card.labels(2)


def _control_sets(deck: Deck) -> Iterator[tuple[str, list[int]]]:
    lines = iter(deck.control)
    for place, text in lines:
        found = _SET.match(text)
        if found is None:
            continue
        whole = found[2]
        while whole.rstrip().endswith(","):
            following = next(lines, None)
            if following is None:
                break
            whole += following[1]
        words = [word for word in re.split(r"[\s,]+", whole.upper()) if word]
        if words and all(word.isdigit() or word in ("THRU", "BY") for word in words):
            yield f"SET {found[1]}", Card("SET", place, tuple(words)).labels(1)


def refuse_others(deck: Deck, made: Attachments, names: tuple[str, ...], what: str) -> None:
    for name in names:
        if name in deck.cards:
            table = deck.cards[name]
            made.lacks.append(f"{table.place(0)}: {table.count} {name} {what}")
