"""Cantilevers of geometrically exact beams that bend far."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import BeamProperty, GeneralSection, Material
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import polyline
from flexframe.model.body import Body, Region
from flexframe.model.joints import Weld
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.equilibria.load_path import load_path
from flexframe.multibody.start import rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.verification.contract import Check, Reference

_LOADS = (1.0, 5.0, 10.0)  # P L²/EI
_THIN = 1e-8 / 12  # EI/(EA L²) of a rectangle with L/h = 1e4


def _tip(points: Array, stiffness: tuple[float, float, float, float], load: MarkerForce) -> Array:
    """Displacement of the end of a beam along points with EA, GA, GJ, EI, clamped at its start."""
    EA, GA, GJ, EI = stiffness
    material = Material(EA, EA / (2 * GA) - 1, 1.0, idealised=True)
    prop = BeamProperty(material, GeneralSection(1.0, EI / EA, EI / EA, GJ / GA, 1.0))
    mesh = polyline(points, 1).with_sets(node_sets={"start": [0], "end": [len(points) - 1]})
    body = Body("beam", mesh, (Region(prop, family="timoshenko_beam"),), space="spatial")
    described = System([body], [Weld("root", "ground", "beam.start")], loads=[load], space="spatial")
    system = dynamic_system(elastic_system(described, {"beam": ReductionChoice(exact=True)}, watched={}).system)
    found = load_path(system, rigid_start(system)).steps[-1].state
    return np.asarray(found.positions[-1] - points[-1])


def _straight(length: float, divisions: int) -> Array:
    return np.linspace(0.0, length, divisions + 1)[:, None] * np.array([1.0, 0.0, 0.0])


def _circles(refinement: int) -> list[float]:
    found: list[float] = []
    for circles in (1, 2):
        roll = MarkerForce("roll", "beam.end", moment=(0.0, 0.0, 2 * np.pi * circles * 100.0))
        found += list(_tip(_straight(1.0, 5 * refinement), (1e4, 5e3, 80.0, 100.0), roll)[:2])
    return found


def _elastica(refinement: int) -> list[float]:
    found: list[float] = []
    for load in _LOADS:
        pull = MarkerForce("pull", "beam.end", (0.0, load, 0.0))
        found += list(_tip(_straight(1.0, 8 * refinement), (1 / _THIN, 0.5 / _THIN, 1.0, 1.0), pull)[:2])
    return found


def _exact_elastica(load: float) -> tuple[float, float]:
    """Along and across: with K(m) − F(φ, m) = √load, sin²φ = 1/2m (Bisshopp and Drucker 1945)."""

    def amplitude(m: float) -> float:
        return float(np.arcsin(1 / np.sqrt(2 * m)))

    def excess(m: float) -> float:
        return float(ellipk(m) - ellipkinc(amplitude(m), m) - np.sqrt(load))

    m = float(brentq(excess, 0.5 + 1e-14, 1 - 1e-14, xtol=1e-15))
    across = 1 - 2 * float(ellipe(m) - ellipeinc(amplitude(m), m)) / np.sqrt(load)
    return float(np.sqrt(2 * (2 * m - 1) / load)) - 1, float(across)


def _bends(refinement: int) -> list[float]:
    angles = np.linspace(0.0, np.pi / 4, 16 * refinement + 1)
    points = 100 * np.stack([np.sin(angles), 1 - np.cos(angles), 0 * angles], 1)
    push = MarkerForce("push", "beam.end", (0.0, 0.0, 600.0))
    found: list[float] = []
    for torsion, shear in ((1 / 6, 1.0), (0.140577, 5 / 6)):
        found += list(_tip(points, (1e7, shear * 5e6, torsion * 5e6, 1e7 / 12), push))
    return found


def _geradin(refinement: int) -> list[float]:
    pull = MarkerForce("pull", "beam.end", (0.0, -600e3, 0.0))
    return list(_tip(_straight(5.0, 8 * refinement), (4.8e8, 3.231e8, 1e6, 9.346e6), pull)[:2])


_AXES = ("along", "across")

CHECKS: tuple[Check, ...] = (
    Check(
        "large-deflections-circles",
        "exact: an end moment 2π EI/L rolls a beam into a circle",
        "exact beams, 10 elements, L 1 m; displacement of the tip, which is back at the clamp",
        tuple(
            Reference(f"{circles} circles, {axis} [m]", value, 1e-12, scale=1.0)
            for circles in (1, 2)
            for axis, value in zip(_AXES, (-1.0, 0.0), strict=True)
        ),
        _circles,
    ),
    Check(
        "large-deflections-elastica",
        "exact: elliptic integrals (Bisshopp & Drucker 1945)",
        "exact beams, 16 elements, L/h 1e4, dead force across the tip; displacement of the tip over the length",
        tuple(
            Reference(f"P L²/EI = {load:g}, {axis}", value, 2e-6, scale=1.0)
            for load in _LOADS
            for axis, value in zip(_AXES, _exact_elastica(load), strict=True)
        ),
        _elastica,
    ),
    Check(
        "large-deflections-45-degree-bend",
        "converged reference values; Bathe & Bolourchi 1979 print −23.5 −13.4 53.4",
        "R 100, EA 1e7, EI 1e7/12, 600 across the plane; GA 5e6 with GJ 5e6/6, 5/6 of it with J = 0.140577 by "
        "Saint-Venant; exact beams, polygon of 32 sides, which departs from the arc by the square of their length",
        tuple(
            Reference(f"GJ {torsion}, {axis}", value, 1e-4, scale=60.0)
            for torsion, tip in (
                ("5e6/6", (-23.5602, -13.6045, 53.4749)),
                ("by Saint-Venant", (-23.8191, -13.7316, 53.6080)),
            )
            for axis, value in zip("xyz", tip, strict=True)
        ),
        _bends,
    ),
    Check(
        "large-deflections-geradin",
        "the cantilever of Géradin, four decimals",
        "L 5 m, EA 4.8e8, GA 3.231e8, EI 9.346e6, 600 kN across the tip; exact beams, 16 elements",
        (
            Reference("shortening [m]", -0.5965, 5e-5, scale=1.0),
            Reference("deflection [m]", -2.1597, 5e-5, scale=1.0),
        ),
        _geradin,
    ),
)
