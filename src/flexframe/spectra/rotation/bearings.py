"""Bearings in the equations of a rotor, seen from space or from the turning frame.

With q = Bᵀδ the displacements and tilts of a node along e₁ and e₂ (against those of another node, if the bearing
goes there), a bearing adds B K Bᵀ, B C Bᵀ and B M Bᵀ in axes of space. The turning frame sees RᵀKR and so on, and
its dampers and masses act on q̇ + ΩJq and q̈ + 2ΩJq̇ + (Ω̇J − Ω²)q, J a quarter of a turn. Each block of two rows
and columns is

    p 1 + q J + a A + b B,   A = diag(1, −1),   B = [0 1; 1 0],

of which RᵀAR = cos 2θ A − sin 2θ B and RᵀBR = sin 2θ A + cos 2θ B turn at twice the angle.

Entries of tables are parts of their own, whose coefficients are functions of the speed Ω and of λ = iω. Symmetric
parts of K and M in the middle of a table belong to the constant matrices; tables then hold what differs from it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import add

import numpy as np
from scipy import sparse

from flexframe.assembly.attachments import attached_nodes
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.section_rotors import SectionBody
from flexframe.equations.affine import CROSS_COUPLED
from flexframe.equations.coefficients import (
    ACCELERATION,
    CONSTANT,
    FREQUENCY,
    SPEED,
    Coefficient,
    Law,
    Monomial,
    OperatingPoint,
)
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS, Part
from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.model.bearings import AXES, Bearing, BearingTable
from flexframe.model.supports import FrameSpring, NodeSelection
from flexframe.spectra.rotation.harmonic_loads import across

COSINE, SINE = "cos 2θ", "sin 2θ"
"""Of twice the angle θ by which the body has turned: amounts of the operating point."""
WAVES = ("", COSINE, SINE)
"""What multiplies the parts of a matrix of space in the turning frame."""

_ORDERS = (STIFFNESS, DAMPING, MASS)
_AMOUNTS = {"speed": SPEED, "frequency": FREQUENCY}
_LETTERS = "kcm"
_QUARTER = np.kron(np.eye(2), [[0.0, -1.0], [1.0, 0.0]])  # J of displacements and tilts


@dataclass(frozen=True, eq=False)
class _Term:
    """coefficient · matrix of q, q̇ or q̈ in axes of space: (4, 4)."""

    order: int
    matrix: Array
    coefficient: Coefficient = CONSTANT
    skew: bool = False  # whether it stays apart from the constant K or M, which are symmetric

    @property
    def name(self) -> str:
        return CROSS_COUPLED if self.skew else "bearings"


@dataclass(frozen=True, eq=False)
class Attachment:
    """Where a bearing acts: q = Bᵀδ at each of its nodes."""

    bearing: Bearing
    number: int
    bases: tuple[SparseMatrix, ...]  # B: (p, 4) each

    @property
    def name(self) -> str:
        """As messages call it."""
        return bearing_name(self.bearing, self.number)

    def assembled(self, matrix: Array) -> SparseMatrix:
        """Σ B A Bᵀ: (p, p)."""
        size = self.bases[0].shape[0]
        total = sparse.csr_array((size, size))
        for B in self.bases:
            total = sparse.csr_array(total + B @ sparse.csr_array(matrix) @ B.T)
        return total


def bearing_name(bearing: Bearing, number: int) -> str:
    """As messages and tables call it."""
    return bearing.name or f"bearing {number + 1}"


def attachments(discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array) -> tuple[Attachment, ...]:
    """The nodes of all bearings; refuse nodes that do not move as a bearing needs it."""
    found = []
    for number, bearing in enumerate(bearings):
        with at_field("bearings", number):
            nodes = attached_nodes(discrete.body, discrete.dofs, bearing.on, "bearing")
            other = None if bearing.to is None else _one_node(discrete, bearing.to)
            used = _used_components(bearing)
            bases = []
            for node in nodes:
                B = _across_node(discrete, int(node), axis, used)
                bases.append(
                    B if other is None else sparse.csr_array(B - _across_node(discrete, other, axis, used))
                )
            if isinstance(discrete, SectionBody):  # one bearing as wide as its rings
                bases = [sparse.csr_array(reduce(add, bases) / len(bases))]
        found.append(Attachment(bearing, number, tuple(bases)))
    return tuple(found)


def require_isotropic(bearings: Sequence[Bearing], way_out: str) -> None:
    """Refuse bearings whose directions differ."""
    if not all(bearing.isotropic for bearing in bearings):
        raise InputError(
            "a bearing is not alike in all directions across the axis, so that the coefficients of the turning "
            f"frame are periodic; {way_out}",
            field="bearings",
        )


def bearings_in_space(
    discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array
) -> list[Part[SparseMatrix]]:
    """Stiffness, damping and mass on displacements in axes of space."""
    return [
        Part[SparseMatrix].constant(term.name, term.order, attached.assembled(term.matrix), term.coefficient)
        for attached in attachments(discrete, bearings, axis)
        for term in _terms(attached)
    ]


def bearing_parts(
    discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array, *, mean: bool = False
) -> list[Part[SparseMatrix]]:
    """Forces of bearings as the turning frame sees them; with `mean`, unequal directions give their mean."""
    if not mean:
        require_isotropic(bearings, "ask for stability, or for a diagram in the inertial frame")
    return _turning(discrete, bearings, axis, WAVES[:1])


def turning_bearing_parts(
    discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array
) -> list[Part[SparseMatrix]]:
    """What unequal directions add to the turning frame at twice its angle."""
    return _turning(discrete, bearings, axis, WAVES[1:])


def _turning(
    discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array, waves: Sequence[str]
) -> list[Part[SparseMatrix]]:
    parts: list[Part[SparseMatrix]] = []
    for attached in attachments(discrete, bearings, axis):
        for term in _terms(attached):
            for wave in waves:
                matrix = _wave_part(term.matrix, wave)
                if not np.abs(matrix).max() > 1e-14 * np.abs(term.matrix).max():
                    continue
                own = (wave,) if wave else ()
                for order, amounts, factor, seen in _turning_terms(term.order, matrix):
                    coefficient = _times(term.coefficient, Monomial((*own, *amounts), factor))
                    name = term.name if order == term.order else "bearings"
                    parts.append(Part.constant(name, order, attached.assembled(seen), coefficient))
    return parts


def _turning_terms(order: int, matrix: Array) -> Iterator[tuple[int, tuple[str, ...], float, Array]]:
    """Order, amounts, factor and matrix of what a term of space is in the turning frame."""
    yield order, (), 1.0, matrix
    turned = matrix @ _QUARTER
    if order == DAMPING:
        yield STIFFNESS, (SPEED,), 1.0, turned
    elif order == MASS:
        yield DAMPING, (SPEED,), 2.0, turned
        yield STIFFNESS, (SPEED, SPEED), -1.0, matrix
        yield STIFFNESS, (ACCELERATION,), 1.0, turned


def _wave_part(matrix: Array, wave: str) -> Array:
    """What of a matrix of space stays in the turning frame, or goes with cos 2θ or sin 2θ: (4, 4)."""
    J = _QUARTER
    stays = (matrix - J @ matrix @ J) / 2  # p 1 + q J of every block
    if not wave:
        return np.asarray(stays)
    turns = matrix - stays  # aA + bB; AJ = −B and BJ = A, so that −J(aA + bB) turns it by a quarter
    return np.asarray(turns if wave == COSINE else turns @ J)


def _times(coefficient: Coefficient, factor: Monomial) -> Coefficient:
    """The product of a coefficient of space with what the frame adds."""
    if isinstance(coefficient, Law):
        own = coefficient.factor
        product = Monomial((*own.components, *factor.components), own.scale * factor.scale)
        return replace(coefficient, factor=product)
    assert isinstance(coefficient, Monomial)
    return Monomial((*coefficient.components, *factor.components), coefficient.scale * factor.scale)


def _terms(attached: Attachment) -> Iterator[_Term]:
    """A bearing in axes of space: constants, symmetric and skew, and the entries of its table."""
    bearing = attached.bearing
    constants = bearing.constants
    matrices = [constants.stiffness, constants.damping, constants.mass]
    turn, table = bearing.turn, bearing.table
    references = [np.zeros((4, 4)) for _ in _ORDERS]
    if table is not None:
        middle = table.middle
        for kind, matrix in ((0, middle.stiffness), (2, middle.mass)):
            references[kind] = _positive_part(matrix)
            matrices[kind] = matrices[kind] + turn @ references[kind] @ turn.T
    for order, matrix in zip(_ORDERS, matrices, strict=True):
        symmetric = (matrix + matrix.T) / 2 if order != DAMPING else matrix
        skew = matrix - symmetric
        if np.abs(symmetric).max() > 0:
            yield _Term(order, symmetric)
        if np.abs(skew).max() > 1e-14 * np.abs(matrix).max(initial=0.0):
            yield _Term(order, skew, skew=True)
    if table is not None:
        yield from _table_terms(table, f"{attached.number + 1}. {attached.name}", turn, references)


def _table_terms(table: BearingTable, name: str, turn: Array, references: Sequence[Array]) -> Iterator[_Term]:
    """The entries of a table less what the constant matrices hold of them."""
    used = set(table.used)
    entries = _entries(table, np.array([references[kind][i, j] for kind, i, j in table.used]))
    for place, (kind, i, j) in enumerate(table.used):
        matrix = np.outer(turn[:, i], turn[:, j])
        over = tuple(_AMOUNTS[name] for name in table.over)
        entry = f"{name} {_LETTERS[kind]}{AXES[i]}{AXES[j]}"
        yield _Term(_ORDERS[kind], matrix, Law(entry, entries, place=place, amounts=over))
    for kind, reference in enumerate(references):
        for i, j in np.argwhere(reference != 0):
            if (kind, int(i), int(j)) not in used:  # as where an entry stands on one side of the diagonal alone
                yield _Term(_ORDERS[kind], -reference[i, j] * np.outer(turn[:, i], turn[:, j]), skew=True)


def _positive_part(matrix: Array) -> Array:
    """The symmetric part without what is negative in it, so that energy stays positive: (4, 4)."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)


