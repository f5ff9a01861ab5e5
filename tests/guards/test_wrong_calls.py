"""Wrong calls from Python: one clear line instead of what numpy or Python says of it."""

from collections.abc import Callable

import numpy as np
import pytest

import flexframe as ff

SECTION = ff.Rectangle(0.02, 0.01)
ROD = ff.RigidBody.rod("rod", length=1.0, mass=2.0)


def beam(**changes: object) -> ff.Body:
    words = {"length": 1.0, "divisions": 4, "section": SECTION, "material": ff.STEEL, **changes}
    return ff.Body.beam("b", **words)  # type: ignore[arg-type]


def system(**changes: object) -> ff.System:
    hinge = ff.Revolute("A", "ground", "rod")
    words = {
        "bodies": [ROD],
        "joints": [hinge],
        "drives": [ff.AngleDrive("m", "ground", "rod", "10*t")],
        **changes,
    }
    return ff.System(**words)  # type: ignore[arg-type]


BODY = beam(supports=(ff.Clamp("start"),))
EMPTY: dict[str, object] = {}

CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "material text": (lambda: beam(material="steel"), "material is 'steel'; give a Material such as ff.STEEL"),
    "support text": (
        lambda: beam(supports="start"),
        "supports is 'start'; give a list, each a Support such as ff.C",
    ),
    "support texts": (lambda: beam(supports=["start"]), "give a list, each a Support"),
    "one support": (lambda: beam(supports=ff.Clamp("start")), "give a list, each a Support"),
    "support on nothing": (lambda: ff.Clamp(None), "on is None; give a text or a whole number"),  # type: ignore[arg-type]
    "section tuple": (lambda: beam(section=(0.02, 0.01)), "give a Section such as ff.Rectangle"),
    "space": (lambda: beam(space="3d"), "space is '3d'; give 'planar' or 'spatial'"),
    "space of a system": (lambda: system(space="3d"), "space is '3d'; give 'planar' or 'spatial'"),
    "float count": (lambda: beam(divisions=4.0), "divisions is 4.0; give a whole number"),
    "length text": (lambda: beam(length="1 m"), "length is '1 m'; give a positive finite number"),
    "theory": (lambda: beam(theory="bernoulli"), "element 'bernoulli_beam' is unknown; choose one of"),
    "load tuple": (lambda: beam(loads=((0, 1),)), "give a list, each a NodeForce"),
    "force text": (lambda: ff.NodeForce("end", "down"), "force is 'down'; give a list, each a number"),  # type: ignore[arg-type]
    "function drive": (
        lambda: ff.AngleDrive("m", "ground", "rod", lambda t: 10 * t),  # type: ignore[arg-type]
        "law is a function; give a formula of t as a text, a number, or a law with value and two derivatives",
    ),
    "drive of nothing": (lambda: ff.AngleDrive("m", "ground", "rod", None), "law is None; give a formula of t"),  # type: ignore[arg-type]
    "drive formula": (
        lambda: system(drives=[ff.AngleDrive("m", "ground", "rod", "10*x")]),
        "unknown name in a formula 'x'",
    ),
    "no moment": (lambda: ff.loads.MarkerForce("f", "rod", moment=()), "moment has 0 components; give three"),
    "force number": (lambda: ff.loads.MarkerForce("f", "rod", force=5.0), "force is 5.0; give a list"),  # type: ignore[arg-type]
    "gravity number": (lambda: ff.SystemGravity("g", 9.81), "acceleration is 9.81; give a list"),  # type: ignore[arg-type]
    "axis text": (lambda: ff.Revolute("A", "ground", "rod", axis="z"), "axis is 'z'; give a list, each a number"),  # type: ignore[arg-type]
    "axis zero": (lambda: ff.Revolute("A", "ground", "rod", axis=(0, 0, 0)), "give a vector other than zero"),
    "marker object": (lambda: ff.Revolute("A", "ground", ROD), "second is the RigidBody 'rod'; give a text"),  # type: ignore[arg-type]
    "one joint": (
        lambda: system(joints=ff.Revolute("A", "ground", "rod")),
        "joints is the Revolute 'A'; give a list",
    ),
    "one body": (lambda: ff.System(ROD), "bodies is the RigidBody 'rod'; give a list"),  # type: ignore[arg-type]
    "ground list": (
        lambda: system(ground=[0, 0]),
        "ground is [0, 0]; give a dict of numbers or a BodyFrame by name",
    ),
    "ground text": (lambda: system(ground={"A": "origin"}), "point A is 'origin'; give three finite components"),
    "start tuple": (lambda: system(start={"rod": (0, 0)}), "give a dict of a Placement by name"),
    "mass text": (lambda: ff.RigidBody("r", "1 kg", 1.0), "mass is '1 kg'; give a number"),  # type: ignore[arg-type]
    "mass of a rod": (lambda: ff.RigidBody.rod("r", length=1.0, mass="2"), "mass is '2'; give a number"),  # type: ignore[arg-type]
    "inertia text": (lambda: ff.RigidBody("r", 1.0, "1"), "is not one number, three, or a symmetric"),  # type: ignore[arg-type]
    "modulus text": (
        lambda: ff.Material(young="210 GPa", poisson=0.3, density=7850.0),  # type: ignore[arg-type]
        "young is '210 GPa'; give a number",
    ),
    "width text": (lambda: ff.Rectangle("2 cm", 0.01), "is '2 cm'; give a number"),  # type: ignore[arg-type]
    "modes by half": (lambda: ff.modes(BODY, count=2.5), "modes: count is 2.5; give a whole number"),  # type: ignore[arg-type]
    "modes of a text": (lambda: ff.modes("beam"), "body is 'beam'; give a Body or a DiscreteBody"),  # type: ignore[arg-type]
    "modes of a rigid body": (lambda: ff.modes(ROD), "body is the RigidBody 'rod'; give a Body"),  # type: ignore[arg-type]
    "motion number": (lambda: ff.modes(BODY, 30.0), "give a FrameMotion such as ff.FrameMotion.spin(30.0)"),  # type: ignore[arg-type]
    "kinematics of a body": (lambda: ff.kinematics(BODY, [0.0]), "system is the Body 'b'; give a System"),  # type: ignore[arg-type]
    "times text": (lambda: ff.kinematics(system(), "0..1"), "times is '0..1'; give numbers"),
    "no times": (lambda: ff.kinematics(system(), []), "times is []; give one number or more"),
    "sensor text": (lambda: ff.kinematics(system(), [0.0], sensors={"a": "rod"}), "give a dict of a Sensor"),  # type: ignore[dict-item]
    "duration text": (lambda: ff.simulate(BODY, duration="1 s", steps=3), "duration is '1 s'; give a number"),  # type: ignore[arg-type]
    "steps by half": (lambda: ff.simulate(BODY, duration=1.0, steps=3.5), "steps is 3.5; give a whole number"),  # type: ignore[arg-type]
    "speeds text": (lambda: ff.campbell_diagram(BODY, "0..100"), "speeds is '0..100'; give numbers"),
    "spin text": (lambda: ff.FrameMotion.spin("30 rad/s"), "is '30 rad/s'; give a number"),  # type: ignore[arg-type]
    "no path": (lambda: ff.load_case(None), "the path is None; give that of a case file"),  # type: ignore[arg-type]
    "spring in a body": (
        lambda: system(loads=[ff.loads.Spring("s", "rod", "rod.end", 1e4)]),
        "acts between two points of body rod, so that it moves nothing",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_gets_one_line(name: str) -> None:
    call, words = CALLS[name]
    with pytest.raises(ff.InputError) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_of_numpy_are_numbers() -> None:
    """What numpy gives is taken as what Python gives: the same frequencies."""
    one = ff.modes(BODY, count=2).frequencies_hz
    made = beam(length=np.float64(1.0), divisions=np.int64(4), supports=[ff.Clamp("start")])
    assert (ff.modes(made, count=np.int64(2)).frequencies_hz == one).all()  # type: ignore[arg-type]
