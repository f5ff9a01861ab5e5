"""Beams at rest and in rotation, their largest stress, and their sections."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import numpy as np

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.properties import STEEL, BeamProperty, Circle, Material, Rectangle, Section, StrainLaw
from flexframe.elements.section_shapes import channel_section
from flexframe.mesh.builders import line
from flexframe.mesh.solid_builders import tube
from flexframe.model.body import Body, Region
from flexframe.model.loads import LineLoad, Load, NodeForce
from flexframe.model.supports import Clamp, Fix, Support
from flexframe.motion.frame import REST, FrameMotion
from flexframe.verification.contract import Check, Reference

# flap of Wright 1982 for hub radius 0 and 1, by γ
_FLAP = {
    0.0: ((3.516015, 22.034492, 61.697214), (3.516015, 22.034492, 61.697214)),
    2.0: ((4.137320, 22.614922, 62.273184), (4.833689, 23.366042, 63.067548)),
    4.0: ((5.585001, 24.273349, 63.966761), (7.475048, 26.957262, 66.986772)),
    8.0: ((9.256838, 29.995382, 70.292962), (13.507389, 37.953793, 80.529532)),
    12.0: ((13.170151, 37.603112, 79.614479), (19.721542, 51.070134, 98.526797)),
}
_COUPLED_LAG = {1000.0: 3.89768, 300.0: 3.89720}  # γ = 4, by slenderness
_CHUNG_YOO = {2.0: 3.61957, 4.0: 3.88807, 6.0: 4.23933, 8.0: 4.61058, 10.0: 4.97002}


def _cantilever(
    divisions: int, slenderness: float, root: float, strain_law: StrainLaw = "green"
) -> tuple[DiscreteBody, float]:
    """Euler–Bernoulli cantilever of length 1, √(AL²/I) = slenderness, and √(EI/ρAL⁴)."""
    side = float(np.sqrt(12)) / slenderness
    section = Rectangle(side, side)
    body = Body.beam(
        "blade",
        length=1.0,
        divisions=divisions,
        section=section,
        material=STEEL,
        theory="euler_bernoulli",
        root=root,
        rotary_inertia=0.0,
        strain_law=strain_law,
        supports=(Clamp("start"), Fix("all", ("rx",))),
        space="spatial",
    )
    scale = np.sqrt(STEEL.young * section.inertia_z / (STEEL.density * section.area))
    return discretise(body), float(scale)


def _by_direction(record: Modes, axis: int, count: int) -> list[float]:
    """ω of the first modes whose kinetic energy is mostly along an axis."""
    assert record.direction_shares is not None
    chosen = [k for k in range(len(record.eigenvalues)) if record.direction_shares[k, axis] > 0.5]
    return [float(abs(record.eigenvalues[k].imag)) for k in chosen[:count]]


def _flap_and_lag(gamma: float, root: float, refinement: int) -> list[float]:
    body, scale = _cantilever(20 * refinement, 1e5, root)
    record = modes(body, FrameMotion.spin(gamma * scale), count=8)
    return [w / scale for axis in (2, 1) for w in _by_direction(record, axis, 3)]


def _flap_check(gamma: float, place: int) -> Check:
    flap = _FLAP[gamma][place]
    lag = [float(np.sqrt(value**2 - gamma**2)) for value in flap]
    names = [f"{kind} {k + 1}" for kind in ("flap", "lag") for k in range(3)]

    def compute(refinement: int) -> list[float]:
        return _flap_and_lag(gamma, float(place), refinement)

    return Check(
        f"rotating-cantilever-{gamma:g}-{place}",
        "Wright 1982; Hodges & Rutkowski 1981; lag² = flap² − γ²",
        f"Euler–Bernoulli, no rotary inertia, slenderness 1e5, γ = {gamma:g}, hub radius/L = {place}, all terms, "
        "rotating frame, 40 elements",
        tuple(Reference(name, value, 1e-5) for name, value in zip(names, [*flap, *lag], strict=True)),
        compute,
    )


def _coupled_beam(refinement: int) -> list[float]:
    body, scale = _cantilever(30 * refinement, 70.0, 0.0, "engineering")
    return [
        _by_direction(modes(body, FrameMotion.spin(gamma * scale), count=3), 1, 1)[0] / scale
        for gamma in _CHUNG_YOO
    ]


def _slender(refinement: int) -> list[float]:
    found = []
    for slenderness in _COUPLED_LAG:
        body, scale = _cantilever(20 * refinement, slenderness, 0.0)
        found.append(_by_direction(modes(body, FrameMotion.spin(4.0 * scale), count=4), 1, 1)[0] / scale)
    return found


def _straight(
    theory: str, supports: tuple[Support, ...], divisions: int, *, rotary: float, slender: bool
) -> DiscreteBody:
    side = 1e-3 if slender else 0.05
    return discretise(
        Body.beam(
            "beam",
            length=1.0,
            divisions=divisions,
            section=Rectangle(side, side),
            material=STEEL,
            theory="euler_bernoulli" if theory == "euler_bernoulli" else "timoshenko",
            rotary_inertia=rotary,
            supports=supports,
        )
    )


def _beta(supports: tuple[Support, ...]) -> Callable[[int], Sequence[float]]:
    def compute(refinement: int) -> list[float]:
        body = _straight("euler_bernoulli", supports, 32 * refinement, rotary=0.0, slender=True)
        section = Rectangle(1e-3, 1e-3)
        scale = np.sqrt(STEEL.young * section.inertia_z / (STEEL.density * section.area))
        record = modes(body, count=6 if not supports else 3)
        elastic = [k for k, label in enumerate(record.labels) if "rigid" not in label]
        return [float(np.sqrt(record.eigenvalues[k].imag / scale)) for k in elastic[:3]]

    return compute


def _timoshenko(supports: tuple[Support, ...]) -> Callable[[int], Sequence[float]]:
    def compute(refinement: int) -> list[float]:
        body = _straight("timoshenko", supports, 120 * refinement, rotary=1.0, slender=False)
        record = modes(body, count=8)
        assert record.direction_shares is not None
        bending = [
            k
            for k, label in enumerate(record.labels)
            if "rigid" not in label and record.direction_shares[k, 1] > 0.5
        ]
        return [float(record.frequencies_hz[k]) for k in bending[:3]]

    return compute


def _shaft(refinement: int) -> list[float]:
    """Simply supported Rayleigh shaft about its own axis; the rotating frame sees f ∓ Ω/2π."""
    speed = 3000.0
    body = discretise(
        Body.beam(
            "shaft",
            length=1.0,
            divisions=12 * refinement,
            section=Circle(0.05),
            material=STEEL,
            theory="euler_bernoulli",
            supports=(Fix("start", ("ux", "uy", "uz", "rx")), Fix("end", ("uy", "uz", "rx"))),
            space="spatial",
        )
    )
    record = modes(body, FrameMotion.spin(speed, (1, 0, 0)), count=8)
    # the first bending shape, half a sine wave; higher modes fall below it in the rotating frame
    sine = np.sin(np.pi * record.mesh.points[:, 0])
    across = record.shapes[:, :, 1]
    likeness = np.abs(across @ sine) / np.linalg.norm(across, axis=1) / np.linalg.norm(sine)
    forward, backward = np.sort(record.frequencies_hz[likeness > 0.99])
    turns = speed / (2 * np.pi)
    return [float(turns - forward), float(backward - turns)]


_FREE: tuple[Support, ...] = ()
_CLAMPED: tuple[Support, ...] = (Clamp("start"),)


_SPAN, _FORCE, _LINE, _SPEED = 1.5, 400.0, 900.0, 120.0
_RECTANGLE, _TUBE = Rectangle(width=0.02, height=0.04), Circle(0.06, 0.05)


def _largest(divisions: int, loads: tuple[Load, ...], motion: FrameMotion, section: Section) -> float:
    body = Body.beam(
        "beam",
        length=_SPAN,
        divisions=divisions,
        section=section,
        material=STEEL,
        supports=(Clamp("start"),),
        loads=loads,
        space="spatial",
    )
    return next(m.value for m in statics(body, motion).maxima if m.measure == "fibre") / 1e6


def _peaks(refinement: int) -> list[float]:
    tip: tuple[Load, ...] = (NodeForce("end", (0, -_FORCE, 0)),)
    oblique: tuple[Load, ...] = (NodeForce("end", (0, 0.6 * _FORCE, 0.8 * _FORCE)),)
    line: tuple[Load, ...] = (LineLoad((0, -_LINE, 0)),)
    return [
        *(_largest(n * refinement, tip, REST, _RECTANGLE) for n in (1, 4)),
        *(_largest(n * refinement, line, REST, _RECTANGLE) for n in (1, 4)),
        _largest(2 * refinement, oblique, REST, _TUBE),
        _largest(2 * refinement, (), FrameMotion.spin(_SPEED), _RECTANGLE),
    ]


_MODULUS = _RECTANGLE.inertia_z / (_RECTANGLE.height / 2)
_BENDING = _FORCE * _SPAN / _MODULUS / 1e6
_UNIFORM = _LINE * _SPAN**2 / 2 / _MODULUS / 1e6
_ROUND = _FORCE * _SPAN / (_TUBE.inertia_z / (_TUBE.diameter / 2)) / 1e6
_SPIN = STEEL.density * _SPEED**2 * _SPAN**2 / 2 / 1e6
_EXACT = 1e-9  # rounding times the condition of a few elements


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
    *(_flap_check(gamma, place) for gamma in _FLAP for place in (0, 1)),
    Check(
        "rotating-cantilever-coupled",
        "Chung & Yoo 2002",
        "first chordwise mode with stretch coupling, engineering strain, slenderness 70, hub radius 0, 60 beams",
        tuple(Reference(f"lag 1, γ = {gamma:g}", value, 2e-5) for gamma, value in _CHUNG_YOO.items()),
        _coupled_beam,
    ),
    Check(
        "rotating-cantilever-slenderness",
        "converged by a second method, five decimals",
        "first chordwise mode with stretch coupling, γ = 4, hub radius 0, 40 elements",
        tuple(Reference(f"lag 1, slenderness {s:g}", value, 2e-6) for s, value in _COUPLED_LAG.items()),
        _slender,
    ),
    Check(
        "beam-free-free",
        "exact, cos βL cosh βL = 1",
        "Euler–Bernoulli, no rotary inertia, 64 elements",
        tuple(Reference(f"βL {k + 1}", v, 1e-6) for k, v in enumerate((4.73004074, 7.85320462, 10.99560784))),
        _beta(_FREE),
    ),
    Check(
        "beam-clamped-free",
        "exact, cos βL cosh βL = −1",
        "Euler–Bernoulli, no rotary inertia, 64 elements",
        tuple(Reference(f"βL {k + 1}", v, 1e-6) for k, v in enumerate((1.87510407, 4.69409113, 7.85475744))),
        _beta(_CLAMPED),
    ),
    Check(
        "timoshenko-free-free",
        "exact Timoshenko beam, κ 5/6",
        "steel 50 × 50 mm, L 1 m, 240 elements",
        tuple(Reference(f"f{k + 1} [Hz]", v, 2e-5) for k, v in enumerate((263.43997, 714.38160, 1368.7818))),
        _timoshenko(_FREE),
    ),
    Check(
        "timoshenko-clamped-free",
        "exact Timoshenko beam, κ 5/6",
        "steel 50 × 50 mm, L 1 m, 240 elements",
        tuple(Reference(f"f{k + 1} [Hz]", v, 2e-5) for k, v in enumerate((41.692796, 258.24124, 710.04645))),
        _timoshenko(_CLAMPED),
    ),
    Check(
        "rayleigh-shaft",
        "exact simply supported spinning Rayleigh shaft",
        "d 50 mm, L 1 m, Ω 3000 rad/s about its axis, inertial frame, 24 elements",
        (Reference("forward [Hz]", 102.215419, 1e-6), Reference("backward [Hz]", 100.745065, 1e-6)),
        _shaft,
    ),
    Check(
        "beam-peak-stress",
        "exact: F L/W, w L²/2W, ρΩ²L²/2 at the clamp",
        "steel cantilever of 1.5 m, rectangle 20 × 40 mm and tube 60/50 mm, largest stress of the outer fibre",
        (
            Reference("tip force, 1 element [MPa]", _BENDING, _EXACT),
            Reference("tip force, 4 elements [MPa]", _BENDING, _EXACT),
            Reference("uniform load, 1 element [MPa]", _UNIFORM, _EXACT),
            Reference("uniform load, 4 elements [MPa]", _UNIFORM, _EXACT),
            Reference("tube, oblique force [MPa]", _ROUND, _EXACT),
            Reference("spinning bar [MPa]", _SPIN, _EXACT),
        ),
        _peaks,
    ),
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
