"""Equilibria of mechanisms with joints and springs, rigid and elastic, against closed forms and minimal energy.

Forces balance to the rounding of differences along 1e-5 of a length; positions come out to 1e-9 at least.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy import optimize

import flexframe as ff
from flexframe.cases.case import load_case, parse_case
from flexframe.entries.problems import CaseError
from flexframe.errors import AnalysisError
from flexframe.reports.build import report_document
from flexframe.reports.document import render_html

EXAMPLES = Path(__file__).parents[2] / "examples"
G, MASS, LENGTH = 9.81, 2.0, 1.0
MOMENT = MASS * G * LENGTH / 2  # of the weight of a horizontal rod
INERTIA = MASS * LENGTH**2 / 3


def pendulum(angle, *loads):
    rod = ff.RigidBody.rod("rod", length=LENGTH, mass=MASS)
    return ff.System(
        [rod],
        [ff.Revolute("pivot", "ground", "rod.start")],
        loads=[ff.SystemGravity(), *loads],
        start={"rod": ff.Placement(rotation=angle)},
        ground={"top": (0.8, 1.0)},
    )


@pytest.mark.parametrize("angle", [0.0, 1.2, 1.5, -2.0, 3.0])
def test_a_pendulum_hangs_wherever_it_starts(angle):
    found = ff.system_statics(pendulum(angle))
    down = found.motion.body("rod").angles[0] + np.pi / 2
    assert np.sin(down / 2) == pytest.approx(0.0, abs=1e-12)
    assert found.stability == "stable"
    assert found.eigenvalues.real == pytest.approx([MOMENT / INERTIA], rel=1e-8)
    assert found.forces.joints["pivot"].force[0] == pytest.approx([0, MASS * G, 0], abs=1e-9)
    assert found.moved["rod"][1] == pytest.approx(np.arccos(np.cos(angle + np.pi / 2)), abs=1e-9)


def test_a_pendulum_on_a_torsion_spring():
    """c φ = −m g (L/2) cos φ, with (c − m g (L/2) sin φ)/(m L²/3) for its tangent."""
    stiffness = 25.0
    found = ff.system_statics(pendulum(0.5, ff.loads.TorsionSpring("coil", "ground", "rod", stiffness=stiffness)))
    angle = optimize.brentq(lambda a: stiffness * a + MOMENT * np.cos(a), -1.5, 0.0, xtol=1e-14)
    assert found.motion.body("rod").angles[0] == pytest.approx(angle, abs=1e-10)
    assert found.springs[0].force == pytest.approx(-stiffness * angle, rel=1e-9)
    expected = (stiffness - MOMENT * np.sin(angle)) / INERTIA
    assert found.eigenvalues.real == pytest.approx([expected], rel=1e-8)
    assert found.potential == pytest.approx(stiffness * angle**2 / 2 + MOMENT * np.sin(angle), rel=1e-9)


def test_a_pendulum_on_a_stretched_spring():
    """A spring from the tip to a point above: the energy of one angle, minimised."""
    stiffness, free = 60.0, 0.4
    spring = ff.Spring("spring", "ground.top", "rod.end", stiffness=stiffness, free=free)
    found = ff.system_statics(pendulum(0.2, spring))

    def energy(a):
        long = np.hypot(LENGTH * np.cos(a) - 0.8, LENGTH * np.sin(a) - 1.0)
        return stiffness * (long - free) ** 2 / 2 + MOMENT * np.sin(a)

    best = optimize.minimize_scalar(energy, bounds=(-1.5, 1.5), method="bounded", options={"xatol": 1e-12})
    # a minimum is found to the root of the precision of the energy
    assert found.motion.body("rod").angles[0] == pytest.approx(best.x, abs=1e-6)
    assert found.potential == pytest.approx(best.fun, rel=1e-12)
    summary = found.summary()["springs"]["spring"]
    assert summary["force"] == pytest.approx(-stiffness * (summary["coordinate"] - free), rel=1e-12)


@pytest.mark.parametrize(("stiffness", "word"), [(0.6 * MOMENT, "unstable"), (1.6 * MOMENT, "stable")])
def test_upright_on_a_spring(stiffness, word):
    """Exactly upright it rests; a spring below m g L/2 does not hold it: (c − m g L/2)/(m L²/3)."""
    spring = ff.loads.TorsionSpring("coil", "ground", "rod", stiffness=stiffness, free=np.pi / 2)
    found = ff.system_statics(pendulum(np.pi / 2, spring))
    assert found.stability == word
    assert found.motion.body("rod").angles[0] == np.pi / 2
    assert found.eigenvalues.real == pytest.approx([(stiffness - MOMENT) / INERTIA], rel=1e-8)
    assert found.words.startswith(word)


def test_beside_the_unstable_position_it_falls():
    """sin ψ = (c/M) ψ with ψ from the vertical: the tilted equilibrium is the stable one."""
    stiffness = 0.6 * MOMENT
    spring = ff.loads.TorsionSpring("coil", "ground", "rod", stiffness=stiffness, free=np.pi / 2)
    found = ff.system_statics(pendulum(np.pi / 2 - 1e-4, spring))
    tilt = optimize.brentq(lambda a: stiffness * a - MOMENT * np.sin(a), 0.5, 3.0, xtol=1e-14)
    assert found.motion.body("rod").angles[0] == pytest.approx(np.pi / 2 - tilt, abs=1e-9)
    assert found.stability == "stable"


def test_a_four_bar_against_minimal_energy():
    """Crank, coupler and follower by law of cosines, energy over the crank angle by scipy; a coil at the crank."""
    crank, coupler, follower, base, stiffness = 0.3, 0.8, 0.6, 0.9, 12.0
    masses = {"crank": 1.0, "coupler": 2.0, "follower": 1.5}

    def places(a):
        B = crank * np.array([np.cos(a), np.sin(a)])
        to = np.array([base, 0.0]) - B
        d = np.linalg.norm(to)
        along = (coupler**2 - follower**2 + d**2) / (2 * d)
        C = B + along * to / d + np.sqrt(coupler**2 - along**2) * np.array([-to[1], to[0]]) / d
        return B, C

    def energy(a):
        B, C = places(a)
        heights = {"crank": B[1] / 2, "coupler": (B[1] + C[1]) / 2, "follower": C[1] / 2}
        return G * sum(masses[n] * h for n, h in heights.items()) + stiffness * (a - 1.0) ** 2 / 2

    B, C = places(1.3)
    slope = {"coupler": np.arctan2(*(C - B)[::-1]), "follower": np.arctan2(*(C - [base, 0])[::-1])}
    lengths = {"crank": crank, "coupler": coupler, "follower": follower}
    system = ff.System(
        [ff.RigidBody.rod(n, length=lengths[n], mass=m) for n, m in masses.items()],
        [
            ff.Revolute("A", "ground", "crank.start"),
            ff.Revolute("B", "crank.end", "coupler.start"),
            ff.Revolute("C", "coupler.end", "follower.end"),
            ff.Revolute("D", "ground.D", "follower.start"),
        ],
        loads=[
            ff.SystemGravity(),
            ff.loads.TorsionSpring("coil", "ground", "crank", stiffness=stiffness, free=1.0),
        ],
        ground={"D": (base, 0.0)},
        start={
            "crank": ff.Placement(rotation=1.35),  # roughly
            "coupler": ff.Placement((*B, 0.0), slope["coupler"] + 0.05),
            "follower": ff.Placement((base, 0.0), slope["follower"] - 0.05),
        },
    )
    found = ff.system_statics(system)
    angle = found.motion.body("crank").angles[0]
    best = optimize.minimize_scalar(energy, bracket=(angle - 0.3, angle, angle + 0.3), tol=1e-12)
    assert angle == pytest.approx(best.x, abs=1e-6)
    assert found.potential == pytest.approx(best.fun, rel=1e-10)
    assert found.stability == "stable"
    # virtual work: the energy has no slope, and the joints of the ground carry the whole weight
    forces = found.forces.joints
    carried = sum(forces[n].force[0, 1] * (1 if forces[n].second != "ground" else -1) for n in "AD")
    assert carried == pytest.approx(G * sum(masses.values()), rel=1e-9)


CASE = """\
ground: {O: [0, 0]}
materials: {hard: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 8}}
    material: hard
    section: {rectangle: {width: 20 mm, height: 20 mm}}
    theory: euler_bernoulli
    supports: [{clamp: start}]
    reduction: {modes: 4, inertia_shapes: true}
