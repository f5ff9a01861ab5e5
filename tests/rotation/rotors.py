"""Rotors whose motion is known in closed form."""

from dataclasses import replace

import numpy as np

from flexframe.elements.properties import STEEL, BeamProperty, Circle, Material
from flexframe.mesh.builders import line
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.supports import Fix, FrameSpring

AXIS = (1, 0, 0)
TURN = 2 * np.pi
MASS = 2.0  # kg
_STIFF = BeamProperty(Material(1e11, 0.3, 1.0), Circle(0.01))


def point_rotor(y: float, z: float | None = None, x: float | None = None, *, damping: float = 0.0) -> Body:
    """A mass of 2 kg on springs that turn with it: frequencies at rest along y, z and x (held if not given) [Hz].

    Two nodes with half of everything each, joined by a beam; rotations are held, so that its mass moves along with
    them. They move against each other at about 170 Hz only.
    """
    k = [MASS * (TURN * (f or 0.0)) ** 2 / 2 for f in (x, y, y if z is None else z)]
    beam = 1.0 * np.pi / 4 * 0.01**2 * 0.1
    held = ("rx", "ry", "rz") if x else ("ux", "rx", "ry", "rz")
    return Body(
        "rotor",
        line(0.1, 1),
        (Region(_STIFF, family="euler_bernoulli_beam"),),
        supports=(Fix("all", held),),
        point_masses=(PointMass("all", (MASS - beam) / 2),),
        springs=(FrameSpring("all", tuple(k), damping=(0.0, damping / 2, damping / 2)),),
        space="spatial",
    )


def shaft(divisions: int = 16, *, length: float = 1.0, diameter: float = 0.05) -> Body:
    """A simply supported Rayleigh shaft along x, steel, torsion held."""
    ends = (Fix("start", ("ux", "uy", "uz")), Fix("end", ("uy", "uz")), Fix("all", ("rx",)))
    body = Body.beam(
        "shaft",
        length=length,
        divisions=divisions,
        section=Circle(diameter),
        material=STEEL,
        theory="euler_bernoulli",
        supports=ends,
        space="spatial",
    )
    return replace(body, name="shaft")


def rayleigh_shaft(
    order: int, speed: float, *, length: float = 1.0, diameter: float = 0.05
) -> tuple[float, float]:
    """Forward and backward ω in space: EIk⁴ = (ρA + ρIk²)ω² ∓ 2ρIk²Ωω, k = nπ/L."""
    area, inertia = np.pi / 4 * diameter**2, np.pi / 64 * diameter**4
    k = order * np.pi / length
    a = STEEL.density * (area + inertia * k**2)
    b, c = STEEL.density * inertia * k**2 * speed, STEEL.young * inertia * k**4
    root = np.sqrt(b**2 + a * c)
    return (b + root) / a, (root - b) / a


def rayleigh_critical(order: int, factor: int, *, length: float = 1.0, diameter: float = 0.05) -> float:
    """Ω at which the forward (factor −1) or backward (+3) whirl has ω = Ω: EIk⁴ = Ω²(ρA + factor ρIk²)."""
    area, inertia = np.pi / 4 * diameter**2, np.pi / 64 * diameter**4
    k = order * np.pi / length
    return float(np.sqrt(STEEL.young * inertia * k**4 / (STEEL.density * (area + factor * inertia * k**2))))
