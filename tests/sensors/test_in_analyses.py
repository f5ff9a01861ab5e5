"""The same sensors in every analysis of a motion; `simulate` with the same words for a body and for a system."""

from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.frequency_response.analysis import frequency_response
from flexframe.cases.case import CaseError, parse_case
from flexframe.maths.arrays import Array
from flexframe.motion.frame import planar

LENGTH, SPEED = 0.8, 150.0  # m, rad/s
TIP = {
    "bend": ff.sensors.DofSensor("end", "uy"),
    "place": ff.sensors.MarkerSensor("position", "blade.end"),
    "speed": ff.sensors.MarkerSensor("velocity", "blade.end"),
    "push": ff.sensors.MarkerSensor("acceleration", "blade.end"),
    "turn": ff.sensors.RotationSensor("angle", "blade"),
    "bending": ff.sensors.Rate(ff.sensors.DofSensor("end", "uy")),
}


class _Turning:
    """θ = Ω t + 0.1 sin 40 t."""

    def jet(self, t: float) -> tuple[float, float, float]:
        wave = 0.1 * np.array([np.sin(40 * t), 40 * np.cos(40 * t), -1600 * np.sin(40 * t)])
        return float(SPEED * t + wave[0]), float(SPEED + wave[1]), float(wave[2])


def blade() -> ff.Body:
    section = ff.Rectangle(0.03, 0.01)
    return ff.Body.beam(
        "blade", length=LENGTH, divisions=4, section=section, material=ff.STEEL, supports=(ff.Clamp("start"),)
    )


def slope(values: Array, step: float) -> Array:
    """Differences of fourth order at the inner instants."""
    return (values[:-4] - 8 * values[1:-3] + 8 * values[3:-1] - values[4:]) / (12 * step)


def test_a_body_on_a_known_frame_has_what_a_system_has() -> None:
    """Positions, velocities and accelerations are derivatives of each other; the angle counts through all turns.

    Steps of 50 µs are coarse for the highest modes of four elements, whose accelerations differ from differences
    of velocities by more than those of the lowest: 10 % of the largest one.
    """
    step = 5e-5
    found = ff.simulate(blade(), planar(_Turning()), duration=0.05, step=step, sensors=TIP, stress=False).sensors
    for axis in "xy":
        place, speed, push = (found[f"{name} {axis}"].values for name in ("place", "speed", "push"))
        np.testing.assert_allclose(slope(place, step), speed[2:-2], atol=1e-3 * np.abs(speed).max())
        np.testing.assert_allclose(slope(speed, step), push[2:-2], atol=0.1 * np.abs(push).max())
    assert found["turn"].values[-1] == pytest.approx(_Turning().jet(0.05)[0], rel=1e-9)
    assert found["bending"].unit == "m/s"
    bending = found["bending"].values
    np.testing.assert_allclose(slope(found["bend"].values, step), bending[2:-2], atol=1e-2 * np.abs(bending).max())


def test_start_in_equilibrium_stays_there() -> None:
    """At a steady speed the stretched blade is at rest in its frame: to rounding of the static solution."""
    words = {"duration": 0.05, "steps": 100, "sensors": {"tip": ff.sensors.DofSensor("end", "ux")}}
    spin = ff.FrameMotion.spin(300.0)
    held = ff.simulate(blade(), spin, initial_deformation="equilibrium", **words).sensors["tip"].values
    free = ff.simulate(blade(), spin, **words).sensors["tip"].values
    assert held[0] > 0 and np.ptp(held) < 1e-6 * held[0]
    assert free[0] == 0 and free.max() == pytest.approx(2 * held[0], rel=0.05)


def test_one_set_of_words_and_checks() -> None:
    """What cannot be is refused in the same words for a body and for a system."""
    hinge = ff.Revolute("hinge", "ground", "blade.start")
    for target in (blade(), ff.System([blade()], [hinge])):
        for words, message in (
            ({"duration": -1.0, "steps": 10}, "the duration is -1 s; give a positive time"),
            ({"duration": 1.0}, "no step is given; give one of step, steps and tolerance"),
            ({"duration": 1.0, "steps": 10, "step": 0.1}, "step and steps is given"),
            ({"duration": 1.0, "steps": 10, "samples": 1}, "1 samples are too few; give two or more"),
            ({"duration": 1.0, "steps": 10, "period": 1.0}, "initial_deformation periodic"),
        ):
            with pytest.raises(ff.InputError, match=message):
                ff.simulate(target, **words)  # type: ignore[call-overload]
    with pytest.raises(ff.InputError, match="equal steps; give step or steps"):
        ff.simulate(blade(), duration=1.0, tolerance=1e-6)
    with pytest.raises(ff.InputError, match="damping does not belong to the motion of one body"):
        ff.simulate(blade(), duration=1.0, steps=10, damping=ff.bodies.ModalDamping(0.01))
    with pytest.raises(ff.InputError, match="modes belong to one body"):
        ff.simulate(ff.System([blade()], [hinge]), duration=1.0, steps=10, modes=3)


def test_samples_of_a_body() -> None:
    record = ff.simulate(blade(), ff.FrameMotion.spin(10.0), duration=0.01, steps=40, samples=11)
    assert len(record.times) == 11
    assert record.steps == 40


