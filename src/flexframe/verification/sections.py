"""Sections of beams: tubes against Cowper's shear factor and our own solids, and stretching under axial force."""

from functools import cache
from itertools import pairwise

import numpy as np

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import discretise
from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.properties import STEEL, BeamProperty, Circle, Material, Rectangle, StrainLaw
from flexframe.elements.section_shapes import channel_section
from flexframe.mesh.builders import line
from flexframe.mesh.solid_builders import tube
from flexframe.model.body import Body, Region
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import FrameMotion
from flexframe.verification.contract import Check, Reference

_OUTER, _INNER, _LENGTH = 0.1, 0.09, 0.5
_CANTILEVER = (Clamp("start"),)


def _tube(divisions: int, load: float = 0.0) -> Body:
    return Body.beam(
        "tube",
        length=_LENGTH,
        divisions=divisions,
        section=Circle(_OUTER, _INNER),
        material=STEEL,
        supports=_CANTILEVER,
        loads=(NodeForce("end", (0.0, load, 0.0)),) if load else (),
        space="spatial",
    )


def _bending(frequencies: list[float]) -> list[float]:
    """Bending comes in pairs of equal frequencies; that of each pair."""
    found = np.array(frequencies)
    return [float(a) for a, b in pairwise(found) if abs(b / a - 1) < 1e-6]


@cache
def _solid_tube() -> list[float]:
    """First and second bending of the solid tube [Hz]; between them it ovals."""
    mesh = tube(_INNER / 2, _OUTER / 2, _LENGTH, (1, 24, 24), order=2)
    record = modes(Body.solid("tube", mesh, material=STEEL, supports=(Clamp("bottom"),)), count=10)
    # a section that only moves sideways: the mean over the free end is as large as the largest displacement
    end = mesh.nodes_of("top")
    mean = np.linalg.norm(np.abs(record.shapes[:, end, :2].mean(axis=1)), axis=1)
    return _bending([float(f) for f in record.frequencies_hz[mean > 0.5]])[:2]


def _against_solids(refinement: int) -> list[float]:
    found = _bending([float(f) for f in modes(_tube(20 * refinement), count=6).frequencies_hz])
    return [beam / solid for beam, solid in zip(found, _solid_tube(), strict=False)]


def _tip(refinement: int) -> list[float]:
    record = statics(_tube(2 * refinement, 1000.0))
    return [float(record.displacements[-1, 1])]


def _stretching(strain_law: StrainLaw) -> Check:
    """Spin at which the root stretches by 2 %: ((1 + 0.02 (1 − x²)) u')' + (ω² + Ω²) u = 0, Ω² = 0.04."""
    roots = {"green": (1.571710373, 4.740485675), "engineering": (1.558011906, 4.708142936)}[strain_law]

    def compute(refinement: int) -> list[float]:
        prop = BeamProperty(Material(1.0, 0.3, 1.0), Rectangle(1e-3, 1e-3), strain_law=strain_law)
        held = (Clamp("start"), Fix("all", ("uy", "uz", "rx", "ry", "rz")))
        region = Region(prop, family="timoshenko_beam")
        body = Body("rod", line(1.0, 100 * refinement), (region,), supports=held, space="spatial")
        record = modes(discretise(body), FrameMotion.spin(0.2), count=2)
        return [float(2 * np.pi * f) for f in record.frequencies_hz]

    return Check(
        f"spinning-stretch-{strain_law}",
        "exact: power series" if strain_law == "green" else "exact: √((k − ½)²π² − Ω²)",
        f"stretching of a beam that spins about its root, 2 % strain there, {strain_law} strain, 200 elements",
        # linear elements of size h: (kh)²/24
        tuple(Reference(f"ω{k + 1}", value, 3e-5) for k, value in enumerate(roots)),
        compute,
    )


def _torsion(refinement: int) -> list[float]:  # noqa: ARG001 - a section has its own two meshes
    """Square of side 1, equilateral triangle of side 1."""
    square = PolygonSection(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    triangle = PolygonSection(((0.0, 0.0), (1.0, 0.0), (0.5, float(np.sqrt(0.75)))))
    return [square.torsion_constant, triangle.torsion_constant]


def _channel(refinement: int) -> list[float]:  # noqa: ARG001 - as above
    """The shear centre behind the middle of the web."""
    section = channel_section(0.2, 0.1, web=0.002, flange=0.002)
    return [0.001 - section.centroid[1] - section.shear_centre[1]]


CHECKS: tuple[Check, ...] = (
    Check(
        "section-torsion",
        "exact: series, 0.1405770; √3/80",
        "Saint-Venant's warping on triangles of second order, two meshes and their limit",
        (Reference("J of a square", 0.140577014955, 2e-5), Reference("J of a triangle", 0.021650635095, 2e-5)),
        _torsion,
    ),
    Check(
        "section-shear-centre",
        "thin walls: e = 3b²t/(h t + 6 b t) with b 99, h 198 mm",
        "channel 200 × 100 × 2 mm, distance of the shear centre from the middle of the web",
        (Reference("e [m]", 0.037125, 1e-2),),
        _channel,
    ),
    Check(
        "tube-cantilever",
        "exact: FL³/3EI + FL/κGA, κ 0.5329694 of Cowper 1966",
        "steel tube 100 × 5 mm, L 0.5 m, F 1000 N, 4 elements",
        (Reference("deflection of the end [m]", 1.253186084983e-4, 1e-10),),
        _tip,
    ),
    Check(
        "tube-solids",
        "own solid elements of second order, 1 × 24 × 24",
        "steel tube 100 × 5 mm, L 0.5 m, clamped, 40 Timoshenko beams; frequency over that of the solid",
        (Reference("bending 1", 1.0, 5e-3), Reference("bending 2", 1.0, 5e-3)),
        _against_solids,
    ),
    _stretching("green"),
    _stretching("engineering"),
)