joints: {root: {fixed: [ground.O, beam.start]}}
loads: {weight: {gravity: [0, -9.81]}}
analyses:
  rest: {kind: statics}
"""


def rest(text):
    case = parse_case(text, file="rest.yaml", folder=Path.cwd())
    return case.analyses["rest"].run(case)


def test_an_elastic_beam_sags():
    """ρgA L⁴/8EI and ρgA L²/2; the largest fibre stress 3 ρgL²/h at the clamp; second order is 1e-6."""
    found = rest(CASE)
    line, bending = 7850 * 4e-4 * G, 210e9 * 0.02**4 / 12
    assert found.displacements["beam"][-1, 1] == pytest.approx(-line / (8 * bending), rel=1e-5)
    assert found.forces.joints["root"].moment[0, 2] == pytest.approx(line / 2, rel=1e-5)
    assert found.stress["beam"].value == pytest.approx(3 * 7850 * G / 0.02, rel=1e-3)
    assert found.stability == "stable"
    assert found.eigenvalues[0].real == pytest.approx(1.87510407**4 * bending / (7850 * 4e-4), rel=1e-3)


def test_an_elastic_pendulum_hangs_and_is_stretched():
    """From the horizontal it goes to the vertical and is longer by ρgL²/2E."""
    found = rest(CASE.replace("fixed: [", "revolute: ["))
    assert found.motion.body("beam").angles[0] == pytest.approx(-np.pi / 2, abs=1e-9)
    assert found.displacements["beam"][-1, 0] == pytest.approx(7850 * G / (2 * 210e9), rel=1e-6)
    assert found.moved["beam"][1] == pytest.approx(np.pi / 2, abs=1e-9)


def test_an_elastic_slider_crank_swings_down():
    """From 0.4 rad above the horizontal: crank down, rod at asin(r/l), as rigid bodies but for its strain."""
    swing = ("bodies.rod.reduction={modes: 3}", "drives={}", "loads={weight: {gravity: [0, -9.81]}}")
    case = load_case(
        EXAMPLES / "slider_crank_flexible.yaml",
        (*swing, "start.crank={angle: 0.4}", "analyses={rest: {kind: statics}}"),
    )
    found = case.analyses["rest"].run(case)
    assert found.motion.body("crank").angles[0] == pytest.approx(-np.pi / 2, abs=1e-9)  # type: ignore[attr-defined]
    assert found.motion.body("rod").angles[0] == pytest.approx(np.arcsin(0.15 / 0.3), abs=1e-7)  # type: ignore[attr-defined]
    assert found.stability == "stable"  # type: ignore[attr-defined]
    assert found.motion.closure < 1e-12  # type: ignore[attr-defined]


def test_in_space():
    """A plate on a hinge along y under gravity along z hangs; the others of its freedoms are held."""
    body = ff.RigidBody("plate", 3.0, (0.1, 0.2, 0.25), (0.4, 0.0, 0.0))
    system = ff.System(
        [body],
        [ff.Revolute("hinge", "ground", "plate", axis=(0.0, 1.0, 0.0))],
        loads=[ff.SystemGravity(acceleration=(0.0, 0.0, -G))],
        space="spatial",
    )
    found = ff.system_statics(system)
    assert found.motion.body("plate").rotations[0] @ [1.0, 0, 0] == pytest.approx([0, 0, -1], abs=1e-9)
    assert found.eigenvalues.real == pytest.approx([3 * G * 0.4 / (0.2 + 3 * 0.16)], rel=1e-8)
    assert found.forces.joints["hinge"].force[0] == pytest.approx([0, 0, 3 * G], abs=1e-9)


def test_drives_and_loads_are_those_of_the_time():
    """An arm at 0.3·2 rad that holds 5·2 N at its end: the torque of the drive."""
    rod = ff.RigidBody.rod("rod", length=LENGTH, mass=MASS)
    system = ff.System(
        [rod],
        [ff.Revolute("pivot", "ground", "rod.start")],
        [ff.AngleDrive("motor", "ground", "rod", "0.3*t")],
        [ff.SystemGravity(), ff.MarkerForce("pull", "rod.end", (0.0, "-5*t"))],
    )
    found = ff.system_statics(system, time=2.0)
    assert found.motion.body("rod").angles[0] == pytest.approx(0.6, abs=1e-12)
    assert found.forces.joints["motor"].values[0] == pytest.approx(
        [(MOMENT + 10 * LENGTH) * np.cos(0.6)], rel=1e-9
    )
    assert found.stability == "stable"
    assert len(found.eigenvalues) == 0
    assert "leave no motion" in found.words


def test_what_nothing_holds():
    """A free body without loads is neutral; under its weight it has no equilibrium, which names it."""
    free = ff.RigidBody("stone", 1.0, 0.1)
    assert ff.system_statics(ff.System([free])).stability == "neutral"
    with pytest.raises(AnalysisError, match="stone goes on moving under its loads"):
        ff.system_statics(ff.System([free], loads=[ff.SystemGravity()]))


def test_presentation():
    found = rest(CASE.replace("fixed: [", "revolute: ["))
    summary = found.summary()
    assert (summary["kind"], summary["stability"], summary["degrees_of_freedom"]) == (
        "statics",
        "stable",
        found.reductions[0].size + 1,
    )
    (table,) = found.presentation().overview()
    assert len(table.rows) >= 5
    page = render_html(report_document("t", description="", case_name="", case_text="", records={"rest": found}))
    assert "Where the bodies rest" in page
    assert found.to_dataframe().loc["root", "force y"] == pytest.approx(7850 * 4e-4 * G, rel=1e-6)
    assert found.to_xarray()["displacement_beam"].shape == (9, 6)
    assert "force y" in repr(found)
    with pytest.raises(CaseError, match="second_order: belongs to one body"):
        rest(CASE.replace("{kind: statics}", "{kind: statics, second_order: true}"))
    one = rest(CASE.replace("{kind: statics}", "{kind: statics, body: beam}"))
    assert "max_displacement_place_m" in one.summary()
