"""Campbell diagrams of systems against closed forms, published figures and the diagram of one body."""

from dataclasses import replace

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.campbell.system_analysis import system_campbell
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import STEEL, Circle
from flexframe.errors import AnalysisError, InputError
from flexframe.model.body import Body, PointMass
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.supports import Clamp
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity, TorsionSpring
from flexframe.reduction.attached import ClampedFrame
from flexframe.reduction.strategies import Modal

from .system_samples import (
    FLAP,
    INERTIA,
    LAG,
    LENGTH,
    MASS,
    blade_and_slider,
    clamped_blade,
    elastic_blade,
    hub_on_springs,
    modes_of_blade,
    rigid_blades,
    slider_crank,
    sprung_mass,
)

TURN = 2 * np.pi
DIFFERENCES = 1e-9
"""Relative: stiffness by central differences of step 1e-5 has errors of some 1e-11, its root half of that."""


@pytest.mark.parametrize(("hinge", "share"), [(FLAP, 1.0), (LAG, 0.0)])
@pytest.mark.parametrize("stiffness", [0.0, 40.0])
def test_hinged_rigid_blade(hinge: tuple[float, ...], share: float, stiffness: float) -> None:
    """A uniform blade on a hinge at e: ν² = Ω²(1 + 3e/2l) in flap, Ω² 3e/2l in lag, and k/I by a spring."""
    offset, speeds = 0.3, np.array([0.0, 2.0, 10.0, 30.0])
    found = system_campbell(
        rigid_blades(offset, hinge, stiffness=stiffness), speeds, modes=1, engine_orders=(1, 3)
    )
    expected = np.sqrt(speeds**2 * (share + 1.5 * offset / LENGTH) + stiffness / INERTIA)
    np.testing.assert_allclose(TURN * found.frequencies_hz[:, 0], expected, rtol=DIFFERENCES, atol=1e-12)
    # eΩ = ν: Ω² (e² − share − 3e/2l) = k/I
    wanted = [
        np.sqrt(stiffness / INERTIA / (order**2 - share - 1.5 * offset / LENGTH))
        for order in (3, 1)
        if stiffness and order**2 > share + 1.5 * offset / LENGTH
    ]
    np.testing.assert_allclose(found.critical_speeds_rad_s, wanted, rtol=DIFFERENCES)
    assert found.labels == (("flap of b0",) if hinge == FLAP else ("lag of b0",))
    # lag of an inextensible chain of rigid parts takes no torque in the steady state
    np.testing.assert_allclose(found.torques, 0.0, atol=1e-9)


def test_weight_along_the_axis_lets_the_blade_droop() -> None:
    """Hinge on the axis: sin β = −S g/(I Ω²) and ν = Ω cos β, far from small angles at the lowest speed.

    The steady state is solved, and known to 1e-11 rad at least.
    """
    speeds = np.linspace(3.2, 12.0, 5)
    heavy = rigid_blades(0.0, FLAP, loads=(SystemGravity(acceleration=(0.0, 0.0, -9.81)),))
    found = system_campbell(heavy, speeds, modes=1, engine_orders=())
    sine = MASS * LENGTH / 2 * 9.81 / (INERTIA * speeds**2)
    assert sine.max() > 0.8
    np.testing.assert_allclose(TURN * found.frequencies_hz[:, 0], speeds * np.sqrt(1 - sine**2), rtol=DIFFERENCES)


@pytest.mark.parametrize("hub", [0.5, 1e5])
def test_two_blades_on_a_hub_that_may_turn(hub: float) -> None:
    """Lag hinges: blades against each other ν² = Ω² e S/I; together [I − 2(I + eS)²/J] ν² = Ω² e S.

    J is the inertia of the whole about the axis; on a heavy hub both are nearly equal. The third motion is a turn
    of the whole, which nothing resists.
    """
    offset, speeds = 0.3, np.array([5.0, 20.0])
    found = system_campbell(
        rigid_blades(offset, LAG, count=2, hub=hub), speeds, spin="free", modes=3, engine_orders=()
    )
    moment = MASS * LENGTH / 2 * offset  # e S
    whole = hub + 2 * (MASS * offset**2 + INERTIA + 2 * moment)
    apart = speeds * np.sqrt(moment / INERTIA)
    together = speeds * np.sqrt(moment / (INERTIA - 2 * (INERTIA + moment) ** 2 / whole))
    values = np.sort(TURN * found.frequencies_hz, axis=1)
    np.testing.assert_allclose(values, np.stack([0 * speeds, apart, together], axis=1), rtol=DIFFERENCES)
    assert found.labels[0].startswith("free motion")
    held = system_campbell(rigid_blades(offset, LAG, count=2, hub=hub), speeds, modes=3, engine_orders=())
    np.testing.assert_allclose(TURN * held.frequencies_hz, np.stack([apart, apart], axis=1), rtol=DIFFERENCES)


