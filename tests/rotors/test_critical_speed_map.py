"""Critical speeds over the stiffness of bearings, against closed forms and Campbell diagrams."""

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe.errors import AnalysisError, InputError

LENGTH, DIAMETER = 2.0, 0.04


def uniform(material: ff.Material = ff.STEEL, *, elements: int = 24, **more: object) -> ff.Body:
    """A uniform shaft with bearings at both ends."""
    ends = [ff.rotors.Bearing((x, 0.0, 0.0), 1e7, name=name) for x, name in ((0.0, "left"), (LENGTH, "right"))]
    return ff.rotors.rotor_body(
        "shaft",
        [ff.rotors.ShaftPiece(LENGTH, (ff.rotors.ShaftLayer(DIAMETER),), elements=elements)],
        material=material,
        bearings=more.pop("bearings", ends),  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


def hinged_speeds(count: int) -> np.ndarray:
    """(κGAq² − ρAΩ²)(EIq² + κGA + ρIΩ²) = (κGAq)², q = nπ/L: forward whirl has I_d − I_p = −I_d."""
    E, G, rho = ff.STEEL.young, ff.STEEL.shear_modulus, ff.STEEL.density
    area, inertia = np.pi * DIAMETER**2 / 4, np.pi * DIAMETER**4 / 64
    (factor, _), out = ff.sections.Circle(DIAMETER).shear_factors(ff.STEEL.poisson), []
    for n in range(1, count + 1):
        q = n * np.pi / LENGTH
        shear = factor * G * area
        roots = np.roots(
            [
                -rho * area * rho * inertia,
                shear * q**2 * rho * inertia - rho * area * (E * inertia * q**2 + shear),
                shear * q**2 * (E * inertia * q**2 + shear) - (shear * q) ** 2,
            ]
        )
        out.append(np.sqrt(roots[roots > 0].min()))
    return np.array(out)


def test_stiff_bearings_are_hinges() -> None:
    """The error falls by four and more with half the elements, to (qh)²/4000 of mode 3; 1e14 N/m is rigid."""
    wanted = hinged_speeds(3)
    coarse, fine = (ff.rotors.critical_speed_map(uniform(elements=n), [1e14], modes=3).speeds[0] for n in (24, 48))
    assert fine == pytest.approx(wanted, rel=2e-5)
    assert (np.abs(fine - wanted) < np.abs(coarse - wanted) / 4).all()


def test_soft_bearings_leave_a_free_shaft() -> None:
    """(βL)² of a free beam; rotary inertia and shear of L/d = 50 are below (βd/4)²·4 = 4e-3."""
    found = ff.rotors.critical_speed_map(uniform(), [1e-2], modes=4).speeds[0, 2:]
    radius, c = DIAMETER / 4, np.sqrt(ff.STEEL.young / ff.STEEL.density)
    wanted = np.array([4.73004074, 7.85320462]) ** 2 / LENGTH**2 * c * radius
    assert found == pytest.approx(wanted, rel=4e-3)


def test_a_rigid_rotor_on_two_springs() -> None:
    """Ω² = 2k/m and kL²/2/(I_d − I_p): what bends is kL³/48EI of it, 7e-7."""
    stiff = ff.Material(young=2e18, poisson=0.3, density=7850.0, idealised=True)
    k = 1e6
    found = ff.rotors.critical_speed_map(uniform(stiff, elements=4), [k], modes=2).speeds[0]
    mass = 7850.0 * np.pi * DIAMETER**2 / 4 * LENGTH
    polar = mass * DIAMETER**2 / 8
    across = mass * (LENGTH**2 / 12 + DIAMETER**2 / 16)
    wanted = np.sqrt([2 * k / mass, k * LENGTH**2 / 2 / (across - polar)])
    assert found == pytest.approx(wanted, rel=2e-6)


def test_curves_are_the_critical_speeds_of_campbell_diagrams() -> None:
    """With its own stiffness in all bearings the map is at the undamped critical speeds of unbalance."""
    k = 3e6
    held = [ff.rotors.Bearing((x, 0.0, 0.0), k, name=name) for x, name in ((0.0, "left"), (1.5, "right"))]
    rotor = uniform(bearings=held, discs=[ff.rotors.Disc(1.0, 12.0, 0.3, 0.16, "wheel")])
    diagram = ff.campbell_diagram(rotor, np.linspace(0.0, 4000.0, 11), modes=12, engine_orders=[1])
    wanted = sorted(c.speed_rad_s for c in diagram.critical_speeds if c.excited_by == "unbalance")
    found = ff.rotors.critical_speed_map(rotor, [k], modes=3)
    # the diagram is projected: its tolerance
    assert found.speeds[0] == pytest.approx(wanted[:3], rel=2e-6)
    assert [crossing.speed_rad_s for crossing in found.crossings] == pytest.approx(
        found.speeds[0], rel=rounding(100, 1e6)
    )
    assert found.own[0].bearings == ("left", "right")


def test_tables_meet_the_map() -> None:
    """k = k₀(Ω/Ω₀)² on a rigid rotor: Ω² = 2k/m holds at one k₀ for all Ω; k₀ 2 % larger on top crosses once."""
    stiff = ff.Material(young=2e20, poisson=0.3, density=7850.0, idealised=True)
    mass = 7850.0 * np.pi * DIAMETER**2 / 4 * LENGTH
    speeds = np.array([100.0, 200.0, 300.0])
    # k(Ω) = mΩ²/2 (1 + (Ω − 150)/1000): below its own critical speed up to 150 rad/s, above it from there on
    stiffness = mass * speeds**2 / 2 * (1 + (speeds - 150) / 1000)
    table = ff.rotors.BearingTable.from_columns({"speed": speeds, "kxx": stiffness})
    held = [ff.rotors.Bearing((x, 0.0, 0.0), table=table) for x in (0.0, LENGTH)]
    found = ff.rotors.critical_speed_map(uniform(stiff, elements=4, bearings=held), [1e4, 1e7], modes=1)
    # the parabola through three points of a cubic, read off 81 points: 1e-4 of its height
    (crossing,) = [c for c in found.crossings if c.mode == 1]
    parabola = np.poly1d(np.polyfit(speeds, stiffness, 2))
    roots = (parabola - np.poly1d([mass / 2, 0, 0])).roots
    (wanted,) = [root for root in roots if 100 < root < 300]
    assert crossing.speed_rad_s == pytest.approx(wanted, rel=1e-3)


def test_anisotropic_bearings_and_seals() -> None:
    """Two curves of their own; seals without direct stiffness are reported; unknown names refused."""
    held = [
        ff.rotors.Bearing((0.0, 0.0, 0.0), (1e6, 4e6), name="left"),
        ff.rotors.Bearing((1.0, 0.0, 0.0), ((0.0, 1e6), (-1e6, 0.0)), name="seal"),
        ff.rotors.Bearing(
            (LENGTH, 0.0, 0.0), (1e6, 4e6), name="right", pedestal=ff.rotors.Pedestal(20.0, (1e8, 3e8))
        ),
    ]
    rotor = uniform(bearings=held)
    found = ff.rotors.critical_speed_map(rotor, modes=2)
    assert [curve.label for curve in found.own] == ["left, right along x", "left, right along y"]
    assert found.bearings == ("left", "right")
    assert (found.stiffnesses[0], found.stiffnesses[-1]) == pytest.approx((1e5, 1e8))
    assert any("seal" in notice for notice in found.notices)
    assert any("mean" in notice for notice in found.notices)
    assert (np.diff(found.speeds, axis=0) > 0).all()
    assert found.summary()["crossings"]
    with pytest.raises(InputError, match="no bearing mid; the bearings are left, seal, right"):
        ff.rotors.critical_speed_map(rotor, bearings=["mid"])
    with pytest.raises(AnalysisError, match="do not hold the shaft"):
        ff.rotors.critical_speed_map(rotor, bearings=["seal"], stiffnesses=[1e6])
    with pytest.raises(InputError, match="positive and increasing"):
        ff.rotors.critical_speed_map(rotor, [2e6, 1e6])
