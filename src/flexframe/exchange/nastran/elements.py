"""Elements of Nastran as cells of a mesh, with the property of each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.exchange.columns import Place
from flexframe.exchange.nastran.cards import CardTable, Deck
from flexframe.exchange.numbering import Numbering
from flexframe.maths.arrays import IntArray
from flexframe.mesh.cells import (
    HEXAHEDRON,
    HEXAHEDRON20,
    LINE,
    QUAD,
    QUAD8,
    TETRA,
    TETRA10,
    TRIANGLE,
    TRIANGLE6,
    WEDGE,
    WEDGE15,
    Cell,
)


@dataclass(frozen=True)
class ElementKind:
    """A card: cells with and without mid-side nodes, field of its first node, and of its property (0: none)."""

    name: str
    cell: Cell
    quadratic: Cell | None = None
    first: int = 3
    prop: int = 2

    def cells(self) -> tuple[Cell, ...]:
        """The shapes that the card may have, the one with more nodes first."""
        return (self.cell,) if self.quadratic is None else (self.quadratic, self.cell)


KINDS: tuple[ElementKind, ...] = (
    *(ElementKind(name, LINE) for name in ("CBAR", "CBEAM", "CROD", "CTUBE")),
    ElementKind("CONROD", LINE, first=2, prop=0),
    *(ElementKind(name, QUAD) for name in ("CQUAD4", "CQUADR")),
    *(ElementKind(name, TRIANGLE) for name in ("CTRIA3", "CTRIAR")),
    ElementKind("CQUAD8", QUAD, QUAD8),
    ElementKind("CTRIA6", TRIANGLE, TRIANGLE6),
    ElementKind("CTETRA", TETRA, TETRA10),
    ElementKind("CPENTA", WEDGE, WEDGE15),
    ElementKind("CHEXA", HEXAHEDRON, HEXAHEDRON20),
)
# Mid-side nodes of Nastran lie on the edges of the bottom, then between bottom and top, then on those of the top.
ORDER: dict[str, Sequence[int]] = {
    "hexahedron20": (*range(12), *range(16, 20), *range(12, 16)),
    "wedge15": (*range(9), *range(12, 15), *range(9, 12)),
}


@dataclass(frozen=True, eq=False)
class Elements:
    """Elements of one card and shape: labels, node numbers in cell order, property numbers, rows of the table."""

    kind: ElementKind
    cell: Cell
    table: CardTable
    rows: IntArray  # of the table: (n,)
    labels: IntArray  # (n,)
    nodes: IntArray  # (n, nodes)
    properties: IntArray  # (n,)


def read_elements(deck: Deck, nodes: Numbering) -> tuple[list[Elements], list[str]]:
    """All elements that are cells here, by card and shape, and which are not."""
    found: list[Elements] = []
    lacks: list[str] = []
    for kind in KINDS:
        table = deck.cards.get(kind.name)
        if table is None:
            continue
        cells = kind.cells()
        fields = range(kind.first, kind.first + cells[0].nodes)
        given = table.integers(*fields, default=0)
        labels = table.integers(1)
        properties = table.integers(kind.prop, default=0) if kind.prop else np.zeros(len(labels), dtype=np.int64)
        properties = np.where(properties == 0, labels, properties)  # as Nastran has it
        rest = np.arange(len(labels))
        for cell in cells:
            whole = (given[rest, : cell.nodes] > 0).all(axis=1) & (given[rest, cell.nodes :] <= 0).all(axis=1)
            rows = rest[whole]
            if rows.size:
                listed = given[rows][:, ORDER.get(cell.name, range(cell.nodes))]
                place = _row_place(table, rows, cell.nodes)
                numbers = nodes.of(listed, place)
                found.append(Elements(kind, cell, table, rows, labels[rows], numbers, properties[rows]))
            rest = rest[~whole]
        if rest.size:
            card = int(rest[0])
            wanted = " or ".join(str(cell.nodes) for cell in reversed(cells))
            lacks.append(
                f"{table.place(card)}: {kind.name} {labels[card]} has {int((given[card] > 0).sum())} nodes; "
                f"elements with some of their mid-side nodes are not read, give {wanted}"
            )
    return found, lacks


def _row_place(table: CardTable, rows: IntArray, columns: int) -> Place:
    return lambda entry: f"{table.place(int(rows[entry // columns]))}: {table.name}"
