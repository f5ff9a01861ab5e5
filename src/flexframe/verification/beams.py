"""Beams at rest and in rotation."""

from collections.abc import Callable, Sequence

import numpy as np

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import STEEL, Circle, Rectangle, StrainLaw
from flexframe.model.body import Body
from flexframe.model.supports import Clamp, Fix, Support
from flexframe.motion.frame import FrameMotion
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


def _coupled(refinement: int) -> list[float]:
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

CHECKS: tuple[Check, ...] = (
    *(_flap_check(gamma, place) for gamma in _FLAP for place in (0, 1)),
    Check(
        "rotating-cantilever-coupled",
        "Chung & Yoo 2002",
        "first chordwise mode with stretch coupling, engineering strain, slenderness 70, hub radius 0, 60 beams",
        tuple(Reference(f"lag 1, γ = {gamma:g}", value, 2e-5) for gamma, value in _CHUNG_YOO.items()),
        _coupled,
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
)
