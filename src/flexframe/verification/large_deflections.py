"""Cantilevers of geometrically exact beams that bend far."""

from dataclasses import replace

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import BeamProperty, GeneralSection, Material, Rectangle
from flexframe.elements.section_matrices import Rows, SectionMatrices
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion, vector_from_rotation
from flexframe.mesh.builders import polyline
from flexframe.model.body import Body, Region
from flexframe.model.joints import Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.contract import DynamicState
from flexframe.multibody.equilibria.load_path import load_path
from flexframe.multibody.start import rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import ClampedFrame
from flexframe.reduction.strategies import Modal
from flexframe.verification.contract import Check, Reference

_LOADS = (1.0, 5.0, 10.0)  # P L²/EI
_THIN = 1e-8 / 12  # EI/(EA L²) of a rectangle with L/h = 1e4
_MODERATE = {0.2: 1e-5, 0.4: 1e-4, 0.8: 2e-3}  # P L²/EI, and the next order of the deflection over the length


def _tip(points: Array, stiffness: tuple[float, float, float, float], load: MarkerForce) -> Array:
    """Displacement of the end of a beam along points with EA, GA, GJ, EI, clamped at its start."""
    return _move_prop(points, _stiff(*stiffness), load)


def _stiff(EA: float, GA: float, GJ: float, EI: float) -> BeamProperty:
    material = Material(EA, EA / (2 * GA) - 1, 1.0, idealised=True)
    return BeamProperty(material, GeneralSection(1.0, EI / EA, EI / EA, GJ / GA, 1.0))


def _move_prop(points: Array, prop: BeamProperty, load: MarkerForce) -> Array:
    """The same with a section."""
    return np.asarray(_moved_nodes(_beam(points, prop), load)[-1])


def _beam(points: Array, prop: BeamProperty) -> Body:
    mesh = polyline(points, 1).with_sets(node_sets={"start": [0], "end": [len(points) - 1]})
    return Body("beam", mesh, (Region(prop),), space="spatial")


def _moved_nodes(body: Body, load: MarkerForce) -> Array:
    """Displacements of the nodes of a body "beam" that is clamped at its start: (nodes, 3)."""
    return np.asarray(_equilibrium(body, load).positions - body.mesh.points)


def _equilibrium(body: Body, load: MarkerForce) -> DynamicState:
    """Of the same body under its whole load."""
    described = System([body], [Weld("root", "ground", "beam.start")], loads=[load], space="spatial")
    system = dynamic_system(elastic_system(described, {"beam": ReductionChoice(exact=True)}, watched={}).system)
    return load_path(system, rigid_start(system)).steps[-1].state


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


def _third_order(refinement: int) -> list[float]:
    """Displacements of the tip in one floating frame with equations of third order."""
    found: list[float] = []
    choice = ReductionChoice(strategy=Modal(4 * refinement), reference=ClampedFrame("start"), order=3)
    for load in _MODERATE:
        body = replace(_beam(_straight(1.0, 8 * refinement), _stiff(1e6, 5e5, 1.0, 1.0)), space="planar")
        system = System(
            [body, RigidBody("tip", 1e-9, np.full(3, 1e-12))],
            [Weld("root", "ground", "beam.start"), Weld("end", "beam.end", "tip")],
            loads=[MarkerForce("pull", "tip", (0.0, load, 0.0))],
            start={"tip": Placement(np.array([1.0, 0.0, 0.0]))},
        )
        held = system_statics(system, reductions={"beam": choice})
        found += list(held.motion.body("tip").positions[0, :2] - [1.0, 0.0])
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
    points = _straight(5.0, 8 * refinement)
    held = _equilibrium(_beam(points, _stiff(4.8e8, 3.231e8, 1e6, 9.346e6)), pull)
    return [
        *(held.positions[-1] - points[-1])[:2],
        float(vector_from_rotation(rotation_from_quaternion(held.quaternions[-1]))[2]),
    ]


