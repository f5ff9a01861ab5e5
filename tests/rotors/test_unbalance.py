"""Orbits, forces of bearings, amplification factors and margins of unbalanced rotors, against closed forms."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.frequency_response.amplification import amplification_factor, required_margin
from flexframe.cases.case import load_case
from flexframe.cases.examples import example_paths
from flexframe.cases.run import run_case
from flexframe.spectra.rotation.ellipses import Ellipses

LENGTH, MASS = 0.4, 10.0
LIGHT = ff.Material(2e14, 0.3, 1e-6)  # a shaft that weighs nothing beside the disc and hardly bends


def rigid_rotor(*bearings: ff.rotors.Bearing) -> ff.Body:
    """A disc in the middle of a stiff shaft without mass in two bearings; it moves straight.

    Bending and shear give L³/48EI + L/4κGA = 1.3e-13 m/N, 3e-7 of what the bearings give.
    """
    return ff.rotors.rotor_body(
        "rotor",
        [ff.rotors.ShaftPiece(LENGTH, (ff.rotors.ShaftLayer(0.2),), elements=2)],
        material=LIGHT,
        discs=[ff.rotors.Disc(LENGTH / 2, MASS, 0.1, 0.05, "disc")],
        bearings=bearings,
    )


def pair(stiffness, damping) -> list[ff.rotors.Bearing]:
    return [
        ff.rotors.Bearing((x, 0.0, 0.0), stiffness, damping, name=name)
        for x, name in ((0.0, "left"), (LENGTH, "right"))
    ]


def response(body: ff.Body, speeds, **more):
    loads = [ff.rotors.Unbalance("disc", 1e-3)]
    return ff.unbalance_response(body, speeds, loads, {"disc": ff.sensors.DofSensor("disc")}, **more)


def closed_form(speed, stiffness: float, damping: float):
    """û = UΩ²/(2k − mΩ² + 2icΩ) of a rigid rotor in two bearings."""
    return 1e-3 * speed**2 / (2 * stiffness - MASS * speed**2 + 2j * damping * speed)


@pytest.mark.parametrize("ratio", [0.02, 0.1, 0.3])
def test_amplification_factor_of_a_rigid_rotor(ratio: float) -> None:
    """Peak at ω/√(1 − 2ζ²); with s = (ω/Ω)², 1/|û|² ∝ 1 − 2(1 − 2ζ²)s + s² gives the sides.

    The shaft bends by 3e-7 of the displacement, which moves the peak by half of it; a top is flat,
    so that rounding of 1e-12, which a stiff shaft leaves, moves it by √1e-12.
    """
    stiffness, natural = 1e6, np.sqrt(2e6 / MASS)
    found = response(
        rigid_rotor(*pair(stiffness, ratio * natural * MASS)),
        np.linspace(50.0, 2000.0, 79),
        operating_speeds=(900, 900),
    )
    (passage,) = found.passages
    b = 1 - 2 * ratio**2
    peak = natural / np.sqrt(b)
    sides = natural / np.sqrt(b + np.array([1, -1]) * np.sqrt(1 - b**2))  # where 1/|û|² has doubled
    if b - np.sqrt(1 - b**2) <= 0:  # the response never falls to 0.707 above
        factor = peak / (2 * (peak - sides[0]))
        assert passage.high_rad_s is None
    else:
        factor = peak / (sides[1] - sides[0])
    assert passage.speed_rad_s == pytest.approx(peak, rel=1e-5)
    assert passage.amplification == pytest.approx(factor, rel=1e-5)
    assert passage.margin == pytest.approx(1 - peak / 900, abs=1e-6)
    wanted = 0.17 * (1 - 1 / (factor - 1.5)) if factor >= 2.5 else 0.0
    assert passage.required == pytest.approx(wanted, abs=1e-6)
    words = "critically damped (AF < 2.5)" if factor < 2.5 else "meets API 617"
    assert passage.verdict == words


def test_margins_after_api_617() -> None:
    """Values of the formulas by hand: AF = 2.5 needs 0 and 10 %, AF = 10 needs 15 and 25 %, AF → ∞ 17 and 27 %."""
    for factor, below in ((2.5, 0.0), (10.0, 0.15), (1e9, 0.17)):
        assert required_margin(factor, above=False) == pytest.approx(below, abs=1e-9)
        assert required_margin(factor, above=True) == pytest.approx(below + 0.1, abs=1e-9)
    assert required_margin(2.4, above=True) == 0.0
    assert amplification_factor(100.0, 95.0, 105.0) == pytest.approx(10.0)
    assert amplification_factor(100.0, None, 105.0) == pytest.approx(10.0)
    assert amplification_factor(100.0, 95.0, None) == pytest.approx(10.0)
    assert amplification_factor(100.0, None, None) is None


def test_verdicts_beside_and_within_operating_speeds() -> None:
    """One critical speed of 447 rad/s with AF = 25 needs 16.3 % below and 26.3 % above."""
    body, speeds = rigid_rotor(*pair(1e6, 0.02 * np.sqrt(2e6 / MASS) * MASS)), np.linspace(50.0, 2000.0, 196)
    for operating, words in (
        ((600, 700), "meets API 617"),
        ((500, 700), "fails API 617"),
        ((300, 340), "meets API 617"),
        ((300, 380), "fails API 617"),
        ((400, 500), "within the operating speeds"),
    ):
        (passage,) = response(body, speeds, operating_speeds=operating).passages
        assert passage.verdict == words, operating
    with pytest.raises(ff.errors.InputError, match="lowest and the highest"):
        response(body, speeds, operating_speeds=(500, 400))


def test_undamped_rotors_have_no_amplification_factor() -> None:
    """The amplitude at the critical speed is infinite."""
    (passage,) = response(rigid_rotor(*pair(1e6, 0.0)), np.linspace(50.0, 1000.0, 96)).passages
    assert passage.verdict == "not damped" and passage.amplification is None
    assert passage.speed_rad_s == pytest.approx(np.sqrt(2e6 / MASS), rel=1e-2)


@pytest.mark.parametrize("method", ["direct", "modal"])
def test_circular_orbits_and_forces_of_bearings(method: str) -> None:
    """û of the rigid rotor; each bearing passes on (k + icΩ)û, to the 3e-7 by which the shaft bends, times AF."""
    speeds = np.array([100.0, 400.0, 447.0, 800.0])
    found = response(rigid_rotor(*pair(1e6, 2e3)), speeds, method=method)
    wanted = closed_form(speeds, 1e6, 2e3)
    orbit = found.orbits["disc"]
    assert orbit.forward == pytest.approx(wanted, rel=2e-5)
    assert np.abs(orbit.backward).max() < 1e-12 * np.abs(wanted).max()
    for name in ("left", "right"):
        force = found.bearing_forces[name]
        assert force.forward == pytest.approx((1e6 + 2e3j * speeds) * wanted, rel=2e-5)
        assert force.unit == "N"


def test_elliptic_orbits_turn_backward_between_two_critical_speeds() -> None:
    """Bearings of 1 and 2 MN/m: x and y are rotors of their own, and between their critical speeds the orbit is

    backward. Bearing forces are those of each direction.
    """
    stiffness, damping = (1e6, 2e6), (200.0, 400.0)
    speeds = np.array([200.0, 530.0, 900.0])
    found = response(rigid_rotor(*pair(stiffness, damping)), speeds)
    x = closed_form(speeds, stiffness[0], damping[0])
    y = -1j * closed_form(speeds, stiffness[1], damping[1])
    orbit = found.orbits["disc"]
    assert orbit.first == pytest.approx(x, rel=2e-5) and orbit.second == pytest.approx(y, rel=2e-5)
    assert orbit.forward == pytest.approx((x + 1j * y) / 2, rel=1e-4)
    assert (np.sign(orbit.minor) == [1, -1, 1]).all()
    force = found.bearing_forces["left"]
    assert force.first == pytest.approx((stiffness[0] + 1j * damping[0] * speeds) * x, rel=2e-5)
    assert force.second == pytest.approx((stiffness[1] + 1j * damping[1] * speeds) * y, rel=2e-5)


def test_ellipses_by_their_points() -> None:
    """Half axes, inclination and sense against one turn of 10⁴ points: brute force, to their distance."""
    random = np.random.default_rng(4)
    first, second = random.normal(size=(2, 6)) + 1j * random.normal(size=(2, 6))
    found = Ellipses(first, second)
    for k in range(6):
        path = found.path(k, 10_001)
        radius = np.linalg.norm(path, axis=1)
        assert radius.max() == pytest.approx(found.major[k], rel=1e-6)
        assert radius.min() == pytest.approx(abs(found.minor[k]), rel=1e-3)
        area = 0.5 * np.sum(path[:-1, 0] * path[1:, 1] - path[1:, 0] * path[:-1, 1])
        assert area == pytest.approx(np.pi * found.major[k] * found.minor[k], rel=1e-6)
        tip = path[np.argmax(radius)]
        apart = np.arctan2(tip[1], tip[0]) - found.inclination[k]
        assert abs(np.sin(apart)) < 2e-3
        seen = np.abs(found.along(0.7)[k])
        assert seen == pytest.approx(np.abs(path @ [np.cos(0.7), np.sin(0.7)]).max(), rel=1e-6)


def test_forces_balance_the_unbalance() -> None:
    """With full matrices and tilts of the bearings, their forces and UΩ² accelerate the mass of the disc alone.

    m·(−Ω²)û_disc = F_unbalance − ΣF_bearings, exactly: the shaft has no mass worth (1e-8 of the disc).
    """
    matrix = ((1e6, 3e5), (-2e5, 2e6))
    body = rigid_rotor(*pair(matrix, ((500.0, 50.0), (20.0, 900.0))))
    speeds = np.array([150.0, 480.0, 700.0])
    found = response(body, speeds)
    orbit = found.orbits["disc"]
    total = sum(np.array([f.first, f.second]) for f in found.bearing_forces.values())
    load = 1e-3 * speeds**2 * np.array([np.ones(3), -1j * np.ones(3)])
    moved = MASS * -(speeds**2) * np.array([orbit.first, orbit.second])
    assert np.abs(load - total - moved).max() < 1e-6 * np.abs(total).max()


def test_pedestals_pass_on_what_their_mass_leaves() -> None:
    """F_ground = F_bearing + m_p Ω² ŵ of the pedestal, which moves by ŵ = û − F_bearing/(k + icΩ)."""
    stand = ff.rotors.Pedestal(20.0, 3e6, 1e3)
    held = [
        ff.rotors.Bearing((x, 0.0, 0.0), 1e6, 2e3, name=name, pedestal=stand)
        for x, name in ((0, "left"), (0.4, "right"))
    ]
    speeds = np.array([150.0, 480.0, 700.0])
    found = response(rigid_rotor(*held), speeds)
    bearing, ground = (found.bearing_forces[name].forward for name in ("left", "pedestal of left"))
    moved = found.orbits["disc"].forward - bearing / (1e6 + 2e3j * speeds)
    assert ground == pytest.approx(bearing + 20.0 * speeds**2 * moved, rel=1e-4)
    assert ground == pytest.approx((3e6 + 1e3j * speeds) * moved, rel=1e-4)


def test_unbalance_of_a_shaft_that_turns_faster_excites_at_its_speed() -> None:
    """Two rigid rotors side by side that do not touch: the one of ratio −3 answers as alone at three times Ω."""
    bearings = pair((1e6, 2e6), (200.0, 400.0))
    slow, fast = rigid_rotor(*bearings), rigid_rotor(*bearings)
    members = [
        ff.rotors.TrainMember(ff.Body(**{**slow.__dict__, "name": name}), ratio, (0.0, y, 0.0))
        for name, ratio, y, body in (("slow", 1.0, 0.0, slow), ("fast", -3.0, 1.0, fast))
    ]
    train = ff.rotors.RotorTrain("train", tuple(members))
    speeds = np.array([50.0, 170.0, 300.0])
    sensors = {"disc": ff.sensors.DofSensor("fast.disc")}
    found = ff.unbalance_response(train, speeds, [ff.rotors.Unbalance("fast.disc", 1e-3)], sensors).orbits["disc"]
    alone = response(rigid_rotor(*bearings), 3 * speeds).orbits["disc"]
    # it turns the other way: x the same, y the opposite
    assert found.first == pytest.approx(alone.first, rel=1e-9)
    assert found.second == pytest.approx(-alone.second, rel=1e-9)
    both = [ff.rotors.Unbalance(f"{name}.disc", 1e-3) for name in ("slow", "fast")]
    with pytest.raises(ff.errors.InputError, match="different speeds"):
        ff.unbalance_response(train, speeds, both, sensors)


def test_unbalance_by_grade() -> None:
    """ISO 21940-11: G 6.3, 100 kg, 3000 rpm allow 6.3·100·60/(2π·3000) = 2.005 kg mm."""
    made = ff.rotors.Unbalance.of_grade("disc", 6.3, mass=100.0, speed=3000 * np.pi / 30)
    assert made.moment == pytest.approx(6.3e-3 * 100 * 60 / (2 * np.pi * 3000), rel=1e-15)
    with pytest.raises(ff.errors.InputError, match="positive"):
        ff.rotors.Unbalance.of_grade("disc", 0.0, mass=100.0, speed=300.0)


@pytest.mark.parametrize(
    ("at", "shares"), [(0.2, (0.5, 0.5)), (0.1, (0.7, 0.3)), (0.35, (0.3, 0.7)), (0.55, (0.375, 1.3))]
)
def test_permissible_unbalance_of_two_planes(at: float, shares: tuple[float, float]) -> None:
    """U = G m/Ω for 10 kg in G 6.3 at 300 rad/s is 210 g mm; bearings at 0 and 0.4 m get b/L and a/L of it.

    At 0.1 m these are 0.75 and 0.25, kept within 0.7 and 0.3; at 0.35 m 0.125 and 0.875; beside the bearings, at
    0.55 m, 0.375 and 1.375, kept within 1.3. The shaft weighs 1e-7 of the disc.
    """
    body = ff.rotors.rotor_body(
        "rotor",
        [ff.rotors.ShaftPiece(0.6, (ff.rotors.ShaftLayer(0.2),), elements=2)],
        material=LIGHT,
        discs=[ff.rotors.Disc(at, MASS, 0.1, 0.05, "disc")],
        bearings=[*pair(1e6, 2e3), ff.rotors.Bearing((0.5, 0, 0), ((0, 1e3), (-1e3, 0)), name="seal")],
    )
    loads = [ff.rotors.Unbalance("left", 5e-5, 0.3), ff.rotors.Unbalance((0.6, 0.0, 0.0), 4e-5, 0.3 + np.pi / 2)]
    sensors = {"disc": ff.sensors.DofSensor("disc")}
    found = ff.unbalance_response(
        body,
        np.linspace(20.0, 60.0, 9),
        loads,
        sensors,
        operating_speeds=(30.0, 300.0),
        balance=ff.rotors.BalanceTolerance(6.3),
    )
    (rotor,) = found.balance
    assert rotor.mass_kg == pytest.approx(MASS, rel=1e-6) and rotor.centre_m == pytest.approx(at, rel=1e-6)
    assert rotor.permissible_kg_m == pytest.approx(210e-6, rel=1e-6)
    allowed = [plane.permissible_kg_m for plane in rotor.planes]
    assert allowed == pytest.approx(210e-6 * np.array(shares), rel=1e-5)
    # 4e-5 kg m at 0.6 m act with −0.5 on the left and 1.5 on the right, across to the 5e-5 on the left
    left = [plane.residual_kg_m for plane in rotor.planes]
    assert left == pytest.approx([np.hypot(5e-5, 2e-5), 6e-5], rel=1e-9)
    fits = [has <= may for has, may in zip(left, allowed, strict=True)]
    assert [plane.verdict for plane in rotor.planes] == [
        f"{'meets' if fit else 'fails'} ISO 21940-11" for fit in fits
    ]
    assert rotor.reached == pytest.approx(6.3 * max(has / may for has, may in zip(left, allowed, strict=True)))


def test_zones_of_journals() -> None:
    """û of the rigid rotor from peak to peak at 6000 rpm against 62, 116 and 170 µm: 4800, 9000 and 13200/√6000.

    Its journals move as the disc does, to the 3e-7 by which the shaft bends.
    """
    speed = 6000 * np.pi / 30
    body, speeds = rigid_rotor(*pair(1e6, 2e3)), np.linspace(500.0, 800.0, 4)
    unit = 2 * abs(closed_form(speed, 1e6, 2e3)) / 1e-3  # m from peak to peak for 1 kg m
    for micrometres, zone in ((61.0, "A"), (63.0, "B"), (117.0, "C"), (171.0, "D")):
        found = ff.unbalance_response(
            body,
            speeds,
            [ff.rotors.Unbalance("disc", 1e-6 * micrometres / unit)],
            {"disc": ff.sensors.DofSensor("disc")},
            operating_speeds=(speed, speed),
            balance=ff.rotors.BalanceTolerance(2.5),
        )
        for journal in found.vibrations:
            assert journal.speed_rad_s == pytest.approx(speed)
            assert journal.peak_to_peak_m == pytest.approx(1e-6 * micrometres, rel=1e-5)
            assert journal.bound_m == pytest.approx(61.97e-6, rel=1e-3)
            assert journal.zone == f"zone {zone} of ISO 7919-3"
        assert len(found.vibrations) == 2
        assert any("ISO 21940-12" in notice for notice in found.notices) == bool(found.passages)


def test_balance_needs_two_bearings_and_a_speed() -> None:
    third = ff.rotors.Bearing((LENGTH / 2, 0.0, 0.0), 1e6, name="third")
    body, speeds = rigid_rotor(*pair(1e6, 2e3), third), [50.0, 100.0]
    grade = ff.rotors.BalanceTolerance(2.5)
    with pytest.raises(ff.errors.InputError, match="give the operating speeds"):
        response(body, speeds, balance=grade)
    with pytest.raises(ff.errors.InputError, match="it has 3: left, right, third; name two"):
        response(body, speeds, balance=grade, operating_speeds=(60.0, 90.0))
    named = ff.rotors.BalanceTolerance(2.5, ("left", "third"))
    found = response(body, speeds, balance=named, operating_speeds=(60.0, 90.0))
    assert [plane.plane for plane in found.balance[0].planes] == ["left", "third"]
    assert {journal.zone[:10] for journal in found.vibrations} == {"not judged"}
    with pytest.raises(ff.errors.InputError, match="no bearing lft; the bearings are left, right, third"):
        response(body, speeds, balance=ff.rotors.BalanceTolerance(2.5, ("lft",)), operating_speeds=(60.0, 90.0))
    with pytest.raises(ff.errors.InputError, match="positive"):
        ff.rotors.BalanceTolerance(0.0)


def test_example_of_a_compressor_rotor() -> None:
    """Numbers as its report shows them; peaks of the response lie at its damped critical speed near 4800 rpm.

    A peak over the speed and a crossing of a branch differ by terms of ζ², here (0.53/2π)² = 0.7 %.
    """
    records = run_case(load_case(example_paths()["compressor_rotor"])).records
    first = records["damped modes"].damped_critical_speeds[0]
    assert first.speed_rad_s * 30 / np.pi == pytest.approx(4771.707, rel=1e-5)
    assert first.logarithmic_decrement == pytest.approx(0.532, abs=1e-3)
    passages = records["unbalance"].passages
    assert len(passages) == 6 and {passage.verdict for passage in passages} == {"meets API 617"}
    for passage in passages:
        assert passage.speed_rad_s == pytest.approx(first.speed_rad_s, rel=0.015)
        assert 6.3 < passage.amplification < 7.0
    (balance,) = records["unbalance"].balance
    assert [plane.verdict for plane in balance.planes] == ["meets ISO 21940-11"] * 2
    assert {journal.zone for journal in records["unbalance"].vibrations} == {"zone A of ISO 7919-3"}
    assert len(records["unbalance"].operating_samples) == 2  # orbits and shapes are shown there, too
    threshold = records["threshold"]
    assert threshold.threshold == pytest.approx(2.4403e6, rel=1e-4)
    assert threshold.confirmed and threshold.verdict == "meets API 617, level I"
    assert records["torsion"].frequencies_hz[0] == pytest.approx(521.827, rel=1e-5)
