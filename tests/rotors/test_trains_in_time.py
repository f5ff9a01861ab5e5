"""Trains of shafts with several speeds: motion in time, and tables of bearings at the speed of each shaft."""

from dataclasses import replace

import numpy as np
import pytest
from tests.rotors.test_trains import eigenvalues, shaft
from tests.rounding import rounding

import flexframe as ff
from flexframe.errors import InputError

RATIO = -1.7
UNBALANCE = 1e-4
FEW = 18
ALL = 60  # more shapes than a shaft has coordinates: nothing is left out


def held(stiffness: float, **more: object) -> tuple[ff.rotors.Bearing, ...]:
    return tuple(
        ff.rotors.Bearing((x, 0, 0), stiffness, 400.0, name=name, **more)  # type: ignore[arg-type]
        for x, name in ((0.0, "left"), (1.0, "right"))
    )


def shafts() -> tuple[ff.Body, ff.Body]:
    """Two shafts, damped inside and in space."""
    inside = ff.bodies.Damping(stiffness=1e-5, fixed_mass=2.0)
    return (
        shaft("first", bearings=held(2e6), damping=inside),
        shaft("second", diameter=0.06, bearings=held(3e6), damping=inside),
    )


def train(*gears: ff.rotors.GearMesh, ratio: float | None = RATIO) -> ff.rotors.RotorTrain:
    first, second = shafts()
    members = (ff.rotors.TrainMember(first, 1.0), ff.rotors.TrainMember(second, ratio, (0.0, 0.4, 0.0)))
    return ff.rotors.RotorTrain("train", members, gears=gears)


def sensors(*names: str) -> dict[str, ff.sensors.DofSensor]:
    return {name: ff.sensors.DofSensor(f"{name}.wheel", "uy") for name in names}


def test_shafts_without_a_link_move_as_they_do_alone() -> None:
    """Up to 150 rad/s, the second one at −1.7 times: each as in its own turning frame, with a blow on one.

    Both are integrated by the same collocation of order 16, in frames of their own and with steps of their own.
    """
    ramp, blow = ff.rotors.SpeedRamp(50.0, 150.0, 20000.0), (lambda t: 100 * np.sin(900 * t), 30.0)
    own = ff.rotors.SpeedRamp(*(RATIO * np.array([ramp.start, ramp.end, ramp.acceleration])).tolist())
    loads = [ff.rotors.Unbalance(f"{name}.wheel", UNBALANCE, 0.3) for name in ("first", "second")]
    forces = [ff.rotors.SpaceForce("first.wheel", blow, 0.001, 0.003)]
    found = ff.run_up(train(), ramp, loads, sensors("first", "second"), forces=forces, modes=2 * ALL)
    alone = {}
    for body, speed, forces_ in zip(shafts(), (ramp, own), (forces, []), strict=True):
        alone[body.name] = ff.run_up(
            body,
            speed,
            [ff.rotors.Unbalance("wheel", UNBALANCE, 0.3)],
            {"wheel": ff.sensors.DofSensor("wheel", "uy")},
            forces=[replace(force, on="wheel") for force in forces_],
            modes=ALL,
        )
    for name, record in alone.items():
        times = np.intersect1d(np.round(found.times, 12), np.round(record.times, 12))
        assert {0.0, 0.005} <= set(times.tolist())
        paths = [
            each.orbits[key].in_space(each.angles)[np.isin(np.round(each.times, 12), times)]
            for each, key in ((found, name), (record, "wheel"))
        ]
        assert paths[0] == pytest.approx(paths[1], abs=1e-7 * np.abs(paths[1]).max())
    # the frame of a shaft turns at its own speed
    orbit = found.orbits["second"]
    assert np.abs(orbit.turning) == pytest.approx(np.abs(orbit.in_space(found.angles)), rel=1e-12)
    assert orbit.ratio == RATIO


