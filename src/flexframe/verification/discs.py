"""In-plane vibration of discs and annuli at rest and spinning, and discs by their sections."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import BeamProperty, Material, PlaneState, Rectangle
from flexframe.equations.coefficients import Terms
from flexframe.mesh.builders import annulus, disc, polyline, rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.supports import Fix
from flexframe.motion.frame import REST, FrameMotion
from flexframe.verification.contract import Check, Reference
from flexframe.verification.plates import (
    FREE_DISC,
    MEMBRANE,
    SPINNING_DISC,
    THIN,
    membrane_exact,
    scale,
)

UNIT = Material(young=1.0, poisson=0.3, density=1.0)
PLATE_SPEED = 1 / np.sqrt(1 - 0.3**2)  # c_p = √(E/ρ(1−ν²)) of the unit material
PAPER = Material(young=200e9, poisson=0.3, density=7900.0)


def _body(mesh: Mesh, material: Material, state: PlaneState) -> DiscreteBody:
    return discretise(Body.plane("disc", mesh, material=material, thickness=0.01, state=state))


def _elastic(record: Modes) -> list[int]:
    """Modes that vibrate: neither rigid nor, without geometric stiffness, diverging."""
    return [k for k, f in enumerate(record.frequencies_hz) if "rigid" not in record.labels[k] and f > 1e-6]


def pick(record: Modes, wanted: Sequence[tuple[int, int, str]]) -> list[float]:
    """ω of the modes (nodal diameters, order among those, wave direction), elastic ones only; NaN if absent."""
    assert record.nodal_diameters is not None
    found = []
    for diameter, order, wave in wanted:
        matching = [
            k
            for k in _elastic(record)
            if record.nodal_diameters[k] == diameter
            and (not wave or (record.whirl is not None and record.whirl[k] == wave))
        ]
        # at rest every n ≥ 1 comes as a pair
        place = order * (2 if diameter and not wave else 1)
        found.append(
            float(abs(record.eigenvalues[matching[place]].imag)) if place < len(matching) else float("nan")
        )
    return found


SOLID = (
    (0, (2.048850, 3.038275, 4.979709, 5.389364)),
    (1, (1.617558, 3.529116, 4.047431)),
    (2, (1.387653, 2.511179, 4.520783)),
    (3, (2.130399, 3.451675)),
    (4, (2.774004, 4.400757)),
)
ANNULUS = (
    (0, (1.801465, 3.089240)),
    (1, (1.651171,)),
    (2, (1.109950, 2.402392)),
    (3, (2.070720,)),
    (4, (2.766361,)),
)
Table = tuple[tuple[int, tuple[float, ...]], ...]


def frequency_references(table: Table, tolerance: float) -> tuple[Reference, ...]:
    return tuple(
        Reference(f"ω R/c_p, n = {n}, {order + 1}.", value, tolerance)
        for n, values in table
        for order, value in enumerate(values)
    )


def wanted_modes(table: Table) -> list[tuple[int, int, str]]:
    return [(n, order, "") for n, values in table for order in range(len(values))]


def _solid_at_rest(refinement: int) -> list[float]:
    body = _body(disc(1.0, 4 * refinement, order=2), UNIT, "stress")
    return [value / PLATE_SPEED for value in pick(modes(body, count=56), wanted_modes(SOLID))]


def _annulus_at_rest(refinement: int) -> list[float]:
    mesh = annulus(0.2, 1.0, divisions=(9 * refinement, 36 * refinement), order=2)
    return [
        value / PLATE_SPEED for value in pick(modes(_body(mesh, UNIT, "stress"), count=24), wanted_modes(ANNULUS))
    ]


SPINNING_L0 = ((2.0557876, 3.0338481), (1.5718670, 1.6530034), (1.4720325, 1.2990486), (2.1909327, 2.0621343))
SPINNING_L1 = ((2.0584889, 3.0460300), (1.5802809, 1.6616189), (1.4775093, 1.3040965), (2.2002434, 2.0707775))


def _spinning(geometric: float, refinement: int) -> list[float]:
    body = _body(disc(1.0, 4 * refinement, order=2), UNIT, "stress")
    record = modes(body, FrameMotion.spin(0.1 * PLATE_SPEED), terms=Terms(geometric=geometric), count=20)
    wanted = [(0, 0, ""), (0, 1, "")]
    wanted += [(n, 0, wave) for n in (1, 2, 3) for wave in ("backward", "forward")]
    return [value / PLATE_SPEED for value in pick(record, wanted)]


def spinning_references(table: tuple[tuple[float, float], ...]) -> tuple[Reference, ...]:
    names = [("n = 0, 1.", "n = 0, 2.")] + [(f"n = {n}, backward", f"n = {n}, forward") for n in (1, 2, 3)]
    return tuple(
        Reference(f"ω R/c_p, {name}", value, 2e-5)
        for pair, values in zip(names, table, strict=True)
        for name, value in zip(pair, values, strict=True)
    )


_CLASSIC = (5514, 7045, 8959, 9416, 10641, 11713, 12767, 14284, 14910)
_PROPOSED = (5865, 7323, 9180, 9626, 10827, 11883, 12923, 14423, 15044)
_HARMONICS = ((2, 0), (1, 0), (3, 0), (0, 0), (2, 1), (4, 0), (0, 1), (5, 0), (3, 1))
_COMPLETE = (
    ("n = 2, forward", (2, 0, "forward"), 5347.0),
    ("n = 2, backward", (2, 0, "backward"), 5687.0),
    ("n = 1, backward", (1, 0, "backward"), 6981.0),
    ("n = 1, forward", (1, 0, "forward"), 7116.0),
    ("n = 3, forward", (3, 0, "forward"), 8828.0),
    ("n = 3, backward", (3, 0, "backward"), 9101.0),
    ("n = 0", (0, 0, ""), 9422.0),
)


def _paper_disc(refinement: int) -> DiscreteBody:
    return _body(annulus(0.02, 0.2, divisions=(8 * refinement, 32 * refinement), order=2), PAPER, "strain")


def _classic(refinement: int) -> list[float]:
    wanted = [(n, order, "") for n, order in _HARMONICS]
    return [w / (2 * np.pi) for w in pick(modes(_paper_disc(refinement), count=19), wanted)]


def _as_published(refinement: int) -> list[float]:
    motion = FrameMotion.spin(2 * np.pi * 2000)
    terms = Terms(coriolis=0, centrifugal=-1, geometric=0)
    record = modes(_paper_disc(refinement), motion, terms=terms, count=19)
    pairs: list[float] = []
    assert record.nodal_diameters is not None
    for n, order in _HARMONICS:
        same = [k for k in _elastic(record) if record.nodal_diameters[k] == n]
        pairs.append(float(record.frequencies_hz[same[order * (2 if n else 1)]]))
    return pairs


def _complete(refinement: int) -> list[float]:
    record = modes(_paper_disc(refinement), FrameMotion.spin(2 * np.pi * 200), count=12)
    values = [w / (2 * np.pi) for w in pick(record, [place for _, place, _ in _COMPLETE])]
    rigid = {label: record.frequencies_hz[k] for k, label in enumerate(record.labels) if "rigid" in label}
    return [*values, float(rigid["rigid translation"]), float(rigid["rigid rotation"])]


def _ring(refinement: int) -> list[float]:
    """A closed ring of straight beams, radius 1, thickness 1/500, at Ω = half the n = 2 frequency at rest."""
    count = 60 * refinement
    angles = np.linspace(0, 2 * np.pi, count + 1)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    mesh = polyline(points.tolist(), divisions=1).merged_nodes(1e-9)
    prop = BeamProperty(UNIT, Rectangle(0.01, 0.002), rotary_inertia=0.0)
    body = discretise(Body("ring", mesh, (Region(prop, family="euler_bernoulli_beam"),)))
    speed, _ = _ring_exact()
    record = modes(body, FrameMotion.spin(speed), count=8)
    elastic = np.sort([record.eigenvalues[k].imag for k in _elastic(record)])
    return [float(w) / speed for w in elastic[:4]]


def _ring_exact() -> tuple[float, list[float]]:
    """ω = s ± 2nΩ/(n²+1) with s² = ω0² + Ω²n²(n²−1)²/(n²+1)², in units of Ω."""
    stiffness = 0.002**2 / 12  # EI/ρA of the unit material
    rest = {n: np.sqrt(stiffness * n**2 * (n**2 - 1) ** 2 / (n**2 + 1)) for n in (2, 3)}
    speed = float(rest[2] / 2)
    values = []
    for n in (2, 3):
        s = np.sqrt(rest[n] ** 2 + speed**2 * n**2 * (n**2 - 1) ** 2 / (n**2 + 1) ** 2)
        values += [float(s + sign * 2 * n * speed / (n**2 + 1)) / speed for sign in (-1, 1)]
    return speed, sorted(values)


_MESH_DISC = "disc of Q8 elements, 8 divisions of the core square"


AXIS = (0.0, 1.0, 0.0)
FLAT = Material(young=1.0, poisson=0.3 / 1.3, density=1.0)
"""Held flat (uy = 0) it moves in its plane as one with ν = 0.3 does in plane stress."""

_FLAT_SPEED = float(np.sqrt(FLAT.solid_elasticity()[0, 0]))  # c_p
_NUMBERS = range(5)


def _in_plane(inner: float, refinement: int, speed: float = 0.0, geometric: float = 1.0) -> Modes:
    """A section of Q8 elements whose nodes do not move along the axis."""
    mesh = rectangle(1.0 - inner, 0.1, (8 * refinement, 1))
    mesh = replace(mesh, points=mesh.points + np.array([inner, 0.0, 0.0]))
    mesh = mesh.with_sets(node_sets={"all": np.arange(mesh.node_count)})
    body = Body.of_revolution("disc", mesh, material=FLAT, supports=(Fix("all", ("uy",)),))
    motion = FrameMotion.spin(speed * _FLAT_SPEED, AXIS) if speed else REST
    return modes(body, motion, terms=Terms(geometric=geometric), count=8, nodal_diameters=_NUMBERS)


def _at_rest(table: Table, inner: float, refinement: int) -> list[float]:
    return [value / _FLAT_SPEED for value in pick(_in_plane(inner, refinement), wanted_modes(table))]


def _spinning_section(geometric: float, refinement: int) -> list[float]:
    record = _in_plane(0.0, refinement, 0.1, geometric)
    wanted = [(0, 0, ""), (0, 1, "")]
    wanted += [(n, 0, wave) for n in (1, 2, 3) for wave in ("backward", "forward")]
    return [value / _FLAT_SPEED for value in pick(record, wanted)]


def _across(thickness: float, refinement: int, speed: float) -> Modes:
    """A free disc that bends."""
    body = Body.of_revolution("disc", rectangle(1.0, thickness, (12 * refinement, 1)), material=UNIT)
    motion = FrameMotion.spin(speed, AXIS) if speed else REST
    return modes(body, motion, count=8, nodal_diameters=range(4))


def _bending(refinement: int) -> list[float]:
    """At rest and at S = 5."""
    unit = scale(THIN)
    rest, spinning = _across(THIN, refinement, 0.0), _across(THIN, refinement, 5 * unit)
    found = pick(rest, [(n, order, "") for n, order, _ in FREE_DISC])
    found += pick(spinning, [(n, 0, "forward" if n else "") for n, _ in SPINNING_DISC])
    return [value / unit for value in found]


def _membrane(refinement: int) -> list[float]:
    thickness = 1e-3
    speed = 400 * scale(thickness)
    record = _across(thickness, refinement, speed)
    return [value / speed for value in pick(record, [(n, 0, "forward" if n else "") for n, _ in MEMBRANE])]


_SECTION = "section of 16 Q8 elements along the radius"
_THIN_SECTION = "section of 24 Q8 elements along the radius"


CHECKS: tuple[Check, ...] = (
    Check(
        "disc-in-plane",
        "Holland 1966; Irie 1984; Bashmal 2010 (exact series)",
        f"free solid disc, plane stress, ν 0.3, at rest; {_MESH_DISC}",
        frequency_references(SOLID, 1e-4),
        _solid_at_rest,
    ),
    Check(
        "annulus-in-plane",
        "Irie 1984; Bashmal 2010 (exact series)",
        "free annulus 0.2, plane stress, ν 0.3, at rest; 18 × 72 Q8 elements",
        frequency_references(ANNULUS, 1e-4),
        _annulus_at_rest,
    ),
    Check(
        "spinning-disc-L0",
        "Bhuta & Jones 1963 (exact series)",
        f"free disc, plane stress, Ω R/c_p 0.1, rotating frame, Coriolis and centrifugal terms only; {_MESH_DISC}",
        spinning_references(SPINNING_L0),
        lambda refinement: _spinning(0.0, refinement),
    ),
    Check(
        "spinning-disc-L1",
        "exact series with the linear centrifugal stress",
        f"as spinning-disc-L0 with geometric stiffness; {_MESH_DISC}",
        spinning_references(SPINNING_L1),
        lambda refinement: _spinning(1.0, refinement),
    ),
    Check(
        "paper-003-classic",
        "paper 003, Table 1, classic model (identified disc, 0.05 %)",
        "free annulus 0.1, plane strain, ν 0.3, at rest; 16 × 64 Q8 elements",
        tuple(
            Reference(f"row {row}, n = {n} [Hz]", float(value), 1e-3)
            for row, value, (n, _) in zip((4, 6, 8, 10, 11, 13, 15, 16, 18), _CLASSIC, _HARMONICS, strict=True)
        ),
        _classic,
    ),
    Check(
        "paper-003-as-published",
        "paper 003, Table 1, proposed model",
        "as published: K + Ω²M at 2000 Hz, the wrong sign, no Coriolis, no prestress",
        tuple(
            Reference(f"row {row}, n = {n} [Hz]", float(value), 1e-3)
            for row, value, (n, _) in zip((4, 6, 8, 10, 11, 13, 15, 16, 18), _PROPOSED, _HARMONICS, strict=True)
        ),
        _as_published,
    ),
    Check(
        "paper-003-complete",
        "Fourier × radial finite elements",
        "the same disc at 200 Hz, rotating frame, all terms",
        (
            *(Reference(f"{name} [Hz]", value, 2e-3) for name, _, value in _COMPLETE),
            Reference("rigid translation [Hz]", 200.0, 1e-9),
            Reference("rigid rotation [Hz]", 0.0, 1e-5, scale=200.0),
        ),
        _complete,
    ),
    Check(
        "spinning-ring",
        "inextensional ring, ω = s ± 2nΩ/(n²+1)",
        "120 straight Euler–Bernoulli beams, h/R 1/500, no rotary inertia, rotating frame, all terms",
        tuple(
            Reference(f"ω/Ω, {name}", value, 1e-3)
            for name, value in zip(("n = 2", "n = 2", "n = 3", "n = 3"), _ring_exact()[1], strict=True)
        ),
        _ring,
    ),
    Check(
        "revolved-disc-in-plane",
        "Holland 1966; Irie 1984; Bashmal 2010 (exact series)",
        f"free solid disc by nodal diameters, held flat (ν 0.3 of plane stress), at rest; {_SECTION}",
        frequency_references(SOLID, 5e-5),
        lambda refinement: _at_rest(SOLID, 0.0, refinement),
    ),
    Check(
        "revolved-annulus-in-plane",
        "Irie 1984; Bashmal 2010 (exact series)",
        f"free annulus 0.2 by nodal diameters, held flat (ν 0.3 of plane stress), at rest; {_SECTION}",
        frequency_references(ANNULUS, 1e-4),
        lambda refinement: _at_rest(ANNULUS, 0.2, refinement),
    ),
    Check(
        "revolved-spinning-disc-L0",
        "Bhuta & Jones 1963 (exact series)",
        f"the disc at Ω R/c_p 0.1, rotating frame, Coriolis and centrifugal terms only; {_SECTION}",
        spinning_references(SPINNING_L0),
        lambda refinement: _spinning_section(0.0, refinement),
    ),
    Check(
        "revolved-spinning-disc-L1",
        "exact series with the linear centrifugal stress",
        f"as revolved-spinning-disc-L0 with geometric stiffness; {_SECTION}",
        spinning_references(SPINNING_L1),
        lambda refinement: _spinning_section(1.0, refinement),
    ),
    Check(
        "revolved-disc-bending",
        "Kirchhoff's plate, at rest and with the stress of rotation",
        f"free disc, ν 0.3, t/R 0.005 (shear lowers the values by 2e-4), S 0 and 5; {_THIN_SECTION}",
        (
            *(Reference(f"λ², n = {n}, {order + 1}., at rest", value, 1e-3) for n, order, value in FREE_DISC),
            *(Reference(f"ωR²√(ρt/D), n = {n}, S 5", value, 1e-3) for n, value in SPINNING_DISC),
        ),
        _bending,
    ),
    Check(
        "revolved-spinning-membrane",
        "Lamb & Southwell 1921 (without bending)",
        f"free disc by nodal diameters, ν 0.3, t/R 0.001, S 400, rotating frame; {_THIN_SECTION}",
        tuple(Reference(f"ω/Ω, n = {n}, s = {s}", membrane_exact(n, s), 5e-4) for n, s in MEMBRANE),
        _membrane,
    ),
)
