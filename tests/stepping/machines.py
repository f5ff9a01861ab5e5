"""Systems that tests step: with joints, elastic bodies, contacts, controllers, events and inputs."""

import numpy as np

import flexframe as ff
from flexframe.contacts import NormalLaw, SpherePlane
from flexframe.controllers import PID, Switch
from flexframe.loads import Actuator
from flexframe.model.events import Event

X, Y = (1.0, 0.0), (0.0, 1.0)
LAW = NormalLaw("hunt_crossley", 1e6, restitution=0.6)


def elastic_arm(**more: object) -> ff.System:
    """A hinged beam that a torque turns by a PID about a set angle, an input; its tip is seen."""
    beam = ff.Body.beam(
        "arm", length=0.8, divisions=6, section=ff.Rectangle(0.03, 0.006), material=ff.STEEL,
    )  # fmt: skip
    given: dict[str, object] = {
        "loads": [
            Actuator("motor", "ground", "arm.start", "torque + control"),
            ff.SystemGravity("weight", (0.0, -9.81)),
        ],
        "sensors": {
            "tip": ff.sensors.MarkerSensor("position", "arm.end"),
            "angle": ff.sensors.RotationSensor("angle", "arm"),
            "pin": ff.sensors.JointSensor("joint_force", "axis"),
        },
        "controllers": [PID("control", "target - angle", kp=20.0, ki=5.0, kd=2.0, filter=0.01)],
        "inputs": [ff.Input("torque", 0.0, "N m"), ff.Input("target", 0.2, "rad")],
    }
    return ff.System([beam], [ff.Revolute("axis", "ground", "arm.start")], **(given | more))  # type: ignore[arg-type]


def bouncing(law: NormalLaw = LAW) -> ff.System:
    """A ball on a floor, blown upwards by an input, thrown about by a contact with a force."""
    return ff.System(
        [ff.RigidBody("ball", 0.5, np.array(1e-4))],
        loads=[ff.SystemGravity("weight", (0.0, -9.81)), ff.MarkerForce("blow", "ball", (0.0, "blow"))],
        contacts=[SpherePlane(name="floor", first="ground", second="ball", law=law, radius=0.02)],
        sensors={"y": ff.sensors.MarkerSensor("position", "ball", along=Y)},
        start={"ball": ff.Placement((0.0, 0.1, 0.0))},
        inputs=[ff.Input("blow", 0.0, "N")],
    )


def resting() -> ff.System:
    """The same thrown back by impulses, until it rests."""
    return bouncing(NormalLaw("impulsive", restitution=0.3))


def switched(sampled: object = None) -> ff.System:
    """A block whose pull a switch turns at an event, with a sampled controller."""
    block = sampled or PID("hold", "1 - x", kp=3.0, ki=1.0, period=0.01)
    return ff.System(
        [ff.RigidBody("block", 2.0, np.array(0.01))],
        [ff.Prismatic("guide", "ground", "block", axis=X)],
        loads=[ff.MarkerForce("pull", "block", ("way*pull + hold", 0.0))],
        sensors={"x": ff.sensors.MarkerSensor("position", "block", along=X)},
        controllers=[Switch("way", 1.0), block],  # type: ignore[list-item]
        events=[
            Event("turn", "x - 0.05", "growing", set={"way": -1.0}),
            Event("end", "x + 0.2", "falling", stop=True),
        ],
        inputs=[ff.Input("pull", 5.0, "N")],
    )


def pendulum(**more: object) -> ff.System:
    """A rod on a hinge that a torque turns: (I + m l²) θ̈ = M − m g l cos θ with the angle from x."""
    given: dict[str, object] = {
        "loads": [Actuator("motor", "ground", "rod", "torque"), ff.SystemGravity("weight", (0.0, -9.81))],
        "sensors": {"angle": ff.sensors.RotationSensor("angle", "rod")},
        "inputs": [ff.Input("torque", 0.0, "N m")],
    }
    rod = ff.RigidBody("rod", 2.0, np.array(0.06), np.array([0.3, 0.0, 0.0]))
    return ff.System([rod], [ff.Revolute("axis", "ground", "rod")], **(given | more))  # type: ignore[arg-type]


def whirling() -> ff.System:
    """A weight on a thin link in the plane, fast enough to go all the way round: no place serves as coordinate."""
    return ff.System(
        [ff.RigidBody("weight", 1.5, np.array(0.01))],
        [ff.joints.Rod("link", "ground", "weight", 0.5)],
        loads=[ff.SystemGravity("pull", (0.0, -9.81))],
        sensors={
            "at": ff.sensors.MarkerSensor("position", "weight"),
            "length": ff.sensors.RelativeSensor("distance", ("ground", "weight")),
        },
        start={"weight": ff.Placement((0.5, 0.0, 0.0), velocity=(0.0, 6.0, 0.0))},
    )


def two_hinges() -> ff.System:
    """An arm in space on an upright and a level hinge, thrown so that both turn far."""
    upper = ff.RigidBody(
        "upper", 1.0, np.diag([0.01, 0.03, 0.03]), np.array([0.2, 0.0, 0.0]), {"B": (0.4, 0.0, 0.0)}
    )
    lower = ff.RigidBody(
        "lower", 0.5, np.diag([0.004, 0.01, 0.012]), np.array([0.1, 0.05, 0.0]), {"T": (0.3, 0.1, 0.0)}
    )
    return ff.System(
        [upper, lower],
        [
            ff.Revolute("base", "ground", "upper", axis=(0.0, 0.0, 1.0)),
            ff.Revolute("elbow", "upper.B", "lower", axis=(0.0, 1.0, 0.0)),
        ],
        loads=[ff.SystemGravity("weight", (0.0, -3.0, -9.81))],
        sensors={
            "tip": ff.sensors.MarkerSensor("position", "lower.T"),
            "gap": ff.sensors.RelativeSensor("distance", ("upper.B", "lower")),
        },
        start={"lower": ff.Placement((0.4, 0.0, 0.0))},
        space="spatial",
    )