_AXES = ("along", "across")
_SLENDER = (30.0, 100.0, 1e4)  # L/h
_PRINCETON = {  # load [N], its angle from the soft direction [°]: along, soft, stiff [m]
    (4.448, 0): (-0.007259946, 0.078081868, 0.0),
    (4.448, 15): (-0.006800119, 0.075571497, 0.001502995),
    (4.448, 30): (-0.005527063, 0.068129122, 0.002862207),
    (4.448, 45): (-0.003746889, 0.056055193, 0.003965163),
    (4.448, 60): (-0.001916792, 0.039949401, 0.004751075),
    (4.448, 75): (-0.000543778, 0.020801088, 0.005210162),
    (8.896, 0): (-0.026024229, 0.146259985, 0.0),
    (8.896, 15): (-0.024583897, 0.142214417, 0.003568891),
    (8.896, 30): (-0.020473184, 0.129923512, 0.006654361),
    (8.896, 45): (-0.01438932, 0.109041568, 0.008888857),
    (8.896, 60): (-0.007660816, 0.079456076, 0.010147241),
    (8.896, 75): (-0.002240836, 0.042125219, 0.010625771),
    (8.896, 90): (-0.00013558, 0.0, 0.010715413),
    (13.345, 0): (-0.05040568, 0.200692912, 0.0),
    (13.345, 15): (-0.048074609, 0.196124708, 0.006328438),
    (13.345, 30): (-0.041206384, 0.181921186, 0.011716415),
    (13.345, 45): (-0.030361114, 0.156587823, 0.015342257),
    (13.345, 60): (-0.017163419, 0.117902263, 0.016777987),
    (13.345, 75): (-0.005298375, 0.064496309, 0.016502892),
    (13.345, 90): (-0.000304811, 0.0, 0.016065145),
}


def _limit(refinement: int) -> list[float]:
    """Departures of a rectangle from the elastica, P = 5: ratios of their parts of (h/L)², and the last one."""
    pull, found = MarkerForce("pull", "beam.end", (0.0, 5.0, 0.0)), list[float]()
    limit = np.array(_exact_elastica(5.0))
    for slender in _SLENDER[:2]:
        EA = 12 * slender**2
        tip = _tip(_straight(1.0, 16 * refinement), (EA, EA / 2.4, 1.0, 1.0), pull)[:2]
        found += list((tip - limit) * slender**2)
    EA = 12 * _SLENDER[2] ** 2
    tip = _tip(_straight(1.0, 16 * refinement), (EA, EA / 2.4, 1.0, 1.0), pull)[:2]
    return [found[2] / found[0], found[3] / found[1], *(tip - limit)]


def _princeton(refinement: int) -> list[float]:
    material, section = Material(71.7e9, 0.31, 2700.0), Rectangle(0.012377, 0.0032024)
    points, found = _straight(0.508, 12 * refinement), list[float]()
    for load, degrees in _PRINCETON:
        angle = np.radians(degrees)
        force = MarkerForce("load", "beam.end", (0.0, load * np.cos(angle), load * np.sin(angle)))
        found += list(_move_prop(points, BeamProperty(material, section), force))
    one, other = (
        _move_prop(
            points, BeamProperty(material, section), MarkerForce("load", "beam.end", (0.0, 6.0, side * 6.0))
        )
        for side in (1, -1)
    )
    return [*found, *(other - one * [1.0, 1.0, -1.0])]


def _with_couplings(diagonal: tuple[float, ...], couplings: dict[tuple[int, int], float]) -> Rows:
    matrix = np.diag(diagonal)
    for (i, j), value in couplings.items():
        matrix[i, j] = matrix[j, i] = value
    return tuple(map(tuple, matrix.tolist()))


_BOX = _with_couplings(
    (1368.17e3, 88.56e3, 38.78e3, 16.96e3, 59.12e3, 141.47e3),
    {(3, 4): 17.61e3, (3, 5): -0.351e3, (4, 5): -0.370e3},
)
_BLADES = {  # Minguet & Dugundji 1990: stiffness, load [kg], displacement at 500 mm [m]
    "bending with torsion": (
        _with_couplings((4e6, 2.6e5, 5.5e5, 0.368, 0.522, 298.0), {(0, 1): -2.7e5, (3, 4): -0.102}),
        (-0.09047177, 0.01886785, -0.25816733),
    ),
    "stretch with torsion": (
        _with_couplings((3.9e6, 1.1e6, 1.2e5, 1.18, 0.983, 290.0), {(0, 3): -522.0}),
        (-0.03531108, 0.0, -0.16713719),
    ),
}


