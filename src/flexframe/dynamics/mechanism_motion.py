"""The frames of a simulated system as the motion of a mechanism, for the analyses built on that."""

from collections.abc import Mapping

import numpy as np

from flexframe.dynamics.contract import BodyHistory, Simulation
from flexframe.dynamics.histories import body_history
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.mechanisms.mobility import mobility
from flexframe.mechanisms.motion import MechanismMotion
from flexframe.mechanisms.states import Configuration, Rates, placed


def configuration_of(run: Simulation) -> Configuration:
    """Poses of all bodies at the samples."""
    return placed(
        run.positions, rotation_from_quaternion(run.quaternions), run.angles if run.system.planar else None
    )


def mechanism_motion(run: Simulation, motions: Mapping[str, BodyHistory] | None = None) -> MechanismMotion:
    """Positions, velocities and accelerations of all frames; `motions` are those of all bodies, where at hand."""
    known = motions or {name: body_history(run, name) for name in run.system.names}
    bodies, configuration = list(known.values()), configuration_of(run)
    return MechanismMotion(
        mechanism=run.system.mechanism,
        times=run.times,
        configuration=configuration,
        velocities=_rates([(body.velocities, body.angular_velocities) for body in bodies]),
        accelerations=_rates([(body.accelerations, body.angular_accelerations) for body in bodies]),
        mobility=mobility(run.system.mechanism, configuration.at(slice(0, 1))),
        closure=float(np.max(run.position_residuals, initial=0.0)),
    )


def _rates(parts: list[tuple[Array, Array]]) -> Rates:
    """Linear and angular parts of all bodies, and zeros of the ground: (T, bodies + 1, 3) each."""
    still = np.zeros_like(parts[0][0])
    return Rates(*(np.stack([*(part[i] for part in parts), still], axis=1) for i in range(2)))
