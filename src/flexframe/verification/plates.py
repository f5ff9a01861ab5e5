"""Plates and discs that bend across their plane, at rest and spinning."""

import numpy as np

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.analyses.statics.analysis import statics
from flexframe.elements.properties import Material, ShellProperty, SolidProperty
from flexframe.mesh.builders import cylinder, disc, rectangle
from flexframe.model.loads import Pressure
from flexframe.model.supports import Clamp, Fix, Symmetric
from flexframe.motion.frame import REST, FrameMotion
from flexframe.verification.continua import spatial_body
from flexframe.verification.contract import Check, Reference

NU = 0.3
UNIT = Material(young=1.0, poisson=NU, density=1.0)
THIN = 0.005  # shear and rotary inertia then lower λ² by 2e-4 at most


def scale(thickness: float) -> float:
    """√(D/ρt) of the unit disc, so that ω = λ² × this."""
    return float(np.sqrt(thickness**2 / (12 * (1 - NU**2))))


def _square_plates(refinement: int) -> list[float]:
    """w D/qa⁴ at the centre of a quarter, simply supported and clamped, by quadrilaterals and triangles."""
    n, t = 12 * refinement, 1e-3
    material = Material(2.0, NU, 1.0)
    rigidity = material.young * t**3 / (12 * (1 - NU**2))
    in_plane = ("ux", "uy", "rz")
    planes = (Symmetric("right", (1, 0, 0)), Symmetric("top", (0, 1, 0)))
    edges = (
        (Fix("left", ("uz", "rx", *in_plane)), Fix("bottom", ("uz", "ry", *in_plane))),
        (Clamp("left"), Clamp("bottom")),
    )
    found = []
    for shape in ("quad", "triangle"):
        mesh = rectangle(0.5, 0.5, (n, n), order=1, shape=shape)
        for edge in edges:
            prop = ShellProperty(material, t)
            discrete = spatial_body(mesh, prop, [*planes, *edge], [Pressure("all", rigidity)])
            found.append(-float(statics(discrete).displacements[mesh.nearest_node((0.5, 0.5)), 2]))
    return found


def _across(record: Modes, diameters: int, order: int = 0) -> float:
    """|λ| of a mode across the plane with that many nodal diameters, the mean of a pair; NaN if absent."""
    assert record.nodal_diameters is not None and record.direction_shares is not None
    found = [
        abs(value)
        for value, n, label, shares in zip(
            record.eigenvalues, record.nodal_diameters, record.labels, record.direction_shares, strict=True
        )
        if n == diameters and "rigid" not in label and shares[2] > 0.9
    ]
    width = 2 if diameters else 1
    pair = found[width * order : width * (order + 1)]
    return float(np.mean(pair)) if pair else float("nan")


def _shell_disc(refinement: int, count: int, *, clamped: bool = False, motion: FrameMotion = REST) -> Modes:
    mesh = disc(1.0, 9 * refinement, order=1)
    supports = [Clamp("outer")] if clamped else []
    return modes(spatial_body(mesh, ShellProperty(UNIT, THIN), supports), motion, count=count)


FREE_DISC = ((2, 0, 5.35833), (0, 0, 9.00314), (3, 0, 12.43899), (1, 0, 20.47455), (2, 1, 35.26011))
_CLAMPED = ((0, 10.21583), (1, 21.26040), (2, 34.87704))
SPINNING_DISC = ((2, 9.368641), (0, 12.867611), (3, 16.050451))


def _free_disc(refinement: int) -> list[float]:
    record = _shell_disc(refinement, 20)
    return [_across(record, n, order) / scale(THIN) for n, order, _ in FREE_DISC]


def _clamped_disc(refinement: int) -> list[float]:
    record = _shell_disc(refinement, 5, clamped=True)
    return [_across(record, n) / scale(THIN) for n, _ in _CLAMPED]


def _spinning_disc(refinement: int) -> list[float]:
    record = _shell_disc(refinement, 14, motion=FrameMotion.spin(5 * scale(THIN)))
    return [_across(record, n) / scale(THIN) for n, _ in SPINNING_DISC]


