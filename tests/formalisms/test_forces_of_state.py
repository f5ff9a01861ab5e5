"""Forces of state, controllers and elastic joints by every formalism."""

import flexframe as ff
from flexframe.analyses.crosscheck.system_analysis import crosscheck_system

SENSORS = {
    "angle": ff.sensors.RotationSensor("angle", "rotor"),
    "speed": ff.sensors.RotationSensor("angular_velocity", "rotor", (0.0, 0.0, 1.0)),
}


def test_all_formalisms_agree_on_a_controlled_axis_with_an_elastic_bearing() -> None:
    """A PID with its states on a rotor that drives an elastic arm; Whittaker says why it does not apply."""
    arm = ff.Body.beam("arm", length=0.8, divisions=4, section=ff.Rectangle(0.02, 0.01), material=ff.STEEL)
    system = ff.System(
        [ff.RigidBody("rotor", 1.0, 0.02), arm],
        [
            ff.Revolute("A", "ground", "rotor"),
            ff.Revolute("B", "ground", "arm.start", stiffness=1e6, damping=50.0),
        ],
        loads=[
            ff.SystemGravity(),
            ff.loads.Actuator("motor", "ground", "rotor", "torque"),
            ff.loads.TorsionSpring("gear", "rotor", "arm.start", 200.0, damping=1.0),
            ff.MarkerForce("push", "arm.end", ("-30*angle", "2*sin(3*t) - 0.1*speed")),
        ],
        sensors=SENSORS,
        controllers=[ff.controllers.PID("torque", "0.3 - angle", kp=20.0, ki=5.0, kd=1.0, filter=0.01)],
    )
    found = crosscheck_system(system)
    assert found.agrees
    reasons = {check.name: check.reason for check in found.checks}
    assert "there is no energy integral" in reasons.pop("whittaker")
    assert len(reasons) == 5 and not any(reasons.values())
