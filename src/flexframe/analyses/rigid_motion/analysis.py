"""Motion of a mechanism under its forces."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.judging import judged
from flexframe.analyses.kinematics.analysis import mechanism_sensors
from flexframe.analyses.rigid_motion.record import Periodicity, RigidMotion
from flexframe.analyses.transient.motion_start import velocity_notice
from flexframe.errors import InputError
from flexframe.mechanisms.contacts import contact_notices
from flexframe.mechanisms.forward_dynamics import Method, Tolerances, started
from flexframe.mechanisms.inverse_dynamics import (
    inverse_dynamics,
    kinetic_energy,
)
from flexframe.mechanisms.mechanism import mechanism, watched
from flexframe.mechanisms.periodic import periodic_state
from flexframe.mechanisms.repeating import require_repeating_drives, require_repeating_loads
from flexframe.mechanisms.velocity_changes import velocity_changes
from flexframe.model.body import Body
from flexframe.model.drives import Drive
from flexframe.model.system import System
from flexframe.sensors.contract import Sensor


@judged
def rigid_motion(
    system: System,
    times: ArrayLike,
    *,
    period: float | None = None,
    settle: int = 5,
    events: Sequence[Drive] = (),
    stop_at_event: bool = False,
    relative_tolerance: float = 1e-9,
    method: Method = "explicit",
    sensors: Mapping[str, Sensor] | None = None,
) -> RigidMotion:
    """Integrate the equations of motion from the first of the times [s].

    With `period` the start is not the described one but that of the periodic motion, searched by shooting after
    some periods of settling; drives and loads must have that period. Events are coordinates written like drives;
    the times at which one passes its law are noted.

    Parameters
    ----------
    system
        Rigid bodies with joints, drives and loads.
    times
        Increasing times [s].
    period, settle
        Period [s] of a periodic motion, and how many periods are integrated before it is searched.
    events, stop_at_event
        Coordinates whose passages are noted, and whether the first one ends the motion.
    relative_tolerance
        Of the integration.
    method
        "explicit", or "implicit" for stiff systems.
    sensors
        By name, see `flexframe.sensors`.

    Returns
    -------
    RigidMotion
        Positions [m], rotations [rad], velocities, joint forces [N, N m] and energies [J] over time.

    Examples
    --------
    >>> rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    >>> pendulum = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity()])
    >>> found = ff.rigid_motion(pendulum, [0.0, 0.01, 0.02])
    >>> round(float(found.motion.body("rod").angles[-1]), 5)  # −¾ g t²/L: released from the horizontal
    -0.00294
    """
    t = np.atleast_1d(np.asarray(times, dtype=float))
    if len(t) < 2:
        raise InputError("a motion needs a start and an end; give two times or more")
    tolerances = Tolerances(relative_tolerance, relative_tolerance / 10)
    ready = mechanism(system)
    flow, start = started(ready, float(t[0]), tolerances=tolerances, method=method)
    changes = velocity_changes(ready, start.velocities)
    periodicity = None
    if period is not None:
        if not period > 0:
            raise InputError(f"a period of {period:g} s is not possible; give seconds, more than zero")
        require_repeating_drives(ready, float(t[0]), period)
        require_repeating_loads(ready, float(t[0]), period)
        found = periodic_state(flow, start, period, settle=settle)
        start, changes = found.state, ()
        periodicity = Periodicity(period, found.residual, found.multipliers, found.iterations)
    run = flow.run(start, t, watched(ready, events) if events else None, stop=stop_at_event)
    forces = inverse_dynamics(run.motion)
    energy = kinetic_energy(run.motion)
    return RigidMotion(
        forces=forces,
        kinetic_energy=energy,
        energy_drift=run.energy_drift,
        steps=run.steps,
        evaluations=run.evaluations,
        method="DOP853, order 8" if method == "explicit" else "Radau IIA, order 5",
        events=run.events,
        periodicity=periodicity,
        sensors=mechanism_sensors(sensors, run.motion, forces, analysis="a rigid motion"),
        notices=(
            *run.motion.notices,
            *contact_notices(forces),
            *idle_loads(system),
            *(velocity_notice(change.body, change.linear, change.angular) for change in changes),
        ),
    )


def idle_loads(system: System) -> tuple[str, ...]:
    """Notices about loads of the bodies themselves, which rigid mechanisms do not know."""
    return tuple(
        f"the loads of body {body.name} itself do not act in a rigid mechanism; give them as loads of the system, "
        "or take kind: transient with reduction: rigid"
        for body in system.bodies
        if isinstance(body, Body) and body.loads
    )