def _entries(table: BearingTable, references: Array) -> Callable[[OperatingPoint], Array]:
    """All entries of a table at an operating point less what constant matrices hold of them: (..., used)."""

    @lru_cache(maxsize=4)  # one point is asked for by matrices of every order
    def at_one(speed: float, frequency: float) -> Array:
        return table.entries(speed, frequency) - references

    def at(point: OperatingPoint) -> Array:
        speed = np.asarray(point.component(SPEED)).real
        frequency = np.zeros(()) if table.frequencies is None else np.asarray(point.component(FREQUENCY)).imag
        if speed.ndim == frequency.ndim == 0:
            return at_one(float(speed), abs(float(frequency)))
        return table.entries(*np.broadcast_arrays(speed, np.abs(frequency))) - references

    return at


def _used_components(bearing: Bearing) -> IntArray:
    """Which of x, y and the tilts a bearing acts on: (4,) flags."""
    table = [] if bearing.table is None else list(bearing.table.values.reshape(-1, 4, 4))
    constants = bearing.constants
    size = np.abs(np.array([constants.stiffness, constants.damping, constants.mass, *table])).max(axis=0)
    return np.asarray((size.max(axis=0) > 0) | (size.max(axis=1) > 0))


def _one_node(discrete: DiscreteBody, to: NodeSelection) -> int:
    nodes = attached_nodes(discrete.body, discrete.dofs, to, "bearing")
    if len(nodes) != 1:
        raise InputError(f"a bearing goes to {len(nodes)} nodes; name one", field="to")
    return int(nodes[0])