def _solid_disc(thickness: float, refinement: int, motion: FrameMotion, count: int) -> Modes:
    mesh = cylinder(1.0, thickness, (3 * refinement, 1), order=2)
    return modes(spatial_body(mesh, SolidProperty(UNIT)), motion, count=count)


_SOLID_THICKNESS = 0.02


def _solid_discs(refinement: int) -> list[float]:
    """At rest and at S = 5."""
    unit = scale(_SOLID_THICKNESS)
    rest = _solid_disc(_SOLID_THICKNESS, refinement, REST, 14)
    spinning = _solid_disc(_SOLID_THICKNESS, refinement, FrameMotion.spin(5 * unit), 14)
    found = [_across(rest, n) / unit for n, _, _ in FREE_DISC[:3]]
    return found + [_across(spinning, n) / unit for n, _ in SPINNING_DISC]


def membrane_exact(n: int, s: int) -> float:
    """ω/Ω of Lamb and Southwell's spinning membrane."""
    return float(np.sqrt(((3 + NU) * (n + 2 * s) * (n + 2 * s + 2) - (1 + 3 * NU) * n**2) / 8))


MEMBRANE = ((2, 0), (0, 1), (3, 0))


def _membrane(refinement: int) -> list[float]:
    """A disc so thin that bending is 1/400 of the stiffness, at S = 400."""
    thickness = 1e-3
    speed = 400 * scale(thickness)
    mesh = disc(1.0, 4 + 4 * refinement, order=1)
    discrete = spatial_body(mesh, ShellProperty(UNIT, thickness))
    record = modes(discrete, FrameMotion.spin(speed), count=22)
    return [_across(record, n) / speed for n, _ in MEMBRANE]


CHECKS: tuple[Check, ...] = (
    Check(
        "square-plates",
        "Navier; Timoshenko (series)",
        "unit square, t 0.001, uniform load, 24 × 24 shells on a quarter",
        tuple(
            Reference(f"{cells}, {edge}, w D/qa⁴", value, 2e-3)
            for cells in ("quadrilaterals", "triangles")
            for edge, value in (("simply supported", 0.00406235), ("clamped", 0.00126532))
        ),
        _square_plates,
    ),
    Check(
        "disc-bending-free",
        "Kirchhoff's plate (exact series)",
        "free disc, ν 0.3, t/R 0.005, at rest; shell quadrilaterals, 18 divisions of the core square",
        tuple(Reference(f"λ², n = {n}, {order + 1}.", value, 5e-3) for n, order, value in FREE_DISC),
        _free_disc,
    ),
    Check(
        "disc-bending-clamped",
        "Kirchhoff's plate (exact series)",
        "disc clamped at its rim, ν 0.3, t/R 0.005, at rest; shell quadrilaterals, 18 divisions",
        tuple(Reference(f"λ², n = {n}", value, 5e-3) for n, value in _CLAMPED),
        _clamped_disc,
    ),
    Check(
        "disc-bending-spinning",
        "Kirchhoff's plate with the stress of rotation (Frobenius series)",
        "free disc, ν 0.3, S = ΩR²√(ρt/D) 5, rotating frame, all terms; shell quadrilaterals, 18 divisions",
        tuple(Reference(f"ωR²√(ρt/D), n = {n}", value, 3e-3) for n, value in SPINNING_DISC),
        _spinning_disc,
    ),
    Check(
        "disc-bending-solids",
        "Kirchhoff's plate, at rest and with the stress of rotation",
        "free disc of one layer of Hex20 elements, t/R 0.02 (shear lowers the values by 1e-3), S 0 and 5",
        (
            *(Reference(f"λ², n = {n}, at rest", value, 5e-3) for n, _, value in FREE_DISC[:3]),
            *(Reference(f"ωR²√(ρt/D), n = {n}, S 5", value, 5e-3) for n, value in SPINNING_DISC),
        ),
        _solid_discs,
    ),
    Check(
        "spinning-membrane",
        "Lamb & Southwell 1921 (without bending)",
        "free disc, ν 0.3, t/R 0.001, S 400, rotating frame; shell quadrilaterals, 12 divisions",
        tuple(Reference(f"ω/Ω, n = {n}, s = {s}", membrane_exact(n, s), 1e-2) for n, s in MEMBRANE),
        _membrane,
    ),
)