@pytest.mark.parametrize(
    ("sensor", "reason"),
    [
        (
            ff.sensors.StressSensor("stress", "blade.end"),
            "has no stress of body blade at a marker; take kind: transient",
        ),
        (
            ff.sensors.EnergySensor("kinetic"),
            "has no kinetic energy of the system; take kind: transient of a system",
        ),
        (ff.sensors.JointSensor("joint_force", "pin"), "unknown joint 'pin'"),
        (ff.sensors.MarkerSensor("displacement", "wing.end"), "unknown body 'wing'"),
        (
            ff.sensors.Rate(ff.sensors.MarkerSensor("acceleration", "blade.end")),
            "has no rate of a MarkerSensor; measure its value",
        ),
    ],
)
def test_refusals_name_sensor_analysis_reason_and_remedy(sensor: ff.sensors.Sensor, reason: str) -> None:
    with pytest.raises(ff.InputError, match=f"sensor odd: .*{reason}"):
        ff.simulate(blade(), ff.FrameMotion.spin(10.0), duration=0.1, steps=10, sensors={"odd": sensor})


def test_a_motion_without_a_place_has_displacements_only() -> None:
    """A frame that accelerates for ever, known by its components: no position in space, but deformation."""
    motion = ff.FrameMotion(angular_acceleration=(0.0, 0.0, 1.0))
    words = {"duration": 0.1, "steps": 10}
    ff.simulate(blade(), motion, sensors={"tip": ff.sensors.MarkerSensor("displacement", "blade.end")}, **words)
    with pytest.raises(ff.InputError, match="sensor tip: a motion given by its components"):
        ff.simulate(blade(), motion, sensors={"tip": ff.sensors.MarkerSensor("position", "blade.end")}, **words)


def test_vectors_in_a_frequency_response() -> None:
    """A vector sensor has a curve for each component, the same as single degrees of freedom."""
    sensors = {
        "tip": ff.sensors.MarkerSensor("displacement", "blade.end"),
        "uy": ff.sensors.DofSensor("end", "uy"),
    }
    load = [ff.loads.HarmonicForce("end", force=(0.0, 1.0, 0.0))]
    found = frequency_response(blade(), ff.FrameMotion(), [1.0, 5.0], load, sensors)
    assert set(found.curves) == {"tip x", "tip y", "uy"}
    np.testing.assert_array_equal(found.curves["tip y"].values, found.curves["uy"].values)
    with pytest.raises(
        ff.InputError, match="sensor tip: a frequency response has no frame of body blade in space"
    ):
        frequency_response(
            blade(), ff.FrameMotion(), [1.0], load, {"tip": ff.sensors.MarkerSensor("velocity", "blade.end")}
        )


CASE = """\
ground: {A: [0, 0]}
bodies:
  crank: {mass: 0.36, inertia: 6.75e-4, centre: [0.075, 0], points: {A: [0, 0], B: [0.15, 0]}}
  rod:
    mesh: {line: {length: 300 mm, divisions: 6}}
    material: steel
    section: {rectangle: {width: 8 mm, height: 8 mm}}
    supports: [{pin: start}, {roller: end, direction: [0, 1]}]
  slider: {mass: 0.0756, points: {C: [0, 0]}}
start:
  rod: {position: [0.15, 0]}
  slider: {position: [0.45, 0]}
joints:
  A: {revolute: [ground.A, crank.A]}
  B: {revolute: [crank.B, rod.start]}
  C: {revolute: [rod.end, slider.C]}
  guide: {prismatic: [ground.A, slider.C], axis: [1, 0]}
drives:
  motor: {angle: 50*t, joint: A}
analyses:
  run:
    kind: KIND
    duration: 0.02
    MORE
    sensors:
      pin: {position: crank.B}
      middle: {velocity: rod, at: [0.15, 0], axes: body}
      turning: {angular_velocity: crank}
      quick: {position: slider.C, along: [1, 0], rate: true}
"""


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("kinematics", "samples: 5"),
        ("rigid_motion", "samples: 5"),
        ("elastic_response", "steps: 40\n    body: rod"),
        ("elastic_response", "steps: 40\n    quasi_static: true"),
    ],
)
def test_case_files_have_one_vocabulary(kind: str, more: str) -> None:
    """The crank pin is at r (cos θ, sin θ) in all of them, and the slider has its closed-form speed."""
    text = CASE.replace("KIND", kind).replace("MORE", more)
    if "quasi_static" in more:  # all bodies, joined without supports of their own
        text = "\n".join(line for line in text.splitlines() if "supports" not in line)
    case = parse_case(text, file="case.yaml", folder=Path.cwd())
    found = case.analyses["run"].run(case)
    times, sensors = np.asarray(found.motion.times), found.sensors  # type: ignore[attr-defined]
    np.testing.assert_allclose(sensors["pin x"].values, 0.15 * np.cos(50 * times), atol=1e-6)
    np.testing.assert_allclose(sensors["turning"].values, 50.0, rtol=1e-6)
    rod = np.sqrt(0.09 - (0.15 * np.sin(50 * times)) ** 2)
    speed = -0.15 * 50 * np.sin(50 * times) * (1 + 0.15 * np.cos(50 * times) / rod)
    np.testing.assert_allclose(sensors["quick"].values, speed, atol=1e-5)
    assert sensors["quick"].unit == "m/s"
    assert {"middle x", "middle y"} <= set(sensors)


def test_markers_are_checked_with_the_case() -> None:
    text = CASE.replace("KIND", "kinematics").replace("MORE", "samples: 5").replace("crank.B}", "crank.Q}")
    with pytest.raises(CaseError, match=r"analyses.run.sensors.pin: unknown point of crank 'Q'"):
        parse_case(text, file="case.yaml", folder=Path.cwd())