def _across_node(discrete: DiscreteBody, node: int, axis: Array, used: IntArray) -> SparseMatrix:
    """B of one node: displacements along and rotations about e₁ and e₂, as far as they are used: (p, 4)."""
    numbers = discrete.dofs.numbers[node]
    rows, columns, values = [], [], []
    for place, (start, direction) in enumerate((start, side) for start in (0, 3) for side in across(axis)):
        if not used[place]:
            continue
        for component in np.flatnonzero(np.abs(direction) > 1e-12):
            if numbers[start + component] < 0:
                what = "displacements" if start == 0 else "rotations"
                raise InputError(
                    f"body {discrete.body.name}: a bearing acts on the {what} of node "
                    f"{discrete.body.mesh.node_label(node)}, which has not all of them across the spin axis; "
                    "choose another node or leave that part out"
                )
            rows.append(numbers[start + component])
            columns.append(place)
            values.append(direction[component])
    return sparse.csr_array(sparse.coo_array((values, (rows, columns)), shape=(discrete.dofs.count, 4)))


def drawn_springs(discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array) -> tuple[FrameSpring, ...]:
    """Bearings as springs in body axes, as they are drawn: their direct coefficients in the middle of tables.

    None on the surface that a section sweeps.
    """
    if isinstance(discrete, SectionBody):
        return ()
    directions = np.abs(np.array(across(axis)))
    drawn = []
    for bearing in bearings:
        constants = bearing.constants
        middle = None if bearing.table is None else bearing.table.middle
        values = {}
        for kind in ("stiffness", "damping"):
            total = np.diag(getattr(constants, kind)) + (0.0 if middle is None else np.diag(getattr(middle, kind)))
            for name, pair in ((kind, total[:2]), (f"rotational_{kind}", total[2:])):
                values[name] = tuple(float(value) for value in np.abs(pair) @ directions)
        drawn.append(FrameSpring(bearing.on, **values))
    return tuple(drawn)


def require_known(bearings: Sequence[Bearing], speeds: Array) -> tuple[str, ...]:
    """Refuse speeds [rad/s] that tables do not reach; what those that are held say of it."""
    notices = []
    for number, bearing in enumerate(bearings):
        table = bearing.table
        if table is None or table.speeds is None:
            continue
        low, high = float(table.speeds[0]), float(table.speeds[-1])
        wanted = np.abs(speeds)
        outside = [
            (place, end)
            for place, end, there in (
                ("below", low, wanted.min(initial=low) < low * (1 - 1e-12)),
                ("above", high, wanted.max(initial=high) > high * (1 + 1e-12)),
            )
            if there
        ]
        for place, end in outside:
            rpm = end * 30 / np.pi
            name = bearing_name(bearing, number)
            if table.beyond == "refuse":
                raise InputError(
                    f"{name}: its table ends at {rpm:.6g} rpm, and speeds {place} it are asked for; change the "
                    "speeds, give the table more lines, or say beyond: hold to hold its end",
                    field="bearings",
                )
            notices.append(f"{name}: {place} {rpm:.6g} rpm its coefficients are held at the end of its table")
    return tuple(notices)
