"""Make odd cases of all kinds, and see that `check` knows what `run` knows.

    python -m tools.odd_cases [--machines] [--count 1500] [--seed 1] [--first 0] [--keep DIR]

Each case is a small model, often with something that contradicts itself (a loop that cannot close, drives that
fight, a disc that lies flat while it rolls, everything clamped), and one or two analyses of any kind, whether they
fit the model or not, often with odd settings; names are words that mean something elsewhere. It is given to
`flexframe check` and to `flexframe run`, each in a process of its own with bounds on time and memory. A case fails
when

- an exit code is not 0, 2 or 3, or a traceback, an internal error or a warning of a library is printed,
- an error of input does not name the file, the line and the field,
- `run` refuses with exit 2 what `check` does not refuse at the same field,
- `check` refuses what `run` does.

With `--machines` the models have contacts, clearance, transmissions, controllers, events and exact beams
(`tools/odd_machines.py`). Failing cases are kept with their output.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.mutants import UNKIND, WAITING, await_end, misplaced, run_command
from tools.odd_chance import NAMES, Chance, Model, Tree, number, some_name
from tools.odd_machines import machine, motion_of_machine

REPORTED_EVERY = 100
UNKIND_RUN = {**UNKIND, "a warning of a library in the result": "a numerical library warned"}
OF_PYTHON = re.compile(r"Input should|Field required|NoneType|<class|\bTrue\b|\bNone is|\btuple\b|\bdict\b")


# ---------------------------------------------------------------------- models


def beam(chance: Chance, *, spatial: bool, length: float = 1.0) -> Tree:
    """A beam that is held somehow."""
    body: Tree = {
        "mesh": {"line": {"length": number(chance, length), "divisions": chance.choice((1, 2, 4))}},
        "material": "steel",
        "section": {"rectangle": {"width": 0.02, "height": 0.01}},
    }
    if spatial:
        body["space"] = "spatial"
    held = chance.choice(
        (
            [{"clamp": "start"}],
            [{"clamp": "start"}],
            [],
            [{"clamp": "start"}],
            [{"clamp": "start"}, {"clamp": "end"}],
            [{"clamp": "all"}],
            [{"pin": "start"}],
            [{"pin": "start"}, {"fix": "end", "dofs": ["uy"]}],
            [{"fix": "start", "dofs": ["ux", "uy", "uz", "rx"]}, {"fix": "end", "dofs": ["uy", "uz"]}],
        )
    )
    if held:
        body["supports"] = held
    extras(chance, body)
    return body


def extras(chance: Chance, body: Tree) -> None:
    """Loads, masses, springs, damping, a motion."""
    if chance.random() < 0.25:
        body["loads"] = [
            chance.choice(
                (
                    {"force": [0, 10], "on": "end"},
                    {"force": [0, 10, 5], "on": "end"},
                    {"force": [0, -1e9], "on": "end"},
                    {"moment": [0, 0, 1], "on": "end"},
                    {"gravity": [0, -9.81]},
                )
            )
        ]
    if chance.random() < 0.15:
        body["point_masses"] = [
            {"mass": number(chance, 0.5), "on": chance.choice(("end", "start", [0.5, 0], [1.0, 0], "no"))}
        ]
    if chance.random() < 0.1:
        body["springs"] = [{"on": "end", "stiffness": chance.choice(([0, 1e4, 0], [0, 0, 1e4]))}]
    if chance.random() < 0.15:
        body["damping"] = chance.choice(({"stiffness": 1e-4}, {"mass": 2.0}))
    if chance.random() < 0.2:
        body["motion"] = some_motion(chance)
    if chance.random() < 0.15:
        body["reduction"] = chance.choice(
            ("rigid", {"modes": 2}, {"modes": 99}, {"strategy": "guyan"}, {"strategy": "modal", "modes": 2})
        )


def some_motion(chance: Chance) -> Any:
    """A motion of a frame."""
    return chance.choice(
        (
            "rest",
            {"spin": "300 rpm"},
            {"spin": 20, "axis": [1, 0, 0]},
            {"spin": 20, "axis": [0, 0, 0]},
            {"angle": "0.1*sin(20*t)"},
            {"angle": "10*t^2"},
            {"angle": "sqrt(t - 0.005)"},
            {"angle": "1/t"},
            {"path": ["0.01*cos(5*t)", "0"]},
            {"angular_velocity": 2.1},
            {"angular_velocity": [0, 0, 5]},
            {"angular_velocity": [5, 0, 0]},
        )
    )


def solo(chance: Chance) -> Model:
    """One or two meshed bodies without a system."""
    names: list[str] = []
    bodies: Tree = {}
    for _ in range(chance.choice((1, 1, 1, 2))):
        name = some_name(chance, names)
        names.append(name)
        bodies[name] = chance.choice(
            (_plane, _plane_beam, _space_beam, _space_beam, _shaft, _shaft, _block, _plate)
        )(chance)
    return Model({"bodies": bodies}, names, [], [])


def _plane_beam(chance: Chance) -> Tree:
    return beam(chance, spatial=False)


def _space_beam(chance: Chance) -> Tree:
    return beam(chance, spatial=True)


def _shaft(chance: Chance) -> Tree:
    body = beam(chance, spatial=True)
    body["section"] = {"circle": {"diameter": 0.02}}
    return body


def _plane(chance: Chance) -> Tree:
    body: Tree = {
        "mesh": {"rectangle": {"length": 0.4, "height": 0.1, "divisions": [3, 1]}},
        "material": "steel",
        "thickness": number(chance, 0.005),
    }
    if chance.random() < 0.7:
        body["supports"] = [chance.choice(({"clamp": "left"}, {"pin": "left"}, {"clamp": "all"}))]
    return body


def _plate(chance: Chance) -> Tree:
    body = _plane(chance)
    body.pop("thickness")
    body["shell"] = {"thickness": 0.004}
    body["mesh"]["rectangle"]["order"] = 1
    return body


def _block(chance: Chance) -> Tree:
    body: Tree = {"mesh": {"block": {"lengths": [0.4, 0.1, 0.1], "divisions": [2, 1, 1]}}, "material": "steel"}
    if chance.random() < 0.7:
        body["supports"] = [{"clamp": chance.choice(("left", "x_min", "all"))}]
    return body


def rod(chance: Chance, length: float) -> Tree:
    """A rigid rod with points at its ends."""
    return {
        "mass": number(chance, 1.0, (0, -1, 1e9)),
        "inertia": chance.choice((0.1, [0.01, 0.1, 0.1], 0, [1, 1, 3]))
        if chance.random() < 0.2
        else [0.01, 0.1, 0.1],
        "centre": [length / 2, 0],
        "points": {"A": [0, 0], "B": [length, 0]},
    }


def link(chance: Chance, length: float) -> tuple[Tree, str, str]:
    """A rigid or elastic link along x, with the names of its ends."""
    if chance.random() < 0.55:
        return rod(chance, length), "A", "B"
    body = beam(chance, spatial=chance.rarely(0.3), length=length)
    if chance.random() < 0.7:
        body.pop("supports", None)
        body.pop("motion", None)
    return body, "start", "end"


def axis(chance: Chance, usual: Sequence[float]) -> Any:
    """An axis that fits, or does not."""
    if not chance.rarely(0.15):
        return list(usual)
    return chance.choice(([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 2]))


def law(chance: Chance) -> Any:
    """Of a drive."""
    if not chance.rarely(0.25):
        return "10*t"
    return chance.choice(
        ("20*t", 0, 90, "0.3*sin(10*t)", "sqrt(t - 0.004)", "1/t", "log(-t)", "1e300*t", "t^0.5", "sqrt(0.02 - t)")
    )


def chain(chance: Chance) -> Model:
    """A pendulum or crank, a double pendulum, a four-bar linkage or a slider-crank."""
    sort = chance.choice(
        ("single", "loop", "slider") if chance.calm else ("single", "double", "loop", "slider", "free")
    )
    count = {"single": 1, "free": 1, "double": 2, "loop": 3, "slider": 2}[sort]
    lengths = {"loop": (0.3, 1.0, 0.8), "slider": (0.3, 1.0)}.get(sort, (1.0, 0.7))
    names: list[str] = []
    bodies: Tree = {}
    ends: list[tuple[str, str]] = []
    for k in range(count):
        name = some_name(chance, names)
        body, a, b = link(chance, lengths[k])
        names.append(name)
        bodies[name] = body
        ends.append((f"{name}.{a}", f"{name}.{b}"))
    space = "spatial" if chance.rarely(0.3) else "planar"
    case: Tree = {"bodies": bodies, "ground": {"O": [0, 0], "P": [9.0, 0] if chance.rarely(0.3) else [1.0, 0]}}
    if space == "spatial":
        case["space"] = space
    joints: Tree = {}
    if sort != "free":
        joints["hinge"] = {"revolute": ["ground.O", ends[0][0]], "axis": axis(chance, (0, 0, 1))}
    for k in range(1, count):
        joints[f"hinge{k}"] = {"revolute": [ends[k - 1][1], ends[k][0]]}
    if sort == "loop":
        joints["last"] = {"revolute": ["ground.P", ends[-1][1]]}
        case["start"] = {names[1]: {"angle": 0.5}, names[2]: {"position": [1, 0], "angle": "100 deg"}}
    if sort == "slider":
        joints["slide"] = {"point_on_line": ["ground.O", ends[-1][1]], "axis": axis(chance, (1, 0, 0))}
    drives: Tree = {}
    if sort != "free" and (chance.calm or chance.random() < 0.7):
        drives["motor"] = {"angle": law(chance), "joint": "hinge"}
        if chance.random() < 0.15:
            drives["second"] = {"angle": law(chance), "joint": "hinge"}
    oddities(chance, case, joints, drives, ends)
    case |= {key: value for key, value in (("joints", joints), ("drives", drives)) if value}
    return Model(case, names, list(joints), list(drives))


def oddities(chance: Chance, case: Tree, joints: Tree, drives: Tree, ends: Sequence[tuple[str, str]]) -> None:
    """Joints, loads and starts that may not fit."""
    first, last = ends[0][0], ends[-1][1]
    if chance.rarely(0.2):
        joints["odd"] = chance.choice(
            (
                {"prismatic": ["ground.O", last], "axis": [0, 0, 1]},
                {"prismatic": ["ground.O", last]},
                {"fixed": ["ground.O", first]},
                {"revolute": [first, ends[0][1]]},
                {"rod": ["ground.P", last], "length": chance.choice((0.1, 5.0))},
                {"universal": ["ground.O", first], "axis": [1, 0, 0], "second_axis": [1, 0, 0]},
                {"knife_edge": ["ground", last]},
            )
        )
    loads: Tree = {}
    if chance.random() < 0.4:
        loads["weight"] = {"gravity": chance.choice(([0, -9.81], [0, 0, -9.81], [0, 0]))}
    if chance.rarely(0.3):
        loads["spring"] = chance.choice(
            (
                {"spring": ["ground.P", last], "stiffness": 100.0},
                {"spring": [first, ends[0][1]], "stiffness": 100.0},
                {"spring": ["ground.O", "ground.P"], "stiffness": 100.0},
                {"spring": ["ground.P", last], "stiffness": 100.0, "axis": [0, 0, 0]},
                {"spring": ["ground.P", last], "stiffness": 100.0, "axis": [0, 0, 1]},
                {"spring": ["ground.O", first], "stiffness": 100.0},
                {"torsion_spring": ["ground.O", first], "stiffness": 10.0, "axis": [1, 0, 0]},
                {"torsion_spring": ["ground.O", first], "stiffness": 10.0, "damping": 0.1},
                {"friction": ["ground.O", last], "limit": 1.0},
                {"motor": ["ground.O", first], "speeds": [0, 100], "torques": [5, 0]},
            )
        )
    if chance.rarely(0.3):
        loads["push"] = chance.choice(
            (
                {"force": ["5*sin(30*t)", 0], "on": last},
                {"force": ["1/t", 0], "on": last},
                {"force": ["sqrt(0.001 - t)", 0], "on": last},
                {"moment": [1, 0, 0], "on": last},
                {"moment": [0, 0, "t"], "on": first},
                {"force": [0, 0, 5], "on": last},
            )
        )
    if chance.rarely(0.06):
        loads["own"] = {"body_loads": ends[0][0].split(".")[0], "factor": "t"}
    if chance.rarely(0.2):
        case.setdefault("start", {})[ends[0][0].split(".")[0]] = chance.choice(
            ({"angular_velocity": 2.1}, {"angular_velocity": [0, 0, 5]}, {"velocity": [1, 0]}, {"angle": 90})
        )
    if chance.random() < 0.1:
        case["initial"] = {"rate": {"angle": chance.choice(("1 + t", "1/t")), "between": ["ground.O", first]}}
    if loads:
        case["loads"] = loads
    del drives


def disc(chance: Chance) -> Model:
    """A disc that rolls, or lies flat."""
    name = some_name(chance, [])
    case: Tree = {
        "space": chance.choice(("planar", "spatial", "spatial")),
        "bodies": {
            name: {
                "mass": 2.0,
                "inertia": chance.choice(([0.01, 0.01, 0.02], [0.01, 0.01, 0.02], 0.02, 0)),
                "points": {"C": [0, 0]},
            }
        },
        "joints": {
            "roll": {
                "rolling": ["ground", f"{name}.C"],
                "radius": number(chance, 0.1, (0, -1, 1e9)),
                "normal": axis(chance, (0, 1, 0)),
                "axis": axis(chance, (0, 0, 1)),
            }
        },
        "start": {
            name: {
                "position": chance.choice(([0, 0.1], [0, 0], [0, 0, 0.1])),
                "rotation": chance.choice(([0, 0, 0], ["90 deg", 0, 0], [0, 0.2, 0])),
                "velocity": [0.5, 0],
            }
        },
        "loads": {"weight": {"gravity": [0, -9.81]}},
    }
    return Model(case, [name], ["roll"], [])


def rigid_only(chance: Chance) -> Model:
    """Rigid bodies, which have no modes."""
    model = chain(chance)
    for name, length in zip(model.bodies, (0.3, 1.0, 0.8), strict=False):
        if "mesh" in model.case["bodies"][name]:
            body = rod(chance, length)
            body["points"] = {"start": [0, 0], "end": [length, 0]}
            model.case["bodies"][name] = body
    return model


MODELS: tuple[Callable[[Chance], Model], ...] = (solo, solo, solo, chain, chain, chain, chain, disc, rigid_only)


# ---------------------------------------------------------------------- analyses


def sensors(chance: Chance, model: Model) -> Tree:
    """One or two sensors of any kind, on what may not be there."""
    body = "nobody" if chance.rarely(0.1) else chance.choice(model.bodies)
    meshed = "mesh" in model.case["bodies"].get(body, {})
    point = chance.choice(("", ".end", ".start", ".1") if meshed else ("", ".B", ".A", ".C", ".7"))
    joint = chance.choice((*model.joints * 3, *model.drives * 3, "nothing"))
    kinds: Sequence[Tree] = (
        {
            "on": chance.choice(("end", "start", [1.0, 0], 0, 99)),
            "dof": chance.choice(("ux", "uy", "uz", "rz", "ux", "uy", "uq")),
        },
        {"on": "end", "body": body},
        {"on": "end"},
        {"displacement": f"{body}{point}"},
        {"position": f"{body}{point}"},
        {"velocity": f"{body}{point}", "along": chance.choice(([1, 0], [0, 0], [0, 0, 1]))},
        {"acceleration": f"{body}{point}"},
        {"angle": body},
        {"stress": f"{body}{point}"},
        {"stress": f"{body}{point}", "measure": chance.choice(("von_mises", "fibre", "nothing"))},
        {"energy": chance.choice(("kinetic", "strain", "total", "dark"))},
        {"momentum": chance.choice(("linear", "angular"))},
        {"joint_force": joint},
        {"joint_moment": joint},
        {"drive": joint},
        {"position": f"{body}{point}", "rate": True},
    )
    names = ("tip", "t", "x") if chance.calm else ("tip", "kinetic_energy", "displacement", "point", "t")
    return {chance.choice(names): dict(chance.choice(kinds)) for _ in range(chance.choice((1, 1, 2)))}


def terms(chance: Chance) -> Tree:
    """Multipliers of terms."""
    return chance.choice(({"geometric": 0}, {"coriolis": 0}, {"geometric": 2}, {"centrifugal": -1}))


def bearing(chance: Chance) -> Tree:
    """A bearing of a rotor."""
    return {
        "on": "nowhere" if chance.rarely(0.2) else chance.choice(("start", "end")),
        "stiffness": chance.choice((1e6, [1e6, 2e6], 0)),
        "damping": chance.choice((0, 100.0, [10, 20])),
    }


def rotor(chance: Chance, entry: Tree) -> None:
    """Fields of rotors."""
    if chance.random() < 0.8:
        entry["axis"] = axis(chance, (1, 0, 0))
    if chance.random() < 0.5:
        entry["bearings"] = [bearing(chance) for _ in range(2)]


def unbalance(chance: Chance) -> list[Tree]:
    """Of a rotor."""
    return [{"on": chance.choice(("end", [0.5, 0], "start")), "unbalance": number(chance, 1e-4, (0, -1, "1 kg"))}]


def speeds(chance: Chance) -> Tree:
    """Of a rotor, few."""
    return chance.choice(
        ({"end": 100, "count": 3}, {"start": 5, "end": 90, "count": 2}) * 4
        + ({"start": -50, "end": 50, "count": 3}, {"start": 5, "end": 5})
    )


def _modes(chance: Chance, model: Model) -> Tree:
    del model
    return {"count": number(chance, 3, (0, 1000, 2.5))}


def _statics(chance: Chance, model: Model) -> Tree:
    del model
    return {"second_order": True} if chance.random() < 0.3 else {}


def _nothing(chance: Chance, model: Model) -> Tree:
    del chance, model
    return {}


def _crosscheck(chance: Chance, model: Model) -> Tree:
    del model
    return {"sample": 1, "duration": number(chance, 1e-3, (0, -1))}


def _transient(chance: Chance, model: Model) -> Tree:
    entry: Tree = {"duration": number(chance, 0.01)}
    steps = {"steps": number(chance, 8, (0, -1, 2.5))}
    if not model.joints and chance.random() < 0.8:
        return entry | steps
    entry |= chance.choice(
        (
            steps,
            {"step": number(chance, 0.001, (0, -1, "1 kg"))},
            {"tolerance": number(chance, 1e-4, (10, 1e-30, 0, 0.5))},
            {"tolerance": 1e-4, "integrator": "dormand_prince"},
            {"step": 0.001, "integrator": "conserving"},
            {"tolerance": 1e-4, "formalism": chance.choice(("kane", "lagrange", "hamilton", "whittaker"))},
            {"steps": 8, "formalism": chance.choice(("kane", "maggi", "whittaker", "nobody"))},
        )
    )
    if chance.random() < 0.4:
        entry["initial_deformation"] = chance.choice(("undeformed", "equilibrium", "periodic"))
    if chance.random() < 0.1:
        entry["period"] = number(chance, 0.1)
    if chance.random() < 0.15:
        entry["spectral_radius"] = chance.choice((0.5, 1.0, 2, -1))
    if chance.random() < 0.15:
        entry["damping"] = chance.choice(({"modal": 0.02}, {"modal": 0.02, "at": 5}, {"modal": -1}))
    if chance.random() < 0.1:
        entry["samples"] = chance.choice((1, 5, 100))
    return entry


def _reduction(chance: Chance, model: Model) -> Tree:
    del model
    entry: Tree = {
        "strategy": chance.choice(("craig_bampton", "guyan", "modal")),
        "modes": number(chance, 2, (0, 500)),
        "tolerance": number(chance, 0.01, (10, 0, 1)),
    }
    if chance.random() < 0.6:
        entry["interfaces"] = {
            "one": {"on": chance.choice(("start", "left", "x_min", "nowhere"))},
            "two": {"on": chance.choice(("end", "right", "x_max", "start"))},
        }
    if chance.random() < 0.4:
        entry["reference"] = chance.choice(("mean_axes", {"clamp": "start"}, {"clamp": "one"}))
    return entry


def _campbell(chance: Chance, model: Model) -> Tree:
    entry: Tree = {"speeds": speeds(chance), "modes": number(chance, 2, (0, 500))}
    if chance.random() < 0.6:
        rotor(chance, entry)
    if chance.random() < 0.2:
        entry["frame"] = "inertial"
    if chance.random() < 0.2:
        entry["tolerance"] = chance.choice((10, 1e-4))
    if chance.random() < 0.2:
        entry["drive"] = chance.choice((*model.drives, "nothing"))
    if chance.random() < 0.2:
        entry["spin"] = "free"
    return entry


def _frequency_response(chance: Chance, model: Model) -> Tree:
    entry: Tree = {"sensors": sensors(chance, model)}
    if chance.random() < 0.5:
        entry |= {"speeds": speeds(chance), "loads": unbalance(chance)}
        rotor(chance, entry)
    else:
        force = {"force": chance.choice(([0, 1], [0, 0, 1], [0, 0])), "on": "end"}
        turning = {"whirling_force": 1.0, "on": "end"}
        entry |= {
            "frequencies": {"end": number(chance, 50), "count": 3},
            "loads": chance.choice(([force], [turning], [force, turning], [{**force, "moment": [1, 0, 0]}])),
        }
    return entry


def _run_up(chance: Chance, model: Model) -> Tree:
    entry: Tree = {
        "end": number(chance, 20.0),
        "acceleration": number(chance, 2000.0, (0, -1)),
        "loads": unbalance(chance),
        "sensors": sensors(chance, model),
        "modes": number(chance, 2, (0, 500)),
    }
    rotor(chance, entry)
    return entry


def _in_time(chance: Chance) -> Tree:
    entry: Tree = {"duration": number(chance, 0.01), "samples": number(chance, 4, (1, 2.5, 0))}
    if chance.random() < 0.15:
        entry["branch"] = chance.choice((1, 2, 99))
    if chance.random() < 0.1:
        entry["start"] = chance.choice((-0.01, 0.02))
    return entry


def _kinematics(chance: Chance, model: Model) -> Tree:
    return _in_time(chance) | ({"sensors": sensors(chance, model)} if chance.random() < 0.5 else {})


def _joint_forces(chance: Chance, model: Model) -> Tree:
    del model
    return _in_time(chance)


def _rigid_motion(chance: Chance, model: Model) -> Tree:
    entry = _kinematics(chance, model)
    entry.pop("branch", None)
    if chance.random() < 0.3:
        entry["relative_tolerance"] = chance.choice((10, 1e-6, 1e-30, 0))
    if chance.random() < 0.2:
        entry["method"] = "implicit"
    if chance.random() < 0.1:
        entry["period"] = number(chance, 0.05)
    if chance.random() < 0.15:
        entry["events"] = {
            "event": {"angle": chance.choice((0.05, "1/t")), "joint": chance.choice(("hinge", "no"))}
        }
    return entry


def _cycle_spectrum(chance: Chance, model: Model) -> Tree:
    entry = _in_time(chance) | {"count": number(chance, 2, (0, 500))}
    if chance.random() < 0.5:
        entry["body"] = "nobody" if chance.rarely(0.1) else _fitting(chance, model)
    if chance.random() < 0.3:
        entry["at_rest"] = True
    return entry


def _elastic_response(chance: Chance, model: Model) -> Tree:
    entry: Tree = {"duration": number(chance, 0.01), "steps": number(chance, 6, (0, 1, 2.5))}
    if chance.random() < 0.5:
        entry["body"] = "nobody" if chance.rarely(0.1) else _fitting(chance, model)
    if chance.random() < 0.3:
        entry["periodic"] = True
    if chance.random() < 0.2:
        entry["quasi_static"] = True
    if chance.random() < 0.5:
        entry["sensors"] = sensors(chance, model)
    if chance.random() < 0.2:
        entry["damping"] = chance.choice(({"modal": 0.02}, {"modal": 0.02, "at": 5}))
    if chance.random() < 0.15:
        entry["spectral_radius"] = chance.choice((0.5, 1.0, 2))
    if chance.random() < 0.15:
        entry["modes"] = chance.choice((1, 500))
    return entry


def _stability(chance: Chance, model: Model) -> Tree:
    del model
    entry: Tree = {"modes": number(chance, 2, (0, 500))}
    sort = chance.choice(("period", "loads", "rotor", "factors"))
    if sort == "loads":
        formula = chance.choice(("P*cos(w*t)", "1/t", "P*q")) if chance.rarely(0.5) else "P*cos(6*t)"
        entry |= {
            "period": chance.choice((0, "nan", "2*pi/w")) if chance.rarely(0.4) else "2*pi/6",
            "parameters": {"P": 1.0},
            "loads": [{"on": "end", "force": [formula, 0]}],
        }
        if chance.random() < 0.4:
            entry["scan"] = {"parameter": chance.choice(("P", "w")), "start": 0, "end": 2, "count": 2}
    elif sort == "rotor":
        entry |= chance.choice(({"speed": 20}, {"speed": 0}, {"speeds": speeds(chance)}))
        rotor(chance, entry)
    else:
        entry["period"] = chance.choice((0.1, 0, -1)) if chance.rarely(0.4) else "2*pi/10"
        if sort == "factors":
            entry["speed_factors"] = chance.choice(
                ({"start": 0.5, "end": 1, "count": 2}, {"start": 0, "end": 1, "count": 2})
            )
    return entry


def _mode_comparison(chance: Chance, model: Model) -> Tree:
    entry: Tree = {"count": number(chance, 2, (0, 500))}
    if chance.random() < 0.5:
        entry["bodies"] = [chance.choice((*model.bodies, "nobody")) for _ in range(2)]
    return entry


KINDS: Mapping[str, Callable[[Chance, Model], Tree]] = {
    "modes": _modes,
    "statics": _statics,
    "matrices": _nothing,
    "crosscheck": _crosscheck,
    "transient": _transient,
    "reduction": _reduction,
    "campbell": _campbell,
    "frequency_response": _frequency_response,
    "run_up": _run_up,
    "kinematics": _kinematics,
    "joint_forces": _joint_forces,
    "rigid_motion": _rigid_motion,
    "cycle_spectrum": _cycle_spectrum,
    "elastic_response": _elastic_response,
    "stability": _stability,
    "mode_comparison": _mode_comparison,
}
_OF_BODY = (
    "modes",
    "statics",
    "matrices",
    "crosscheck",
    "transient",
    "reduction",
    "campbell",
    "frequency_response",
)
_OF_SYSTEM = ("kinematics", "joint_forces", "rigid_motion", "cycle_spectrum", "elastic_response")
_MOVED = ("modes", "statics", "matrices", "crosscheck", "transient", "reduction", "frequency_response")
_WITH_TERMS = ("modes", "statics", "matrices", "transient", "campbell", "run_up", "cycle_spectrum", "stability")


def _fitting(chance: Chance, model: Model) -> str:
    """A body, in calm cases one with a mesh if there is one."""
    meshed = [name for name in model.bodies if "mesh" in model.case["bodies"][name]]
    return chance.choice(meshed if chance.calm and meshed else model.bodies)


def analysis(chance: Chance, model: Model, kind: str) -> Tree:
    """An analysis of a kind, with odd settings."""
    entry: Tree = {"kind": kind, **KINDS[kind](chance, model)}
    if kind in (*_OF_BODY, "run_up", "stability") and (chance.random() < 0.25 or len(model.bodies) > 1):
        entry["body"] = "nobody" if chance.rarely(0.1) else _fitting(chance, model)
    if kind in _MOVED and chance.random() < 0.15:
        entry["motion"] = some_motion(chance)
    if kind in _WITH_TERMS and chance.random() < 0.1:
        entry["terms"] = terms(chance)
    if kind == "transient" and chance.random() < 0.4:
        entry["sensors"] = sensors(chance, model)
    if kind in _MOVED[:4] and chance.random() < 0.15:
        entry["time"] = chance.choice((0.1, -1, 0.01, 5, 1))
    if kind == "modes" and chance.random() < 0.2:
        entry["formalism"] = chance.choice(("kane", "lagrange", "whittaker", "maggi"))
    return entry


def odd_machine(number_: int, seed: int) -> Tree:
    """The machine of this number, of whose motion an analysis is asked more often than of others."""
    chance = Chance(f"machine-{seed}-{number_}")
    chance.calm = chance.random() < 0.65
    model = machine(chance)
    plain = chance.random() < 0.75
    asked = (
        motion_of_machine(chance, model)
        if plain or model.rests
        else analysis(chance, model, chance.choice(list(KINDS)))
    )
    return {**model.case, "analyses": {"first": asked}}


def odd_case(number_: int, seed: int) -> Tree:
    """The case of this number; kinds come in turn, so that each meets every model."""
    chance = Chance(f"odd-{seed}-{number_}")
    chance.calm = chance.random() < 0.65
    kinds = list(KINDS)
    asked = [kinds[number_ % len(kinds)]]
    fitting = (chain,) if asked[0] in _OF_SYSTEM else (solo, solo, chain)
    model = chance.choice(fitting if chance.calm else MODELS)(chance)
    if chance.random() < 0.15:
        asked.append(chance.choice(kinds))
    names = ["first" if chance.random() < 0.8 else chance.choice(NAMES), "second"]
    analyses = {name: analysis(chance, model, kind) for name, kind in zip(names, asked, strict=False)}
    return {**model.case, "analyses": analyses}


def written(tree: Tree, indent: int = 0) -> str:
    """As YAML: mappings of mappings in lines, the rest in brackets."""
    text = ""
    for key, value in tree.items():
        shown = " " * indent + json.dumps(key, ensure_ascii=False) + ":"
        if isinstance(value, dict) and value:
            text += f"{shown}\n{written(value, indent + 2)}"
        else:
            text += f"{shown} {json.dumps(value, ensure_ascii=False)}\n"
    return text


# ---------------------------------------------------------------------- judging


@dataclass(frozen=True)
class Verdict:
    """What became of a case; `fault` is empty where it was handled well."""

    number: int
    kinds: str
    check_code: int
    run_code: int
    seconds: float
    fault: str
    output: str


@dataclass(frozen=True)
class _Answer:
    code: int
    seconds: float
    errors: str
    printed: str


def _asked(command: str, folder: Path, *more: str) -> _Answer:
    errors, printed = folder / f"{command}.errors.txt", folder / f"{command}.printed.txt"
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        run_command([command, "case.yaml", *more], errors, printed)
    code, seconds = await_end(child, time.monotonic() + WAITING)
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in (errors, printed))
    return _Answer(code, seconds, *texts)


def judge(number_: int, seed: int, keep: Path | None = None, *, machines: bool = False) -> Verdict:
    """Check and run a case, and say how it went."""
    folder = Path(tempfile.mkdtemp(prefix="odd-"))
    try:
        tree = (odd_machine if machines else odd_case)(number_, seed)
        text = written(tree)
        (folder / "case.yaml").write_text(text, encoding="utf-8")
        checked, ran = _asked("check", folder), _asked("run", folder, "--out", "out")
        fault = _fault(checked, ran, text)
        if fault and keep is not None:
            shutil.copytree(folder, keep / f"odd-{number_}", dirs_exist_ok=True)
        kinds = ", ".join(entry["kind"] for entry in tree["analyses"].values())
        output = f"check: {checked.errors.strip()}\nrun: {ran.errors.strip()}"
        return Verdict(number_, kinds, checked.code, ran.code, checked.seconds + ran.seconds, fault, output)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fault(checked: _Answer, ran: _Answer, text: str) -> str:  # noqa: PLR0911 - a line for each
    for command, answer in (("check", checked), ("run", ran)):
        for name, pattern in UNKIND_RUN.items():
            if re.search(pattern, answer.errors + answer.printed, re.MULTILINE):
                return f"{command}: {name}"
        if answer.code not in (0, 2, 3):
            return f"{command}: exit code {answer.code}"
        if OF_PYTHON.search(answer.errors):
            return f"{command}: words of Python in a message"
        if answer.code == 2:
            lines = [line for line in answer.errors.splitlines() if line.strip()]
            found = next((said for line in lines if (said := misplaced(line, Path("case.yaml"), text, ()))), "")
            if found:
                return f"{command}: {found}"
    if ran.code == 2:
        missed = _places(ran.errors) - _places(checked.errors)
        if checked.code != 2 or missed:
            return f"run refuses what check does not: {', '.join(sorted(missed))}"
        if any(re.fullmatch(r"case\.yaml:\d+: analyses\.[^.]+", place) for place in _places(ran.errors)):
            return "an error of input at a whole analysis"
    if checked.code and not ran.code:
        return "check refuses what run does"
    return ""


def _places(errors: str) -> set[str]:
    """File, line and field of every line."""
    found = (re.match(r"(case\.yaml:\d+: .*?): ", line) for line in errors.splitlines())
    return {match[1] for match in found if match}


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the cases; the exit code is 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--machines", action="store_true", help="with what depends on the state")
    parser.add_argument("--keep", type=Path, default=None, help="folder for cases that failed")
    given = parser.parse_args(arguments)
    load_everything()
    codes: Counter[tuple[int, int]] = Counter()
    faults: list[Verdict] = []
    slowest = 0.0
    for number_ in range(given.first, given.first + given.count):
        verdict = judge(number_, given.seed, given.keep, machines=given.machines)
        codes[verdict.check_code, verdict.run_code] += 1
        slowest = max(slowest, verdict.seconds)
        if verdict.fault:
            faults.append(verdict)
            last = verdict.output.strip().splitlines()[-1:] or [""]
            print(f"FAULT {number_} ({verdict.kinds}) {verdict.fault}: {last[0][:220]}", flush=True)
        if (number_ + 1 - given.first) % REPORTED_EVERY == 0:
            print(f"{number_ + 1 - given.first} cases, codes of check and run {dict(codes)}", flush=True)
    print(
        f"{given.count} cases, codes of check and run {dict(codes)}, slowest {slowest:.1f} s, {len(faults)} faults"
    )
    return 1 if faults else 0


def load_everything() -> None:
    """Modules that every child then has already."""
    from importlib import import_module

    import flexframe.commands.check
    import flexframe.commands.run  # noqa: F401
    from flexframe.analyses.kinds import entry_class, presentation_class

    for kind in KINDS:
        entry_class(kind)
        presentation_class(kind)
        import_module(f"flexframe.analyses.{kind}.analysis")


if __name__ == "__main__":
    sys.exit(main())
