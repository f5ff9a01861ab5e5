"""Loads of a harmonic response: in the turning frame, turning in space, or an unbalance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.section_rotors import SectionBody
from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.model.supports import NodeSelection
from flexframe.motion.frame import vector3

Vector = tuple[float, ...]


@dataclass(frozen=True)
class HarmonicForce(Described):
    """A force [N] and moment [N m] in body axes at each selected node, times cos(ωt + phase); phase in rad."""

    on: NodeSelection
    force: Vector = (0.0, 0.0, 0.0)
    moment: Vector = (0.0, 0.0, 0.0)
    phase: float = 0.0


@dataclass(frozen=True)
class WhirlingForce(Described):
    """A force [N] across the spin axis at each selected node that turns in space at ω, with or against the spin.

    The turning frame sees it turn at ω − Ω (forward) or ω + Ω (backward).
    """

    on: NodeSelection
    force: float
    whirl: Literal["forward", "backward"] = "forward"


@dataclass(frozen=True)
class WaveForce(Described):
    """A force [N] on the ring of each selected node of a section, with n periods around it; phase in rad.

    Its components are along the radius, the axis of symmetry and z of the section; one force is spread evenly over
    the rings. At its crest it is `force`/2π per radian, so that N equal forces F₁ of blades make N F₁. As seen in
    space its wave runs forward with the spin or backward at ω, or it stays on the body.
    """

    on: NodeSelection
    force: Vector
    nodal_diameters: int
    moves: Literal["forward", "backward", "with body"] = "forward"
    phase: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nodal_diameters < 0:
            raise InputError(
                f"a force has {self.nodal_diameters} nodal diameters; give a whole number from 0 up",
                field="nodal_diameters",
            )


@dataclass(frozen=True)
class Unbalance(Described):
    """A mass times its distance from the spin axis [kg m] at each selected node, at an angle [rad] from e₁.

    e₁ is the first body axis that is not along the spin axis, made perpendicular to it; angles grow with the spin.
    """

    on: NodeSelection
    moment: float
    angle: float = 0.0

    @classmethod
    def of_grade(
        cls, on: NodeSelection, grade: float, *, mass: float, speed: float, angle: float = 0.0
    ) -> "Unbalance":
        """The unbalance U = G m/Ω that a balance quality grade of ISO 21940-11 allows.

        Parameters
        ----------
        on
            Nodes of the plane.
        grade
            G, the allowed speed of the centre of mass [mm/s]: 2.5 for G 2.5.
        mass
            The mass that the plane balances [kg].
        speed
            The largest speed of service [rad/s].
        angle
            From e₁ [rad].

        Returns
        -------
        Unbalance
            Its moment [kg m].

        Examples
        --------
        >>> round(ff.rotors.Unbalance.of_grade("end", 2.5, mass=100.0, speed=314.16).moment * 1e6)  # g mm
        796
        """
        for word, value in (("grade", grade), ("mass", mass), ("speed", speed)):
            if not (np.isfinite(value) and value > 0):
                raise InputError(f"unbalance: {word} is {value:g}; give a positive value", field=word)
        return cls(on, 1e-3 * grade * mass / speed, angle)


@dataclass(frozen=True)
class Bow(Described):
    """A shaft that is bent when nothing acts on it: offsets of its centre line [m] at places along the axis [m].

    Offsets lie in one plane through the axis, at an angle [rad] from e₁ (see `Unbalance`), and turn with the
    shaft. Between the places runs a cubic spline (not-a-knot; the parabola of three points), beyond them a line.
    What is straight in it changes nothing.
    """

    places: tuple[float, ...]
    offsets: tuple[float, ...]
    angle: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        places, offsets = np.asarray(self.places, dtype=float), np.asarray(self.offsets, dtype=float)
        if places.ndim != 1 or places.shape != offsets.shape or len(places) < 3:
            raise InputError(
                f"a bow has {places.size} places and {offsets.size} offsets; give three points or more, since two "
                "are a straight line",
                field="bow",
            )
        if not np.isfinite([places, offsets]).all() or (np.diff(places) <= 0).any():
            raise InputError("the places of a bow do not increase; sort them and give each once", field="bow")

    def line(self, places: Array) -> tuple[Array, Array]:
        """Offset [m] and slope at places along the axis [m]: (n,) each."""
        from scipy.interpolate import CubicSpline  # longer to load than a case without a bow to compute

        spline = CubicSpline(self.places, self.offsets)
        inside = np.clip(places, self.places[0], self.places[-1])
        slope = spline(inside, 1)
        return np.asarray(spline(inside) + slope * (places - inside)), np.asarray(slope)


@dataclass(frozen=True)
class HarmonicSignal(Described):
    """What shakes a system by a name of its own, times amplitude · cos(ωt + phase), phase in rad.

    An input in its unit, `loads.NAME` by a factor of the load, `drives.NAME` by an offset [m or rad] of its law.
    """

    name: str
    amplitude: float = 1.0
    phase: float = 0.0


HarmonicLoad = HarmonicForce | WhirlingForce | WaveForce
SynchronousLoad = Unbalance | Bow
"""What turns with the shaft and excites it at its speed."""


def across(axis: Array) -> tuple[Array, Array]:
    """e₁ and e₂ with e₁ × e₂ along the axis."""
    start = next(unit for unit in np.eye(3) if abs(unit @ axis) < 0.9)
    first = start - (start @ axis) * axis
    first = first / np.linalg.norm(first)
    return first, np.cross(axis, first)


def nodal_vector(discrete: DiscreteBody, on: NodeSelection, force: ComplexArray) -> ComplexArray:
    """Force and moment (6,) at each selected node as a vector of the body: (p,)."""
    nodes = discrete.body.selected_nodes(on)
    numbers = discrete.dofs.numbers[nodes]
    lost = (numbers < 0) & (np.abs(force) > 1e-12 * max(np.abs(force).max(), 1e-300))
    if lost.any():
        node, column = (int(place) for place in np.argwhere(lost)[0])
        raise InputError(
            f"body {discrete.body.name}: a harmonic load acts along {NODE_DOFS[column]} of node "
            f"{discrete.body.mesh.node_label(int(nodes[node]))}, which does not move that way; leave it out"
        )
    out = np.zeros(discrete.dofs.count, dtype=complex)
    # one force on the rings of a section, spread evenly over them
    values = np.broadcast_to(force / (len(nodes) if isinstance(discrete, SectionBody) else 1), numbers.shape)
    np.add.at(out, numbers[numbers >= 0], values[numbers >= 0])
    return out


def force_amplitude(discrete: DiscreteBody, loads: Sequence[HarmonicForce]) -> ComplexArray:
    """f̂ of forces in body axes: (p,)."""
    total = np.zeros(discrete.dofs.count, dtype=complex)
    for number, load in enumerate(loads):
        both = np.concatenate([vector3(load.force, "force"), vector3(load.moment, "moment")])
        with at_field("loads", number):
            total = total + nodal_vector(discrete, load.on, np.exp(1j * load.phase) * both.astype(complex))
    return total


def whirl_amplitude(
    discrete: DiscreteBody, loads: Sequence[WhirlingForce], axis: Array, sense: float
) -> ComplexArray:
    """f̂ of forces that turn about the axis in the sense +1 or −1: Re[(e₁ ∓ ie₂)e^{iαt}] turns at ±α: (p,)."""
    first, second = across(axis)
    total = np.zeros(discrete.dofs.count, dtype=complex)
    for number, load in enumerate(loads):
        direction = load.force * np.concatenate([first - 1j * sense * second, np.zeros(3)])
        with at_field("loads", number):
            total = total + nodal_vector(discrete, load.on, direction.astype(complex))
    return total


def unbalance_vector(discrete: DiscreteBody, loads: Sequence[Unbalance], axis: Array) -> Array:
    """Force of unit speed, at rest in the turning frame: (p,)."""
    first, second = across(axis)
    total = np.zeros(discrete.dofs.count, dtype=complex)
    for number, load in enumerate(loads):
        direction = np.cos(load.angle) * first + np.sin(load.angle) * second
        force = np.concatenate([load.moment * direction, np.zeros(3)]).astype(complex)
        with at_field("loads", number):
            total = total + nodal_vector(discrete, load.on, force)
    return total.real


def bow_vector(discrete: DiscreteBody, loads: Sequence[Bow], axis: Array) -> Array:
    """K r of the shape r of the unloaded shaft, at rest in the turning frame: (p,).

    The elements store no energy in the bowed shaft, ½(w − r)ᵀK(w − r), while masses and bearings follow the whole
    displacement w. Sections stay at right angles to the line of r: they rotate by θ = a × r', and what lies off
    the axis by ρ moves by θ × ρ beside it.
    """
    if isinstance(discrete, SectionBody):
        raise InputError(
            f"body {discrete.body.name} is the section of a body of revolution, which a bow would not be; leave "
            "the bow out, or make a rotor of beams",
            field="loads",
        )
    first, second = across(axis)
    points = discrete.body.mesh.points
    along = points @ axis
    off = points - along[:, None] * axis
    shape = np.zeros((len(along), 6))
    for load in loads:
        direction = np.cos(load.angle) * first + np.sin(load.angle) * second
        offset, slope = load.line(along)
        tilt = slope[:, None] * np.cross(axis, direction)
        shape[:, :3] += offset[:, None] * direction + np.cross(tilt, off)
        shape[:, 3:] += tilt
    numbers = discrete.dofs.numbers
    bowed = np.zeros(discrete.dofs.count)
    bowed[numbers[numbers >= 0]] = shape[numbers >= 0]
    return np.asarray(discrete.element_stiffness @ bowed)
