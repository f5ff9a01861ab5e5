"""The balance of rotors after ISO 21940-11, and the vibration of their journals after ISO 7919-3.

A rotor of mass m whose service speed is Ω may keep, in balance quality grade G, the residual unbalance

    U = G m/Ω ,

shared between two tolerance planes, here its bearings A and B. With the distances a and b of its centre of mass
from them and L between them, A gets U b/L and B gets U a/L, each no less than 0.3 U, and no more than 0.7 U where
the centre lies between the bearings or 1.3 U where it lies beside them. What is left in other planes acts on A and
B as on a rigid body; only its size counts there, not its angle.

The vibration of a shaft against its bearing, from peak to peak in the worst direction, is in zone A up to
4800/√n µm, in B up to 9000/√n µm and in C up to 13200/√n µm, for n from 1000 to 30000 turns a minute.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.section_rotors import SectionBody
from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.model.bearings import Bearing
from flexframe.spectra.rotation.bearings import bearing_name
from flexframe.spectra.rotation.harmonic_loads import Unbalance
from flexframe.spectra.rotation.rotor_model import Member, RotorModel

LEAST, MOST_BETWEEN, MOST_BESIDE = 0.3, 0.7, 1.3  # of U, in one tolerance plane
ZONES = (("A", 4800e-6), ("B", 9000e-6), ("C", 13200e-6))
"""The zones and their upper bounds from peak to peak, times √n [m]; D lies above."""
TURNS = (1000.0, 30000.0)
"""Turns a minute for which the zones hold."""
RPM = 30 / np.pi
_PLANES = 2
_ROUNDING = 1e-9  # part of a bound that a value as large as the bound may lie above it


@dataclass(frozen=True)
class BalanceTolerance(Described):
    """A balance quality grade G [mm/s] of ISO 21940-11, and the bearings that are the tolerance planes.

    Without names these are the bearings that hold the shaft; a rotor needs two of them.
    """

    grade: float
    planes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.grade) and self.grade > 0):
            raise InputError(f"the balance grade is {self.grade:g}; give a positive value in mm/s", field="grade")


@dataclass(frozen=True)
class PlaneBalance:
    """A tolerance plane: its place along the axis [m], what it may keep and what the unbalances leave [kg m]."""

    plane: str
    place_m: float
    permissible_kg_m: float
    residual_kg_m: float
    verdict: str


@dataclass(frozen=True)
class RotorBalance:
    """A rotor with its mass, its centre of mass along the axis, its service speed, and its tolerance planes.

    `reached` is the best grade [mm/s] whose tolerances its unbalances keep, None where it has none.
    """

    rotor: str
    mass_kg: float
    centre_m: float
    speed_rad_s: float
    grade: float
    permissible_kg_m: float
    reached: float | None
    planes: tuple[PlaneBalance, ...]


@dataclass(frozen=True)
class JournalVibration:
    """The vibration of a shaft against its bearing [m, peak to peak] where it is worst for its zone."""

    bearing: str
    speed_rad_s: float
    peak_to_peak_m: float
    bound_m: float  # of zone A
    zone: str


@dataclass(frozen=True, eq=False)
class BalancedRotor:
    """A member of a rotor with its tolerance planes: numbers of bearings, their nodes and places [m]."""

    member: Member
    bearings: tuple[int, ...]
    names: tuple[str, ...]
    places: Array

    @property
    def name(self) -> str:
        return self.member.discrete.body.name


def share(permissible: float, centre: float, places: Array) -> Array:
    """What each of two planes may keep of U: (2,)."""
    length = places[1] - places[0]
    parts = np.abs(np.array([places[1] - centre, centre - places[0]]) / length)
    between = places.min() <= centre <= places.max()
    return np.asarray(permissible * np.clip(parts, LEAST, MOST_BETWEEN if between else MOST_BESIDE))


def balanced_rotors(model: RotorModel, tolerance: BalanceTolerance) -> list[BalancedRotor]:
    """The members that turn, with their tolerance planes; refused where there are not two of them."""
    named = {bearing_name(bearing, number): number for number, bearing in enumerate(model.bearings)}
    for number, name in enumerate(tolerance.planes):
        if name not in named:
            with at_field("planes", number):
                raise InputError(f"there is no bearing {name}; the bearings are {', '.join(named)}")
    chosen = [named[name] for name in tolerance.planes]
    if not chosen:
        chosen = [number for number, bearing in enumerate(model.bearings) if _holds(model, bearing)]
    return [_with_planes(model, member, chosen) for member in model.members if member.ratio]


def _holds(model: RotorModel, bearing: Bearing) -> bool:
    """Whether it has direct stiffness and is no pedestal."""
    if model.is_pedestal(bearing):
        return False
    stiffness = bearing.constants.stiffness
    if bearing.table is not None:
        stiffness = stiffness + bearing.turn @ bearing.table.middle.stiffness @ bearing.turn.T
    return bool(np.trace(stiffness[:2, :2]) > 0)


def _with_planes(model: RotorModel, member: Member, chosen: Sequence[int]) -> BalancedRotor:
    found: dict[int, float] = {}
    for number in chosen:
        bearing = model.bearings[number]
        for on in (bearing.on, bearing.to):
            nodes = [] if on is None else model.discrete.body.selected_nodes(on).tolist()
            one = len(nodes) == 1 or (nodes and isinstance(model.discrete, SectionBody))  # as wide as its rings
            if one and owns(model, member, nodes[0]):
                found[number] = float(np.mean([_place(model, node) for node in nodes]))
    names = tuple(bearing_name(model.bearings[number], number) for number in found)
    places = np.array(list(found.values()))
    body = member.discrete.body.name
    if len(found) != _PLANES:
        these = f"{len(found)}: {', '.join(names)}" if names else "none"
        raise InputError(
            f"the balance of {body} is judged in two bearings, and it has {these}; name two in planes",
            field="planes",
        )
    if abs(places[1] - places[0]) <= _ROUNDING * member.discrete.size:
        raise InputError(
            f"the bearings {' and '.join(names)} of {body} are in one plane; name two", field="planes"
        )
    return BalancedRotor(member, tuple(found), names, places)


def owns(model: RotorModel, member: Member, node: int) -> bool:
    """Whether a node of the whole is one of a member."""
    numbers = model.discrete.dofs.numbers[node]
    return bool(np.isin(numbers[numbers >= 0], member.numbers).any())


def _place(model: RotorModel, node: int) -> float:
    return float(model.discrete.body.mesh.points[node] @ model.axis)


def _centre(model: RotorModel, member: Member) -> float:
    """Place of the centre of mass of a member along the axis of the whole [m]."""
    own = member.discrete.dofs.numbers
    node, column = np.argwhere(own >= 0)[0]
    there = np.argwhere(model.discrete.dofs.numbers == member.numbers[own[node, column]])[0, 0]
    shift = model.discrete.body.mesh.points[there] - member.discrete.body.mesh.points[node]
    return float((member.discrete.inertia.centre_of_mass + shift) @ model.axis)


def rotor_balance(
    model: RotorModel, rotor: BalancedRotor, unbalances: Sequence[Unbalance], grade: float, service: float
) -> RotorBalance:
    """What a rotor may keep at the highest speed of service of the train [rad/s], and what it has."""
    member, (first, last) = rotor.member, rotor.places
    speed = abs(member.ratio) * service
    mass, centre = member.discrete.inertia.mass, _centre(model, member)
    permissible = Unbalance.of_grade(0, grade, mass=mass, speed=speed).moment
    allowed = share(permissible, centre, rotor.places)
    left = np.zeros(2, dtype=complex)
    for each in unbalances:
        nodes = model.discrete.body.selected_nodes(each.on)
        moment = each.moment / (len(nodes) if isinstance(model.discrete, SectionBody) else 1)
        for node in nodes:
            if owns(model, member, int(node)):
                along = (_place(model, int(node)) - first) / (last - first)
                left += moment * np.exp(1j * each.angle) * np.array([1 - along, along])
    sizes = np.abs(left)
    planes = tuple(
        PlaneBalance(name, float(place), float(may), float(has), _verdict(float(has), float(may)))
        for name, place, may, has in zip(rotor.names, rotor.places, allowed, sizes, strict=True)
    )
    reached = float(grade * np.max(sizes / allowed)) if sizes.any() else None
    return RotorBalance(rotor.name, mass, centre, speed, grade, permissible, reached, planes)


def _verdict(residual: float, permissible: float) -> str:
    if residual == 0.0:
        return "no unbalance is given"
    return "meets ISO 21940-11" if residual <= permissible * (1 + _ROUNDING) else "fails ISO 21940-11"


def vibrations(
    rotors: Sequence[BalancedRotor], ratio: float, speeds: Array, distances: Sequence[Array]
) -> Iterator[JournalVibration]:
    """Of journals of the rotors that turn as the unbalanced ones do, over speeds of service [rad/s].

    `distances` are the largest ones of each journal from its place in the bearing [m] over the speeds.
    """
    own = abs(ratio) * speeds
    for rotor in rotors:
        if abs(rotor.member.ratio) != abs(ratio):
            continue
        for number, name in zip(rotor.bearings, rotor.names, strict=True):
            seen, root = 2 * distances[number], np.sqrt(own * RPM)
            worst = int(np.argmax(seen * root))
            bound = ZONES[0][1] / root[worst]
            yield JournalVibration(
                name, float(own[worst]), float(seen[worst]), float(bound), _zone(seen[worst], own[worst])
            )


def _zone(size: float, speed: float) -> str:
    turns = speed * RPM
    if not TURNS[0] * (1 - _ROUNDING) <= turns <= TURNS[1] * (1 + _ROUNDING):
        return f"not judged: zones hold from {TURNS[0]:g} to {TURNS[1]:g} turns a minute"
    for zone, bound in ZONES:
        if size <= bound / np.sqrt(turns):
            return f"zone {zone} of ISO 7919-3"
    return "zone D of ISO 7919-3"
