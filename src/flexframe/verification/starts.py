"""Equilibria: starts of coupled motion (bodies that are held, fall, spin or are pushed) and systems at rest."""

import numpy as np

from flexframe.analyses.simulate import simulate
from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.elements.properties import Material, Rectangle
from flexframe.model.body import Body
from flexframe.model.drives import PositionDrive
from flexframe.model.joints import Joint, Prismatic, Revolute, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.supports import Clamp, Pin, Roller, Support
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity, SystemLoad, TorsionSpring
from flexframe.reduction.attached import MeanAxes
from flexframe.reduction.strategies import Modal
from flexframe.sensors import JointSensor, MarkerSensor
from flexframe.verification.contract import Check, Reference

_STEEL, _SIDE, _LENGTH, _GRAVITY = Material(210e9, 0.3, 7850.0), 0.02, 1.0, 9.81
_AREA, _BENDING = _SIDE**2, _STEEL.young * _SIDE**4 / 12
_WEIGHT = _STEEL.density * _AREA * _GRAVITY  # N/m
_SPEED, _PUSH = 60.0, 1000.0  # rad/s, N
_SHAKING, _STROKE = 60.0, 1e-3  # rad/s, m
_WAVE = _SPEED * np.sqrt(_STEEL.density / _STEEL.young)  # k of EA u″ + ρAΩ²(x + u) = 0


def _rod(divisions: int, *, supports: tuple[Support, ...]) -> Body:
    """A square steel rod of 1 m."""
    return Body.beam(
        "rod",
        length=_LENGTH,
        divisions=divisions,
        section=Rectangle(_SIDE, _SIDE),
        material=_STEEL,
        theory="euler_bernoulli",
        supports=supports,
    )


def _motion(
    divisions: int,
    *,
    supports: tuple[Support, ...] = (),
    joints: tuple[Joint, ...] = (),
    loads: tuple[SystemLoad, ...] = (),
    start: Placement | None = None,
) -> CoupledMotion:
    """A tenth of a second of the rod."""
    body = _rod(divisions, supports=supports)
    system = System([body], joints, loads=loads, start={} if start is None else {"rod": start})
    sensors = {
        "first": MarkerSensor("displacement", "rod.start"),
        "middle": MarkerSensor("displacement", "rod", at=(_LENGTH / 2, 0.0)),
        "last": MarkerSensor("displacement", "rod.end"),
    }
    held = {link.name: JointSensor("joint_moment", link.name, along=(0.0, 0.0, 1.0)) for link in joints}
    choice = ReductionChoice(Modal(4), None if supports else MeanAxes(), inertia_shapes=True)
    return simulate(
        system, duration=0.1, step=5e-4, samples=101, sensors={**sensors, **held}, reductions={"rod": choice}
    )


def _held_tip(refinement: int) -> list[float]:
    """Smallest and largest deflection of the tip and moment of the clamp: they must not change."""
    found = _motion(
        4 * refinement,
        supports=(Clamp("start"),),
        joints=(Weld("wall", "ground", "rod.start"),),
        loads=(SystemGravity(acceleration=(0.0, -_GRAVITY)),),
    )
    tip, moment = found.sensors["last"].values[:, 1], found.sensors["wall"].values
    return [tip.min(), tip.max(), moment.min(), moment.max()]


def _falling(refinement: int) -> list[float]:
    """Acceleration and sag in the middle at the first instant."""
    found = _motion(
        4 * refinement,
        supports=(Pin("start"), Roller("end", (0.0, 1.0))),
        joints=(Revolute("hinge", "ground", "rod.start"),),
        loads=(SystemGravity(acceleration=(0.0, -_GRAVITY)),),
    )
    turn = found.motion.body("rod").angular_accelerations[0, 2]
    return [float(turn), float(found.sensors["middle"].values[0, 1])]


def _spinning(refinement: int) -> list[float]:
    """Smallest and largest elongation."""
    start = Placement(velocity=np.array([0.0, -_SPEED / 2, 0.0]), angular_velocity=np.array([_SPEED]))
    return _elongations(_motion(4 * refinement, start=start))


def _push(refinement: int) -> list[float]:
    push = MarkerForce("push", "rod.end", (-_PUSH, 0.0), axes="body")
    return _elongations(_motion(4 * refinement, loads=(push,)))


def _shaken_tip(refinement: int) -> list[float]:
    """Largest deflection of the tip, and that a quarter of a period after the start, on the steady cycle."""
    period = 2 * np.pi / _SHAKING
    system = System(
        [_rod(4 * refinement, supports=(Clamp("start"),))],
        [Prismatic("guide", "ground", "rod.start", axis=(0.0, 1.0))],
        [PositionDrive("shaker", "ground", "rod.start", f"{_STROKE}*sin({_SHAKING}*t)", axis=(0.0, 1.0))],
    )
    found = simulate(
        system,
        duration=period,
        step=period / (400 * refinement),
        samples=401,
        sensors={"tip": MarkerSensor("displacement", "rod.end", along=(0.0, 1.0))},
        reductions={"rod": ReductionChoice(Modal(4), inertia_shapes=True)},
        initial_deformation="periodic",
        period=period,
    )
    tip = found.sensors["tip"].values
    return [float(tip.max()), float(tip[100])]


