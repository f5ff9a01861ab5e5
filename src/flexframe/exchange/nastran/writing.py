"""A part written as Nastran bulk data: whole numbers in small fields, reals in sixteen characters."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexframe.elements.beam_lines import axes_along
from flexframe.elements.contract import NODE_DOFS
from flexframe.elements.properties import (
    BarProperty,
    BeamProperty,
    Material,
    PlaneProperty,
    Property,
    ShellProperty,
    SolidProperty,
)
from flexframe.errors import InputError
from flexframe.exchange.contract import AnyMaterial, FiledMatrix, Part, matrix_in_si
from flexframe.exchange.equations import equation_terms
from flexframe.exchange.labels import usable_labels
from flexframe.exchange.nastran.elements import ORDER
from flexframe.exchange.units import Units
from flexframe.maths.arrays import IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import PointMass
from flexframe.model.supports import (
    Coupling,
    EquationCoupling,
    MeanCoupling,
    NodeSelection,
    RigidCoupling,
    Support,
)

_CARDS = {
    "triangle": "CTRIA3",
    "triangle6": "CTRIA6",
    "quad": "CQUAD4",
    "quad8": "CQUAD8",
    "tetra": "CTETRA",
    "tetra10": "CTETRA",
    "hexahedron": "CHEXA",
    "hexahedron20": "CHEXA",
    "wedge": "CPENTA",
    "wedge15": "CPENTA",
}
_MOST = 99_999_999  # a label has eight characters
_UNLIKE = 1e-9


def write_bulk(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """Write what a part has, in these units; what has no place is returned in sentences."""
    writer = _Writer(part, units)
    text = "\n".join(writer.lines())
    path.write_text(text + "\n", encoding="ascii", errors="replace")
    return tuple(dict.fromkeys(writer.notices))


def real(value: float) -> str:
    """A number in sixteen characters at most, as near as they allow."""
    exact = repr(float(value))
    if "e" not in exact and len(exact) <= 16:
        return exact
    digits = next(d for d in range(16, 0, -1) if len(_with_exponent(value, d)) <= 16)
    candidates = {_with_exponent(value, digits): float(f"{value:.{digits}e}")}
    for decimals in range(16, 0, -1):
        text = f"{value:.{decimals}f}"
        if len(text) <= 16:
            candidates[text] = float(text)
            break
    return min(candidates, key=lambda text: abs(candidates[text] - value))


def _with_exponent(value: float, digits: int) -> str:
    """A mantissa and its power of ten, whose E is left out."""
    mantissa, _, power = f"{value:.{digits}e}".partition("e")
    mantissa = mantissa.rstrip("0")
    return f"{mantissa}{int(power):+d}" if int(power) else mantissa


def card(name: str, *fields: int | str | float | None) -> Iterator[str]:
    """The lines of a card; reals make it a large-field one, blanks at its end are left out."""
    values = list(fields)
    while values and values[-1] in (None, ""):
        values.pop()
    wide = any(isinstance(value, float) for value in values)
    width, count = (16, 4) if wide else (8, 8)
    texts = ["" if value is None else real(value) if isinstance(value, float) else str(value) for value in values]
    for start in range(0, max(len(texts), 1), count):
        head = f"{name}{'*' if wide else ''}" if not start else "*" if wide else "+"
        yield f"{head:<8}" + "".join(f"{text:>{width}}" for text in texts[start : start + count])


@dataclass(eq=False)
class _Writer:
    """Labels of nodes and cells, numbers of properties and materials, and what was left out."""

    part: Part
    units: Units
    notices: list[str] = field(default_factory=list)
    materials: dict[AnyMaterial, int] = field(default_factory=dict)
    element: int = 0  # last label that was given

    def lines(self) -> Iterator[str]:
        """The whole file."""
        yield f"$ written by flexframe; units: {self.units.text}"
        yield "BEGIN BULK"
        mesh = self.part.mesh
        if mesh is not None:
            self.labels = usable_labels(mesh.node_labels, mesh.node_count, _MOST)
            self.cell_labels = usable_labels(mesh.cell_labels, mesh.cell_count, _MOST)
            self.element = int(self.cell_labels.max(initial=0))
            yield from self._grid(mesh)
            yield from self._cells(mesh)
            for mass in self.part.point_masses:
                yield from self._mass(mesh, mass)
            for coupling in self.part.couplings:
                yield from self._coupling(mesh, coupling)
            for support in self.part.supports:
                yield from self._support(mesh, support)
            yield from self._sets(mesh)
        for name, matrix in self.part.matrices.items():
            yield from self._matrix(name, matrix)
        extra = (("K2GG", self.part.extra_stiffness), ("M2GG", self.part.extra_mass))
        if any(found is not None for _, found in extra):
            self.notices.append("springs between nodes were written as DMIG K2GG, which case control has to name")
        for name, found in extra:
            if found is not None:
                yield from self._matrix(name, found)
        yield "ENDDATA"

    def _grid(self, mesh: Mesh) -> Iterator[str]:
        points = mesh.points / self.units.length
        for label, (x, y, z) in zip(self.labels.tolist(), points.tolist(), strict=True):
            yield f"GRID*   {label:>16}{'':16}{real(x):>16}{real(y):>16}"
            yield f"*       {real(z):>16}"

    # ------------------------------------------------------------------ cells and what they are made of

    def _cells(self, mesh: Mesh) -> Iterator[str]:
        owner = np.zeros(mesh.cell_count, dtype=np.int64)
        made: dict[int, Property | None] = {}
        for number, region in enumerate(self.part.regions, start=1):
            owner[mesh.cells_of(region.cells)] = number
            made[number] = region.prop
            if region.prop is not None:
                yield f'$HMNAME PROP {number:>8} "{region.cells}"'
                yield from self._property(number, region.prop, region.family)
        if (owner == 0).any() and made:
            self.notices.append("cells without a property have that of number 0, which is not in the file")
        owner[owner == 0] = len(made) + 1
        for block, start in zip(mesh.blocks, mesh.block_starts, strict=False):
            if block.cell.dimension == 0:
                continue
            if block.cell.name == "line3":
                raise InputError("Nastran has no lines with a node in the middle; divide them into two")
            nodes = self.labels[block.nodes[:, ORDER.get(block.cell.name, range(block.cell.nodes))]]
            numbers = owner[start : start + len(block)]
            labels = self.cell_labels[start : start + len(block)]
            if block.cell.dimension > 1:
                name = _CARDS[block.cell.name]
                for label, number, row in zip(labels.tolist(), numbers.tolist(), nodes.tolist(), strict=True):
                    yield from card(name, label, number, *row)
                continue
            for number in np.unique(numbers).tolist():
                own = np.flatnonzero(numbers == number)
                yield from self._lines(labels[own], number, block.nodes[own], made.get(number))

    def _lines(self, labels: IntArray, number: int, nodes: IntArray, prop: Property | None) -> Iterator[str]:
        """Beams with the vector of their first plane and their offsets, or rods."""
        assert self.part.mesh is not None
        ends = self.labels[nodes].tolist()
        if not isinstance(prop, BeamProperty):
            for label, row in zip(labels.tolist(), ends, strict=True):
                yield from card("CROD", label, number, *row)
            return
        first, last = self.part.mesh.points[nodes].swapaxes(0, 1)
        axes = axes_along((last - first) / np.linalg.norm(last - first, axis=1, keepdims=True), prop)
        arms = np.einsum("k,eki->ei", np.array(prop.offset), axes[:, 1:]) / self.units.length
        for label, row, up, arm in zip(labels.tolist(), ends, axes[:, 1].tolist(), arms.tolist(), strict=True):
            offsets = (None, None, None, *arm, *arm) if any(prop.offset) else ()
            yield from card("CBAR", label, number, *row, *up, *offsets)

    def _property(self, number: int, prop: Property, family: str | None) -> Iterator[str]:
        length = self.units.length
        material, lines = self._material(prop.material)
        yield from lines
        match prop:
            case SolidProperty():
                if prop.orientation is not None:
                    self.notices.append("the orientation of the material of solids was left out")
                yield from card("PSOLID", number, material)
            case ShellProperty():
                factor = prop.shear_factor
                yield from card(
                    "PSHELL", number, material, prop.thickness / length, material, None, material, float(factor)
                )
                if prop.orientation is not None:
                    self.notices.append("the orientation of the material of shells was left out")
            case PlaneProperty():
                yield from card("PSHELL", number, material, prop.thickness / length)
                if prop.state == "strain":
                    self.notices.append("plane strain has no place in PSHELL; plane stress was written")
            case BarProperty():
                yield from card("PROD", number, material, prop.area / length**2)
            case BeamProperty():
                yield from self._beam(number, material, prop, family)
            case _:
                self.notices.append(
                    f"{type(prop).__name__} has no place in bulk data; property {number} is missing"
                )

    def _beam(self, number: int, material: int, prop: BeamProperty, family: str | None) -> Iterator[str]:
        section, length = prop.section, self.units.length
        turned = prop.angle + section.principal_angle
        mean = (section.inertia_z + section.inertia_y) / 2
        half = (section.inertia_z - section.inertia_y) / 2
        I1, I2, I12 = (
            float(value) / length**4
            for value in (
                mean + half * np.cos(2 * turned),
                mean - half * np.cos(2 * turned),
                half * np.sin(2 * turned),
            )
        )
        factors = (None, None) if family == "euler_bernoulli_beam" else tuple(map(float, prop.shear_factors))
        given = (section.area / length**2, I1, I2, section.torsion_constant / length**4)
        rest = (*factors, I12 if abs(I12) > _UNLIKE * mean / length**4 else None)
        yield from card("PBAR", number, material, *map(float, given), *[None] * 10, *rest)
        if any(section.shear_centre) or prop.twist is not None:
            self.notices.append("shear centres and twist of beams were left out")

    def _material(self, material: AnyMaterial) -> tuple[int, list[str]]:
        """The number of a material, and its card when it is new."""
        if material in self.materials:
            return self.materials[material], []
        number = len(self.materials) + 1
        self.materials[material] = number
        stress, density = self.units.stress, material.density / self.units.density
        lines = [f'$HMNAME MAT  {number:>8} "{material.name}"']
        if isinstance(material, Material):
            return number, [
                *lines,
                *card("MAT1", number, material.young / stress, None, material.poisson, density),
            ]
        D = material.solid_elasticity() / stress
        values = [float(D[i, j]) for i in range(6) for j in range(i, 6)]
        return number, [*lines, *card("MAT9", number, *values, density)]

    # ------------------------------------------------------------------ masses, couplings, supports, sets

    def _nodes(self, mesh: Mesh, on: NodeSelection) -> list[int]:
        assert isinstance(on, str), "selections of a part are sets"
        return [int(label) for label in self.labels[mesh.nodes_of(on)]]

    def _next(self) -> int:
        self.element += 1
        return self.element

    def _mass(self, mesh: Mesh, mass: PointMass) -> Iterator[str]:
        inertia: Sequence[float | None] = ()
        if mass.inertia is not None:
            xx, yy, zz, xy, yz, zx = (*mass.inertia, 0.0, 0.0, 0.0)[:6]
            scale = self.units.inertia
            inertia = tuple(float(v) / scale for v in (xx, -xy, yy, -zx, -yz, zz))
        for node in self._nodes(mesh, mass.on):
            yield from card("CONM2", self._next(), node, 0, mass.mass / self.units.mass, *[None] * 4, *inertia)

    def _coupling(self, mesh: Mesh, coupling: Coupling) -> Iterator[str]:
        if isinstance(coupling, EquationCoupling):
            for terms in equation_terms(mesh, coupling, self.units.length):
                fields: list[int | float | None] = []
                for number, (node, column, factor) in enumerate(terms):
                    fields += [int(self.labels[node]), column + 1, factor, *[None] * (2 * (number % 2))]
                yield from card("MPC", 1, *fields)
            return
        (reference,) = self._nodes(mesh, coupling.reference)
        nodes = [node for node in self._nodes(mesh, coupling.on) if node != reference]
        digits = "".join(str(NODE_DOFS.index(dof) + 1) for dof in coupling.dofs)
        if isinstance(coupling, RigidCoupling):
            yield from card("RBE2", self._next(), reference, digits, *nodes)
            return
        yield from self._mean(coupling, reference, nodes, digits)

    def _mean(self, coupling: MeanCoupling, reference: int, nodes: list[int], digits: str) -> Iterator[str]:
        if coupling.weighting == "area":
            self.notices.append("weights by area of mean couplings were left out; the nodes count alike")
        weights = coupling.weights or (1.0,) * len(nodes)
        groups: list[float | str | int] = []
        for weight in dict.fromkeys(weights):
            members = [node for node, own in zip(nodes, weights, strict=True) if own == weight]
            groups += [float(weight), "123", *members]
        yield from card("RBE3", self._next(), None, reference, digits, *groups)

    def _support(self, mesh: Mesh, support: Support) -> Iterator[str]:
        rows = support.constraints()
        held = [int(np.argmax(np.abs(row))) for row in rows if np.abs(row).max() > 1 - _UNLIKE]
        if len(held) < len(rows):
            self.notices.append(f"the support on '{support.on}' is not along body axes and was left out")
            return
        digits = "".join(str(column + 1) for column in sorted(set(held)))
        for start in range(0, len(nodes := self._nodes(mesh, support.on)), 6):
            yield from card("SPC1", 1, digits, *nodes[start : start + 6])

    def _sets(self, mesh: Mesh) -> Iterator[str]:
        own = {region.cells for region in self.part.regions}
        number = 0
        for name, nodes in {**{k: mesh.nodes_of(k) for k in mesh.facet_sets}, **mesh.node_sets}.items():
            number += 1
            yield from _named_set(number, 1, name, self.labels[nodes])
        for name, cells in mesh.cell_sets.items():
            if name not in own:
                number += 1
                yield from _named_set(number, 2, name, self.cell_labels[cells])
        lost = [name for name in mesh.facet_sets if name not in mesh.node_sets]
        if lost:
            self.notices.append(f"sets of facets were written as sets of their nodes: {', '.join(lost)}")

    def _matrix(self, name: str, found: FiledMatrix) -> Iterator[str]:
        rows = found.rows
        if rows is None:
            self.notices.append(f"matrix {name} has no labels of its rows and was left out")
            return
        back = Units(1 / self.units.length, 1 / self.units.mass, 1 / self.units.time)
        matrix = matrix_in_si(found.matrix, rows, name, back).tocsc()
        yield from card("DMIG", name[:8], 0, 6, 2, 0, None, None, matrix.shape[1])
        for column, (node, component) in enumerate(rows.tolist()):
            part = slice(matrix.indptr[column], matrix.indptr[column + 1])
            entries = [(i, v) for i, v in zip(matrix.indices[part], matrix.data[part], strict=True) if i >= column]
            values = [x for i, v in entries for x in (int(rows[i, 0]), int(rows[i, 1]), float(v), None)]
            if values:
                yield from card("DMIG", name[:8], node, component, None, *values)


def _named_set(number: int, kind: int, name: str, labels: Iterable[int]) -> Iterator[str]:
    """A set with the comment in which pre-processors keep its name."""
    yield f'$HMSET {number:>8} {kind:>8} "{name}"'
    yield from card("SET3", number, "GRID" if kind == 1 else "ELEM", *(int(label) for label in labels))
