"""Properties of Nastran as regions: bars, beams, shells and solids, as far as flexframe has elements for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.elements.laminate import LaminateProperty, Layer, laminate
from flexframe.elements.orthotropic import Orientation
from flexframe.elements.properties import (
    BarProperty,
    BeamProperty,
    Material,
    PlaneProperty,
    ShellProperty,
    SolidProperty,
)
from flexframe.errors import InputError
from flexframe.exchange.contract import AnyMaterial, Settings
from flexframe.exchange.nastran.cards import Card, Deck
from flexframe.exchange.nastran.coordinates import Grid
from flexframe.exchange.nastran.elements import Elements
from flexframe.exchange.nastran.laminates import LAMINATES, laminate_of
from flexframe.exchange.nastran.materials import Materials
from flexframe.exchange.nastran.sections import bar_section, beam_section, shaped_section
from flexframe.exchange.regions import Made, Regions, rows_alike
from flexframe.maths.arrays import Array, IntArray

_SECTIONS = {"PBAR": bar_section, "PBARL": shaped_section, "PBEAM": beam_section, "PBEAML": shaped_section}
_OF_ELEMENTS = {
    **dict.fromkeys(("CBAR", "CBEAM"), ("PBAR", "PBARL", "PBEAM", "PBEAML", "PBCOMP")),
    "CROD": ("PROD",),
    "CTUBE": ("PTUBE",),
    **dict.fromkeys(
        ("CQUAD4", "CQUADR", "CTRIA3", "CTRIAR", "CQUAD8", "CTRIA6"), ("PSHELL", "PCOMP", "PCOMPG", "PLPLANE")
    ),
    **dict.fromkeys(("CTETRA", "CPENTA", "CHEXA"), ("PSOLID", "PLSOLID", "PCOMPS", "PCOMPLS")),
}
_ALIGNED = 1e-9  # of the length of an offset: along the beam, or different at its ends
_SHEAR = 5 / 6


@dataclass(frozen=True, eq=False)
class Properties:
    """What makes regions of elements: the cards, materials, and what could not be taken as it is."""

    cards: Mapping[int, Card]
    materials: Materials
    settings: Settings
    grid: Grid
    mass_factor: float
    notices: list[str]
    names: Mapping[tuple[str, int], str]  # in comments
    laminates: dict[tuple[int, float], LaminateProperty] = field(default_factory=dict)  # by number and offset

    def material(self, number: int, extra_density: float = 0.0) -> AnyMaterial:
        """A material, heavier by mass that carries nothing [units of the file]."""
        found = self.materials.of(number, self.settings)
        if not extra_density:
            return found
        return replace(
            found, density=found.density + extra_density * self.settings.units.density * self.mass_factor
        )

    def isotropic(self, number: int, extra_density: float = 0.0) -> Material:
        """A material that is the same in all directions."""
        found = self.material(number, extra_density)
        if not isinstance(found, Material):
            raise InputError(f"material {found.name} is orthotropic; bars and beams take an isotropic one")
        return found

    def card(self, number: int, element: str) -> Card:
        """The property of some elements."""
        if number not in self.cards:
            raise InputError(f"property {number} of {element} elements is not in the file; add it")
        found = self.cards[number]
        if found.name not in _OF_ELEMENTS[element]:
            raise InputError(f"{found.place}: {found.name} {number} is no property of {element} elements")
        return found

    def note(self, card: Card, text: str) -> None:
        """Remember an approximation of a property once."""
        sentence = f"{card.name} {card.integer(1)} {text}"
        if text and sentence not in self.notices:
            self.notices.append(sentence)


def read_properties(
    deck: Deck,
    tables: Sequence[Elements],
    cells: Sequence[IntArray],
    *,
    grid: Grid,
    settings: Settings,
    materials: Materials,
    mass_factor: float,
    notices: list[str],
) -> Regions:
    """Regions of all elements by property and, of beams, by how they are turned."""
    names = sorted({name for names in _OF_ELEMENTS.values() for name in names})
    cards = {card.integer(1): card for card in deck.of(*names)}
    made = Properties(cards, materials, settings, grid, mass_factor, notices, deck.names)
    regions = Regions()
    for table, numbers in zip(tables, cells, strict=True):
        if table.kind.name == "CONROD":
            _add_own_rods(regions, made, table, numbers)
        else:
            _add(regions, made, table, numbers)
    return regions


def _add(regions: Regions, made: Properties, table: Elements, cells: IntArray) -> None:
    """A region for each property and, of beams and shells, for each way in which elements of one are turned."""
    element = table.kind.name
    ways = _beam_ways if table.cell.dimension == 1 else _shell_ways if table.cell.dimension == 2 else None
    columns = np.zeros((len(cells), 0))
    if ways is not None and element not in ("CROD", "CTUBE"):
        try:
            columns = ways(made, table)
        except InputError as error:
            regions.refuse(f"{element} elements", cells, str(error))
            return
    for number in np.unique(table.properties).tolist():
        members = np.flatnonzero(table.properties == number)
        name = f"{made.cards[number].name if number in made.cards else 'property'} {number}"
        name = made.names.get(("PROP", number), name)
        if name in regions.cell_sets:  # a property of several kinds of elements
            name = f"{name} {element}"
        different, group = rows_alike(columns[members])
        for index in range(len(different)):
            own = members[group == index]
            label = name if len(different) == 1 else f"{name} way {index + 1}"

            def make(number: int = number, way: Array = columns[own[0]]) -> Made:
                card = made.card(number, element)
                if card.name.startswith("PB"):
                    return _beam(made, card, way)
                if element in ("CROD", "CTUBE"):
                    return _rod(made, card)
                return _solid(made, card) if table.cell.dimension == 3 else _shell(made, card, way)

            regions.add(label, cells[own], make)


# ---------------------------------------------------------------------- solids and rods


def _solid(made: Properties, card: Card) -> Made:
    if card.name != "PSOLID":
        raise InputError(f"{card.place}: {card.name} is not read; give PSOLID")
    if card.text(7) in ("PFLUID", "FFLUID"):
        raise InputError(f"{card.place}: PSOLID {card.integer(1)} is a fluid; flexframe has none")
    material = made.material(card.integer(2))
    if isinstance(material, Material):
        return SolidProperty(material), None
    system = card.integer(3, 0)
    if system < 0:
        raise InputError(
            f"{card.place}: the material of PSOLID {card.integer(1)} follows every element (CORDM -1); give it a "
            "coordinate system"
        )
    found = made.grid.systems.of(system, card.place)
    if found.kind != "R":
        raise InputError(f"{card.place}: a material in the curved coordinate system {system} is not read")
    first, second, _ = found.axes.T
    return SolidProperty(material, Orientation(tuple(first), tuple(second))), None


def _rod(made: Properties, card: Card) -> Made:
    length = made.settings.units.length
    if card.name == "PTUBE":
        outer, wall, extra = card.real(3), card.real(4, 0.0), card.real(5, 0.0)
        inner = outer - 2 * wall if wall else 0.0
        area, torsion = np.pi / 4 * (outer**2 - inner**2), 1.0
    else:
        area, torsion, extra = card.real(3, 0.0), card.real(4, 0.0), card.real(6, 0.0)
    if torsion:
        made.note(card, "resists torsion; bars here only stretch")
    heavier = extra / area if area else 0.0
    return BarProperty(made.isotropic(card.integer(2), heavier), float(area) * length**2), None


def _add_own_rods(regions: Regions, made: Properties, table: Elements, cells: IntArray) -> None:
    """CONROD: each element says itself what it is made of."""
    columns = table.table.reals(5, 6, 8, default=0.0)[table.rows]
    numbers = table.table.integers(4)[table.rows]
    kinds, group = np.unique(np.column_stack([numbers, columns]), axis=0, return_inverse=True)
    for index, (number, area, torsion, extra) in enumerate(kinds):

        def make(number: int = int(number), area: float = area, extra: float = extra) -> Made:
            heavier = extra / area if area else 0.0
            across = area * made.settings.units.length**2
            return BarProperty(made.isotropic(number, heavier), float(across)), None

        if torsion:
            made.notices.append("CONROD resists torsion; bars here only stretch")
        regions.add(f"CONROD {index + 1}", cells[np.asarray(group).ravel() == index], make)


# ---------------------------------------------------------------------- beams


def _beam_ways(made: Properties, table: Elements) -> Array:
    """The vector in the first plane of bending in basic axes, and the offset along y and z [m]: (n, 5)."""
    cards, rows, grid = table.table, table.rows, made.grid
    loose = ~cards.blank(9, 10)[rows]
    if loose.any():
        card = int(np.argmax(loose))
        raise InputError(f"{cards.place(int(rows[card]))}: released ends (pin flags) of beams are not read")
    points = grid.points[table.nodes]
    axis = points[:, 1] - points[:, 0]
    by_node = ~cards.has_point(5) & ~cards.blank(5) & cards.blank(6, 7)
    up = np.zeros((len(rows), 3))
    to_node = by_node[rows]
    if to_node.any():
        fields = cards.integers(5, default=0) if by_node.all() else _integers_where(table, by_node)
        labels = fields[rows][to_node]
        up[to_node] = grid.points[grid.nodes.of(labels, f"{cards.name}: orientation")] - points[to_node, 0]
    if not to_node.all():
        given = cards.reals(5, 6, 7, default=0.0)[rows][~to_node]
        axes = grid.axes_of(table.nodes[~to_node, 0])
        up[~to_node] = np.einsum("nij,nj->ni", axes, given)
    arms = cards.reals(*range(11, 17), default=0.0)[rows].reshape(-1, 2, 3)
    up = up / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-300)
    if not arms.any():
        return np.hstack([up, np.zeros((len(rows), 2))])
    axes = grid.axes_of(table.nodes[:, 0])
    turned = np.einsum("nij,nkj->nki", axes, arms)
    size = np.abs(turned).max()
    unit = axis / np.linalg.norm(axis, axis=1, keepdims=True)
    along = np.einsum("nki,ni->nk", turned, unit)
    if np.abs(turned[:, 0] - turned[:, 1]).max() > _ALIGNED * size or np.abs(along).max() > _ALIGNED * size:
        card = int(np.argmax(np.abs(turned[:, 0] - turned[:, 1]).max(axis=1) + np.abs(along).max(axis=1)))
        raise InputError(
            f"{cards.place(int(rows[card]))}: the offsets of {cards.name} {table.labels[card]} differ at its ends "
            "or lie along it; give both ends the same offset across the beam"
        )
    z = np.cross(unit, up)
    z = z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-300)
    y = np.cross(z, unit)
    across = [np.einsum("ni,ni->n", turned[:, 0], direction) for direction in (y, z)]
    return np.column_stack([up, *across]) * np.array([1, 1, 1, *[made.settings.units.length] * 2])


def _integers_where(table: Elements, wanted: "np.ndarray") -> IntArray:
    """Numbers of grid points in the field of the orientation, 0 on cards that have a vector there."""
    found = np.zeros(table.table.count, dtype=np.int64)
    for number, card in enumerate(table.table.cards()):
        if wanted[number]:
            found[number] = card.integer(5)
    return found


def _beam(made: Properties, card: Card, way: Array) -> Made:
    if card.name not in _SECTIONS:
        raise InputError(f"{card.place}: {card.name} is not read; give PBAR or PBEAM")
    try:
        shape = _SECTIONS[card.name](card, made.settings.units)
    except InputError as error:
        raise InputError(f"{card.place}: {card.name} {card.integer(1)}: {error}") from None
    made.note(card, shape.notice)
    heavier = shape.extra_mass / (shape.section.area / made.settings.units.length**2)
    material = made.isotropic(card.integer(2), heavier)
    x, y, z, beside, above = way.tolist()
    prop = BeamProperty(material, shape.section, (x, y, z), angle=shape.angle, offset=(beside, above))
    return prop, "timoshenko_beam" if shape.shear else "euler_bernoulli_beam"


# ---------------------------------------------------------------------- shells


def _shell_ways(made: Properties, table: Elements) -> Array:
    """Thickness that elements themselves state, axis 1 of their material, and their offset: (n, 5)."""
    return np.column_stack([_own_thickness(table), _directions(made, table), _offsets(table)])


def _own_thickness(table: Elements) -> Array:
    """Mean thickness at the corners that the elements themselves state, 0 where they do not: (n,)."""
    if table.cell.order == 2 or table.table.width < 11:
        return np.zeros(len(table.rows))
    fields = range(11, 11 + table.cell.corners)
    return np.asarray(table.table.reals(*fields, default=0.0)[table.rows].mean(axis=1))


def _offsets(table: Elements) -> Array:
    """How far the elements lie beside their nodes (ZOFFS), along their normals: (n,)."""
    field = 3 + table.cell.corners + 1
    if table.cell.order == 2 or table.table.width < field:
        return np.zeros(len(table.rows))
    return np.asarray(table.table.reals(field, default=0.0)[table.rows])


def _directions(made: Properties, table: Elements) -> Array:
    """Axis 1 of the material of each element in basic axes (n, 3); zeros where no material has a direction."""
    found = np.zeros((len(table.rows), 3))
    directed = [number for number in np.unique(table.properties).tolist() if _has_direction(made, number)]
    chosen = np.isin(table.properties, directed)
    if table.cell.order == 2 or not chosen.any():
        return found
    field, cards, rows = 3 + table.cell.corners, table.table, table.rows
    by_system = np.zeros(len(rows), dtype=np.int64)
    angle = np.zeros(len(rows))
    if (~cards.has_point(field) & ~cards.blank(field))[rows].any():
        for number, card in enumerate(cards.cards()):
            at = rows == number
            if "." in card.text(field) or not card.text(field):
                angle[at] = card.real(field, 0.0)
            else:
                by_system[at] = card.integer(field)
                found[at] = made.grid.systems.of(card.integer(field), card.place).axes[:, 0]
    else:
        angle = cards.reals(field, default=0.0)[rows]
    points = made.grid.points[table.nodes]
    side, other = _unit(points[:, 1] - points[:, 0]), points[:, 2] - points[:, 0]
    across = np.cross(_unit(np.cross(side, other)), side)
    turned = np.cos(np.radians(angle))[:, None] * side + np.sin(np.radians(angle))[:, None] * across
    found = np.where(by_system[:, None] > 0, found, turned)
    return np.where(chosen[:, None], found, 0.0)


def _has_direction(made: Properties, number: int) -> bool:
    card = made.cards.get(number)
    if card is not None and card.name in LAMINATES:
        return True
    if card is None or card.name != "PSHELL" or not card.integer(2, 0):
        return False
    found = made.materials.found.get(card.integer(2))
    given = made.settings.material(made.materials.name(card.integer(2)))
    return not isinstance(given or found or Material, Material | type)


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300))


def _shell(made: Properties, card: Card, way: Array) -> Made:
    own, direction, lift = float(way[0]), way[1:4], float(way[4])
    if card.name in LAMINATES:
        return _laminate(made, card, direction, lift), None
    if card.name != "PSHELL":
        raise InputError(f"{card.place}: {card.name} {card.integer(1)} is not read; give PSHELL")
    number = card.integer(1)
    membrane, bending = card.integer(2, 0), card.integer(4, 0)
    thickness = own or card.real(3, 0.0)
    if not thickness > 0:
        raise InputError(f"{card.place}: PSHELL {number} has no thickness; give T")
    if membrane and not bending and not made.grid.points[:, 2].any() and not lift:
        material = made.material(membrane, card.real(8, 0.0) / thickness)
        return PlaneProperty(material, thickness * made.settings.units.length), None
    if not membrane or bending not in (membrane,):
        lacking = "does not bend" if membrane else "has no membrane"
        if membrane and bending > 0:
            lacking = "bends by another material than it stretches"
        raise InputError(
            f"{card.place}: PSHELL {number} {lacking}; shells here do both by one material: give MID2 = MID1"
        )
    if card.real(5, 1.0) != 1.0:
        raise InputError(
            f"{card.place}: PSHELL {number} bends {card.real(5):g} times as stiffly as its thickness says "
            "(12I/T³), which shells here do not; give 1"
        )
    if card.integer(11, 0):
        raise InputError(
            f"{card.place}: PSHELL {number} couples bending with stretching (MID4), which is not read"
        )
    factor = card.real(7, _SHEAR) if card.integer(6, 0) else _SHEAR
    if not card.integer(6, 0):
        made.note(card, "is rigid in transverse shear (no MID3); here it yields with the factor 5/6")
    material = made.material(membrane, card.real(8, 0.0) / thickness)
    orientation = None if isinstance(material, Material) else _along(direction)
    length = made.settings.units.length
    if lift:
        if factor != _SHEAR:
            raise InputError(
                f"{card.place}: PSHELL {number} has elements beside their nodes (ZOFFS) and TS/T = {factor:g}; "
                "shells here take 5/6 there"
            )
        layer = Layer(material, thickness * length)
        return laminate([layer], offset=lift * length, orientation=orientation, name=material.name), None
    prop = ShellProperty(material, thickness * length, shear_factor=min(factor, 1.0), orientation=orientation)
    return prop, None


def _along(direction: Array) -> Orientation:
    """Axes of which a shell takes the first."""
    x, y, z = direction.tolist()
    other = np.eye(3)[int(np.argmin(np.abs(direction)))]
    return Orientation((x, y, z), tuple(np.cross(direction, other)))


def _laminate(made: Properties, card: Card, direction: Array, lift: float) -> LaminateProperty:
    known = made.laminates.get((card.integer(1), lift))
    if known is None:
        units, factor = made.settings.units, made.mass_factor
        known = laminate_of(card, made.material, lift=lift, units=units, mass_factor=factor)
        made.laminates[card.integer(1), lift] = known
        made.note(card, known.stress_remark)
    return replace(known, orientation=_along(direction))
