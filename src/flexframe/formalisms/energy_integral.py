"""The energy integral that removes time: whether it exists, and what takes it away."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.model.characteristics import Sprung
from flexframe.model.constraints import Fixed
from flexframe.model.elasticity import Bushing
from flexframe.model.friction import Friction
from flexframe.model.system_loads import MarkerForce, Motor, SystemGravity, SystemLoad
from flexframe.model.transmissions.forces import TransmissionForce
from flexframe.motion.frame import FrameMotion

if TYPE_CHECKING:
    from flexframe.multibody.contract import DynamicSystem

CONSTANT = 1e-9  # change of ω or a_O, relative to its size, that still counts as constant
_TRIAL_TIMES = np.array([0.0, 0.1, 0.7321, 3.3, 17.9])  # at which a law that never changes shows no rate


def lost_on_frame(motions: Sequence[FrameMotion], *, damped: bool) -> str | None:
    """Why a body on a frame with these instants has no energy (Jacobi) integral, or None."""
    spin = np.array([motion.angular_velocity for motion in motions])
    spin_rate = np.array([motion.angular_acceleration for motion in motions])
    push = np.array([motion.origin_acceleration for motion in motions])
    reason = _changing_spin(spin, spin_rate)
    if reason is None and _changes(push):
        reason = "a_O changes in the body frame (ȧ ≠ 0)"
    if reason is None and damped:
        reason = "the body is damped, so energy is lost"
    return None if reason is None else f"there is no energy (Jacobi) integral: {reason}"


def lost_in_system(system: "DynamicSystem") -> str | None:
    """Why no angle of a system can replace time by an energy integral, or None."""
    if not system.planar:
        return "the system moves in space, where rotations are not coordinates; it is for planar ones"
    reason = _law_of_time(system) or _velocity_constraint(system) or _loss(system)
    return None if reason is None else f"there is no energy integral: {reason}"


def _changing_spin(spin: Array, spin_rate: Array) -> str | None:
    """What changes of ω, or None."""
    size = float(np.abs(spin).max(initial=0.0))
    rate = float(np.abs(spin_rate).max(initial=0.0))
    if not _changes(spin) and rate <= CONSTANT * max(size**2, 1e-300):
        return None
    across = np.cross(spin, spin_rate)
    turning = float(np.abs(across).max(initial=0.0)) > CONSTANT * max(size * rate, 1e-300)
    if turning:
        return "the direction of ω changes in the body frame (ε is not parallel to ω)"
    return "the speed of rotation changes (ω̇ = ε ≠ 0)"


def _changes(values: Array) -> bool:
    spread = np.abs(values - values[0]).max(initial=0.0)
    return bool(spread > CONSTANT * np.abs(values).max(initial=0.0))


def _law_of_time(system: "DynamicSystem") -> str | None:
    constraints = system.mechanism.constraints
    for entry, owner in zip(constraints.entries, constraints.owners, strict=True):
        law = getattr(entry.constraint, "law", Fixed())
        if not isinstance(law, Fixed) and np.abs(law.jet(_TRIAL_TIMES)[1]).max() > 0:
            return f"{owner} prescribes a motion in time"
    return None


def _velocity_constraint(system: "DynamicSystem") -> str | None:
    constraints = system.mechanism.constraints
    for owner, holonomic in zip(constraints.owners, constraints.holonomic, strict=True):
        if not holonomic:
            return f"{owner} is a constraint on velocities, so that places do not determine V"
    return None


def _loss(system: "DynamicSystem") -> str | None:
    """Something that takes or gives energy."""
    joined = len(system.tables.joined_damping) > 0
    for body in system.bodies:
        if joined or np.any(body.damping) or body.loads is not None:
            loaded = f"the loads of body {body.name} are not counted as a potential"
            return f"{body.name} is damped" if joined or np.any(body.damping) else loaded
    beams = system.tables.beams
    if beams.damping.any() or len(beams.loaded):
        return (
            "exact beams are damped"
            if beams.damping.any()
            else "loads along exact beams are not counted as a potential"
        )
    laws = system.mechanism.force_laws
    damped = [law for law in laws if isinstance(law, Sprung | TransmissionForce) and law.damped]
    if damped:
        return f"the damper of {damped[0].name} takes energy"
    reasons = (_no_potential(load) for load in system.system.loads)
    return next((reason for reason in reasons if reason is not None), None)


def _no_potential(load: SystemLoad) -> str | None:
    """Why a load has no potential, or None."""
    match load:
        case SystemGravity():
            return f"{load.name} changes with time" if load.constant_factor is None else None
        case Sprung() | Bushing():
            return f"{load.name} follows more than its own coordinate" if load.follows else None
        case Friction() | Motor():
            return f"{load.name} depends on the speed"
        case MarkerForce():
            return f"the force {load.name} is not counted as a potential"
    return f"the load {load.name} has no potential"