FLAPPING = {  # references C: γ, r0 = 0, r0/L = 1
    0.0: ([3.516015, 22.034492, 61.697214], [3.516015, 22.034492, 61.697214]),
    2.0: ([4.137320, 22.614922, 62.273184], [4.833689, 23.366042, 63.067548]),
    4.0: ([5.585001, 24.273349, 63.966761], [7.475048, 26.957262, 66.986772]),
    8.0: ([9.256838, 29.995382, 70.292962], [13.507389, 37.953793, 80.529532]),
    12.0: ([13.170151, 37.603112, 79.614479], [19.721542, 51.070134, 98.526797]),
}


@pytest.mark.parametrize("offset", [0, 1])
def test_clamped_blade_flaps(offset: int) -> None:
    """References C with slenderness 1000 (no stretch to speak of): twelve modes keep three to 1e-4.

    The sixteen elements alone are 4e-5 stiff in the third mode at rest.
    """
    speeds = np.array(list(FLAPPING))
    found = system_campbell(
        clamped_blade(float(offset), 1000.0), speeds, modes=6, reductions=modes_of_blade(12), engine_orders=()
    )
    flap = [b for b, label in enumerate(found.labels) if label.startswith("flap")]
    assert len(flap) == 3
    expected = [values[offset] for values in FLAPPING.values()]
    np.testing.assert_allclose(np.sort(TURN * found.frequencies_hz[:, flap], axis=1), expected, rtol=1e-4)


def test_clamped_blade_lags_with_stretch() -> None:
    """References C, stretch coupling at slenderness 70: the reference has six digits, eight modes leave 5e-5."""
    speeds = np.array([2.0, 4.0, 6.0, 8.0, 10.0])
    found = system_campbell(
        clamped_blade(0.0, 70.0), speeds, modes=2, reductions=modes_of_blade(8), engine_orders=()
    )
    lag = found.labels.index("lag of blade")
    expected = [3.61957, 3.88807, 4.23933, 4.61058, 4.97002]
    np.testing.assert_allclose(TURN * found.frequencies_hz[:, lag], expected, rtol=5e-5)


def test_same_blade_as_one_body() -> None:
    """The diagram of the body, clamped and spun, on the full mesh: the reduction is all that differs."""
    blade = elastic_blade(70.0)
    speeds = np.linspace(0.0, 10.0, 6)
    body = Body(blade.name, blade.mesh, blade.regions, supports=(Clamp("start"),), space="spatial")
    whole = campbell_diagram(body, speeds, modes=4, axis=(0, 0, 1), engine_orders=(1, 2))
    found = system_campbell(
        clamped_blade(0.0, 70.0), speeds, modes=4, reductions=modes_of_blade(12), engine_orders=(1, 2)
    )
    np.testing.assert_allclose(
        np.sort(found.frequencies_hz[:, :4], axis=1), np.sort(whole.frequencies_hz[:, :4], axis=1), rtol=1e-4
    )
    ours = [(c.engine_order, c.speed_rad_s) for c in found.critical_speeds]
    theirs = [(c.engine_order, c.speed_rad_s) for c in whole.critical_speeds]
    np.testing.assert_allclose(ours, theirs, rtol=1e-4)


