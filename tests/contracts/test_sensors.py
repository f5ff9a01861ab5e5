"""Every kind of sensor keeps its contract: the rate is the derivative in time, the Jacobian that in coordinates.

Random states of a planar and of a spatial system with rigid and elastic bodies, of a body on a known frame, and of
a driven linkage. A sample of each class says what is known of it there; the rest must be refused.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.body_state import MeshState, law_motion, lone_system, marker_rows
from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart, ReductionChoice, elastic_parts
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.assembly.discrete import discretise
from flexframe.maths.arrays import Array
from flexframe.mesh.plane_builders import rectangle
from flexframe.motion.frame import Prescribed
from flexframe.multibody.contract import DynamicState, DynamicSystem, Statistics
from flexframe.multibody.equations import accelerations_at, move_state, place_of, velocity_vector, with_velocity
from flexframe.multibody.integrators.recording import simulation_of
from flexframe.multibody.inverse_dynamics import MechanismState
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.strategies import Modal
from flexframe.sensors import (
    SENSORS,
    ContactSensor,
    DofSensor,
    EnergySensor,
    JointSensor,
    LoadSensor,
    MarkerSensor,
    MomentumSensor,
    RelativeSensor,
    RotationSensor,
    Sensor,
    State,
    StressSensor,
)
from flexframe.sensors.contract import UnavailableError, find_markers

H = 1e-5  # s, or step of a coordinate: differences err by H² and by rounding over H, 1e-10 of what is sensed
TOLERANCE = 1e-6
CANCELLED = 1e-5  # where parts of size 1 cancel in what is sensed: their rounding, 1e-16/2H, is 1e-6 of this
SOFT = ff.Material(1e4, 0.3, 1000.0)  # nothing is fast beside the steps of the differences

FLOOR = ff.contacts.NormalLaw("hunt_crossley", 1e3)

VALUE, RATE, ALL = ("value",), ("value", "rate"), ("value", "rate", "jacobian")
SAMPLES: tuple[tuple[Sensor, tuple[str, ...]], ...] = (
    (DofSensor("right", "ux", "plate"), ALL),
    (DofSensor((0.2, 0.1), "uy", "plate"), ALL),
    (MarkerSensor("displacement", "plate.right", axes="space"), ALL),
    (MarkerSensor("displacement", "bar.end"), ALL),
    (MarkerSensor("rotation", "plate.right"), ALL),
    (MarkerSensor("position", "plate", (0.2, 0.1)), ALL),
    (MarkerSensor("position", "rod.end", along=(1.0, 2.0), axes="body"), ALL),
    (MarkerSensor("position", "bar"), ALL),
    (MarkerSensor("velocity", "plate.right", axes="body"), RATE),
    (MarkerSensor("acceleration", "plate.right"), VALUE),
    (RotationSensor("angle", "rod"), ALL),
    (RotationSensor("angular_velocity", "plate", axes="body"), RATE),
    (RotationSensor("angular_acceleration", "rod"), VALUE),
    (RelativeSensor("distance", ("plate.right", "rod.end")), ALL),
    (RelativeSensor("relative_angle", ("ground", "rod")), ALL),
    (StressSensor("stress", "plate", (0.2, 0.1)), ALL),
    (StressSensor("stress", "plate", (0.2, 0.1), "sxy"), ALL),
    (StressSensor("strain", "plate", (0.2, 0.1)), ALL),
    (StressSensor("stress", "bar", (0.3, 0.0)), VALUE),
    (JointSensor("joint_force", "pin", axes="body"), VALUE),
    (JointSensor("joint_moment", "pin"), VALUE),
    (JointSensor("drive", "motor"), VALUE),
    (LoadSensor("spring"), VALUE),
    (ContactSensor("contact_gap", "touch"), VALUE),
    (EnergySensor("total"), VALUE),
    (MomentumSensor("angular"), VALUE),
)
SENSED = {f"{k} {type(sensor).__name__}": (sensor, known) for k, (sensor, known) in enumerate(SAMPLES)}
PLANAR = (
    RotationSensor("angle", "rod"),
    RelativeSensor("relative_angle", ("ground", "rod")),
    StressSensor("stress", "plate", (0.2, 0.1), "sxy"),
)  # not of shells
CASES = [
    (space, name)
    for space, name in product(("planar", "spatial"), SENSED)
    if space == "planar" or SENSED[name][0] not in PLANAR
]


def test_every_kind_has_a_sample() -> None:
    assert {type(sensor) for sensor, _ in SAMPLES} == set(SENSORS)


@cache
def bodies_in(space: str) -> tuple[DynamicSystem, dict[str, ElasticPart]]:
    """A plate of shells or plane cells, a beam and a rigid rod; a hinge between two of them, one drive."""
    region = (
        ff.materials.PlaneProperty(SOFT, 0.01) if space == "planar" else ff.materials.ShellProperty(SOFT, 0.01)
    )
    mesh = rectangle(0.4, 0.2, (4, 2), order=1)
    plate = ff.Body("plate", mesh, (ff.Region(region),), supports=(ff.Clamp("left"),), space=space)  # type: ignore[arg-type]
    bar = ff.Body.beam(
        "bar",
        length=0.6,
        divisions=6,
        section=ff.Rectangle(0.02, 0.01),
        material=SOFT,
        supports=(ff.Clamp("start"),),
    )
    if space == "spatial":
        bar = replace(bar, space="spatial")
    rod = ff.RigidBody("rod", 2.0, np.diag([0.1, 0.2, 0.3]), points={"end": (0.5, 0.1, 0.0)})
    system = ff.System(
        [plate, bar, rod],
        [ff.Revolute("pin", "bar.end", "rod.end")],
        [ff.AngleDrive("motor", "ground", "plate", "0.3 + 2*t")],
        loads=[ff.Spring("spring", "ground", "rod.end", 2.0)],
        contacts=[ff.contacts.SpherePlane(name="touch", first="ground.floor", second="rod.end", law=FLOOR)],
        ground={"floor": (0.0, -100.0)},  # not touched
        sensors={"pull": LoadSensor("spring")},
        space=space,  # type: ignore[arg-type]  # one of them
    )
    sensors = {name: SENSED[name][0] for where, name in CASES if where == space}
    parts = elastic_parts(
        system, {n: ReductionChoice(Modal(4)) for n in ("plate", "bar")}, watched=find_markers(system, sensors)
    )
    return dynamic_system(system, {name: part.reduced for name, part in parts.items()}), parts


def random_state(system: DynamicSystem, seed: int) -> tuple[DynamicState, Array, Array]:
    """A state that meets no constraint, with its velocities and accelerations."""
    random = np.random.default_rng(seed)
    sizes = all_sizes(system)
    state = move_state(system, initial_state(system), sizes * random.normal(size=system.size))
    state = with_velocity(system, state, 3 * sizes * random.normal(size=system.size))
    return state, velocity_vector(system, place_of(system, state)), accelerations_at(system, state).velocity_rate


def all_sizes(system: DynamicSystem) -> Array:
    """Of the coordinates: 1 m and 1 rad of frames, 1 mm of deformations."""
    rigid = 3 if system.planar else 6
    return np.concatenate([[1.0] * rigid + [1e-3] * body.size for body in system.bodies])


def seen(states: Sequence[DynamicState], space: str) -> State:
    system, parts = bodies_in(space)
    done = Statistics(steps=0, rejected=0, iterations=0, factorisations=0, evaluations=0, seconds=0.0)
    run = simulation_of(system, "none", list(states), works=np.zeros((len(states), 4)), statistics=done)
    return Observed.of(run, parts)


@pytest.mark.parametrize(("space", "name"), CASES)
def test_rate_and_jacobian_of_a_system(space: str, name: str) -> None:
    sensor, known = SENSED[name]
    system, _ = bodies_in(space)
    for seed in (1, 2):
        state, u, du = random_state(system, seed)

        def at(time: float, state: DynamicState = state, u: Array = u, du: Array = du) -> DynamicState:
            there = move_state(system, state, time * u + time**2 / 2 * du)
            return with_velocity(system, there, u + time * du)

        here = seen([state], space)
        scale = np.abs(sensor.value(here)).max() + CANCELLED
        if "rate" in known:
            before, after = sensor.value(seen([at(-H), at(H)], space))
            close(sensor.rate(here)[0], (after - before) / (2 * H), scale)
        else:
            refused(sensor.rate, here)
        if "jacobian" in known:
            sizes = H * all_sizes(system)
            steps = [sign * step for step in np.diag(sizes) for sign in (-1, 1)]
            values = sensor.value(seen([move_state(system, state, step) for step in steps], space))
            close(sensor.jacobian(here)[0], np.moveaxis(values[1::2] - values[::2], 0, -1) / (2 * sizes), scale)
            close(sensor.jacobian(here)[0] @ u, sensor.rate(here)[0], scale)
        else:
            refused(sensor.jacobian, here)


def close(found: Array, expected: Array, scale: float) -> None:
    size = max(np.abs(expected).max(), scale)
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE * size)


def refused(ask: Callable[[State], Array], state: State) -> None:
    with pytest.raises(UnavailableError, match=r"a transient of a system has no (rate|jacobian)"):
        ask(state)


class _Wave:
    """sin 3t, with derivatives."""

    def jet(self, t: float) -> tuple[float, float, float]:
        return float(np.sin(3 * t)), float(3 * np.cos(3 * t)), float(-9 * np.sin(3 * t))


@pytest.mark.parametrize(
    "sensor",
    [
        DofSensor("end", "uy"),
        MarkerSensor("displacement", "bar.end", axes="space"),
        MarkerSensor("rotation", "bar.end"),
        MarkerSensor("position", "bar.end"),
        MarkerSensor("velocity", "bar.end", axes="body"),
        RotationSensor("angle", "bar"),
    ],
)
def test_rate_and_jacobian_of_a_body_on_a_known_frame(sensor: Sensor) -> None:
    """δ = a + b t + c t² of random vectors; the coordinates are δ alone, the frame being given."""
    body = ff.Body.beam("bar", length=0.6, divisions=3, section=ff.Rectangle(0.02, 0.01), material=ff.STEEL)
    discrete = discretise(body)
    law = Prescribed((((0.0, 0.0, 1.0), _Wave()),), (_Wave(), _Wave(), _Wave()))
    system, rows = lone_system(discrete), marker_rows(lone_system(discrete), {"bar": discrete}, {"s": sensor})
    a, b, c = 1e-2 * np.random.default_rng(3).normal(size=(3, discrete.dofs.count))

    def state(times: Array, more: Array | float = 0.0) -> MeshState:
        t = times[:, None]
        kinds = (a + b * t + c * t**2 + more, b + 2 * c * t + 0 * t, 2 * c + 0 * t)
        moves = {key: tuple(np.asarray(found.rows @ kind.T).T for kind in kinds) for key, found in rows.items()}
        return MeshState(
            "a transient",
            system,
            "value",
            {"bar": discrete},
            rows,
            moves,
            lambda name: law_motion(name, law, times),
        )

    now, around = np.array([0.4]), np.array([0.4 - H, 0.4 + H])
    before, after = sensor.value(state(around))
    close(sensor.rate(state(now))[0], (after - before) / (2 * H), 1.0)
    if sensor == MarkerSensor("velocity", "bar.end", axes="body"):
        return  # it has no Jacobian
    steps = H * np.eye(discrete.dofs.count)
    columns = [sensor.value(state(now, step)) - sensor.value(state(now, -step)) for step in steps]
    expected = np.stack(columns, axis=-1)[0] / (2 * H)
    jacobian = sensor.jacobian(state(now))[0]
    close(jacobian, expected if isinstance(sensor, DofSensor | MarkerSensor) else 0 * jacobian, 1.0)


def test_rates_and_refusals_in_kinematics() -> None:
    """A crank at 2 rad/s: the value and the rate of a position, J u, and one line about what there is not."""
    crank = ff.RigidBody.rod("crank", length=0.5, mass=1.0)
    system = ff.System(
        [crank], [ff.Revolute("axle", "ground", "crank")], [ff.AngleDrive("motor", "ground", "crank", "2*t")]
    )
    tip = MarkerSensor("position", "crank.end")
    found = ff.kinematics(system, [0.0, 0.5], sensors={"tip": tip, "speed": ff.sensors.Rate(tip)})
    assert found.sensors["tip x"].values == pytest.approx(0.5 * np.cos([0.0, 1.0]))
    assert found.sensors["speed y"].values == pytest.approx(np.cos([0.0, 1.0]))
    assert found.summary()["sensors"]["speed x"]["unit"] == "m/s"
    state = MechanismState.of("kinematics", found.motion)
    u = np.column_stack([np.zeros((2, 2)), np.full(2, 2.0)])  # the origin is at rest
    np.testing.assert_allclose(np.einsum("tkn,tn->tk", tip.jacobian(state), u), tip.rate(state), atol=1e-12)
    for sensor, reason in (
        (JointSensor("joint_force", "axle"), "kinematics has no force of axle; take kind"),
        (EnergySensor("kinetic"), "kinematics has no kinetic energy of the system; take kind: transient"),
    ):
        with pytest.raises(ff.InputError, match=f"sensor s: {reason}"):
            ff.kinematics(system, [0.0, 0.5], sensors={"s": sensor})
