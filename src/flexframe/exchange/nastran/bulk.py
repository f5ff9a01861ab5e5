"""Nastran bulk data (.bdf, .nas, .dat, .fem) as a part."""

import re
from collections.abc import Callable

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.cell_tables import cell_blocks, joined_matrices
from flexframe.exchange.contract import Format, Part, Settings
from flexframe.exchange.nastran.attachments import Attachments, read_attachments, read_retained, read_sets
from flexframe.exchange.nastran.cards import Deck, included_files, read_deck
from flexframe.exchange.nastran.coordinates import Grid, read_grid
from flexframe.exchange.nastran.couplings import read_couplings
from flexframe.exchange.nastran.elements import KINDS, Elements, read_elements
from flexframe.exchange.nastran.materials import read_materials
from flexframe.exchange.nastran.matrices import read_matrices
from flexframe.exchange.nastran.properties import read_properties
from flexframe.exchange.nastran.writing import write_bulk
from flexframe.exchange.numbering import Numbering
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.model.supports import Coupling, EquationCoupling, NodeSelection

# Elements that carry something and are no cells here.
_REFUSED = (
    *("CPYRAM", "CPYRA5", "CSHEAR", "CBEND", "CBEAM3", "CQUAD", "CQUADX", "CTRIAX", "CTRIAX6", "CQUADX4"),
    *("CQUADX8", "CTRAX3", "CTRAX6", "CHACAB", "CHACBR", "CAXIF2", "CAXIF3", "CAXIF4", "CSLOT3", "CSLOT4"),
    *("CTRIAFD", "CQUADFD", "CIHEX1", "CIHEX2", "CTRIA2", "CQUAD1", "CQUAD2", "CTRIA1", "CSEAM", "CINTC"),
    *("CPLSTN3", "CPLSTN4", "CPLSTN6", "CPLSTN8", "CPLSTS3", "CPLSTS4", "CPLSTS6", "CPLSTS8", "CFLUID2"),
)
_READ = {
    *("GRID", "GRDSET", "PARAM", "CONM2", "PMASS", "CMASS1", "CMASS2", "PELAS", "CELAS1", "CELAS2", "PBUSH"),
    *(
        "CBUSH",
        "RBE2",
        "RBE3",
        "RBAR",
        "RBE1",
        "RROD",
        "RTRPLT",
        "MPC",
        "MPCADD",
        "SPC",
        "SPC1",
        "SPCADD",
        "SET1",
        "SET3",
        "DMIG",
        "MAT1",
        "MAT8",
        "MAT9",
    ),
    *("PBAR", "PBARL", "PBEAM", "PBEAML", "PROD", "PTUBE", "PSHELL", "PSOLID", "PCOMP", "SPOINT"),
    *(f"CORD{number}{kind}" for number in (1, 2) for kind in "RCS"),
    *(name for kind in ("ASET", "BSET", "CSET", "QSET", "OMIT") for name in (kind, f"{kind}1")),
    *(kind.name for kind in KINDS),
}


def knows_bulk(head: bytes) -> bool:
    """Whether the first bytes of a text are those of a Nastran file."""
    words = rb"^[ \t]*(SOL[ \t]+\w|CEND|BEGIN[ \t]+BULK|NASTRAN[ \t]|ID[ \t]+\w|INIT[ \t]+MASTER|ASSIGN[ \t]|"
    cards = rb"INCLUDE\b|(GRID|C[A-Z]{2,5}[0-9]?R?|P(SHELL|SOLID|BAR|ARAM)|MAT[0-9]|DMIG|CORD[12][RCS])[ *,]|\$)"
    return b"\0" not in head and re.search(words + cards, head, re.IGNORECASE | re.MULTILINE) is not None


def read_bulk(file: OpenFile, settings: Settings) -> Part:
    """Mesh, properties, materials, masses, couplings, supports, springs, sets and matrices of a file."""
    deck = read_deck(file)
    if "GRID" not in deck.cards and "DMIG" not in deck.cards:
        raise InputError(f"{file.name}: has neither GRID nor DMIG; give Nastran bulk data (is it cut off?)")
    if deck.superelements:
        raise InputError(f"{deck.superelements}: superelements are not read; write each into a file of its own")
    factor = _mass_factor(deck)
    grid = read_grid(deck)
    elements, incomplete = read_elements(deck, grid.nodes)
    blocks, cell_labels, cells = cell_blocks(elements)
    numbering = Numbering.of_labels("element", cell_labels, _cell_place(elements, cells))
    attached = read_attachments(deck, grid, settings.units, factor)
    read_couplings(deck, grid, attached)
    equations = attached.equations.coupling(attached.node_sets, settings.units.length)
    attached.couplings += [] if equations is None else [equations]
    materials = read_materials(deck, settings, factor)
    notices = [*deck.notices, *attached.notices, *materials.notices]
    regions = read_properties(
        deck,
        elements,
        cells,
        grid=grid,
        settings=settings,
        materials=materials,
        mass_factor=factor,
        notices=notices,
    )
    node_sets, cell_sets = read_sets(deck, grid.nodes, numbering)
    mesh = _mesh(grid, blocks, cell_labels, attached, settings)
    if mesh is not None:
        mesh = mesh.with_sets({**node_sets, **attached.node_sets}, cell_sets={**cell_sets, **regions.cell_sets})
        mesh, left_out = _without_loose(mesh, bool(elements))
        notices += left_out
    matrices, others = read_matrices(deck, grid, settings.units)
    notices += others
    if factor != 1.0:
        notices.append(f"masses and densities are multiplied by {factor:g} (PARAM, WTMASS)")
    return Part(
        mesh=mesh,
        regions=tuple(regions.made),
        materials={material.name: material for material in materials.found.values()},
        point_masses=tuple(attached.point_masses),
        couplings=tuple(attached.couplings),
        supports=tuple(attached.supports),
        extra_stiffness=joined_matrices(attached.stiffness),
        extra_mass=joined_matrices(attached.mass),
        matrices=matrices,
        retained=read_retained(deck),
        node_axes=_node_axes(grid),
        notices=(*notices, *_not_read(deck)),
        lacks=tuple(attached.lacks),
        lost=(*incomplete, *_refused_cards(deck)),
    )