def test_disc_on_a_shaft_as_two_bodies() -> None:
    """An overhung disc welded to an elastic shaft, and the same as a point mass of one body on the full mesh.

    Gyroscopic forces pass through the joint. Six modes and the answer to the disc leave 2e-5 of the sixth mode;
    the critical speeds of the one body are eigenvalues, those of the system roots on its branches.
    """
    mass, polar, across = 4.0, 0.05, 0.03

    def shaft(*supports: Clamp) -> Body:
        section = Circle(0.02)
        return Body.beam(
            "shaft", length=0.5, divisions=10, section=section, material=STEEL, space="spatial", supports=supports
        )

    one = replace(shaft(Clamp("start")), point_masses=(PointMass("end", mass, (polar, across, across)),))
    speeds, x = np.linspace(0.0, 600.0, 7), (1.0, 0.0, 0.0)
    whole = campbell_diagram(one, speeds, modes=6, axis=x, engine_orders=(1, 2))
    system = System(
        [shaft(), RigidBody("disc", mass, np.array([polar, across, across]))],
        [Revolute("bearing", "ground", "shaft.start", axis=x), Weld("seat", "shaft.end", "disc")],
        [AngleDrive("spin", "ground", "shaft.start", 0.0, axis=x)],
        start={"disc": Placement(np.array([0.5, 0.0, 0.0]))},
        space="spatial",
    )
    choice = {"shaft": ReductionChoice(Modal(6), ClampedFrame("start"))}
    found = system_campbell(system, speeds, modes=6, engine_orders=(1, 2), reductions=choice)
    ours, theirs = (np.sort(made.frequencies_hz[:, :6], axis=1) for made in (found, whole))
    np.testing.assert_allclose(ours, theirs, rtol=2e-5)
    np.testing.assert_allclose(ours[:, :2], theirs[:, :2], rtol=1e-7)
    crossings = [[(c.engine_order, c.speed_rad_s) for c in made.critical_speeds] for made in (found, whole)]
    np.testing.assert_allclose(crossings[0], crossings[1], rtol=1e-5)
    assert {order for order, _ in crossings[0]} == {0, 1, 2}
    assert found.labels[0] == "lateral motion of disc"


def test_isolated_mass_on_a_turning_hub() -> None:
    """f₀ = 10 Hz, Ω = 5 Hz: 5 and 15 Hz in the turning frame; a load that turns with the hub meets it at 10 Hz."""
    speeds = TURN * np.linspace(0.0, 15.0, 7)
    found = system_campbell(sprung_mass(TURN * 10), speeds, modes=2, engine_orders=(1,))
    assert np.sort(found.frequencies_hz[2]) == pytest.approx([5.0, 15.0], rel=1e-10)
    np.testing.assert_allclose(
        np.sort(found.frequencies_hz, axis=1),
        np.sort(np.abs(np.outer(np.ones(7), [10.0, 10.0]) + np.outer(speeds / TURN, [-1, 1])), axis=1),
        atol=1e-9,
    )
    # 10 − Ω = Ω for order 1, 10 − Ω = 0 for a load that turns
    orders = {c.engine_order: c.speed_rad_s / TURN for c in found.critical_speeds}
    assert orders == pytest.approx({1: 5.0, 0: 10.0}, rel=1e-8)
    assert found.stability_limits == ()


@pytest.mark.parametrize("in_space", [0.0, 6.0])
def test_damping_in_the_hub_and_in_space(in_space: float) -> None:
    """λ² + (c_i + c_e)/m λ + ω₀² − Ω² + 2iΩλ + iΩ c_e/m = 0 (ζ = x + iy); unstable from ω₀(1 + c_e/c_i) on."""
    frequency, damping, mass = 10.0, 4.0, 2.0
    speeds = np.linspace(0.0, 30.0, 16)
    found = system_campbell(
        sprung_mass(frequency, damping=damping, in_space=in_space), speeds, modes=2, engine_orders=()
    )
    for speed, values in zip(speeds, found.eigenvalues, strict=True):
        roots = np.roots(
            [
                1.0,
                (damping + in_space) / mass + 2j * speed,
                frequency**2 - speed**2 + 1j * speed * in_space / mass,
            ]
        )
        key = lambda z: (round(z.real, 7), abs(z.imag))  # noqa: E731 - conjugates are the same mode
        expected = sorted((complex(z.real, abs(z.imag)) for z in roots), key=key)
        np.testing.assert_allclose(sorted(values, key=key), expected, rtol=1e-8, atol=1e-8)
    assert found.stability_limits == pytest.approx([frequency * (1 + in_space / damping)], rel=1e-8)
    assert any("unstable" in notice for notice in found.notices)


def ground_resonance(speed: float, *, offset: float, count: int, mass: float, stiffness: float) -> np.ndarray:
    """Coleman and Feingold's equation in the turning frame, N ≥ 3 blades: a = (λ + iΩ)², M the whole mass,

    (M a + k)(I λ² + e S Ω²) − ½ N S² a² = 0. Four roots, their conjugates belong to the conjugate motion.
    """
    first = MASS * LENGTH / 2
    a = np.array([1.0, 2j * speed, -(speed**2)])
    lag = np.array([INERTIA, 0.0, offset * first * speed**2])
    hub = (mass + count * MASS) * a + np.array([0.0, 0.0, stiffness])
    return np.roots(np.polysub(np.polymul(hub, lag), count / 2 * first**2 * np.polymul(a, a)))


