"""What is in files of other programs, in words and numbers: contents, mass, sets, units, and what can be used."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.errors import InputError
from flexframe.exchange.bodies import USES, part_body, usable
from flexframe.exchange.contract import CONTENTS, AnyMaterial, Part
from flexframe.exchange.units import SI, UnitsGuess, guess_units, parse_units
from flexframe.model.matrices import Use

_LISTED = 12  # names or frequencies on a line


@dataclass(frozen=True)
class UseDescription:
    """A body that can be made of a part: its mass properties, or why it cannot be made, and what it lacks."""

    use: Use
    refused: str = ""
    mass: float = 0.0  # kg
    centre: tuple[float, ...] = ()  # m
    principal_moments: tuple[float, ...] = ()  # about the centre, kg m²
    rigid_residual: float | None = (
        None  # largest |K R| over |K| |R| of rigid motions R; None of elements and coordinates
    )
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class PartDescription:
    """What `describe_part` found, in SI units."""

    contents: tuple[str, ...]
    nodes: int
    cells: dict[str, int]  # shape → how many
    size: tuple[float, ...]  # edges of the box around it, m
    sets: dict[str, dict[str, int]]  # kind → name → members
    materials: tuple[str, ...]
    matrices: dict[str, int]  # name → rows
    frequencies_hz: tuple[float, ...]
    points: tuple[str, ...]  # of a reduced body
    units: str  # as they were given
    seems: UnitsGuess
    uses: tuple[UseDescription, ...]
    notices: tuple[str, ...]
    hindrances: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        guess = self.seems.units
        return {
            **{name: getattr(self, name) for name in ("contents", "nodes", "cells", "sets", "materials")},
            "size_m": self.size,
            "matrices": self.matrices,
            "frequencies_hz": self.frequencies_hz,
            "points": self.points,
            "units": {
                "given": self.units,
                "seems": None if guess is None else guess.text,
                "reason": self.seems.reason,
            },
            "uses": {
                one.use: {"refused": one.refused}
                if one.refused
                else {
                    "mass_kg": one.mass,
                    "centre_m": one.centre,
                    "principal_moments_kg_m2": one.principal_moments,
                    "rigid_residual": one.rigid_residual,
                    "notices": one.notices,
                }
                for one in self.uses
            },
            "notices": self.notices,
            "hindrances": self.hindrances,
        }

    def _place(self, values: tuple[float, ...]) -> tuple[float, ...]:
        """Without what rounding leaves of zeros."""
        least = 1e-12 * max(self.size, default=0.0)
        return tuple(0.0 if abs(value) < least else value for value in values)

    def lines(self) -> Iterator[str]:
        """For people: what can be used comes first."""
        for one in self.uses:
            if one.refused:
                yield f"as {one.use}: no: {one.refused}"
                continue
            centre = _numbers(self._place(one.centre))
            yield (
                f"as {one.use}: mass {one.mass:.6g} kg, centre ({centre}) m, principal moments "
                f"{_numbers(one.principal_moments)} kg m²"
            )
            if one.rigid_residual is not None:
                yield f"  forces of rigid motions: {one.rigid_residual:.1e} of those of single entries"
            yield from (f"  note: {notice}" for notice in one.notices if notice not in self.notices)
        if not any(not one.refused for one in self.uses):
            yield "no body can be made of it as it is" + ("" if self.nodes == 0 else "; its mesh can be used")
        yield f"contents: {'; '.join(self.contents) or 'nothing that is read'}"
        if self.nodes:
            cells = ", ".join(f"{count} {name}" for name, count in self.cells.items()) or "no cells"
            yield f"mesh: {self.nodes} nodes, {cells}, within {' × '.join(f'{edge:.6g}' for edge in self.size)} m"
        for kind, members in self.sets.items():
            if members:
                yield f"{kind} sets: {_list_names([f'{name} ({count})' for name, count in members.items()])}"
        if self.materials:
            yield f"materials: {_list_names(self.materials)}"
        if self.matrices:
            yield f"matrices: {_list_names([f'{name} ({size} rows)' for name, size in self.matrices.items()])}"
        if self.points:
            yield f"points of the reduced body: {_list_names(self.points)}"
        if self.frequencies_hz:
            yield f"modes: {_list_names([f'{value:.6g}' for value in self.frequencies_hz])} Hz"
        guess = self.seems
        seems = f"it seems to be in {guess.units.text}" if guess.units is not None else "what it is in is open"
        yield f"units: read as {self.units}; {seems} ({guess.reason})"
        yield from (f"note: {notice}" for notice in self.notices)
        yield from (f"in the way of a body: {hindrance}" for hindrance in self.hindrances)


def describe_part(part: Part, *, units: str | None = None) -> PartDescription:
    """Say what a part holds and what can be made of it.

    Parameters
    ----------
    part
        What `read_part` read.
    units
        The units that it was read with, SI without it: those that the file seems to be in follow from them.

    Returns
    -------
    PartDescription
        Contents, mass properties of the bodies that can be made, sets, units it seems to be in.

    Examples
    --------
    >>> block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (2, 1, 1)), material=ff.STEEL)
    >>> found = ff.exchange.describe_part(ff.exchange.body_part(block))
    >>> round(found.uses[0].mass, 6), found.seems.units.text
    (31.4, 'm, N, s, kg')
    """
    given = SI if units is None else parse_units(units)
    mesh = part.mesh
    size = np.zeros(3) if mesh is None else np.subtract(*mesh.bounding_box[::-1])
    cells: dict[str, int] = {}
    sets: dict[str, dict[str, int]] = {}
    if mesh is not None:
        for block in mesh.blocks:
            cells[block.cell.name] = cells.get(block.cell.name, 0) + len(block)
        sets = {
            "node": {name: len(nodes) for name, nodes in mesh.node_sets.items()},
            "facet": {name: sum(map(len, blocks)) for name, blocks in mesh.facet_sets.items()},
            "cell": {name: len(members) for name, members in mesh.cell_sets.items()},
        }
    made = [(_modulus(one) / given.stress, one.density / given.density) for one in part.materials.values()]
    return PartDescription(
        contents=tuple(CONTENTS[content] for content in part.contents),
        nodes=0 if mesh is None else mesh.node_count,
        cells=cells,
        size=tuple(size.tolist()),
        sets=sets,
        materials=tuple(part.materials),
        matrices={name: int(found.matrix.shape[0]) for name, found in part.matrices.items()},
        frequencies_hz=_frequencies(part),
        points=_points(part),
        units=given.text,
        seems=guess_units(made, float(np.linalg.norm(size)) / given.length),
        uses=tuple(_use(part, use) for use in USES if use in usable(part)),
        notices=part.notices,
        hindrances=part.hindrances,
    )


def _frequencies(part: Part) -> tuple[float, ...]:
    """Those of modes in the file, or of the coordinates of a reduced body in its frame."""
    if part.modes is not None:
        return tuple(part.modes.frequencies_hz.tolist())
    if part.reduced is None or not part.reduced.size:
        return ()
    try:
        squares = linalg.eigh(part.reduced.stiffness, part.reduced.elastic_mass, eigvals_only=True)
    except linalg.LinAlgError:  # coordinates without mass
        return ()
    return tuple((np.sqrt(np.maximum(squares, 0.0)) / (2 * np.pi)).tolist())


def _points(part: Part) -> tuple[str, ...]:
    body = part.reduced
    return () if body is None else tuple(point.name for point in (*body.interfaces, *body.sensors))


def _use(part: Part, use: Use) -> UseDescription:
    try:
        body = discretise(part_body("part", part, use=use, supports=False))
        inertia = body.inertia
        centre = inertia.centre_of_mass
    except InputError as error:
        return UseDescription(use, refused=str(error))
    about = inertia.inertia_tensor - inertia.mass * ((centre @ centre) * np.eye(3) - np.outer(centre, centre))
    return UseDescription(
        use,
        mass=float(inertia.mass),
        centre=tuple(centre.tolist()),
        principal_moments=tuple(np.linalg.eigvalsh(about).tolist()),
        rigid_residual=None if use in ("mesh", "reduced") else _rigid_residual(body),
        notices=body.body.notices,
    )


def _rigid_residual(body: DiscreteBody) -> float:
    """Forces of the six rigid motions, the largest of each over what its entries alone would make."""
    R = rigid_displacements(body.dofs, body.body.mesh.points)
    forces, most = np.abs(body.stiffness @ R).max(axis=0), (abs(body.stiffness) @ np.abs(R)).max(axis=0)
    return float(np.max(forces / np.maximum(most, 1e-300)))


def _modulus(material: AnyMaterial) -> float:
    if isinstance(material, OrthotropicMaterial):
        return max(material.young)
    return material.young


def _numbers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:.6g}" for value in values)


def _list_names(names: Any) -> str:
    shown = list(names)
    more = f" and {len(shown) - _LISTED} more" if len(shown) > _LISTED else ""
    return ", ".join(shown[:_LISTED]) + more