def _composite(divisions: int, length: float, stiffness: Rows, force: float, node: int) -> Array:
    """Displacement of a node of a cantilever under a force along z at its tip."""
    mass = _with_couplings((1.0, 1.0, 1.0, 0.02, 0.01, 0.01), {})
    prop = BeamProperty(
        Material(1e9, 0.3, 1.0, idealised=True), SectionMatrices(1.0, 1.0, stiffness=stiffness, mass=mass)
    )
    mesh = polyline(_straight(length, divisions), 1).with_sets(node_sets={"start": [0], "end": [divisions]})
    body = Body("beam", mesh, (Region(prop),), space="spatial")
    return np.asarray(_moved_nodes(body, MarkerForce("load", "beam.end", (0.0, 0.0, force)))[node])


def _box(refinement: int) -> list[float]:
    return list(_composite(16 * refinement, 10.0, _BOX, 150.0, -1))


def _blades(refinement: int) -> list[float]:
    found: list[float] = []
    for stiffness, _ in _BLADES.values():
        found += list(_composite(22 * refinement, 0.55, stiffness, -0.4 * 9.80665, 20 * refinement))
    return found


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
        "large-deflections-third-order",
        "exact: elliptic integrals (Bisshopp & Drucker 1945)",
        "one floating frame with terms of third order, 16 elements, 8 modes and static shapes of the end; dead "
        "force across the tip, which it moves by 7, 13 and 25 % of the length; in second order the errors are "
        "3e-4, 2.4e-3 and 1.7e-2",
        tuple(
            Reference(f"P L²/EI = {load:g}, {axis}", value, tolerance, scale=1.0)
            for load, tolerance in _MODERATE.items()
            for axis, value in zip(_AXES, _exact_elastica(load), strict=True)
        ),
        _third_order,
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
            Reference("rotation [rad]", -0.6720, 5e-5, scale=1.0),
        ),
        _geradin,
    ),
    Check(
        "large-deflections-elastica-limit",
        "exact: the elastica (Bisshopp & Drucker 1945), and terms of the square of h/L that vanish towards it",
        "P L²/EI = 5, EA = 12 EI/h², GA = EA/2.4; exact beams, 32 elements; (L/h)² times the departure from the "
        "elastica at L/h = 100 over that at 30, to terms of the fourth power, and the departure at 1e4",
        (
            *(Reference(f"ratio of departures, {axis}", 1.0, 0.02) for axis in _AXES),
            *(Reference(f"departure at 1e4, {axis}", 0.0, 2e-6, scale=1.0) for axis in _AXES),
        ),
        _limit,
    ),
    Check(
        "large-deflections-princeton-beam",
        "geometrically exact beam of Exudyn 1.13.6, 40 and 80 elements extrapolated; symmetry of the section",
        "L 0.508 m, 12.377 by 3.2024 mm, E 71.7 GPa, ν 0.31, J by Saint-Venant; exact beams, 24 elements; "
        "displacement of the tip along the beam, in its soft and its stiff direction",
        (
            *(
                Reference(f"{load} N at {degrees}°, {axis} [m]", value, 2e-4, scale=float(np.linalg.norm(values)))
                for (load, degrees), values in _PRINCETON.items()
                for axis, value in zip(("along", "soft", "stiff"), values, strict=True)
            ),
            *(
                Reference(f"mirrored load, {axis} [m]", 0.0, 1e-10, scale=1.0)
                for axis in ("along", "soft", "stiff")
            ),
        ),
        _princeton,
    ),
    Check(
        "large-deflections-composite-beam",
        "BeamDyn and Kynema, 15 digits (case: Wang, Sprague, Jonkman, Johnson & Jonkman, Wind Energy 20, 2017)",
        "box beam of 10 in with torsion and bending coupled, 150 lb across the tip; exact beams with the full "
        "matrix of the section, 32 elements; soft in shear: the error falls with the square of their length",
        tuple(
            Reference(f"tip, {axis} [in]", value, 2e-6, scale=1.0)
            for axis, value in zip(
                "xyz", (-9.02726627566299e-2, -6.47488486259036e-2, 1.22973648292371), strict=True
            )
        ),
        _box,
    ),
    Check(
        "large-deflections-composite-blade",
        "AeroBeams.jl, 22 mixed elements of second order (case: Minguet & Dugundji, AIAA Journal 28, 1990)",
        "550 mm, 400 g at the tip, laminates that couple bending with torsion or stretch with torsion; exact "
        "beams, 44 elements; displacement at 500 mm. Measured of the first: 245 mm down, 21 mm sideways",
        tuple(
            Reference(f"{name}, {axis} [m]", value, 5e-4, scale=0.5)
            for name, (_, values) in _BLADES.items()
            for axis, value in zip("xyz", values, strict=True)
        ),
        _blades,
    ),
)
