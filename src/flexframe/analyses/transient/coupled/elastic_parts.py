"""The elastic bodies of a system with few coordinates: what each keeps, and how good that is."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import numpy as np
from scipy import linalg

from flexframe.analyses.transient.coupled_record import ReductionFigures
from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import is_beam
from flexframe.errors import InputError, at_part
from flexframe.model.body import Body
from flexframe.model.constraints import Perpendicular, RimSlip, Rotation
from flexframe.model.elasticity import Bushing
from flexframe.model.supports import NodeSelection
from flexframe.model.system import GROUND, System, unknown
from flexframe.model.system_loads import BodyLoads, MarkerForce, SystemGravity, SystemLoad
from flexframe.model.transmissions.contract import sides_of
from flexframe.reduction.accuracy import Accuracy, accuracy
from flexframe.reduction.attached import AttachedBody, Reference, attach
from flexframe.reduction.basis import inertia_loads, reduction_basis
from flexframe.reduction.interfaces import Interface, PointRows
from flexframe.reduction.loads import has_loads, load_vectors
from flexframe.reduction.next_order import twist_loads, with_next_order
from flexframe.reduction.reduced_body import ReducedBody, reduced_body
from flexframe.reduction.strategies import Modal, ReductionStrategy

USUAL_MODES = 8
STATIC_LIMIT = 0.05  # part of a static answer, in energy norm, beyond which a notice is given
_MATTERS = 1e-3  # strain energy of an answer to unit inertia, relative to the largest of them
_COMPARED = 8  # modes that are compared with those of the body
_TOLERANCE = 0.01  # of frequencies, for the band in which a basis is good


@dataclass(frozen=True)
class ReductionChoice:
    """How an elastic body gets its few coordinates.

    Every marker where a joint, drive or load meets the body becomes an interface; `couplings` says by the name of
    the marker whether its nodes are one rigid piece or only on the mean ("mean", the default). Without a reference
    the supports of the body tie it to its frame, or mean axes where it has none. `damping_ratio` is a part of the
    critical damping, the same for all modes of the reduced body, beside the damping that the body has.
    The static answer to the loads of the body itself is always among its coordinates.

    With more than one of `parts` a chain of beams is cut into so many that have frames of their own and are welded
    together, for large deflections; strategy, modes (by default two, four in space) and inertia shapes are then
    those of each part. `exact` takes beams as geometrically exact ones without reduction, for deflections of any
    size.

    With `order` 3 the equations of a body of beams have the terms of the third power of its deflection, too, for
    deflections of up to a fifth of the length; sections may turn by 0.5 rad then.
    """

    strategy: ReductionStrategy | None = None
    reference: Reference | None = None
    inertia_shapes: bool = False
    damping_ratio: float = 0.0
    couplings: Mapping[str, Literal["rigid", "mean"]] = field(default_factory=dict)
    parts: int = 1
    exact: bool = False
    order: Literal[2, 3] = 2


@dataclass(frozen=True, eq=False)
class ElasticPart:
    """An elastic body of the system: on its mesh, and with few coordinates."""

    attached: AttachedBody
    reduced: ReducedBody
    figures: ReductionFigures
    damping_ratio: float
    nodes: int  # of the body's mesh; points of rigid interfaces come after them
    notices: tuple[str, ...]
    own_loads: BodyLoads | None = None  # how the loads of the body act; None: as they are
    stressed_places: dict[NodeSelection, object] = field(default_factory=dict)  # where stress was asked for

    @property
    def name(self) -> str:
        """Name of the body."""
        return self.reduced.name

    @property
    def discrete(self) -> DiscreteBody:
        """The body tied to its frame."""
        return self.attached.discrete


def elastic_parts(
    system: System,
    choices: Mapping[str, ReductionChoice | Literal["rigid"]],
    *,
    watched: Mapping[str, Mapping[str, NodeSelection]],
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> dict[str, ElasticPart]:
    """Reduce every meshed body that is not chosen to be rigid.

    `watched` holds the points of sensors by body and name. Bodies at hand in `discrete` are not integrated again.
    """
    meshed = {body.name: body for body in system.bodies if isinstance(body, Body)}
    for name in choices:
        if name not in meshed:
            raise InputError(f"reduction: {unknown('meshed body', name, list(meshed))}", part=("bodies", name))
    parts = {}
    for name, body in meshed.items():
        choice = choices.get(name, ReductionChoice())
        if choice == "rigid":
            continue
        assert isinstance(choice, ReductionChoice)
        at_hand = (discrete or {}).get(name, body)
        markers = {point: bears_moments(system, f"{name}.{point}") for point in markers_of(system, name)}
        ways = [load for load in system.loads if isinstance(load, BodyLoads)]
        way = next((w for w in ways if name in system.pieces_of(w.body)), None)
        with at_part("bodies", name, "reduction"):
            parts[name] = _part(at_hand, choice, markers, watched.get(name, {}), way)
    return parts


def markers_of(system: System, body: str) -> tuple[str, ...]:
    """Points of a body where joints, drives and loads meet it, each once."""
    markers = [
        marker
        for link in (*system.joints, *system.drives, *system.initial)
        for marker in (link.first, link.second, *(m for s in sides_of(link) for m in (s.first, s.second)))
    ]
    markers += [marker for contact in system.all_contacts for marker in (contact.first, contact.second)]
    for load in system.loads:
        if isinstance(load, MarkerForce):
            markers.append(load.on)
        elif not isinstance(load, SystemGravity | BodyLoads):
            markers += [load.first, load.second]
    named = [system.resolve(marker).partition(".") for marker in markers]
    owned = [found for found in named if found[0] == body != GROUND]
    return tuple(dict.fromkeys(point for _, _, point in owned if point))


def bears_moments(system: System, marker: str) -> bool:
    """Whether anything at a marker can act by a moment; a hinge in the plane, a ball or a rod cannot."""
    planar = system.space == "planar"

    def meets(*markers: str) -> bool:
        return any(system.resolve(other) == marker for other in markers)

    for link in (*system.joints, *system.drives):
        if meets(link.first, link.second):
            turning = [c for c in link.constraints() if isinstance(c, Rotation | Perpendicular | RimSlip)]
            if turning and not (planar and link.kind == "revolute"):
                return True
            if getattr(link, "stops", None) is not None:
                return True
        for side in sides_of(link):
            if meets(side.first, side.second) and isinstance(side.coordinate, Rotation | Perpendicular):
                return True
    if any(meets(contact.first, contact.second) for contact in system.all_contacts):
        return True
    return any(meets(*_turned_by(load)) for load in system.loads)


def _turned_by(load: SystemLoad) -> tuple[str, ...]:
    """The markers on which a load acts by a moment."""
    match load:
        case SystemGravity() | BodyLoads():
            return ()
        case MarkerForce():
            return (load.on,) if any(law != 0.0 for law in load.moment) else ()
    turning = isinstance(load, Bushing) or isinstance(load.coordinate(), Rotation)
    return (load.first, load.second) if turning else ()


def _part(
    body: Body | DiscreteBody,
    choice: ReductionChoice,
    markers: Mapping[str, bool],
    watched: Mapping[str, NodeSelection],
    way: BodyLoads | None,
) -> ElasticPart:
    """`markers` says which points are loaded by moments too, `way` how the loads of the body act."""
    plain = body if isinstance(body, Body) else body.body
    odd = [marker for marker in choice.couplings if marker not in markers]
    if odd:
        raise InputError(
            f"body {plain.name}: {unknown('marker of a joint, drive or load', odd[0], list(markers))}"
        )
    interfaces = [
        Interface(marker, _selection(marker), choice.couplings.get(marker, "mean")) for marker in markers
    ]
    sensors = [Interface(sensor, on) for sensor, on in watched.items()]
    attached = attach(body, interfaces=interfaces, sensors=sensors, reference=choice.reference)
    # rotations of a point that no moment turns are no coordinates of their own
    acted = tuple(_acted_on(point, markers[point.name]) for point in attached.interfaces)
    loaded = replace(attached, interfaces=acted)
    by_default, turning = choice.strategy is None, way is not None and way.axes == "space"
    available = attached.discrete.supports.size - attached.rigid.shape[1]
    reduced_already = attached.discrete.dofs.hidden is not None
    strategy = choice.strategy or Modal(available if reduced_already else min(USUAL_MODES, available))
    loads = load_vectors(attached.discrete, turning=turning) if has_loads(attached.discrete) else None
    made = partial(
        reduction_basis, loaded, strategy, inertia_shapes=choice.inertia_shapes, loads=loads, orthonormal=True
    )
    basis = made()
    if choice.order == 3:
        _require_beams(attached.discrete)
        basis = made(derivatives=twist_loads(attached.discrete, basis.vectors))
    reduced = reduced_body(attached, basis)
    if choice.order == 3:
        reduced = with_next_order(attached, reduced)
    quality = accuracy(loaded, basis, count=_COMPARED)
    figures = _figures(attached, reduced, quality, by_default=by_default)
    return ElasticPart(
        attached=attached,
        reduced=reduced,
        figures=figures,
        damping_ratio=choice.damping_ratio,
        nodes=plain.mesh.node_count,
        notices=_notices(attached, figures, turning=turning),
        own_loads=way,
    )


def _require_beams(discrete: DiscreteBody) -> None:
    """Refuse bodies whose terms of third order are not known."""
    beams = discrete.batches and all(is_beam(batch.family) for batch in discrete.batches)
    if not beams or discrete.of_elements is not None or discrete.body.couplings:
        raise InputError(
            f"body {discrete.body.name} is not of beams alone, of which terms of third order are known; leave "
            "order out",
            field="order",
        )


def _acted_on(point: PointRows, by_moments: bool) -> PointRows:
    return point if by_moments else replace(point, present=point.present & (np.arange(6) < 3))


def _selection(marker: str) -> NodeSelection:
    return int(marker) if marker.isdigit() else marker


def _figures(
    attached: AttachedBody, reduced: ReducedBody, quality: Accuracy, *, by_default: bool
) -> ReductionFigures:
    squares = linalg.eigh(reduced.stiffness, reduced.elastic_mass, eigvals_only=True)
    frequencies = np.sqrt(np.maximum(squares, 0.0)) / (2 * np.pi)
    return ReductionFigures(
        body=reduced.name,
        strategy=reduced.basis.strategy,
        reference=reduced.basis.reference,
        by_default=by_default,
        full_size=attached.discrete.supports.size,
        size=reduced.size,
        coordinates=tuple(coordinate.label for coordinate in reduced.basis.coordinates),
        frequencies_hz=frequencies,
        band_hz=quality.modes.band_hz(_TOLERANCE),
        interface_errors=quality.interface_loads,
        inertia_errors=_felt(attached, quality.inertia_loads),
    )


def _felt(attached: AttachedBody, errors: Mapping[str, float]) -> dict[str, float]:
    """Those inertia loads to which the body answers to a degree that matters beside the others."""
    loads = inertia_loads(attached)
    if not loads:
        return {}
    forces = np.array(list(loads.values())).T
    energies = np.einsum("pk,pk->k", forces, attached.flexibility(forces))
    largest = energies.max(initial=0.0)
    shares = dict(zip(loads, energies / largest if largest else energies, strict=True))
    return {name: error for name, error in errors.items() if shares.get(name, 0.0) > _MATTERS}


def _notices(attached: AttachedBody, figures: ReductionFigures, *, turning: bool) -> tuple[str, ...]:
    notices, body = [], attached.discrete.body
    if figures.by_default:
        notices.append(
            f"body {body.name} has no reduction of its own: {figures.strategy}; frame: {figures.reference}, from "
            f"which its displacements are measured; {figures.size} coordinates"
        )
    for what, errors in (("interface", figures.interface_errors), ("inertia", figures.inertia_errors)):
        if errors and max(errors.values()) > STATIC_LIMIT:
            worst = max(errors, key=lambda name: errors[name])
            advice = "inertia_shapes: true" if what == "inertia" else "attachment modes, or more modes"
            notices.append(
                f"body {body.name}: its coordinates lack {errors[worst]:.0%} (energy norm) of the static answer "
                f"to {worst}; {advice} would mend that"
            )
    if attached.discrete.loads.gravity.any() and not turning:
        notices.append(
            f"gravity among the loads of body {body.name} keeps its direction in the body and turns with it; for "
            "weight give gravity to the system"
        )
    return tuple(notices)
