"""Central impacts of two spheres against Exudyn with the same law: peak force and velocities after it.

    python -m benchmarks.contact_impacts

A linear contact and one after Hertz. Laws with damping are not compared: Exudyn's linear damper may pull where the
spheres part, and its own step control does not get through its law of Hunt and Crossley at a step of 1 µs.
"""

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
LAWS = {"linear": (1e6, 1.0), "Hertz": (1e9, 1.5)}
"""Stiffness and exponent."""


def by_exudyn(stiffness: float, exponent: float, step: float = 1e-6) -> tuple[float, float, float]:
    """Peak force and velocities after the impact; Hertz as the law of Hunt and Crossley without loss."""
    mbs = exu.SystemContainer().AddSystem()
    markers, nodes = [], []
    for mass, x, speed in ((MASSES[0], 0.0, 0.0), (MASSES[1], -2 * RADIUS - GAP, SPEED)):
        made = mbs.CreateRigidBody(
            inertia=RigidBodyInertia(mass=mass, inertiaTensor=np.eye(3) * 0.4 * mass * RADIUS**2),
            referencePosition=[x, 0, 0],
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
            contactStiffness=stiffness,
            contactStiffnessExponent=exponent,
            restitutionCoefficient=1.0 if exponent == 1 else 0.999999,
            minimumImpactVelocity=1e-3,
            impactModel=0 if exponent == 1 else 1,
        )
    )
    kind = exu.OutputVariableType
    force = mbs.AddSensor(SensorObject(objectNumber=contact, storeInternal=True, outputVariableType=kind.Force))
    speeds = [
        mbs.AddSensor(SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=kind.Velocity))
        for node in nodes
    ]
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = DURATION
    settings.timeIntegration.numberOfSteps = round(DURATION / step)
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = step
    mbs.SolveDynamic(settings)
    peak = np.linalg.norm(mbs.GetSensorStoredData(force)[:, 1:4], axis=1).max()
    after = [float(mbs.GetSensorStoredData(speed)[-1, 1]) for speed in speeds]
    return float(peak), after[0], after[1]


def by_flexframe(stiffness: float, exponent: float) -> tuple[float, float, float]:
    """The same with steps of 0.1 ms between impacts."""
    balls = [
        ff.RigidBody(name, mass, np.eye(3) * 0.4 * mass * RADIUS**2)
        for name, mass in zip("ab", MASSES, strict=True)
    ]
    law = ff.contacts.NormalLaw("restitution", stiffness, exponent)
    touch = ff.contacts.SphereSphere(name="touch", first="a", second="b", radii=(RADIUS, RADIUS), law=law)
    start = {"b": ff.Placement((-2 * RADIUS - GAP, 0.0, 0.0), velocity=(SPEED, 0.0, 0.0))}
    system = ff.System(balls, start=start, contacts=[touch], space="spatial")
    motion = ff.simulate(system, duration=DURATION, step=1e-4)
    bodies = [motion.motion.body(name).velocities[-1, 0] for name in "ab"]
    return motion.contacts["touch"].peak, float(bodies[0]), float(bodies[1])


def main() -> None:
    """Print both and the largest difference."""
    for name, law in LAWS.items():
        own, other = by_flexframe(*law), by_exudyn(*law)
        apart = max(abs(a / b - 1) for a, b in zip(own, other, strict=True))
        print(f"{name}: flexframe {own}, Exudyn {other}, apart by {apart:.2%}")


if __name__ == "__main__":
    main()
