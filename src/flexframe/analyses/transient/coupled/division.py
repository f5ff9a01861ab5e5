"""Elastic bodies divided into several floating frames: what is computed of them, and what is reported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from flexframe.analyses.transient.coupled.elastic_parts import (
    ElasticPart,
    ReductionChoice,
    elastic_parts,
    markers_of,
)
from flexframe.analyses.transient.coupled.exact_stress import ExactBodyStress
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.analyses.transient.coupled.part_stress import PartStress
from flexframe.analyses.transient.coupled_record import ReductionFigures
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError, at_part
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.body import Body
from flexframe.model.rigid_body import RigidBody
from flexframe.model.supports import NodeSelection
from flexframe.model.system import System
from flexframe.multibody.division.cutting import cut_beam
from flexframe.multibody.division.exact import exact_beams
from flexframe.multibody.division.histories import kept_points, whole_shapes
from flexframe.multibody.division.pieces import Division, Piece, divided_system, divisions_of, whole_name
from flexframe.reduction.attached import MeanAxes
from flexframe.reduction.expansion import nodal_displacements
from flexframe.reduction.strategies import CraigBampton, Guyan, Modal, ReductionStrategy
from flexframe.results.peaks import StressHistory, StressPeak

Choices = Mapping[str, ReductionChoice | Literal["rigid"]]
Watched = Mapping[str, Mapping[str, NodeSelection]]


@dataclass(frozen=True, eq=False)
class ElasticSystem:
    """A system as it is computed, divided bodies in pieces, and its elastic bodies."""

    system: System
    parts: dict[str, ElasticPart]  # by names of the computed bodies

    @property
    def figures(self) -> tuple[ReductionFigures, ...]:
        """The reductions, one for each body that is described."""
        reduced = tuple(_together(name, own) for name, own in self._by_body().items())
        return (*reduced, *(_exact_figures(division) for division in self.exact.values()))

    @property
    def notices(self) -> tuple[str, ...]:
        """What is to be said about them; of the parts of a divided body what they lack of loads at their ends."""
        found: list[str] = []
        for name, own in self._by_body().items():
            if len(own) == 1:
                found += own[0].notices
                continue
            words = [
                notice.replace(f"body {part.name}", f"body {name}") for part in own for notice in part.notices
            ]
            # what the inertia of a part itself does is small beside what its ends transmit
            kept = [word for word in words if "inertia_shapes" not in word]
            found += [f"{word} (of {len(own)} parts)" for word in kept[:1]]
        return tuple(found)

    @property
    def bodies(self) -> tuple[str, ...]:
        """Elastic bodies that are described."""
        return (*self._by_body(), *self.exact)

    @property
    def nodes(self) -> int:
        """Nodes of all of them."""
        whole = [division.whole.mesh.node_count for division in self.exact.values()]
        return sum(part.nodes for part in self.parts.values()) + sum(whole)

    def stress(self) -> "dict[str, BodyStress | ExactBodyStress]":
        """What sees the stress of each body."""
        exact = {name: ExactBodyStress(division) for name, division in self.exact.items()}
        return {name: body_stress(self.system, own) for name, own in self._by_body().items()} | exact

    def shapes(self, seen: Observed, instants: IntArray) -> dict[str, Array]:
        """Displacements of the nodes of each body, relative to its frame: (instants, nodes, 6)."""
        own = {}
        for name, part in self.parts.items():
            coordinates = seen.bodies[name].deformation[instants]
            own[name] = nodal_displacements(part.discrete, part.reduced.basis, coordinates)[:, : part.nodes]
        divisions = divisions_of(self.system)
        return {
            name: whole_shapes(seen.run.system, divisions[name], own, seen.bodies, instants)
            if name in divisions
            else own[name]
            for name in self.bodies
        }

    @property
    def exact(self) -> dict[str, Division]:
        """Bodies of exact beams."""
        return {name: d for name, d in divisions_of(self.system).items() if d.exact is not None}

    def _by_body(self) -> dict[str, list[ElasticPart]]:
        found: dict[str, list[ElasticPart]] = {}
        for part in self.parts.values():
            found.setdefault(whole_name(self.system, part.name), []).append(part)
        return found


@dataclass(frozen=True, eq=False)
class BodyStress:
    """The stress of a body that is described: that of the worst of its pieces, one unless it is divided."""

    name: str
    pieces: tuple[PartStress, ...]
    cells: tuple[IntArray | None, ...]  # of the whole body, by those of each piece

    def take(self, seen: Observed) -> None:
        """The next steps."""
        for piece in self.pieces:
            piece.take(seen)

    @property
    def peak(self) -> StressPeak | None:
        """The largest of all steps."""
        found = [
            peak if cells is None else replace(peak, cell=int(cells[peak.cell]))
            for peak, cells in zip((piece.peak for piece in self.pieces), self.cells, strict=True)
            if peak is not None
        ]
        return max(found, key=lambda peak: peak.value, default=None)

    def array(self) -> Array:
        """The peaks as numbers, for a file."""
        return np.concatenate([piece.array() for piece in self.pieces])

    def restore(self, array: Array) -> None:
        """The peaks that such a file holds."""
        for piece, own in zip(self.pieces, np.split(array, len(self.pieces)), strict=True):
            piece.restore(own)

    def history(self, seen: Observed) -> StressHistory | None:
        """The largest stress at the stored instants, and the peak of all steps; None for a body without stress."""
        found, peak = [piece.history(seen) for piece in self.pieces], self.peak
        known = [each for each in found if each is not None]
        if not known or peak is None:
            return None
        if len(self.pieces) == 1:
            return known[0]
        strength = next(each.peak.strength for each in known if each.peak.value == peak.value)
        largest = np.max([each.largest for each in known], axis=0)
        return StressHistory(self.name, known[0].times, largest, replace(peak, strength=strength))


def body_stress(system: System, parts: Sequence[ElasticPart]) -> BodyStress:
    """What sees the stress of a body with these parts."""
    name = whole_name(system, parts[0].name)
    division = divisions_of(system).get(name)
    cells = [None] if division is None else [piece.cells for piece in division.pieces]
    return BodyStress(name, tuple(PartStress(part) for part in parts), tuple(cells))


def elastic_system(
    system: System,
    choices: Choices,
    *,
    watched: Watched,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> ElasticSystem:
    """Divide the bodies that ask for several parts, and reduce every meshed body that is not chosen to be rigid.

    `watched` holds the points of sensors by body and name. Bodies at hand in `discrete` are not integrated again.
    """
    divisions = {
        name: _division(system, name, choice)
        for name, choice in choices.items()
        if isinstance(choice, ReductionChoice) and (choice.exact or choice.parts != 1)
    }
    made = divided_system(system, divisions)
    own_choices: dict[str, ReductionChoice | Literal["rigid"]] = {}
    own_watched: dict[str, dict[str, NodeSelection]] = {name: dict(found) for name, found in watched.items()}
    for name, choice in choices.items():
        if name not in divisions:
            own_choices[name] = choice
            continue
        assert isinstance(choice, ReductionChoice)
        division = divisions[name]
        if division.exact is not None:
            own_watched.pop(name, None)
            continue
        for number, piece in enumerate(division.pieces):
            own_choices[piece.name] = _piece_choice(made, choice, piece, held=division.frame == number)
        for piece_name, points in kept_points(division).items():
            own_watched[piece_name] = dict(points)
        for on in own_watched.pop(name, {}).values():
            piece, own = division.locate(on)
            own_watched[piece.name][f"marker {own}"] = own
    return ElasticSystem(made, elastic_parts(made, own_choices, watched=own_watched, discrete=discrete))


def _division(system: System, name: str, choice: ReductionChoice) -> Division:
    body = system.body(name)
    if choice.exact:
        with at_part("bodies", name):
            return _exact_division(system, body, choice)
    with at_part("bodies", name, "reduction"):
        if not isinstance(body, Body):
            raise InputError(f"{name} has no mesh and cannot be divided; leave parts out", field="parts")
        if body.space != system.space:
            raise InputError(
                f"body {name} is {body.space} and the system {system.space}; its parts are welded together in "
                f"every direction: give both the same space",
                field="parts",
            )
        if choice.damping_ratio:
            raise InputError(
                f"damping_ratio is that of modes of body {name} in one frame, and its parts have others; give "
                "damping to the analysis, which takes modes of the whole system, or damping by stiffness to the "
                "body",
                field="damping_ratio",
            )
        if isinstance(choice.strategy, Modal) and not choice.strategy.attachments:
            raise InputError(
                f"parts of body {name} hold together by the static shapes of their ends; leave attachments on",
                field="attachments",
            )
        return cut_beam(body, choice.parts, choice.reference)


def _exact_division(system: System, body: Body | RigidBody, choice: ReductionChoice) -> Division:
    if not isinstance(body, Body):
        raise InputError(f"{body.name} has no mesh; leave reduction out", field="reduction")
    if body.space != system.space:
        raise InputError(
            f"body {body.name} is {body.space} and the system {system.space}, and the sections of exact beams are "
            "bodies of the system; give both the same space",
            field="space",
        )
    return exact_beams(body, choice.reference)


def _piece_choice(system: System, choice: ReductionChoice, piece: Piece, *, held: bool) -> ReductionChoice:
    """How a piece gets its coordinates: as is asked for the body, with no more modes than it has."""
    body = piece.body
    assert isinstance(body, Body)
    per_node = 3 if body.space == "planar" else 6
    strategy: ReductionStrategy = choice.strategy or Modal(modes_of_a_part(body))
    supported = [int(node) for support in body.supports for node in body.selected_nodes(support.on)]
    met = [_selection(marker) for marker in markers_of(system, piece.name)]
    nodes = {int(node) for on in met for node in body.selected_nodes(on)}
    if isinstance(strategy, Guyan) and len(nodes) == 1:
        strategy = CraigBampton(modes_of_a_part(body))  # one end that nothing loads has no static shapes
    match strategy:
        case CraigBampton(modes=modes):
            strategy = CraigBampton(min(modes, per_node * (len(piece.nodes) - len(nodes | set(supported)))))
        case Modal(modes=modes):
            strategy = Modal(min(modes, per_node * (len(piece.nodes) - max(1, len(set(supported))))))
    return replace(choice, strategy=strategy, reference=None if held else MeanAxes(), parts=1, couplings={})


def modes_of_a_part(body: Body) -> int:
    """Modes of each part, beside the static answers of its ends, unless others are asked for."""
    return 2 if body.space == "planar" else 4


def _selection(marker: str) -> NodeSelection:
    return int(marker) if marker.isdigit() else marker


def _together(name: str, parts: Sequence[ElasticPart]) -> ReductionFigures:
    """The figures of several pieces as those of one body: the worst of errors and bands, all coordinates."""
    if len(parts) == 1:
        return parts[0].figures
    each = [part.figures for part in parts]
    first = each[0]
    return replace(
        first,
        body=name,
        strategy=f"{len(parts)} parts with frames of their own, welded; each: {each[len(each) // 2].strategy}",
        reference=f"{first.reference} of each part",
        full_size=sum(found.full_size for found in each),
        size=sum(found.size for found in each),
        coordinates=tuple(
            f"part {k}: {label}" for k, found in enumerate(each, start=1) for label in found.coordinates
        ),
        frequencies_hz=np.sort(np.concatenate([found.frequencies_hz for found in each])),
        band_hz=min(found.band_hz for found in each),
        interface_errors=_worst([found.interface_errors for found in each]),
        inertia_errors=_worst([found.inertia_errors for found in each]),
    )


def _exact_figures(division: Division) -> ReductionFigures:
    """Of a body that is not reduced."""
    assert division.exact is not None and isinstance(division.frame, int)
    per_node = 3 if division.whole.space == "planar" else 6
    size = per_node * len(division.pieces)
    label = division.whole.mesh.node_label(division.frame)
    return ReductionFigures(
        body=division.name,
        strategy=f"{len(division.exact.lengths)} geometrically exact beams, not reduced",
        reference=f"the section at node {label}",
        by_default=False,
        full_size=size,
        size=size,
        coordinates=(),
        frequencies_hz=np.zeros(0),
        band_hz=np.inf,
        interface_errors={},
        inertia_errors={},
        exact=True,
    )


def _worst(errors: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {
        f"{name} of part {k}": error for k, found in enumerate(errors, start=1) for name, error in found.items()
    }
