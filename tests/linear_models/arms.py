"""A flexible arm on a motor, for the tests of linear models."""

import flexframe as ff


def angle_of(body: str = "rod") -> ff.sensors.Sensor:
    return ff.sensors.RotationSensor("angle", body)


def flexible_arm(law: str | float = "torque", **more: object) -> ff.System:
    """A motor with a flexible arm that hangs out to the right against a spring, with weight."""
    hub = ff.RigidBody("hub", 2.0, 0.05)
    arm = ff.Body.beam(
        "arm",
        length=1.0,
        divisions=6,
        section=ff.Rectangle(0.03, 0.006),
        material=ff.ALUMINIUM,
        supports=(ff.Clamp("start"),),
    )
    given: dict[str, object] = {
        "sensors": {
            "angle": angle_of("hub"),
            "tip": ff.sensors.MarkerSensor("position", "arm.end", along=(0.0, 1.0)),
        },
        "inputs": [ff.Input("torque", 0.0, unit="N m")],
        **more,
    }
    return ff.System(
        [hub, arm],
        [ff.Revolute("axle", "ground", "hub"), ff.Weld("root", "hub", "arm.start")],
        loads=[
            ff.SystemGravity(),
            ff.loads.TorsionSpring("spring", "ground", "hub", stiffness=20.0, damping=0.4),
            ff.loads.Actuator("motor", "ground", "hub", law),
        ],
        **given,  # type: ignore[arg-type]  # fields of a system
    )


CHOICE = {"arm": ff.reduction.ReductionChoice(ff.reduction.CraigBampton(3), damping_ratio=0.01)}
