"""Commands of elastic arms: shapers on the arm itself, static bending, and the stable inverse against Bayo's."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid

import flexframe as ff
from flexframe.analyses.feed_forward.inversion import quasi_static, stable_inversion
from flexframe.analyses.feed_forward.plant import Plant, later
from flexframe.multibody.contract import SimulationOptions

CHOICE = {"arm": ff.reduction.ReductionChoice(ff.reduction.CraigBampton(2))}


def _arm(angle: float, duration: float = 0.5, **more: object) -> ff.System:
    """A hub with a beam and a mass at its end, turned from rest to rest."""
    arm = ff.Body.beam(
        "arm",
        length=1.0,
        divisions=4,
        section=ff.Rectangle(0.03, 0.008),
        material=ff.ALUMINIUM,
        supports=(ff.Clamp("start"),),
        point_masses=(ff.PointMass("end", 0.2),),
    )
    arm = replace(arm, damping=ff.Damping(stiffness=5e-4))
    move = ff.motion.polynomial((0.0, angle), duration=duration, order=7)
    return ff.System(
        [ff.RigidBody("hub", 2.0, 0.05), arm],
        [ff.Revolute("axle", "ground", "hub"), ff.Weld("root", "hub", "arm.start")],
        [ff.AngleDrive("motor", "ground", "hub", move)],
        **more,  # type: ignore[arg-type]  # fields of a system
    )


def test_methods_on_one_arm() -> None:
    """What each leaves of the vibration, and what the inversion costs in time."""
    found = ff.robots.feed_forward(_arm(0.5), "arm.end", duration=1.2, reductions=CHOICE, window=0.4)
    left = {name: command.residual for name, command in found.commands.items()}
    assert left["none"] > 1e-3
    # the mode is that at rest in the last position; its frequency at speed and the second mode are left over
    assert left["zv"] < 0.02 * left["none"]
    assert left["zvd"] < 0.01 * left["none"]
    # (ω_command/ω₁)² of the bending is not made up for
    assert left["quasi_static"] < 0.2 * left["none"]
    inverse = found.commands["stable_inversion"]
    assert left["stable_inversion"] < 1e-4 * left["none"]
    # the beam is shortened by its bending, 0.1 δ²/L of a cantilever, which no joint makes up for
    first = found.commands["none"]
    assert inverse.deflection < 0.2 * first.deflection**2 + 1e-5
    assert inverse.before == 0.4 and first.before == 0.0
    assert "1 drive cannot lead the tip in all 2 directions" in found.notices[-1]
    # from rest to rest: ∫M dt is no angular momentum, in the rigid model and with each command
    for command in found.commands.values():
        momentum = np.trapezoid(command.forces[:, 0], command.times)
        assert abs(momentum) < 0.02 * np.trapezoid(np.abs(command.forces[:, 0]), command.times)


def test_inverse_is_that_of_the_frequency_domain() -> None:
    """Small angles: w = FFT⁻¹(y_d/G(iω)) with G from the linear model of the drive (Bayo 1987), non-causal."""
    angle, window = 1e-3, 0.5
    system = _arm(angle)
    plant = Plant.of(system, "arm.end", CHOICE, None)
    options = SimulationOptions(duration=1.0, step=5e-4)
    found = stable_inversion(
        plant, quasi_static(plant), window=(window, window), spacing=0.00625, duration=1.2, options=options
    )
    model = ff.linearise(
        system,
        reductions=CHOICE,
        inputs=["drives.motor"],
        sensors={"tip": ff.sensors.MarkerSensor("position", "arm.end", along=(0.0, 1.0))},
    )
    count, span = 16384, 8.0  # s, long beside all transients, so that nothing comes round
    t = span * np.arange(count) / count
    wanted = later(plant.commands[0], 3.0).jet(t)[2]  # ÿ_d of a metre: the inverse takes accelerations
    rates = 2 * np.pi * np.fft.rfftfreq(count, span / count)
    G = np.ones(len(rates), dtype=complex)
    G[1:] = (model.response(rates[1:] / (2 * np.pi))[:, 0, 0]) * (1j * rates[1:]) ** 2  # ẅ → ÿ
    second = np.fft.irfft(np.fft.rfft(wanted) / G, count)
    speed = cumulative_trapezoid(second, t, initial=0.0)
    command = cumulative_trapezoid(speed, t, initial=0.0)
    seen = found.commands[0].jet(t - 3.0 + window)[0]
    # knots every 6.25 ms, a 36th of the period: 9e-6 is seen, 4e-5 with every second of them
    assert np.abs(seen - command).max() < 5e-5 * angle
    # it begins before the path does, which a causal command cannot: a smooth path asks for little of that
    early = t < 3.0
    assert np.abs(command[early]).max() > 5e-4 * angle
    assert np.abs(seen[early]).max() == pytest.approx(np.abs(command[early]).max(), rel=0.05)


def test_two_joints_lead_the_tip_in_the_plane() -> None:
    """As many drives as directions: the tip is on its path to a thousandth of what bends."""
    case = ff.load_case(ff.example_paths()["robot_arm_shaping"])
    found = ff.robots.feed_forward(
        case.system(),
        "fore.end",
        duration=1.0,
        methods=("none", "stable_inversion"),
        reductions=case.reductions(),
        discrete=case.discrete_bodies(),
    )
    none, inverse = found.commands["none"], found.commands["stable_inversion"]
    assert inverse.deflection < 1e-3 * none.deflection
    assert inverse.residual < 1e-4 * none.residual
    # the same commands as drives of a transient give the same tip, by the public way
    drives = [replace(d, law=law) for d, law in zip(case.system().drives, inverse.laws, strict=True)]  # type: ignore[type-var]
    motion = ff.simulate(
        replace(case.system(), drives=drives),
        duration=1.0,
        step=1e-3,
        samples=11,
        sensors={"tip": ff.sensors.MarkerSensor("position", "fore.end")},
        reductions=case.reductions(),
    )
    there = np.array([np.interp(motion.times, inverse.times, inverse.tip[:, k]) for k in range(2)])
    seen = motion.sensors["tip"].values[:, :2].T
    assert seen == pytest.approx(there, abs=2e-5)  # another step, and straight lines between samples


def test_gravity_is_part_of_the_rest() -> None:
    """An arm that sags comes to rest where its weight holds it, not where the rigid one would be."""
    found = ff.robots.feed_forward(
        _arm(0.3, loads=[ff.SystemGravity()]), "arm.end", duration=0.9, methods=("none", "zv"), reductions=CHOICE
    )
    zv = found.commands["zv"]
    assert np.linalg.norm(zv.rest - [np.cos(0.3), np.sin(0.3), 0]) > 1e-3
    # what is left is the second mode, and the change of the frequency with the angle
    assert zv.residual < 0.06 * found.commands["none"].residual


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"duration": 0.3}, "ends before the commands"),
        ({"methods": ("zw",)}, "methods is .*give a list, each 'none' or 'zv'"),
        ({"methods": ("zv", "zv")}, "named twice"),
        ({"reductions": {"arm": "rigid"}}, "nothing elastic vibrates"),
    ],
)
def test_wrong_questions(change: dict[str, object], words: str) -> None:
    given: dict[str, object] = {"duration": 1.0, "methods": ("none",), "reductions": CHOICE, **change}
    with pytest.raises(ff.FlexframeError, match=words):
        ff.robots.feed_forward(_arm(0.3), "arm.end", **given)  # type: ignore[arg-type]


def test_command_without_an_end_is_refused() -> None:
    """A formula of time goes on for ever."""
    system = replace(_arm(0.3), drives=[ff.AngleDrive("motor", "ground", "hub", "sin(t)")])
    with pytest.raises(ff.InputError, match="follows a law that does not end"):
        ff.robots.feed_forward(system, "arm.end", duration=1.0, reductions=CHOICE)
