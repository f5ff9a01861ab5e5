"""Modes and harmonic response of systems with exact beams about loaded and spinning equilibria.

Against the answers for one body, closed forms, and the same system of many floating frames.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy import linalg
from scipy.special import jn_zeros

import flexframe as ff
from flexframe.errors import InputError
from flexframe.maths.arrays import Array

EXACT = ff.reduction.ReductionChoice(exact=True)
SPIN = 40.0  # rad/s
Z = (0.0, 0.0, 1.0)


def blade(loads: tuple[ff.NodeForce, ...] = (), *, clamped: bool = True) -> ff.Body:
    made = ff.Body.beam(
        "blade",
        length=1.2,
        divisions=8,
        section=ff.Rectangle(0.04, 0.004),
        material=ff.STEEL,
        root=0.1,
        space="spatial",
        supports=(ff.Clamp("start"),) if clamped else (),
        loads=loads,
    )
    return replace(made, damping=ff.Damping(stiffness=1e-4))


LOAD = (ff.NodeForce("end", (0.0, 8.0, 3.0)),)  # bends it by a third of its length
LOADED = ff.System(
    [blade(LOAD, clamped=False)],
    [ff.Weld("root", "ground", "blade.start")],
    loads=[ff.loads.BodyLoads("load", "blade", axes="space")],
    space="spatial",
)
HUB = ff.System(
    [blade()],
    [ff.Revolute("hub", "ground", "blade", Z)],
    [ff.AngleDrive("spin", "ground", "blade", 0.0, Z)],
    space="spatial",
)


def test_modes_of_a_system_of_one_body() -> None:
    """Two ways to one tangent: supports of a body on a known frame, joints of a system.

    Equilibria end with corrections of 1e-11, which frequencies see as much of as the loads change them.
    """
    for found, one in (
        (
            ff.system_modes(LOADED, count=5, reductions={"blade": EXACT}),
            ff.modes(blade(LOAD), count=5, exact=True),
        ),
        (
            ff.system_modes(HUB, count=5, speed=SPIN, reductions={"blade": EXACT}),
            ff.modes(blade(), ff.FrameMotion.spin(SPIN), count=5, exact=True),
        ),
    ):
        assert found.eigenvalues == pytest.approx(one.eigenvalues, rel=1e-8)
        assert found.residuals.max() < 1e-8
    assert found.frame == "rotating" and found.drive == "spin"


def test_response_of_a_system_of_one_body() -> None:
    """Amplitudes and phases at rest and in rotation, where the force turns with the blade."""
    frequencies = np.linspace(0.0, 40.0, 21)
    force = {"force": (0.0, 1.0, 0.5), "moment": (0.1, 0.0, 0.0), "phase": 0.3}
    on_body, on_system = (ff.loads.HarmonicForce(on, **force) for on in ("end", "blade.end"))
    seen = {axis: ff.sensors.DofSensor("end", f"u{axis}") for axis in "xyz"}
    moved = {"tip": ff.sensors.MarkerSensor("displacement", "blade.end")}
    pairs = [
        (
            ff.system_response(LOADED, frequencies, [on_system], moved, reductions={"blade": EXACT}),
            ff.frequency_response(blade(LOAD), ff.FrameMotion.spin(0.0), frequencies, [on_body], seen, exact=True),
        ),
        (
            ff.system_response(HUB, frequencies, [on_system], moved, speed=SPIN, reductions={"blade": EXACT}),
            ff.frequency_response(blade(), ff.FrameMotion.spin(SPIN), frequencies, [on_body], seen, exact=True),
        ),
    ]
    for found, one in pairs:
        for axis in "xyz":
            exact = one.curves[axis].values
            # columns of sensors are differences of fourth order, good to 1e-8
            assert found.curves[f"tip {axis}"].values == pytest.approx(
                exact, rel=1e-6, abs=1e-7 * abs(exact).max()
            )


def hanging_frequencies(EI: float, g: float) -> Array:
    """Of a beam of 1 m and 1 kg that hangs on a pin, rad/s: Ritz's method with polynomials up to degree 30.

    EI ∫w″² + ∫g(1 − x)w′² against ∫w², with w(0) = 0, on the integrals of Legendre's polynomials.
    """
    x, weights = np.polynomial.legendre.leggauss(60)
    x, weights = (x + 1) / 2, weights / 2
    bases = [np.polynomial.Legendre.basis(k, domain=[0, 1]) for k in range(30)]
    w, slope, bend = (
        np.array([each(x) for each in shapes])
        for shapes in ([b.integ(lbnd=0) for b in bases], bases, [b.deriv() for b in bases])
    )
    K = EI * (bend * weights) @ bend.T + (slope * weights * g * (1 - x)) @ slope.T
    return np.asarray(np.sqrt(linalg.eigh(K, (w * weights) @ w.T, eigvals_only=True)[:3]))


def test_hanging_beam_that_is_nearly_a_chain() -> None:
    """Pinned and stiffened by its own weight, at the end of which it has none; its length changes by 5e-5.

    Limits of 20 and 40 elements, by order 4.
    """
    g, EI, limits = 9.81, 5e-3, np.zeros(3)
    exact = hanging_frequencies(EI, g)
    assert exact[0] == pytest.approx(jn_zeros(0, 1)[0] / 2 * np.sqrt(g), rel=5e-3)  # of a chain
    section = ff.sections.GeneralSection(1.0, EI / 1e5, EI / 1e5, EI, 1.0)
    material = ff.Material(1e5, 0.0, 1.0, idealised=True)
    for divisions, share in ((20, -1 / 15), (40, 16 / 15)):
        rope = ff.Body.beam("rope", length=1.0, divisions=divisions, section=section, material=material)
        system = ff.System(
            [rope],
            [ff.Revolute("pin", "ground", "rope.start")],
            loads=[ff.SystemGravity("weight", (0.0, -g, 0.0))],
            start={"rope": ff.Placement(rotation=(0, 0, -np.pi / 2))},
        )
        found = ff.system_modes(system, count=3, reductions={"rope": EXACT})
        assert found.stability == "stable"
        limits += share * 2 * np.pi * found.frequencies_hz
    assert limits == pytest.approx(exact, rel=5e-5)


def gantry(divisions: int) -> ff.System:
    """Two soft beams, one clamped, one on it by a hinge with a spring, under their weight."""
    soft = ff.Material(1e8, 0.3, 1200.0)
    shape = {"divisions": divisions, "section": ff.Rectangle(0.02, 0.01), "material": soft}
    mast = ff.Body.beam("mast", length=0.5, **shape)
    arm = ff.Body.beam("arm", length=0.4, **shape)
    return ff.System(
        [mast, arm],
        [ff.Weld("root", "ground", "mast.start"), ff.Revolute("hinge", "mast.end", "arm.start")],
        loads=[
            ff.SystemGravity("weight", (0.0, -9.81, 0.0)),
            ff.loads.TorsionSpring("spring", "mast.end", "arm.start", 0.2),
        ],
        start={"arm": ff.Placement((0.5, 0.0))},
    )


def test_two_bodies_as_floating_frames_have_them() -> None:
    """Bent by 50° under their weight, as exact beams and as floating frames, which come near with order 4."""
    system, apart = gantry(16), []
    exact = ff.system_modes(system, count=3, reductions={"mast": EXACT, "arm": EXACT}).frequencies_hz
    for parts in (4, 8):
        frames = ff.reduction.ReductionChoice(parts=parts)
        divided = ff.system_modes(system, count=3, reductions={"mast": frames, "arm": frames}).frequencies_hz
        apart.append(np.abs(divided / exact - 1))
    assert apart[0].max() < 1e-3
    assert (apart[0] / apart[1] > 12).all()  # 16 less higher orders


def test_shaken_foot() -> None:
    """A cantilever whose foot a drive shakes, far below and far above its first frequency, against its series.

    ŷ = 1 + Σ 2 σₖ/βₖ φₖ(L) r²/(1 − r²) with r = ω/ωₖ for a foot that moves by 1; sixty modes leave 1e-6.
    """
    body = ff.Body.beam("beam", length=1.0, divisions=16, section=ff.Rectangle(0.02, 0.01), material=ff.STEEL)
    foot = ff.RigidBody("foot", 1.0, np.ones(3))
    system = ff.System(
        [foot, body],
        [ff.Prismatic("slide", "ground", "foot", axis=(0, 1, 0)), ff.Weld("root", "foot", "beam.start")],
        [ff.drives.PositionDrive("shake", "ground", "foot", 0.0, (0, 1, 0))],
    )
    beta = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613])
    beta = np.append(beta, (np.arange(4, 60) - 0.5) * np.pi)
    sigma = np.append([0.734095513758, 1.018467318759, 0.999224496517], np.ones(56))
    # ∫φ = 2σ/β and φ(1) = 2(−1)^(k+1) of φ = cosh − cos − σ(sinh − sin), ∫φ² = 1
    weights = 2 * sigma / beta * 2 * (-1.0) ** np.arange(len(beta))
    scale = np.sqrt(ff.STEEL.young * 0.01**2 / 12 / ff.STEEL.density)
    frequencies = np.array([2.0, 20.0])
    r = (2 * np.pi * frequencies[:, None] / (beta**2 * scale)) ** 2
    exact = 1 + (weights * r / (1 - r)).sum(axis=1)
    found = ff.system_response(
        system,
        frequencies,
        [ff.loads.HarmonicSignal("drives.shake", 1e-3)],
        {"tip": ff.sensors.MarkerSensor("position", "beam.end")},
        reductions={"beam": EXACT},
    )
    # shear and rotary inertia of a beam with L/h = 100 change frequencies by 1e-4
    assert found.curves["tip y"].values / 1e-3 == pytest.approx(exact, rel=2e-3)


def test_what_has_no_modes() -> None:
    """Controllers with states, constraints on velocities, and drives without a speed; what to do instead."""
    with pytest.raises(InputError, match="give its speed too"):
        ff.system_modes(HUB, drive="spin", reductions={"blade": EXACT})
    with pytest.raises(InputError, match="ask for at least one"):
        ff.system_modes(HUB, count=0)
    disc = ff.RigidBody("disc", 2.0, np.array([0.1, 0.1, 0.2]))
    rolling = ff.System([disc], [ff.joints.Rolling("roll", "ground", "disc", radius=0.3)], space="spatial")
    with pytest.raises(InputError, match="constraint on velocities, which modes have no place for"):
        ff.system_modes(rolling)
    with pytest.raises(InputError, match="nothing shakes the system"):
        ff.system_response(HUB, [1.0], [], {"tip": ff.sensors.MarkerSensor("position", "blade.end")})
    push = ff.loads.HarmonicForce("blade.nose", (0.0, 1.0))
    with pytest.raises(InputError, match="nose"):
        ff.system_response(HUB, [1.0], [push], {"tip": ff.sensors.MarkerSensor("position", "blade.end")})
