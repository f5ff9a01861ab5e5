"""Rotors over their speed: both frames, critical speeds, stability, unbalance."""

import numpy as np

from flexframe.analyses.campbell import campbell_diagram
from flexframe.analyses.frequency_response import unbalance_response
from flexframe.analyses.rotation.bearings import Bearing
from flexframe.analyses.rotation.harmonic_loads import Unbalance
from flexframe.elements.properties import STEEL, BeamProperty, Circle, Material
from flexframe.mesh.builders import line
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.couplings import GroundSpring
from flexframe.model.supports import Hold
from flexframe.verification.contract import Check, Reference

_AXIS = (1, 0, 0)
_TURN = 2 * np.pi
_MASS = 2.0
_INNER = 4.0  # N s/m in the rotor
_OUTER = 6.0  # N s/m in space


def _point_rotor(divisions: int, damping: float = 0.0) -> Body:
    """2 kg on springs of 10 Hz in all directions, spread over the nodes of a beam that stays parallel to x."""
    section = Circle(0.01)
    nodes, beam = divisions + 1, section.area * 0.1
    stiffness = _MASS * (_TURN * 10.0) ** 2 / nodes
    return Body(
        "rotor",
        line(0.1, divisions),
        (Region(BeamProperty(Material(1e11, 0.3, 1.0), section), family="euler_bernoulli_beam"),),
        supports=(Hold("all", ("ux", "rx", "ry", "rz")),),
        # the beam gives inner nodes twice the mass of the ends
        point_masses=tuple(
            PointMass(k, _MASS / nodes - beam / divisions / (2 if k in (0, divisions) else 1))
            for k in range(nodes)
        ),
        springs=(
            GroundSpring("all", (0.0, stiffness, stiffness), damping=(0.0, damping / nodes, damping / nodes)),
        ),
        space="spatial",
    )


def _both_frames(refinement: int) -> list[float]:
    diagram = campbell_diagram(_point_rotor(refinement), [_TURN * 5], modes=2, axis=_AXIS)
    assert diagram.whirl is not None and diagram.inertial_frequencies_hz is not None
    order = [diagram.whirl.index(word) for word in ("forward", "backward")]
    seen = [*diagram.frequencies_hz[0, order], *diagram.inertial_frequencies_hz[0, order]]
    critical = campbell_diagram(_point_rotor(refinement), [_TURN * 15], modes=2, axis=_AXIS)
    return [float(f) for f in (*seen, critical.critical_speeds_rad_s[0] / _TURN)]


def _jeffcott(refinement: int) -> list[float]:
    speeds = _TURN * np.linspace(1.0, 31.0, 11)
    nodes = refinement + 1
    diagram = campbell_diagram(
        _point_rotor(refinement, _INNER),
        speeds,
        modes=2,
        axis=_AXIS,
        bearings=[Bearing("all", damping=_OUTER / nodes)],
    )
    damping = 2 * 0.05 * _MASS * _TURN * 10
    orbit = unbalance_response(
        _point_rotor(refinement),
        _TURN * np.array([5.0, 10.0]),
        [Unbalance("all", _MASS * 1e-3 / nodes)],
        {"disc": "start"},
        axis=_AXIS,
        bearings=[Bearing("all", damping=damping / nodes)],
    )
    radii = orbit.curves["disc"].amplitude
    return [diagram.stability_limits[0] / (_TURN * 10), *(float(radius) for radius in radii)]


def _rayleigh_critical(order: int, factor: int) -> float:
    """EIk⁴ = Ω²(ρA + factor ρIk²), k = nπ/L; factor −1 forward, 3 backward."""
    section, k = Circle(0.05), order * np.pi
    inertia = section.inertia_z
    return float(
        np.sqrt(STEEL.young * inertia * k**4 / (STEEL.density * (section.area + factor * inertia * k**2)))
    )


def _shaft(refinement: int) -> list[float]:
    body = Body.beam(
        "shaft",
        length=1.0,
        divisions=12 * refinement,
        section=Circle(0.05),
        material=STEEL,
        theory="euler_bernoulli",
        supports=(Hold("start", ("ux", "uy", "uz")), Hold("end", ("uy", "uz")), Hold("all", ("rx",))),
        space="spatial",
    )
    diagram = campbell_diagram(body, np.linspace(0.0, 2700.0, 4), modes=8, axis=_AXIS, engine_orders=(2,))
    forward = diagram.critical_speeds_rad_s[:2]
    # backward whirl at Ω in space is 2Ω on the shaft
    backward = [
        c.speed_rad_s
        for c in diagram.critical_speeds
        if c.engine_order == 2
        and c.inertial_frequency_hz
        and abs(c.frequency_hz / c.inertial_frequency_hz - 2) < 1e-9
    ]
    return [*forward, *backward[:2]]


CHECKS = (
    Check(
        "isolated-mass-in-both-frames",
        "exact: ω₀ ∓ Ω on the rotor, ω₀ in space, critical at ω₀",
        "2 kg on isotropic springs of 10 Hz that turn with it, Ω = 5 turns/s, all terms",
        (
            Reference("forward, rotating frame [Hz]", 5.0, 1e-10),
            Reference("backward, rotating frame [Hz]", 15.0, 1e-10),
            Reference("forward, inertial frame [Hz]", 10.0, 1e-10),
            Reference("backward, inertial frame [Hz]", 10.0, 1e-10),
            Reference("critical speed [turns/s]", 10.0, 1e-10),
        ),
        _both_frames,
    ),
    Check(
        "jeffcott-rotor",
        "exact: 1 + c_ext/c_int; e r²/√((1 − r²)² + (2ζr)²)",
        "ω₀ 10 Hz; c_int 4, c_ext 6 N s/m; unbalance e 1 mm with ζ = 0.05 in space",
        (
            Reference("stability limit Ω/ω₀", 1 + _OUTER / _INNER, 1e-9),
            Reference("orbit at r = 0.5 [m]", 1e-3 * 0.25 / float(np.hypot(0.75, 0.05)), 1e-10),
            Reference("orbit at r = 1 [m]", 1e-3 / 0.1, 1e-10),
        ),
        _jeffcott,
    ),
    Check(
        "rayleigh-shaft-critical-speeds",
        "exact simply supported Rayleigh shaft, EIk⁴ = Ω²(ρA − ρIk²) forward, Ω²(ρA + 3ρIk²) backward",
        "d 50 mm, L 1 m, steel, 24 elements; solved as eigenvalues of Ω²",
        tuple(
            Reference(f"{word} {order} [rad/s]", _rayleigh_critical(order, factor), 1e-5)
            for word, factor in (("forward", -1), ("backward", 3))
            for order in (1, 2)
        ),
        _shaft,
    ),
)