def _cell_place(elements: list[Elements], cells: list[IntArray]) -> Callable[[int], str]:
    """Where an element stands."""

    def place(number: int) -> str:
        for table, numbers in zip(elements, cells, strict=True):
            at = np.flatnonzero(numbers == number)
            if at.size:
                return f"{table.table.place(int(table.rows[at[0]]))}: {table.table.name}"
        raise AssertionError("every cell is of a table")

    return place


def _node_axes(grid: Grid) -> tuple[IntArray, Array] | None:
    turned = np.flatnonzero(grid.displacement_systems)
    return (grid.nodes.labels[turned], grid.axes_of(turned)) if turned.size else None


def _mass_factor(deck: Deck) -> float:
    for card in deck.of("PARAM"):
        if card.text(1) == "WTMASS":
            factor = card.real(2)
            if not factor > 0:
                raise InputError(f"{card.place}: PARAM, WTMASS is {factor:g}; give a positive factor")
            return factor
    return 1.0


def _mesh(
    grid: Grid, blocks: tuple[CellBlock, ...], cell_labels: IntArray, attached: Attachments, settings: Settings
) -> Mesh | None:
    """All grid points and cells; point masses and further points are vertices."""
    if not len(grid.points):
        return None
    more = np.array(list(attached.points.values())).reshape(-1, 3)
    points = np.concatenate([grid.points, more]) * settings.units.length
    last = int(grid.nodes.labels.max())
    labels = np.concatenate([grid.nodes.labels, last + 1 + np.arange(len(more))])
    for number, name in enumerate(attached.points):
        attached.node_sets[name] = np.array([len(grid.points) + number])
    single = np.unique(
        np.concatenate(
            [
                np.empty(0, dtype=np.int64),
                *(attached.node_sets[mass.on] for mass in attached.point_masses if isinstance(mass.on, str)),
                *(attached.node_sets[str(on)] for coupling in attached.couplings for on in _single(coupling)),
                *(attached.node_sets[name] for name in attached.points),
            ]
        )
    )
    start = int(cell_labels.max(initial=0)) + 1
    return Mesh(
        points,
        (*blocks, CellBlock(VERTEX, single[:, None])),
        node_labels=labels,
        cell_labels=np.concatenate([cell_labels, start + np.arange(len(single))]),
    )


def _single(coupling: Coupling) -> tuple[NodeSelection, ...]:
    """Nodes that may be places of their own: references, and all of equations."""
    return coupling.nodes if isinstance(coupling, EquationCoupling) else (coupling.reference,)


def _without_loose(mesh: Mesh, has_cells: bool) -> tuple[Mesh, list[str]]:
    """The mesh without grid points that nothing uses; all of them stay where there are no cells."""
    if not has_cells:
        return mesh, []
    kept = mesh.without_unused_nodes(keep_named=True)
    dropped = mesh.node_count - kept.node_count
    return (kept, [f"{dropped} grid points that nothing uses were left out"]) if dropped else (mesh, [])


def _not_read(deck: Deck) -> list[str]:
    """Cards that say nothing about the part itself: loads, requests, other disciplines."""
    others = {name: table.count for name, table in deck.cards.items() if name not in {*_READ, *_REFUSED}}
    if not others:
        return []
    listed = ", ".join(f"{name} ({count})" for name, count in sorted(others.items()))
    return [f"cards that were not read: {listed}"]


def _refused_cards(deck: Deck) -> list[str]:
    found = [
        f"{deck.cards[name].place(0)}: {deck.cards[name].count} {name} elements are not read; flexframe has none"
        for name in _REFUSED
        if name in deck.cards
    ]
    return found


NASTRAN = Format(
    name="nastran",
    title="Nastran bulk data and punch",
    endings=(".bdf", ".nas", ".dat", ".fem", ".blk", ".pch"),
    reads=("mesh", "sets", "properties", "masses", "couplings", "supports", "matrices"),
    writes=("mesh", "sets", "properties", "masses", "couplings", "supports", "matrices"),
    read=read_bulk,
    write=write_bulk,
    knows=knows_bulk,
    includes=included_files,
)
