"""Motions under forces of state, controllers, sampled values and events, against closed forms."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq
from tests.rounding import rounding

from flexframe.errors import AnalysisError, InputError
from flexframe.model.events import Event, Switch
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import Actuator, MarkerForce, SystemGravity
from flexframe.multibody.contract import Occurrence, Simulation, SimulationOptions
from flexframe.multibody.integrators.events import Happenings
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.signal_builder import SignalBuilder
from flexframe.multibody.system import dynamic_system
from flexframe.sensors.kinds import MarkerSensor, RelativeSensor, RotationSensor

INERTIA = 0.02
ARM = RigidBody("arm", 1.0, np.array(INERTIA))
BALL = RigidBody("ball", 0.5, np.array(0.01))
HEIGHT = {"y": MarkerSensor("position", "ball", along=(0.0, 1.0, 0.0))}
G = 9.81


def run(system: System, duration: float, samples: int, **options: object) -> Simulation:
    asked = SimulationOptions(duration=duration, samples=samples, **options)  # type: ignore[arg-type]
    return integrate(dynamic_system(system), asked)


EVERY_WAY = [
    {"step": 3e-3},
    {"tolerance": 1e-10, "integrator": "dormand_prince"},
    {"tolerance": 1e-10, "integrator": "dormand_prince_853"},
]


def axis(controller: object, **more: object) -> System:
    """An arm on a hinge whose torque is the output u of a controller."""
    return System(
        [ARM],
        [Revolute("A", "ground", "arm")],
        loads=[Actuator("motor", "ground", "arm", "u")],
        sensors={"a": RotationSensor("angle", "arm"), "w": RotationSensor("angular_velocity", "arm")},
        controllers=[controller],  # type: ignore[list-item]
        **more,  # type: ignore[arg-type]
    )


# --- forces of state ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["x.x", "0.3 - gap"])
def test_a_spring_by_formula_vibrates_as_a_spring(sign: str) -> None:
    """Against the damped vibration; the tolerance of the steps is 1e-11, of which some hundred add up."""
    m, k, d = 2.0, 800.0, 3.0
    system = System(
        [RigidBody("m", m, np.array(0.01))],
        [Prismatic("guide", "ground", "m", axis=(1.0, 0.0))],
        loads=[MarkerForce("spring", "m", (f"-{k}*({sign}) - {d}*v", 0.0))],
        ground={"wall": (0.3, 0.0)},
        sensors={
            "x": MarkerSensor("position", "m"),
            "v": MarkerSensor("velocity", "m", along=(1.0, 0.0)),
            "gap": RelativeSensor("distance", ("m", "ground.wall")),
        },
        start={"m": Placement(np.array([0.1, 0.0, 0.0]))},
    )
    found = run(system, 1.0, 11, tolerance=1e-11, integrator="dormand_prince_853")
    decay = d / (2 * m)
    w = np.sqrt(k / m - decay**2)
    t = found.times
    expected = 0.1 * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))
    np.testing.assert_allclose(found.positions[:, 0, 0], expected, rtol=0, atol=1e-9)
    assert found.energy_drift < 1e-9


def test_newton_has_the_slope_of_formulas() -> None:
    """A stiff spring by formula, ω h = 6, converges in few iterations: without its slope it diverges."""
    system = System(
        [RigidBody("m", 1.0, np.array(0.01))],
        [Prismatic("guide", "ground", "m", axis=(1.0, 0.0))],
        loads=[MarkerForce("spring", "m", ("-3.6e7*x", 0.0))],
        sensors={"x": MarkerSensor("position", "m", along=(1.0, 0.0))},
        start={"m": Placement(np.array([1e-3, 0.0, 0.0]))},
    )
    found = run(system, 0.1, 2, step=1e-3)
    assert found.statistics.iterations <= 3 * found.statistics.steps


# --- controllers -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FilteredPID:
    """kp e + ki ∫e + kd d with d = (e − x)/tf, ẋ = d."""

    name: str
    error: str
    kp: float
    ki: float
    kd: float
    tf: float

    def connect(self, builder: SignalBuilder) -> Iterator[dict[str, int]]:
        e = builder.input(self.error)
        integral, x = builder.state(0.0), builder.state(0.0)
        d = builder.linear([(1 / self.tf, e), (-1 / self.tf, x)])
        builder.derive(integral, e)
        builder.derive(x, d)
        yield {"": builder.linear([(self.kp, e), (self.ki, integral), (self.kd, d)])}


def pid_response(pid: FilteredPID, target: float, times: np.ndarray) -> np.ndarray:
    """The angle by the exponential of the closed loop in (θ, ω, ∫e, x, 1)."""
    M = np.zeros((5, 5))
    M[0, 1] = 1.0
    gain = pid.kp + pid.kd / pid.tf
    M[1] = np.array([-gain, 0.0, pid.ki, -pid.kd / pid.tf, gain * target]) / INERTIA
    M[2, [0, 4]] = -1.0, target
    M[3, [0, 3, 4]] = -1 / pid.tf, -1 / pid.tf, target / pid.tf
    return np.array([expm(M * t)[0, 4] for t in times])


def test_states_of_controllers_are_integrated_with_the_system() -> None:
    """A target beyond a turn, which the sensor counts. Explicit to its tolerance, implicit of second order."""
    pid = FilteredPID("u", "8 - a", 2.0, 3.0, 0.2, 0.01)
    fine = run(axis(pid), 2.0, 21, tolerance=1e-11, integrator="dormand_prince_853")
    expected = pid_response(pid, 8.0, fine.times)
    assert expected.max() > 2 * np.pi
    np.testing.assert_allclose(fine.angles[:, 0], expected, rtol=0, atol=1e-8)
    errors = [
        float(np.abs(run(axis(pid), 2.0, 21, step=step).angles[:, 0] - expected).max()) for step in (1e-3, 5e-4)
    ]
    assert errors[0] < 1e-4
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


@dataclass(frozen=True)
class SampledGain:
    """u = k e, taken every period and held."""

    name: str
    error: str
    gain: float
    period: float

    def connect(self, builder: SignalBuilder) -> Iterator[dict[str, int]]:
        held = builder.hold(0.0)
        builder.sample(self.period, 0.0, [(held, builder.linear([(self.gain, builder.input(self.error))]))])
        yield {"": held}


@dataclass(frozen=True)
class CalledGain(SampledGain):
    """The same by a function of Python."""

    def connect(self, builder: SignalBuilder) -> Iterator[dict[str, int]]:
        held = builder.hold(0.0)
        inputs = [builder.input(self.error)]
        builder.call(self.name, self.period, 0.0, lambda _, e: self.gain * e, inputs, [held])
        yield {"": held}


@pytest.mark.parametrize("kind", [SampledGain, CalledGain])
@pytest.mark.parametrize("options", EVERY_WAY)
def test_sampled_values_act_at_exact_instants(kind: type[SampledGain], options: dict[str, object]) -> None:
    """Between instants the torque is constant, which the steps integrate without error: rounding remains.

    Neither the step nor the output grid fits the period.
    """
    period, count = 0.01, 100
    found = run(axis(kind("u", "1 - a - 0.3*w", 1.0, period)), 1.0, 11, **options)
    angle = speed = 0.0
    expected = [0.0]
    for k in range(count):
        torque = 1 - angle - 0.3 * speed
        angle += speed * period + torque / INERTIA * period**2 / 2
        speed += torque / INERTIA * period
        if (k + 1) % 10 == 0:
            expected.append(angle)
    np.testing.assert_allclose(found.angles[:, 0], expected, rtol=0, atol=rounding(400, 10.0))


# --- events ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"step": 1e-4}, 1e-6),  # of second order, and ω h = 0.0024
        ({"tolerance": 1e-10, "integrator": "dormand_prince"}, 1e-9),  # ten steps add up at most
        ({"tolerance": 1e-10, "integrator": "dormand_prince_853"}, 1e-9),
    ],
)
def test_events_set_switches_and_stop(options: dict[str, object], error: float) -> None:
    """A ball falls on a spring that is switched on at contact; the motion stops when it leaves it.

    The contact is a harmonic motion about the sunk position.
    """
    k, floor, height = 300.0, 0.1, 1.0
    system = System(
        [BALL],
        loads=[SystemGravity(), MarkerForce("spring", "ball", (0.0, f"-on*{k}*(y - {floor})"))],
        start={"ball": Placement(np.array([0.0, height, 0.0]))},
        sensors=HEIGHT,
        controllers=[Switch("on", 0.0)],
        events=[
            Event("touch", f"y - {floor}", "falling", set={"on": 1.0}),
            Event("leave", f"y - {floor}", "growing", stop=True),
        ],
    )
    found = run(system, 2.0, 41, **options)
    touched = np.sqrt(2 * (height - floor) / G)
    w, v = np.sqrt(k / BALL.mass), G * touched
    held = brentq(lambda t: -G / w**2 * (1 - np.cos(w * t)) - v / w * np.sin(w * t), np.pi / w, 1.5 * np.pi / w)
    touch, leave = found.occurrences
    assert touch.time == pytest.approx(touched, abs=rounding(100))
    assert leave.time == pytest.approx(touched + held, abs=error)
    assert found.times[-1] == leave.time and leave.ends and found.reason is None
    assert found.positions[-1, 0, 1] == pytest.approx(floor, abs=rounding(1000))


@pytest.mark.parametrize("options", [{"step": 0.2}, *EVERY_WAY[1:]])
def test_an_event_is_not_found_twice_or_lost_beside_another(options: dict[str, object]) -> None:
    """Two events in one step, in the order in which they happen, and two at the same instant.

    In a short step of generalised-α rounding of positions is one of forces a thousand times larger and more.
    """
    system = System(
        [BALL],
        loads=[SystemGravity()],
        start={"ball": Placement(np.array([0.0, 1.0, 0.0]))},
        sensors=HEIGHT,
        events=[Event("low", "y - 0.1"), Event("high", "y - 0.11"), Event("same", "0.1 - y")],
    )
    found = run(system, 0.6, 4, **options)
    high, low = (np.sqrt(2 * (1 - y) / G) for y in (0.11, 0.1))
    names = [happened.name for happened in found.occurrences]
    assert names[0] == "high" and sorted(names[1:]) == ["low", "same"]
    np.testing.assert_allclose([e.time for e in found.occurrences], [high, low, low], rtol=0, atol=rounding(1e5))


@pytest.mark.parametrize("options", EVERY_WAY)
def test_an_event_at_the_instant_of_a_sample(options: dict[str, object]) -> None:
    """Every sample is there, with what is after the event, and the sampled value that belongs to it.

    Both are at 0.5 s, which is a number of the computer; the fall is exact in steps of any length, some hundred of
    which add up.
    """
    system = System(
        [BALL],
        loads=[SystemGravity(), MarkerForce("lift", "ball", (0.0, f"on*{BALL.mass * G}"))],
        sensors=HEIGHT,
        controllers=[Switch("on", 0.0), SampledGain("seen", "y", 1.0, 0.25)],
        events=[Event("half", "t - 0.5", set={"on": 1.0})],
    )
    found = run(system, 1.0, 9, **options)
    fallen, after = np.minimum(found.times, 0.5), np.maximum(found.times - 0.5, 0.0)
    exact = -G / 2 * fallen**2 - 0.5 * G * after
    np.testing.assert_allclose(found.times, np.linspace(0, 1, 9), rtol=0, atol=rounding(10))
    np.testing.assert_allclose(found.positions[:, 0, 1], exact, rtol=0, atol=rounding(1e5))
    y = np.interp(found.times, found.times[::2], exact[::2])
    y[1::2] = y[:-1:2]
    seen = found.system.network.outputs["seen"][""]
    np.testing.assert_allclose(found.signals[:, seen], y, rtol=0, atol=rounding(1e5))
    np.testing.assert_allclose(found.accelerations[:4, 1], -G, rtol=rounding(100))
    np.testing.assert_allclose(found.accelerations[4:, 1], 0.0, atol=rounding(100, G))


@pytest.mark.parametrize("options", EVERY_WAY)
def test_a_value_that_jumps_through_zero_is_an_event(options: dict[str, object]) -> None:
    """Of a sampled controller at an instant, and of a switch that another event sets; one sets off the other."""
    system = System(
        [BALL],
        loads=[SystemGravity()],
        sensors=HEIGHT,
        controllers=[Switch("on", 0.0), SampledGain("seen", "y", 1.0, 0.25)],
        events=[Event("low", "seen + 1", "falling", set={"on": 1.0}), Event("told", "on - 0.5", stop=True)],
    )
    found = run(system, 1.0, 9, **options)  # y = −1 at 0.4515 s
    assert [(happened.name, happened.time) for happened in found.occurrences] == [("low", 0.5), ("told", 0.5)]
    assert found.times[-1] == 0.5


@pytest.mark.parametrize("options", EVERY_WAY)
def test_an_event_happens_once_at_an_instant(options: dict[str, object]) -> None:
    """Events that set each other off end where the first of them would happen again."""
    system = System(
        [BALL],
        loads=[SystemGravity()],
        controllers=[Switch("on", 0.0)],
        events=[
            Event("first", "t - 0.3", set={"on": 1.0}),
            Event("up", "on - 0.5", "growing", set={"on": 0.0}),
            Event("down", "on - 0.5", "falling", set={"on": 1.0}),
        ],
    )
    found = run(system, 1.0, 9, **options)
    assert [happened.name for happened in found.occurrences] == ["first", "up", "down"]


def test_a_chain_of_events_without_an_end_is_refused() -> None:
    """A thousand at a pace of more than five million in the motion, and no slower ones."""
    events = [Event("on", "y - 0.1"), Event("off", "y - 0.1", "growing")]
    system = dynamic_system(System([BALL], sensors=HEIGHT, events=events))
    duration = 2.0
    limit = 1000 / 5e6 * duration / 999  # between two of a thousand
    for spacing, refused in ((1.01 * limit, False), (0.99 * limit, True)):
        happened = Happenings(system, duration)
        chain = [Occurrence(events[k % 2].name, k % 2, 0.5 + spacing * k) for k in range(1000)]
        for each in chain[:-1]:
            happened.add(each)
        if refused:
            with pytest.raises(AnalysisError, match="leave a band"):
                happened.add(chain[-1])
        else:
            happened.add(chain[-1])
            assert happened.events == chain


@pytest.mark.parametrize("integrator", ["dormand_prince", "dormand_prince_853"])
def test_long_steps_see_what_happens_inside(integrator: str) -> None:
    """A ball is thrown through a height: free fall is exact in one step, in which it passes there twice."""
    top, level, v = 1.0, 0.9, np.sqrt(2 * G)
    system = System(
        [BALL],
        loads=[SystemGravity()],
        start={"ball": Placement(np.zeros(3), velocity=np.array([0.0, v, 0.0]))},
        sensors=HEIGHT,
        events=[Event("level", f"y - {level}"), Event("up", f"y - {level}", "growing")],
    )
    found = run(system, 0.9, 2, tolerance=1e-6, integrator=integrator)
    half = np.sqrt(2 * (top - level) / G)
    expected = [v / G - half, v / G - half, v / G + half]
    assert sorted(happened.name for happened in found.occurrences) == ["level", "level", "up"]
    np.testing.assert_allclose([e.time for e in found.occurrences], expected, rtol=0, atol=rounding(1e4))


@pytest.mark.parametrize("integrator", ["conserving", "radau"])
def test_integrators_that_cannot_follow_events_say_so(integrator: str) -> None:
    system = System([BALL], sensors=HEIGHT, events=[Event("low", "y - 0.1")])
    with pytest.raises(InputError, match="event low"):
        run(system, 0.1, 2, tolerance=1e-6, integrator=integrator)


def test_names_that_are_not_known() -> None:
    """Sensors without the component, controllers that are not there, and switches that are none."""
    with pytest.raises(InputError, match="did you mean 'y'"):
        System([BALL], loads=[MarkerForce("f", "ball", (0.0, "yy"))], sensors=HEIGHT)
    with pytest.raises(InputError, match=r"write y"):
        System([BALL], loads=[MarkerForce("f", "ball", (0.0, "y.x"))], sensors=HEIGHT)
    with pytest.raises(InputError, match=r"p\.x or p\.y"):
        sensors = {"p": MarkerSensor("position", "ball")}
        System([BALL], loads=[MarkerForce("f", "ball", (0.0, "p"))], sensors=sensors)
    with pytest.raises(InputError, match="there is no switch on; add it to the controllers"):
        System([BALL], sensors=HEIGHT, events=[Event("e", "y", set={"on": 1.0})])