def test_ground_resonance() -> None:
    """Three lag-hinged blades on a sprung hub: eigenvalues, and the ends of the unstable range.

    The range is found in the polynomial by bisection; there the growth rises as the root of the distance, so that
    a level of 1e-6 of the largest |λ| is 1e-12 beside the end.
    """
    data = {"offset": 0.2, "count": 3, "mass": 20.0, "stiffness": 6e4}
    speeds = np.linspace(5.0, 120.0, 24)
    found = system_campbell(hub_on_springs(**data), speeds, modes=5, engine_orders=())
    blades = np.sqrt(1.5 * 0.2 / LENGTH)
    for speed, values in zip(speeds, found.eigenvalues, strict=True):
        expected = [complex(z.real, abs(z.imag)) for z in ground_resonance(speed, **data)] + [1j * blades * speed]
        for value in values:
            assert min(abs(value - z) for z in expected) < 1e-7 * abs(value)

    def grows(speed: float) -> bool:
        return bool(ground_resonance(speed, **data).real.max() > 1e-5)

    ends = []
    flags = [grows(speed) for speed in speeds]
    assert any(flags) and not flags[0] and not flags[-1]
    for k in np.flatnonzero(np.diff(flags)):
        low, high = speeds[k : k + 2]
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if grows(middle) == flags[k] else (low, middle)
        ends.append(low)
    np.testing.assert_allclose(found.stability_limits, ends, rtol=1e-7)
    assert any(label.endswith("flutter") for label in found.labels)


def test_branches_cross_by_shape() -> None:
    """A slider of 12 rad/s at all speeds and a flapping blade: the branches cross and keep their shapes."""
    speeds = np.linspace(1.0, 20.0, 9)
    found = system_campbell(blade_and_slider(12.0), speeds, modes=2, engine_orders=(2,))
    slider = found.labels.index("axial motion of slider")
    np.testing.assert_allclose(TURN * found.frequencies_hz[:, slider], 12.0, rtol=DIFFERENCES)
    rising = TURN * found.frequencies_hz[:, 1 - slider]
    np.testing.assert_allclose(rising, speeds * np.sqrt(1 + 0.45 / LENGTH), rtol=DIFFERENCES)
    assert found.critical_speeds_rad_s == pytest.approx([6.0], rel=DIFFERENCES)  # 2 Ω = 12 rad/s
    assert not [notice for notice in found.notices if "doubt" in notice]


def test_both_senses_of_rotation_are_alike() -> None:
    """Ω → −Ω is a mirror image: the same frequencies, and critical speeds of both signs."""
    speeds = np.linspace(-9.0, 9.0, 7)
    found = system_campbell(
        clamped_blade(0.2, 70.0), speeds, modes=4, reductions=modes_of_blade(4), engine_orders=(2,)
    )
    np.testing.assert_allclose(
        np.sort(found.frequencies_hz, axis=1), np.sort(found.frequencies_hz[::-1], axis=1), rtol=1e-8
    )
    speeds_found = np.array(found.critical_speeds_rad_s)
    np.testing.assert_allclose(speeds_found, -speeds_found[::-1], rtol=1e-8)
    assert speeds_found.size


def test_hinged_elastic_blade() -> None:
    """On a hinge at the axis the straight blade flaps with Ω; at rest the next is (βL)² = 15.418206 (pinned-free).

    Its frame is free, with the quadratic field: what that adds is of the order of the strain, here below 1e-5.
    """
    base = rigid_blades(0.0, FLAP)
    blade = elastic_blade(1000.0)
    joints = [base.joints[0], Revolute("h0", "hub.p0", "blade.start", axis=FLAP)]
    system = System([base.bodies[0], blade], joints, base.drives, space="spatial")
    choice = {"blade": ReductionChoice(Modal(8), inertia_shapes=True)}  # mean axes
    speeds = np.array([0.0, 1.0, 3.0])
    found = system_campbell(system, speeds, modes=3, reductions=choice, engine_orders=())
    flap = [b for b, label in enumerate(found.labels) if label.startswith("flap")]
    values = TURN * found.frequencies_hz[:, flap]
    np.testing.assert_allclose(values[:, 0], speeds, rtol=1e-5, atol=1e-6)
    assert values[0, 1] == pytest.approx(15.418206, rel=1e-5)  # sixteen elements


