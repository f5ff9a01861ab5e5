"""Discs by their sections: the references of discs in and across their plane, every nodal diameter by itself."""

from dataclasses import replace

import numpy as np

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.elements.properties import Material
from flexframe.equations.coefficients import Terms
from flexframe.mesh.builders import rectangle
from flexframe.model.body import Body
from flexframe.model.supports import Fix
from flexframe.motion.frame import REST, FrameMotion
from flexframe.verification.contract import Check, Reference
from flexframe.verification.discs import (
    ANNULUS,
    SOLID,
    SPINNING_L0,
    SPINNING_L1,
    Table,
    frequency_references,
    pick,
    spinning_references,
    wanted_modes,
)
from flexframe.verification.plates import (
    FREE_DISC,
    MEMBRANE,
    SPINNING_DISC,
    THIN,
    UNIT,
    membrane_exact,
    scale,
)

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


def _spinning(geometric: float, refinement: int) -> list[float]:
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
        lambda refinement: _spinning(0.0, refinement),
    ),
    Check(
        "revolved-spinning-disc-L1",
        "exact series with the linear centrifugal stress",
        f"as revolved-spinning-disc-L0 with geometric stiffness; {_SECTION}",
        spinning_references(SPINNING_L1),
        lambda refinement: _spinning(1.0, refinement),
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
