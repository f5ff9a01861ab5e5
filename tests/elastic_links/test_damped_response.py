"""Elastic response with damping ratios: of the modes of a link in its frame, and of joined links."""

from dataclasses import replace

import numpy as np
import pytest
from tests.coupled.arms import link, locked_arm

import flexframe as ff
from flexframe.analyses.elastic_response.record import ElasticResponse
from flexframe.verification.dynamics import decay_ratio

PULSE = "8*exp(-((t - 0.06)/0.02)^2)"  # N, over after 0.15 s


def single_link(**more: object) -> ElasticResponse:
    """A cantilever on a shoulder that stands still, struck at its end."""
    body = replace(link("upper", 0.6, 0.8), supports=(ff.Clamp("start"),))
    system = ff.System(
        [body],
        [ff.Revolute("shoulder", "ground", "upper.start")],
        [ff.AngleDrive("drive", "ground", "upper.start", 0.0)],
        [ff.MarkerForce("blow", "upper.end", (0.0, PULSE, 0.0))],
    )
    sensors = {"tip": ff.sensors.DofSensor("end")}
    return ff.elastic_response(system, duration=1.5, steps=3000, body="upper", sensors=sensors, **more)


def joined_links(**more: object) -> ElasticResponse:
    """The locked arm, struck at its hand."""
    system = replace(locked_arm(), loads=(ff.MarkerForce("blow", "lower.end", (0.0, PULSE, 0.0)),))
    sensors = {"tip": ff.sensors.DofSensor("end", body="lower")}
    return ff.elastic_response(system, duration=2.5, steps=2500, sensors=sensors, **more)


def first_mode_ratio(record: ElasticResponse) -> float:
    half = len(record.times) // 2
    return decay_ratio(record.sensors["tip"].values[half:])


@pytest.mark.parametrize(
    "asked",
    [{"damping_ratios": {"upper": 0.02}}, {"damping": ff.bodies.ModalDamping(0.02)}],
    ids=["link", "whole"],
)
def test_a_link_decays_with_its_ratio(asked: dict[str, object]) -> None:
    """2 % by the decrement of its first mode, within 1 %; without it nothing decays."""
    record = single_link(**asked)
    assert first_mode_ratio(record) == pytest.approx(0.02, rel=0.01)
    assert record.damping.ratios == pytest.approx(np.full(len(record.damping.ratios), 0.02), rel=1e-6)
    assert record.energy_drift < 0.01
    assert abs(first_mode_ratio(single_link())) < 1e-5


@pytest.mark.parametrize("how", ["modes", "elements", "spring"])
def test_the_hinge_carries_what_changes_the_momentum(how: str) -> None:
    """Force of the hinge = dP/dt − blow: springs to the frame and damping act between the body and its frame.

    P = ∫ρN δ̇ from the rates of all nodes; its derivative by differences of 0.5 ms is good to (ωh)²/6 of the motion
    of 9 Hz, 1e-4, and to more where faster modes are struck.
    """
    given, more = {}, {}
    if how == "modes":
        more["damping"] = ff.bodies.ModalDamping(0.2)
    elif how == "elements":
        given["damping"] = ff.Damping(mass=60.0, stiffness=1e-4)
    else:
        given["springs"] = (ff.supports.FrameSpring("end", (0.0, 800.0, 0.0), damping=(0.0, 9.0, 0.0)),)
    body = replace(link("upper", 0.6, 0.8), supports=(ff.Clamp("start"),), **given)
    discrete = ff.discretise(body)
    places = [discrete.dofs.place(i) for i in range(discrete.dofs.count)]
    sensors = {f"{i}": ff.sensors.DofSensor(node, dof) for i, (node, dof) in enumerate(places)}
    system = ff.System(
        [body],
        [ff.Revolute("shoulder", "ground", "upper.start")],
        [ff.AngleDrive("drive", "ground", "upper.start", 0.0)],
        [ff.MarkerForce("blow", "upper.end", (0.0, PULSE, 0.0))],
    )
    record = ff.elastic_response(system, duration=0.4, steps=1600, body="upper", sensors=sensors, **more)
    t, h = record.times, record.times[1]
    shift = sum(discrete.inertia.origin_coupling[1, i] * record.sensors[f"{i}"].values for i in range(len(places)))
    change = (shift[2:] - 2 * shift[1:-1] + shift[:-2]) / h**2
    blow = 8 * np.exp(-(((t - 0.06) / 0.02) ** 2))
    hinge = record.joints["shoulder"].force[1:-1, 1]
    assert hinge == pytest.approx(change - blow[1:-1], abs=2e-3 * np.abs(hinge).max())


def test_joined_links_decay_with_the_ratio_of_the_whole() -> None:
    """1 % by the decrement, within 1 %, and the same modes as the coupled system has (4.612 Hz)."""
    record = joined_links(damping=ff.bodies.ModalDamping(0.01))
    assert first_mode_ratio(record) == pytest.approx(0.01, rel=0.01)
    assert record.damping.ratios == pytest.approx(np.full(12, 0.01), rel=1e-6)
    assert record.damping.frequencies_hz[0] == pytest.approx(4.612, rel=1e-3)
    assert record.summary()["damping"]["assembled"]["ratios"][0] == pytest.approx(0.01)
    fitted = joined_links(damping=ff.bodies.RayleighFit((0.01, 0.02)))
    assert fitted.damping.ratios[:2] == pytest.approx([0.01, 0.02], rel=1e-6)


def test_ratios_of_joined_links_are_those_of_the_coupled_motion() -> None:
    """1 % in the modes of each free link: what assembled modes get from it is the same by both routes.

    The coupled motion has 8 modes and static answers of each link, which are enough for the lowest two.
    """
    joined = joined_links(damping_ratios={"upper": 0.01, "lower": 0.01})
    choice = ff.reduction.ReductionChoice(damping_ratio=0.01)
    coupled = ff.simulate(
        locked_arm(), duration=1e-3, step=1e-3, samples=2, reductions={"upper": choice, "lower": choice}
    )
    assert joined.damping.ratios[:2] == pytest.approx(coupled.damping.ratios[:2], rel=0.02)
    assert "not in those of the whole" in joined.damping.words


def test_a_state_outside_the_response_is_refused() -> None:
    with pytest.raises(ff.InputError, match="outside the response"):
        joined_links(damping=ff.bodies.ModalDamping(0.01, at=9.0))