def test_axis_is_found_from_the_joints() -> None:
    """The drive is described at the origin, the bearing is elsewhere, and says where the axis is."""
    base = rigid_blades(0.3, FLAP)
    there = np.array([0.4, -0.2, 0.7])
    system = System(
        base.bodies,
        [Revolute("bearing", "ground.pivot", "hub"), *base.joints[1:]],
        base.drives,
        ground={"pivot": there},
        start={"hub": Placement(there), "b0": Placement(there + np.array([0.3, 0, 0]))},
        space="spatial",
    )
    found = system_campbell(system, [7.0], modes=1, engine_orders=())
    np.testing.assert_allclose(found.point[:2], there[:2], atol=1e-12)
    np.testing.assert_allclose(found.axis, [0, 0, 1], atol=ROUNDING)
    assert TURN * found.frequencies_hz[0, 0] == pytest.approx(7.0 * np.sqrt(1 + 0.45 / LENGTH), rel=DIFFERENCES)


def test_drive_that_is_described_from_the_hub() -> None:
    """Ground against hub: the same frequencies about the opposite axis, and the torque of a drag turns with it."""
    base = rigid_blades(0.3, FLAP)
    drag = TorsionSpring("drag", "ground", "hub", damping=2.0)
    for drive, sign in ((base.drives[0], 1.0), (AngleDrive("spin", "hub", "ground", "t"), -1.0)):
        system = System(base.bodies, base.joints, [drive], [*base.loads, drag], start=base.start, space="spatial")
        found = system_campbell(system, [7.0], modes=1, engine_orders=())
        np.testing.assert_allclose(found.axis, [0, 0, sign])
        # along the axis of rotation the drive works against the drag
        assert found.torques[0] == pytest.approx(14.0, rel=1e-9)
        expected = 7.0 * np.sqrt(1 + 0.45 / LENGTH)
        assert TURN * found.frequencies_hz[0, 0] == pytest.approx(expected, rel=DIFFERENCES)


@pytest.mark.parametrize(
    ("system", "why"),
    [
        (slider_crank(), "guide does not turn with motor"),
        (slider_crank(gravity=True), "gravity is not along the axis of motor"),
        (sprung_mass(30.0, second=0.5), "stiffness or damping changes with the angle of spin"),
    ],
)
def test_coefficients_that_change_are_refused(system: System, why: str) -> None:
    """One line that says why, and which analyses serve instead."""
    with pytest.raises(InputError, match=why) as refusal:
        system_campbell(system, [3.0, 9.0])
    text = str(refusal.value)
    assert "cycle_spectrum" in text and "stability" in text and "\n" not in text


def test_force_fixed_in_space_is_refused() -> None:
    """A steady push on the blade turns against it once in a turn."""
    push = MarkerForce("wind", "b0.tip", (3.0, 0.0, 0.0))
    with pytest.raises(InputError, match="forces change with the angle of spin"):
        system_campbell(rigid_blades(0.3, LAG, stiffness=50.0, loads=(push,)), [3.0])


def test_refusals_of_the_drive() -> None:
    """The drive must turn a body against the ground, and be named where there are several."""
    base = rigid_blades(0.3, LAG)
    inner = AngleDrive("pitch", "hub.p0", "b0", 0.1, axis=LAG)
    both = System(base.bodies, base.joints, [*base.drives, inner], start=base.start, space="spatial")
    with pytest.raises(InputError, match="2 drives"):
        system_campbell(both, [3.0])
    with pytest.raises(InputError, match="pitch does not turn a body against the ground"):
        system_campbell(both, [3.0], drive="pitch")
    with pytest.raises(InputError, match="did you mean 'spin'"):
        system_campbell(both, [3.0], drive="spim")
    with pytest.raises(InputError, match="nothing of the system can vibrate"):
        system_campbell(both, [3.0], drive="spin")


def test_blade_that_nothing_holds() -> None:
    """Weight along the axis at rest pulls a hinge whose stiffness is zero at first order: no step answers it."""
    heavy = rigid_blades(0.0, FLAP, loads=(SystemGravity(acceleration=(0.0, 0.0, -9.81)),))
    with pytest.raises(AnalysisError, match="no steady state is found at 0 rad/s"):
        system_campbell(heavy, [0.0], modes=1)