def test_a_geared_train_keeps_the_answer_to_all_its_unbalances() -> None:
    """At a steady speed: the sum of the harmonic answers to each unbalance, at the frequency of its own shaft.

    Modes that are left out answer as springs do, about 1e-3 of all at a mesh that is stiffer than the shafts.
    """
    first, second = (elastic_in_all(body) for body in ("first", "second"))
    gear = ff.rotors.GearMesh("first.wheel", "second.wheel", (0.17, 0.1), 1e8, 500.0, name="mesh")
    members = (ff.rotors.TrainMember(first), ff.rotors.TrainMember(second, None, (0.0, 0.27, 0.0)))
    geared = ff.rotors.RotorTrain("train", members, gears=(gear,))
    speed = 120.0
    loads = [ff.rotors.Unbalance("first.wheel", UNBALANCE, 0.4), ff.rotors.Unbalance("second.wheel", UNBALANCE)]
    watched = sensors("first", "second")
    found = ff.run_up(geared, ff.rotors.SpeedRamp(speed, speed), loads, watched, hold=0.05, modes=FEW)
    assert geared.ratios["second"] == pytest.approx(RATIO)
    for name in watched:
        wanted = np.zeros(len(found.times), dtype=complex)
        for load, ratio in zip(loads, (1.0, RATIO), strict=True):
            answer = ff.unbalance_response(geared, [speed, speed + 1], [load], watched)
            turn = np.exp(1j * abs(ratio) * speed * found.times)
            sides = [(answer.curves[f"{name} along e{side}"].values[0] * turn).real for side in (1, 2)]
            wanted += sides[0] + 1j * sides[1]
        path = found.orbits[name].in_space(found.angles)
        assert path == pytest.approx(wanted, abs=2e-3 * np.abs(wanted).max())


def elastic_in_all(name: str) -> ff.Body:
    """A shaft that turns elastically, too, held at one end."""
    return shaft(
        name,
        diameter=0.05 if name == "first" else 0.06,
        motions="all",
        bearings=held(2e6),
        supports=(ff.Fix("start", ("ux", "rx")),),
    )


def test_tables_are_over_the_speed_of_their_shaft() -> None:
    """A shaft at twice the speed of its train has the eigenvalues that it has alone at twice the speed."""
    table = ff.rotors.BearingTable.from_columns(
        {"speed": [0.0, 200.0, 400.0, 600.0], "kxx": [1e6, 2e6, 5e6, 6e6], "cxx": [900.0, 700.0, 300.0, 200.0]}
    )
    body = shaft("fast", bearings=held(0.0, table=table))
    other = shaft("slow", diameter=0.08, bearings=held(2e6))
    both = ff.rotors.RotorTrain(
        "train", (ff.rotors.TrainMember(other, 1.0), ff.rotors.TrainMember(body, 2.0, (0.0, 0.4, 0.0)))
    )
    alone, joined = eigenvalues(body, 500.0), eigenvalues(both, 250.0)
    for value in alone[np.abs(alone) < 1e4]:
        assert np.abs(joined - value).min() < rounding(1000, 1e5) * abs(value)
    load = [ff.rotors.Unbalance("fast.wheel", UNBALANCE)]
    forces = ff.unbalance_response(both, [250.0, 260.0], load, sensors("fast")).bearing_forces
    single = ff.unbalance_response(
        body, [500.0, 520.0], [ff.rotors.Unbalance("wheel", UNBALANCE)], {"w": ff.sensors.DofSensor("wheel", "uy")}
    )
    assert forces["fast left"].major == pytest.approx(single.bearing_forces["left"].major, rel=1e-8)
    with pytest.raises(InputError, match=r"its table ends at 2864\.79 rpm"):  # of the train: half of 600 rad/s
        ff.campbell_diagram(both, [301.0])


def test_refusals() -> None:
    table = ff.rotors.BearingTable.from_columns({"frequency": [0.0, 900.0], "kxx": [1e6, 2e6]})
    body = shaft("fast", bearings=held(0.0, table=table))
    both = ff.rotors.RotorTrain("train", (ff.rotors.TrainMember(body, 2.0),))
    with pytest.raises(InputError, match="shafts of several speeds move with several"):
        ff.run_up(
            both,
            ff.rotors.SpeedRamp(10.0, 20.0, 10.0),
            [ff.rotors.Unbalance("fast.wheel", 1e-4)],
            sensors("fast"),
        )
