"""Bodies divided into several floating frames (`parts`) against exact solutions and against one frame."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import simpson, solve_bvp
from tests.coupled.samples import strip
from tests.rounding import rounding

from flexframe.analyses.campbell.system_analysis import system_campbell
from flexframe.analyses.crosscheck.system_analysis import crosscheck_system
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.simulate import simulate
from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.elements.properties import Material, Rectangle
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Damping, PointMass
from flexframe.model.contacts import NormalLaw, SpherePlane
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Prismatic, Revolute, Weld
from flexframe.model.loads import LineLoad, NodeForce
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.supports import Clamp, Pin, Roller
from flexframe.model.system import System
from flexframe.model.system_damping import ModalDamping
from flexframe.model.system_loads import BodyLoads, MarkerForce, SystemGravity
from flexframe.reduction.strategies import Guyan, Modal
from flexframe.results.checkpoint import Checkpoint, checkpoint_beside, keep_in
from flexframe.sensors import DofSensor, JointSensor, MarkerSensor, Rate, RotationSensor, StressSensor

PLASTIC = Material(4e9, 0.3, 2000.0)
STRIP = Rectangle(0.02, 0.01)


def beam(name: str = "arm", *, divisions: int = 12, **more: object) -> Body:
    """A strip of plastic of 1 m along x."""
    given = {"section": STRIP, "material": PLASTIC, "theory": "euler_bernoulli", **more}
    return Body.beam(name, length=1.0, divisions=divisions, **given)  # type: ignore[arg-type]


def parts(count: int, kept: int = 6) -> dict[str, ReductionChoice]:
    return {"arm": ReductionChoice(Modal(kept), parts=count)}


# ---------------------------------------------------------------------- large deflections against exact ones


@cache
def elastica(load: float) -> tuple[float, float]:
    """Tip of an inextensible cantilever, EI = L = 1, under a dead force: θ″ = −P cos θ, by collocation."""
    s = np.linspace(0.0, 1.0, 201)
    guess = load / 2 * np.stack([s - s**2 / 2, 1 - s])
    found = solve_bvp(
        lambda _, y: np.array([y[1], -load * np.cos(y[0])]),
        lambda a, b: np.array([a[0], b[1]]),
        s,
        guess,
        tol=1e-11,
    )
    fine = np.linspace(0.0, 1.0, 20001)
    theta = found.sol(fine)[0]
    return float(simpson(np.cos(theta), x=fine)), float(simpson(np.sin(theta), x=fine))


def bent(count: int, load: float, divisions: int = 16) -> Array:
    """Tip of a cantilever of slenderness 1e4 in so many parts."""
    height = 1e-4 * np.sqrt(12)
    stiffness = PLASTIC.young * 0.01 * height**3 / 12
    body = beam(divisions=divisions, section=Rectangle(0.01, height))
    system = System(
        [body],
        [Weld("root", "ground", "arm.start")],
        loads=[MarkerForce("pull", "arm.end", (0.0, load * stiffness))],
    )
    found = system_statics(system, reductions={"arm": ReductionChoice(parts=count)})
    frame = found.motion.body("arm")
    place = body.mesh.points[-1] + found.displacements["arm"][-1, :3]
    return np.asarray(frame.positions[0] + frame.rotations[0] @ place)[:2]


def test_elastica_with_fourth_order() -> None:
    """P L²/EI = 1, where the tip turns by 0.46 rad: each doubling of the parts divides the error by 16 (±20 %).

    Stretching is 1e-8 of the length, below the smallest error, which is 5e-7.
    """
    errors = [np.linalg.norm(bent(n, 1.0) - elastica(1.0)) for n in (2, 4, 8)]
    assert errors[0] < 2e-4
    for coarse, fine in pairwise(errors):
        assert 13 < coarse / fine < 19


@pytest.mark.slow
def test_strongly_bent_elastica() -> None:
    """P L²/EI = 5, where the tip turns by 1.2 rad: eight parts are good to 2e-5, and 16 sixteen times better."""
    errors = [np.linalg.norm(bent(n, 5.0) - elastica(5.0)) for n in (8, 16)]
    assert errors[0] < 2e-5
    assert 13 < errors[0] / errors[1] < 19


def test_one_frame_ends_where_several_go_on() -> None:
    """The message says what to write, and for how many parts."""
    with pytest.raises(Exception, match=r"divide the body \(reduction: \{parts: 4\}"):
        bent(1, 1.0)
    with pytest.raises(Exception, match=r"of its 4 parts of arm .* \{parts: 8\}"):
        bent(4, 5.0)


def crank(count: int, *, young: float = 200e9) -> CoupledMotion:
    """The slider-crank of the examples, half a turn."""
    rod = Body.beam(
        "rod",
        length=0.3,
        divisions=16,
        section=Rectangle(0.008, 0.008),
        material=Material(young, 0.3, 7870.0),
        supports=(Pin("start"), Roller("end", (0.0, 1.0))),
    )
    system = System(
        [
            RigidBody("crank", 0.36, 0.002727, np.array([0.075, 0, 0]), {"B": (0.15, 0.0)}),
            rod,
            RigidBody("slider", 0.075552, 0.0),
        ],
        [
            Revolute("A", "ground", "crank"),
            Revolute("B", "crank.B", "rod.start"),
            Revolute("C", "rod.end", "slider"),
            Prismatic("guide", "ground", "slider"),
        ],
        [AngleDrive("motor", "ground", "crank", "150*t")],
        start={"rod": Placement([0.15, 0, 0]), "slider": Placement([0.45, 0, 0])},
    )
    return simulate(
        system,
        duration=np.pi / 150,
        steps=900,
        samples=301,
        sensors={
            "middle": MarkerSensor("displacement", "rod", (0.15, 0.0), (0.0, 1.0)),
            "moment": StressSensor("stress", "rod", (0.15, 0.0), "Mz"),
        },
        reductions={"rod": ReductionChoice(Modal(6), inertia_shapes=True, parts=count)},
        initial_deformation="undeformed",
    )


def test_slider_crank_converges() -> None:
    """Deflection and bending moment of the middle against eight parts: from 7e-4 and 7e-3 down.

    The supports are the ends of the line from which the deflection is measured, in one frame and in several.
    """
    fine = crank(8)
    errors = {name: [] for name in fine.sensors}
    for count in (1, 2, 4):
        found = crank(count)
        assert not found.notices
        for name, sensor in fine.sensors.items():
            apart = np.abs(found.sensors[name].values - sensor.values).max() / np.abs(sensor.values).max()
            errors[name].append(float(apart))
    assert 3e-4 < errors["middle"][0] < 2e-3
    assert errors["middle"][2] < 1e-5
    assert errors["moment"][2] < 2e-4
    for found_errors in errors.values():
        assert found_errors[0] > 4 * found_errors[1] > 16 * found_errors[2]


# ---------------------------------------------------------------------- small deflections: the same as one frame


def test_frequencies_are_those_of_the_mesh() -> None:
    """With all modes of the parts the welded parts span the displacements of the whole mesh.

    Eigenvalues of a mesh of 8 elements spread over 1e8; differences of the equations with steps of 1e-5 leave
    1e-10 of the largest stiffness, 1e-2 of the smallest eigenvalue at worst and 1e-6 where roundings cancel.
    """
    body = beam(divisions=8)
    hub = RigidBody("hub", 1.0, 0.01)
    system = System(
        [hub, body],
        [Revolute("axle", "ground", "hub"), Weld("root", "hub", "arm.start")],
        [AngleDrive("motor", "ground", "hub", 0.0)],
    )
    found = system_campbell(system, [0.0], modes=5, reductions=parts(4, 20))
    whole = modes(replace(body, supports=(Clamp("start"),)), count=5)
    assert np.abs(found.eigenvalues[0]) / (2 * np.pi) == pytest.approx(whole.frequencies_hz, rel=1e-6)
    assert found.labels[0] == "motion of arm"


def loaded(size: float, count: int) -> Array:
    """Displacements under loads of every kind, all proportional to one number; gravity on point masses."""
    body = beam(
        loads=(LineLoad((0.0, 2.0 * size)), NodeForce(5, (0.0, size), (0.0, 0.0, 0.3 * size))),
        point_masses=(PointMass("end", 0.1), PointMass(6, 0.2)),
    )
    system = System(
        [body],
        [Weld("root", "ground", "arm.start")],
        loads=[
            SystemGravity("weight", (0.0, -9.81 * size)),
            BodyLoads("turning", "arm", factor=2.0, axes="space"),
            MarkerForce("moment", "arm.4", moment=(0.0, 0.0, size)),
        ],
    )
    return system_statics(system, reductions=parts(count)).displacements["arm"]


def test_loads_act_on_the_part_they_belong_to() -> None:
    """One frame and four differ by the square of the deflection, which is 2 mm on 1 m."""
    size = 1.0
    one, four = loaded(size, 1), loaded(size, 4)
    largest = np.abs(one[:, 1]).max()
    assert 1e-3 < largest < 5e-3
    # by the square of the largest slope, 4 mrad at the ends of the part that is bent most
    assert np.abs(one - four)[:, 1].max() < (2 * np.abs(one[:, 5]).max()) ** 2 * largest
    assert np.abs(one - four)[:, 5].max() < (2 * np.abs(one[:, 5]).max()) ** 3


SENSORS = {
    "tip": MarkerSensor("displacement", "arm.end", along=(0.0, 1.0)),
    "turn": MarkerSensor("rotation", "arm.end"),
    "node": DofSensor(5, "uy", "arm"),
    "place": MarkerSensor("position", "arm.end"),
    "angle": RotationSensor("angle", "arm"),
    "spin": RotationSensor("angular_velocity", "arm"),
    "moment": StressSensor("stress", "arm", (0.5, 0.0), "Mz"),  # where parts meet
    "inside": StressSensor("stress", "arm", 4, "Mz"),
    "strain": StressSensor("strain", "arm", 4),
    "pull": JointSensor("joint_force", "hinge", (0.0, 1.0), "body"),
}


def swinging(weight: float, count: int, *, held: bool) -> CoupledMotion:
    """A strip on a hinge that gives way under a weak gravity."""
    ends = (Pin("start"), Roller("end", (0.0, 1.0))) if held else ()
    system = System(
        [replace(beam(supports=ends), damping=Damping(stiffness=1e-3))],
        [Revolute("hinge", "ground", "arm.start")],
        loads=[SystemGravity("weight", (0.0, -weight)), MarkerForce("push", "arm.8", (0.0, 2 * weight))],
    )
    return simulate(
        system,
        duration=0.2,
        step=2e-3,
        sensors=SENSORS,
        reductions=parts(count, 33),
        initial_deformation="undeformed",
    )


@pytest.mark.parametrize("held", [True, False], ids=["chord frame", "mean axes"])
def test_sensors_read_the_same_as_with_one_frame(held: bool) -> None:
    """All modes are kept, so that only the theory differs, by the square of the deflection: slope two.

    With a quarter of the load the relative difference is a sixteenth (at least an eighth is asked for). Forces
    along the strip are of second order themselves, and only several frames let them run along it as waves: the
    stress of a fibre, to which they add, differs by the deflection itself.
    """
    apart = []
    for weight in (2.0, 0.5):
        one, four = swinging(weight, 1, held=held), swinging(weight, 4, held=held)
        shape = np.abs(one.displacements["arm"] - four.displacements["arm"])[..., 1].max()
        differences = {"shape": shape / np.abs(one.displacements["arm"][..., 1]).max()}
        for name, sensor in one.sensors.items():
            if held and name == "tip":
                continue  # the end is on the chord
            other = four.sensors[name]
            assert other.unit == sensor.unit
            assert other.components == sensor.components
            values, others = (v.values.reshape(len(v.values), -1) for v in (sensor, other))
            differences[name] = np.abs(values - others).max() / np.abs(values).max()
        peaks = [found.stress[0].peak for found in (one, four)]
        assert peaks[0].cell == peaks[1].cell
        assert peaks[0].place == pytest.approx(peaks[1].place, abs=1e-9)
        differences["stress"] = abs(peaks[0].value / peaks[1].value - 1)
        apart.append(differences)
    for name, large in apart[0].items():
        assert large < 5e-2, name
        factor = 3 if name in ("strain", "stress") else 8
        assert apart[1][name] < large / factor or apart[1][name] < 1e-7, name


def test_frame_moves_as_its_velocities_say() -> None:
    """Rates of the fitted frame and of displacements against differences of samples, good to h²/6."""
    sensors = {
        name: sensor for name, sensor in SENSORS.items() if name in ("angle", "spin", "tip", "turn", "place")
    }
    sensors |= {f"{name} rate": Rate(sensors[name]) for name in ("tip", "turn", "spin")}
    sensors["speed"] = MarkerSensor("velocity", "arm.end")
    for ends in ((), (Pin("start"),), (Clamp("start"),)):
        system = System(
            [beam(supports=ends)],
            [Revolute("hinge", "ground", "arm.start")],
            loads=[SystemGravity("weight", (0.0, -9.81))],
        )
        choice = {"arm": ReductionChoice(Modal(1), parts=3)}
        found = simulate(
            system,
            duration=4e-3,
            tolerance=1e-10,
            samples=401,
            sensors=sensors,
            reductions=choice,
            initial_deformation="undeformed",
        ).sensors
        step = 1e-5
        pairs = {"angle": "spin", "tip": "tip rate", "turn": "turn rate", "spin": "spin rate", "place": "speed"}
        for value, rate in pairs.items():
            values, rates = found[value].values, found[rate].values
            slope = (values[2:] - values[:-2]) / (2 * step)
            smooth = np.abs(np.diff(values, 3, axis=0)).max() / (6 * step)  # h²/6 of the third derivative
            apart = np.abs(slope - rates[1:-1]).max()
            assert apart < 2 * smooth + 1e-7 * np.abs(rates).max() + 1e-9, (ends, value)
            assert apart < 1e-2 * np.abs(rates).max() + 1e-9, (ends, value)


# ---------------------------------------------------------------------- balances, other analyses, interruption


def flight(count: int, duration: float) -> CoupledMotion:
    """A soft strip that flies, turning and bent by a moment that ceases."""
    body = beam(material=Material(1e9, 0.3, 2000.0))
    system = System(
        [body],
        loads=[MarkerForce("kick", "arm.end", moment=(0.0, 0.0, "4*sin(10*pi*t)^2*step(0.1 - t)"))],
        start={"arm": Placement([0, 0, 0], 0.0, [1.0, 2.0, 0.0], 3.0)},
    )
    return simulate(
        system,
        duration=duration,
        tolerance=1e-8,
        samples=101,
        reductions={"arm": ReductionChoice(Guyan(), parts=count)},
        initial_deformation="undeformed",
    )


def test_free_flight_keeps_energy_and_momentum() -> None:
    """Linear momentum always, angular momentum and energy after the moment, to the tolerance of many steps."""
    found = flight(4, 0.15)
    assert not found.stopped
    assert np.abs(found.displacements["arm"][..., 5]).max() > 0.3  # beyond what one frame may
    assert found.energy_drift < 1e-5
    assert np.abs(found.linear_momentum - found.linear_momentum[0]).max() < 1e-6
    free = found.times >= 0.1
    turning = found.angular_momentum[free, 2]
    assert np.ptp(turning) < 1e-5 * np.abs(turning).max()
    total = sum(found.energies[name][free] for name in ("kinetic", "strain", "potential"))
    assert np.ptp(total) < 1e-5 * total.max()


def arm_on_hub(**more: object) -> System:
    return System(
        [RigidBody("hub", 1.0, 0.01), beam(supports=(Clamp("start"),), **more)],
        [Revolute("axle", "ground", "hub"), Weld("root", "hub", "arm")],
        [AngleDrive("motor", "ground", "hub", "0.8*sin(3*t)^3")],
        loads=[SystemGravity("weight", (0.0, -9.81))],
    )


def test_clamped_frame_turns_with_its_section() -> None:
    """The frame of a body clamped at its start is that of the hub it is welded to, and its origin a marker."""
    found = simulate(arm_on_hub(), duration=0.2, step=1e-3, reductions=parts(3))
    hub, arm = found.motion.body("hub"), found.motion.body("arm")
    assert arm.positions == pytest.approx(hub.positions, abs=1e-10)
    assert arm.angles == pytest.approx(hub.angles, abs=1e-10)
    assert arm.angular_accelerations == pytest.approx(hub.angular_accelerations, abs=1e-6)
    assert found.coordinates["arm"].shape[1] == found.reductions[0].size


def test_formalisms_agree() -> None:
    """All six form the equations of the parts and their welds."""
    choice = {"arm": ReductionChoice(Modal(1), parts=2)}
    assert crosscheck_system(arm_on_hub(), reductions=choice, duration=0.002).agrees


def test_assembled_modes_are_damped() -> None:
    """A ratio for every mode of the system is that of the body, whose modes are not those of its parts."""
    system = arm_on_hub()
    found = simulate(system, duration=0.01, step=1e-3, reductions=parts(3, 3), damping=ModalDamping(0.05)).damping
    assert found.ratios == pytest.approx(np.full(len(found.ratios), 0.05), rel=1e-4)


def test_contacts_and_forces_of_state_find_their_part() -> None:
    """A floor below the tip takes the same force in four parts as in one, to the square of the deflection."""
    law = NormalLaw("kelvin_voigt", stiffness=1e3, exponent=1.0)
    contact = SpherePlane(
        name="floor", first="ground.floor", second="arm.end", radius=0.01, normal=(0.0, 1.0), law=law
    )
    peaks = []
    for count in (1, 4):
        system = System(
            [beam()],
            [Weld("root", "ground", "arm.start")],
            loads=[
                SystemGravity("weight", (0.0, -1.0)),
                MarkerForce("feedback", "arm.6", (0.0, "-2*height")),
            ],
            sensors={"height": MarkerSensor("position", "arm.end", along=(0.0, 1.0))},
            ground={"floor": (1.0, -0.02)},
            contacts=[contact],
        )
        found = simulate(
            system, duration=0.3, step=5e-4, reductions=parts(count), initial_deformation="undeformed"
        )
        peaks.append((found.contacts["floor"].peak, found.sensors["feedback"].values.max()))
    assert peaks[0][0] > 0.01
    assert peaks[1] == pytest.approx(peaks[0], rel=0.02)


class _KilledError(Exception):
    """Stands for the end of the process."""


def test_killed_run_goes_on_with_the_same_bits(tmp_path, monkeypatch) -> None:
    """The file of a case with parts: stopped and resumed, the histories are those of the run without a break."""
    monkeypatch.setattr("flexframe.analyses.transient.coupled.segments.SEGMENT_SECONDS", 0.0)
    for name, value in (("QUIET_SECONDS", -1.0), ("SHARE", 0)):
        monkeypatch.setattr(f"flexframe.results.checkpoint.{name}", value)
    shorter = ("analyses.run.samples=11", "analyses.run.duration=0.05")
    case = strip(overrides=(*shorter, "bodies.strip.reduction={modes: 1, parts: 2}"))

    def run(place: Checkpoint | None) -> CoupledMotion:
        with keep_in(place):
            found = case.analyses["run"].run(case)
        assert isinstance(found, CoupledMotion)
        return found

    whole = run(checkpoint_beside(tmp_path / "whole", "run"))
    place, saved, count = checkpoint_beside(tmp_path / "out", "run", resume=True), Checkpoint.save, 0

    def save(self, fingerprint, arrays) -> None:
        nonlocal count
        saved(self, fingerprint, arrays)
        count += '"motion ' in str(arrays["index"])  # modes are kept before
        if count == 7:
            raise _KilledError

    monkeypatch.setattr(Checkpoint, "save", save)
    with pytest.raises(_KilledError):
        run(place)
    resumed = run(place)
    assert resumed.resumed_at == whole.times[7]
    for name, sensor in whole.sensors.items():
        assert (sensor.values == resumed.sensors[name].values).all(), name
    assert resumed.stress[0].peak.value == whole.stress[0].peak.value


# ---------------------------------------------------------------------- what cannot be


def test_what_cannot_be_divided_is_refused_with_a_reason() -> None:
    def refused(body: Body, words: str, marker: str = "arm.start", **choice: object) -> None:
        system = System([body], [Revolute("hinge", "ground", marker)])
        given = {"strategy": Modal(2), "parts": 3, **choice}
        with pytest.raises(InputError, match=words):
            system_statics(system, reductions={"arm": ReductionChoice(**given)})  # type: ignore[arg-type]

    body = beam()
    refused(body, "12 elements in line and cannot be divided into 13", parts=13)
    refused(body, "damping_ratio", damping_ratio=0.01)
    refused(body, "leave attachments on", strategy=Modal(2, attachments=False))
    refused(body, "the origin of its frame, which is no point", marker="arm")
    refused(replace(body, damping=Damping(mass=1.0)), "damping by mass")
    refused(replace(body, supports=(Clamp("start"), Clamp("end"))), "hold points of several parts")
    refused(replace(body, space="spatial"), "give both the same space")
    lines = body.mesh.blocks[0]
    branch = replace(lines, nodes=np.concatenate([lines.nodes, [[6, 13]]]))
    mesh = Mesh(np.concatenate([body.mesh.points, [[0.5, 0.2, 0.0]]]), (branch,), body.mesh.node_sets)
    refused(replace(body, mesh=mesh), "branch at node 6")
    everywhere = beam()
    sets = everywhere.mesh.with_sets(node_sets={"all": np.arange(13)})
    refused(replace(everywhere, mesh=sets), "several of its 3 parts", marker="arm.all")


def test_whole_mass_is_that_of_the_parts() -> None:
    """Mass, centre and inertia add up, whatever the cuts: momentum at the start of a rigid motion."""
    found = flight(5, 1e-3)
    mass = 0.02 * 0.01 * 2000.0
    v, spin = np.array([1.0, 2.0]), 3.0
    centre = v + spin * np.array([0.0, 0.5])
    assert found.linear_momentum[0, :2] == pytest.approx(mass * centre, rel=rounding(1e4))
    inertia = mass / 3 + mass * 0.01**2 / 12
    about_origin = inertia * spin + mass * 0.5 * v[1]
    assert found.angular_momentum[0, 2] == pytest.approx(about_origin, rel=rounding(1e5))