def _upright(refinement: int) -> list[float]:  # noqa: ARG001 - nothing is divided
    """Eigenvalues of a rod upright on a coil and of the position it falls into, and the tilt of that."""
    rod = RigidBody.rod("rod", length=_LENGTH, mass=1.0)
    coil = TorsionSpring("coil", "ground", "rod", stiffness=_COIL, free=np.pi / 2)
    found = [
        system_statics(
            System(
                [rod],
                [Revolute("foot", "ground", "rod.start")],
                loads=[SystemGravity(acceleration=(0.0, -_GRAVITY)), coil],
                start={"rod": Placement(rotation=np.array([np.pi / 2 - off]))},
            )
        )
        for off in (0.0, 1e-3)
    ]
    angles = found[1].motion.body("rod").angles
    assert angles is not None
    return [*(float(each.eigenvalues[0].real) for each in found), np.pi / 2 - float(angles[0])]


def _elongations(found: CoupledMotion) -> list[float]:
    longer = found.sensors["last"].values[:, 0] - found.sensors["first"].values[:, 0]
    return [longer.min(), longer.max()]


_SAG, _ROOT = -_WEIGHT * _LENGTH**4 / (8 * _BENDING), _WEIGHT * _LENGTH**2 / 2
_FALL = -1.5 * _GRAVITY / _LENGTH / (1 + _SIDE**2 / (4 * _LENGTH**2))
_STRETCH = 2 * np.tan(_WAVE * _LENGTH / 2) / _WAVE - _LENGTH
_SHORTENING = -_PUSH * _LENGTH / (2 * _STEEL.young * _AREA)
_BEND = (_STEEL.density * _AREA * _SHAKING**2 * _LENGTH**4 / _BENDING) ** 0.25  # λ
_SHAKEN = _STROKE * ((np.cos(_BEND) + np.cosh(_BEND)) / (1 + np.cos(_BEND) * np.cosh(_BEND)) - 1)
_RODS = "steel rod 1 m, 20 mm by 20 mm, Euler–Bernoulli, 4 modes with static answers, 8 elements"
_ROD = f"{_RODS}, 0.1 s in equilibrium"

_COIL = 0.6 * _GRAVITY * _LENGTH / 2  # N m/rad, of a rod of 1 kg: 60 % of what holds it upright
_TILT = 1.660034813264619  # ψ with sin ψ = 0.6 ψ

CHECKS: tuple[Check, ...] = (
    Check(
        "start-held-cantilever",
        "exact, ρgA L⁴/8EI and ρgA L²/2",
        f"{_ROD}; clamped, under its weight; deflections of 1e-3 of the length are of relative size 1e-6 in it",
        (
            Reference("smallest deflection of the tip [m]", _SAG, 1e-5),
            Reference("largest deflection of the tip [m]", _SAG, 1e-5),
            Reference("smallest moment of the clamp [N m]", _ROOT, 1e-5),
            Reference("largest moment of the clamp [N m]", _ROOT, 1e-5),
        ),
        _held_tip,
    ),
    Check(
        "start-falling-rod",
        "exact, 3g/2L and 5 ρgA L⁴/1536EI",
        f"{_ROD}; hinged at one end, let go from the horizontal, first instant; rotary inertia is (h/2L)² = 1e-4",
        (
            Reference("angular acceleration [rad/s²]", _FALL, 1e-5),
            Reference("sag of the middle [m]", -5 * _WEIGHT * _LENGTH**4 / (1536 * _BENDING), 5e-4),
        ),
        _falling,
    ),
    Check(
        "start-spinning-rod",
        "exact, 2 tan(kL/2)/k − L, k = Ω sqrt(ρ/E)",
        f"{_ROD}; free, at 60 rad/s about its middle, mean axes; strains of 2e-5, by which laws of strain differ",
        (
            Reference("smallest elongation [m]", _STRETCH, 1e-4),
            Reference("largest elongation [m]", _STRETCH, 1e-4),
        ),
        _spinning,
    ),
    Check(
        "start-pushed-rod",
        "exact, F L/2EA (inertia relief)",
        f"{_ROD}; free, pushed along by 1 kN at one end, mean axes; laws of strain differ by 1e-5",
        (
            Reference("smallest elongation [m]", _SHORTENING, 3e-5),
            Reference("largest elongation [m]", _SHORTENING, 3e-5),
        ),
        _push,
    ),
    Check(
        "start-shaken-cantilever",
        "exact, (cos λ + cosh λ)/(1 + cos λ cosh λ) − 1, λ⁴ = ρAΩ²L⁴/EI",
        f"{_RODS}, its root shaken by 1 mm at 60 rad/s, on its steady cycle; rotary inertia 1e-4, generalised-α "
        "with 800 steps a period",
        (
            Reference("largest deflection of the tip [m]", _SHAKEN, 1e-3),
            Reference("deflection after a quarter of a period [m]", _SHAKEN, 1e-3),
        ),
        _shaken_tip,
    ),
    Check(
        "equilibrium-upright-rod",
        "exact, (c − M)/I upright, sin ψ = (c/M) ψ and (c − M cos ψ)/I beside it, M = mgL/2, I = mL²/3",
        "rigid rod 1 m, 1 kg on a coil of c = 0.6 M; upright it is unstable, from 1 mrad beside it falls to ψ",
        (
            Reference("eigenvalue upright [rad²/s²]", -0.4 * 1.5 * _GRAVITY / _LENGTH, 1e-7),
            Reference("eigenvalue at rest [rad²/s²]", (0.6 - np.cos(_TILT)) * 1.5 * _GRAVITY / _LENGTH, 1e-7),
            Reference("tilt at rest [rad]", _TILT, 1e-9),
        ),
        _upright,
    ),
)
