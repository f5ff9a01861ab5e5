"""Impacts of two spheres against Exudyn with the same law: peak force and velocities after it.

    python -m benchmarks.contact_impacts

Central ones, linear, after Hertz, and with the damping of Hunt and Crossley, and one beside the centre with
friction, in which the second ball slips first and rolls off the first one. `tests/contact/test_against_exudyn.py`
keeps the last two. Exudyn's linear damper may pull where the spheres part and is not compared.
"""

from dataclasses import dataclass

import exudyn as exu
import numpy as np
from exudyn.utilities import (
    MarkerBodyRigid,
    NodeGenericData,
    ObjectContactSphereSphere,
    RigidBodyInertia,
    SensorNode,
    SensorObject,
)

import flexframe as ff

RADIUS, MASSES, SPEED, GAP, DURATION = 0.01, (1.0, 0.4), 2.0, 2e-4, 6e-3


@dataclass(frozen=True)
class Impact:
    """K δⁿ (1 + 3/2 (1 − e) δ̇/v), friction μ, and how far the second ball passes beside the centre [m]."""

    stiffness: float
    exponent: float
    restitution: float = 1.0
    friction: float = 0.0
    offset: float = 0.0

    @property
    def start(self) -> tuple[float, float, float]:
        """Of the second ball, GAP before it touches."""
        return (-float(np.sqrt((2 * RADIUS + GAP) ** 2 - self.offset**2)), self.offset, 0.0)


IMPACTS = {
    "linear": Impact(1e6, 1.0),
    "Hertz": Impact(1e9, 1.5),
    "Hunt and Crossley": Impact(1e9, 1.5, 0.7),
    "Hunt and Crossley, with friction, beside the centre": Impact(1e9, 1.5, 0.7, 0.2, 0.008),
}


def by_exudyn(impact: Impact, step: float = 2.5e-7) -> np.ndarray:
    """Largest normal force, and velocities x, y of both balls after the impact."""
    mbs = exu.SystemContainer().AddSystem()
    markers, nodes = [], []
    for mass, place, speed in ((MASSES[0], (0.0, 0.0, 0.0), 0.0), (MASSES[1], impact.start, SPEED)):
        made = mbs.CreateRigidBody(
            inertia=RigidBodyInertia(mass=mass, inertiaTensor=np.eye(3) * 0.4 * mass * RADIUS**2),
            referencePosition=list(place),
            initialVelocity=[speed, 0, 0],
            nodeType=exu.NodeType.RotationRotationVector,
            returnDict=True,
        )
        nodes.append(made["nodeNumber"])
        markers.append(mbs.AddMarker(MarkerBodyRigid(bodyNumber=made["bodyNumber"])))
    data = mbs.AddNode(NodeGenericData(initialCoordinates=[0.1, 0, 0, 0], numberOfDataCoordinates=4))
    contact = mbs.AddObject(
        ObjectContactSphereSphere(
            markerNumbers=markers,
            nodeNumber=data,
            spheresRadii=[RADIUS, RADIUS],
            contactStiffness=impact.stiffness,
            contactStiffnessExponent=impact.exponent,
            dynamicFriction=impact.friction,
            frictionProportionalZone=1e-4,
            restitutionCoefficient=impact.restitution,
            minimumImpactVelocity=1e-3,
            impactModel=1,
        )
    )
    kind = exu.OutputVariableType
    force, normal = (
        mbs.AddSensor(SensorObject(objectNumber=contact, storeInternal=True, outputVariableType=value))
        for value in (kind.Force, kind.Director1)
    )
    speeds = [
        mbs.AddSensor(SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=kind.Velocity))
        for node in nodes
    ]
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = DURATION
    settings.timeIntegration.numberOfSteps = round(DURATION / step)
    # its own step control does not get through the laws with an exponent; fixed steps do, and converge
    settings.timeIntegration.automaticStepSize = False
    settings.timeIntegration.discontinuous.useRecommendedStepSize = False
    settings.timeIntegration.discontinuous.ignoreMaxIterations = True
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = step
    mbs.SolveDynamic(settings)
    along = np.sum(
        mbs.GetSensorStoredData(force)[:, 1:4] * mbs.GetSensorStoredData(normal)[:, 1:4],
        axis=1,
    )
    after = [mbs.GetSensorStoredData(speed)[-1, 1:3] for speed in speeds]
    return np.array([np.abs(along).max(), *after[0], *after[1]])


def by_flexframe(impact: Impact) -> np.ndarray:
    """The same with steps of 0.1 ms between impacts."""
    balls = [
        ff.RigidBody(name, mass, np.eye(3) * 0.4 * mass * RADIUS**2)
        for name, mass in zip("ab", MASSES, strict=True)
    ]
    touch = ff.contacts.SphereSphere(
        name="touch",
        first="a",
        second="b",
        radii=(RADIUS, RADIUS),
        law=ff.contacts.NormalLaw("hunt_crossley", impact.stiffness, impact.exponent, impact.restitution),
        friction=ff.contacts.ContactFriction(impact.friction) if impact.friction else None,
    )
    start = {"b": ff.Placement(impact.start, velocity=(SPEED, 0.0, 0.0))}
    system = ff.System(balls, start=start, contacts=[touch], space="spatial")
    motion = ff.simulate(system, duration=DURATION, step=1e-4)
    after = [motion.motion.body(name).velocities[-1, :2] for name in "ab"]
    return np.array([motion.contacts["touch"].peak, *after[0], *after[1]])


def main() -> None:
    """Print both; how far forces are apart, and speeds as part of that before the impact."""
    for name, impact in IMPACTS.items():
        own, other = by_flexframe(impact), by_exudyn(impact)
        apart = abs(own[0] / other[0] - 1), np.abs(own - other)[1:].max() / SPEED
        print(f"{name}: flexframe {own}, Exudyn {other}, apart by {apart[0]:.2%} and {apart[1]:.2%}")


if __name__ == "__main__":
    main()
