"""Odd machines for `tools.odd_cases --machines`: contacts, clearance, transmissions, controllers, events, beams.

Each is a small machine that would run, to which things are added that may not fit: laws without a stiffness,
shapes that overlap, formulas with names that are not there, switches that nobody has, loops of signals,
transmissions between what does not turn, samplings that no integrator knows, tables whose points do not increase,
locks of what has no coordinate, drives that follow what they drive. Beams are modal, divided or exact.
"""

from collections.abc import Callable
from typing import Any

from tools.odd_chance import Chance, Model, Tree, number, some_name


def machine(chance: Chance) -> Model:
    """A machine with one or more of the entries that depend on the state."""
    made = (_pendulum, _pendulum, _wheels, _wheels, _ball, _ball, _slide, _slide, _column, _column)
    model = chance.choice(made)(chance)
    for add, share in (
        (_sensors, 0.7),
        (_controllers, 0.5),
        (_actuator, 0.5),
        (_events, 0.45),
        (_contact, 0.35),
        (_in_joint, 0.35),
        (_transmission, 0.2),
        (_following, 0.15),
    ):
        if chance.random() < share:
            add(chance, model)
    return model


def _arm(chance: Chance) -> tuple[Tree, str, str]:
    if chance.random() < 0.65:
        body: Tree = {
            "mass": number(chance, 1.0, (0, -1, 1e9)),
            "inertia": 0.1,
            "points": {"A": [0, 0], "B": [1, 0]},
        }
        return body | {"centre": [0.5, 0]}, "A", "B"
    return (
        {
            "mesh": {"line": {"length": 1.0, "divisions": 2}},
            "material": "steel",
            "section": {"rectangle": {"width": 0.02, "height": 0.02}},
            **_coordinates(chance),
        },
        "start",
        "end",
    )


def _coordinates(chance: Chance) -> Tree:
    """Of a beam: few modes of a clamped one, pieces, or exact beams; sometimes what does not go together."""
    clamped: Tree = {"supports": [{"clamp": "start"}], "reduction": {"modes": number(chance, 1, (0, 99))}}
    made: Tree = chance.choice(
        (
            clamped,
            {"reduction": {"parts": number(chance, 2, (0, 1, 3, 99, 2.5))}},
            {"reduction": "exact"},
            {"reduction": "exact"},
        )
    )
    if chance.rarely(0.25):
        made = made | chance.choice(
            (
                {"supports": [{"clamp": "start"}], "reduction": "exact"},
                {"supports": [{"clamp": "start"}], "reduction": {"parts": 2}},
                {"reduction": {"parts": 2, "strategy": chance.choice(("guyan", "craig_bampton", "exact"))}},
                {"reduction": {"parts": 2, "modes": 0}},
                {"reduction": "exact", "mesh": {"rectangle": {"length": 1, "height": 0.1, "divisions": [2, 1]}}},
                {"reduction": "exact", "point_masses": [{"mass": 0.1, "on": "end"}]},
                {"reduction": "exact", "damping": chance.choice(({"stiffness": 1e-4}, {"mass": 1}))},
                {"reduction": "exact", "springs": [{"on": "end", "stiffness": [0, 100, 0]}]},
                {"reduction": "exact", "loads": [{"force": [0, 1], "on": "end"}]},
                {"reduction": "exact", "motion": {"spin": 5}},
            )
        )
    return made


def _column(chance: Chance) -> Model:
    """A beam that stands on the ground, with a force on its end."""
    name = some_name(chance, [])
    body: Tree = {
        "mesh": {"line": {"length": 1.0, "divisions": chance.choice((2, 4))}},
        "material": "steel",
        "section": chance.choice(({"rectangle": {"width": 0.02, "height": 0.01}}, {"circle": {"diameter": 0.01}})),
        **_coordinates(chance),
    }
    foot = chance.choice(("fixed", "fixed", "revolute")) if not chance.rarely(0.2) else "spherical"
    push = chance.choice(([-100, 1], [0, 20], [0, "20*t"], [-1e6, 0], [0, 0]))
    case: Tree = {
        "ground": {"O": [0, 0], "P": [1, 0]},
        "bodies": {name: body},
        "joints": {"foot": {foot: ["ground.O", f"{name}.start"]}},
        "loads": {"push": {"force": push, "on": f"{name}.end", "axes": chance.choice(("space", "space", "body"))}},
    }
    if chance.rarely(0.3):
        case["space"] = "spatial"
    if chance.random() < 0.3:
        case["joints"]["head"] = chance.choice(
            (
                {"point_on_line": ["ground.O", f"{name}.end"], "axis": [1, 0]},
                {"fixed": ["ground.P", f"{name}.end"]},
                {"revolute": ["ground.P", f"{name}.end"]},
                {"rod": ["ground.O", f"{name}.end"], "length": 1},
            )
        )
    model = Model(case, [name], list(case["joints"]), [], points=(f"{name}.start", f"{name}.end", f"{name}.1"))
    model.rests = chance.random() < 0.6
    return model


def _pendulum(chance: Chance) -> Model:
    name = some_name(chance, [])
    body, a, b = _arm(chance)
    case: Tree = {"ground": {"O": [0, 0], "P": [1, 0.5]}, "bodies": {name: body}}
    case["joints"] = {"hinge": {"revolute": ["ground.O", f"{name}.{a}"]}}
    case["loads"] = {"weight": {"gravity": [0, -9.81]}}
    drives = _maybe_driven(chance, case, "hinge")
    return Model(case, [name], ["hinge"], drives, points=(f"{name}.{a}", f"{name}.{b}"))


def _wheels(chance: Chance) -> Model:
    names = [some_name(chance, []), "wheel two"]
    case: Tree = {
        "ground": {"O": [0, 0], "P": [0.3, 0]},
        "bodies": {name: {"mass": 1.0, "inertia": 0.01, "points": {"C": [0, 0], "R": [0.1, 0]}} for name in names},
        "joints": {
            "first": {"revolute": ["ground.O", f"{names[0]}.C"]},
            "second": {"revolute": ["ground.P", f"{names[1]}.C"]},
        },
        "start": {names[1]: {"position": [0.3, 0]}},
    }
    drives = _maybe_driven(chance, case, "first")
    points = (f"{names[0]}.C", f"{names[1]}.C", f"{names[0]}.R")
    model = Model(case, names, ["first", "second"], drives, points=points)
    _transmission(chance, model)
    return model


def _ball(chance: Chance) -> Model:
    name = some_name(chance, [])
    case: Tree = {
        "ground": {"O": [0, 0]},
        "bodies": {name: {"mass": number(chance, 0.5, (0, -1)), "inertia": 1e-3, "points": {"C": [0, 0]}}},
        "start": {name: {"position": [0, chance.choice((0.03, 0.02, 0.0, 1e6))], "velocity": [0.2, -0.5]}},
        "loads": {"weight": {"gravity": [0, -9.81]}},
    }
    if chance.rarely(0.2):
        case["space"] = "spatial"
    model = Model(case, [name], [], [], points=(f"{name}.C",))
    _contact(chance, model)
    return model


def _slide(chance: Chance) -> Model:
    name = some_name(chance, [])
    case: Tree = {
        "ground": {"O": [0, 0], "P": [0.3, 0]},
        "bodies": {name: {"mass": 1.0, "points": {"C": [0, 0]}}},
        "joints": {"guide": {"prismatic": ["ground.O", f"{name}.C"], "axis": [1, 0]}},
        "loads": {
            "spring": {"spring": ["ground.O", f"{name}.C"], "axis": [1, 0], "stiffness": number(chance, 100.0)}
        },
        "start": {name: {"velocity": [0.1, 0]}},
    }
    drives: list[str] = []
    if chance.random() < 0.25:
        case["drives"] = {"push": {"position": "0.1*t", "joint": "guide"}}
        drives = ["push"]
    return Model(case, [name], ["guide"], drives, points=(f"{name}.C",))


def _maybe_driven(chance: Chance, case: Tree, joint: str) -> list[str]:
    if chance.random() < 0.35:
        case["drives"] = {"motor": {"angle": chance.choice(("10*t", "10*t", "0.1*sin(20*t)")), "joint": joint}}
        return ["motor"]
    return []


# ---------------------------------------------------------------------- signals


def _point(chance: Chance, model: Model) -> str:
    return "nobody.at_all" if chance.rarely(0.06) else chance.choice(model.points)


def _sensors(chance: Chance, model: Model) -> None:
    kinds: tuple[Tree, ...] = (
        {"position": _point(chance, model), "along": [1, 0]},
        {"velocity": _point(chance, model), "along": [0, 1]},
        {"angle": chance.choice(model.bodies)},
        {"angular_velocity": chance.choice(model.bodies)},
        {"distance": ["ground.O", _point(chance, model)]},
        {"position": _point(chance, model)},
    )
    names = ("angle", "gap", "x", "t", "pi", "speed") if chance.rarely(0.5) else ("angle", "gap", "speed")
    found = {chance.choice(names): chance.choice(kinds) for _ in range(chance.choice((1, 2)))}
    if chance.rarely(0.1):
        found["force"] = chance.choice(
            ({"joint_force": "hinge"}, {"energy": "total"}, {"stress": model.bodies[0]})
        )
    model.case.setdefault("sensors", {}).update(found)


def _formula(chance: Chance, model: Model) -> str:
    """Of the state, with names that are there or not."""
    names = [*model.case.get("sensors", {}), *model.case.get("controllers", {})]
    if chance.rarely(0.15) or not names:
        return chance.choice(("nothing - 1", "sin(30*t)", "1/t", "sqrt(t - 0.004)", "gap", "2*t", "log(-t)"))
    one = chance.choice(names)
    return chance.choice(
        (f"{one}", f"1 - {one}", f"-5*{one}", f"{one}*{chance.choice(names)}", f"0.01/({one} - 7)")
    )


def _law_of_state(chance: Chance, model: Model) -> Any:
    """A formula, or a table of one input or two, whose points may not increase or whose values do not fit."""
    if chance.random() < 0.7:
        return _formula(chance, model)
    if chance.random() < 0.5:
        over: Any = [0.1, 0, 1] if chance.rarely(0.3) else [-1, 0, 1]
        values: Any = [1, 0] if chance.rarely(0.3) else [1, 0, -1]
        return {"table": {"over": over, "values": values}, "inputs": _formula(chance, model)}
    over = [[-1, 0, 1], [0, 0] if chance.rarely(0.3) else [0, 1]]
    values = [[1, 2], [0, 0]] if chance.rarely(0.3) else [[1, 2], [0, 0], [-1, -2]]
    inputs = [_formula(chance, model) for _ in range(1 if chance.rarely(0.2) else 2)]
    return {"table": {"over": over, "values": values}, "inputs": inputs}


def _following(chance: Chance, model: Model) -> None:
    """A drive whose law has a sensor of position, or of something that no drive can follow."""
    if not model.joints:
        return
    sensor: Tree = {"angle": model.bodies[0]}
    if chance.rarely(0.4):
        sensor = chance.choice(
            (
                {"angular_velocity": model.bodies[0]},
                {"position": chance.choice(model.points), "along": [1, 0]},
                {"distance": ["ground.O", chance.choice(model.points)]},
                {"joint_force": model.joints[0]},
                {"position": chance.choice(model.points)},
            )
        )
    model.case.setdefault("sensors", {})["followed"] = sensor
    joint = chance.choice(model.joints)
    what = chance.choice(("angle", "angle", "position"))
    law = chance.choice(("2*followed", "followed + 0.1*sin(20*t)", "0.1*t - followed", "1/followed", "followed"))
    model.case.setdefault("drives", {})["follower"] = {what: law, "joint": joint}
    model.drives.append("follower")


def _controllers(chance: Chance, model: Model) -> None:
    def pid() -> Tree:
        gains = {
            "kp": number(chance, 5.0, (0, -1)),
            "ki": 1.0,
            "kd": 0.1,
            "filter": 0 if chance.rarely(0.3) else 0.001,
        }
        return {"pid": _formula(chance, model), **gains} | (
            {"limits": [1, -1] if chance.rarely(0.3) else [-1, 1]} if chance.random() < 0.3 else {}
        )

    makers: tuple[Callable[[], Tree], ...] = (
        lambda: {
            "reference": chance.choice(("0.1*sin(20*t)", {"trapezoid": 0.1, "speed": 1, "acceleration": 200}))
        },
        lambda: {"gain": _law_of_state(chance, model), "factor": number(chance, 2.0)},
        pid,
        pid,
        lambda: {
            "transfer_function": _formula(chance, model),
            "numerator": chance.choice(([1], [1, 2, 3], [0])),
            "denominator": [0] if chance.rarely(0.3) else [0.001, 0.01, 1],
        },
        lambda: {
            "state_space": _formula(chance, model),
            "A": chance.choice(([[0, 1], [-1, -1]], [[1, 2]])) if chance.rarely(0.4) else [[-10]],
            "B": [[1]],
            "C": [[1]],
            "D": [[0]],
        },
        lambda: {"lead_lag": _formula(chance, model), "lead": 0.01, "lag": number(chance, 0.001, (0, -1))},
        lambda: {"notch": _formula(chance, model), "frequency": "20 Hz", "width": 0.5, "depth": 0.05},
        lambda: {"saturation": _formula(chance, model), "limits": [1, -1] if chance.rarely(0.3) else [-1, 1]},
        lambda: {"delay": _formula(chance, model), "time": number(chance, 0.002, (0, -1, 1e9))},
        lambda: {"hold": _formula(chance, model), "period": number(chance, 0.002, (0, -1, 1e-12))},
        lambda: {"switch": number(chance, 1)},
    )
    made = model.case.setdefault("controllers", {})
    for _ in range(1 if chance.calm else chance.choice((1, 2, 3))):
        name = chance.choice(
            ("control", "clutch", "loop", "wanted", "t", "gap") if chance.rarely(0.4) else ("control", "clutch")
        )
        made[name] = chance.choice(makers)()
        if chance.random() < 0.2 and not {"period", "switch"} & set(made[name]):
            made[name]["period"] = number(chance, 0.002, (0, -1, 1e-12, 0.0007))
            if chance.rarely(0.3):
                made[name]["offset"] = chance.choice((0.001, -1, 5))
    if chance.rarely(0.08):
        made |= {"one": {"gain": "two", "factor": 1}, "two": {"gain": "one", "factor": 1}}


def _actuator(chance: Chance, model: Model) -> None:
    second = _point(chance, model)
    first = "ground.O" if "ground" in model.case else "ground"
    entry: Tree = {"actuator": [first, second], "law": _law_of_state(chance, model)}
    if chance.random() < 0.5:
        entry["along"] = chance.choice(("angle", "line", "axis"))
        if entry["along"] == "axis":
            entry["axis"] = [1, 0]
    loads = model.case.setdefault("loads", {})
    loads["drive"] = entry
    if chance.random() < 0.3:
        loads["push"] = {"force": [_formula(chance, model), 0], "on": second}
    if chance.random() < 0.2:
        loads["rub"] = {"friction": [first, second], "axis": [1, 0], **_bristles(chance, model)}


def _bristles(chance: Chance, model: Model) -> Tree:
    """Friction that sticks or creeps, with numbers that belong to its model or not."""
    entry: Tree = {"limit": _formula(chance, model) if chance.random() < 0.2 else number(chance, 1.0)}
    entry["model"] = chance.choice(("elasto_plastic", "elasto_plastic", "lugre", "tanh"))
    if chance.random() < 0.5:
        entry |= chance.choice(
            ({"presliding": 1e-4}, {"presliding": 1e-4, "relaxation": 1e-3}, {"stiffness": 1e4, "damping": 10})
        )
    if chance.random() < 0.3:
        entry["static"] = chance.choice((1.5, 0.5, "1.5", 0))
    if chance.rarely(0.3):
        entry |= chance.choice(
            (
                {"regularisation": 1e-3},
                {"break_away": 2},
                {"stiffness": 1e4, "presliding": 1e-4},
                {"stribeck": 0},
                {"viscous": -1},
                {"relaxation": 1e-3},
            )
        )
    return entry


def _events(chance: Chance, model: Model) -> None:
    def event() -> Tree:
        made: Tree = {"when": chance.choice((_formula(chance, model), "t - 0.004", "sin(700*t)"))}
        if chance.random() < 0.5:
            made["passage"] = chance.choice(("growing", "falling", "both"))
        switches = [name for name, each in model.case.get("controllers", {}).items() if "switch" in each]
        if chance.random() < 0.5:
            target = chance.choice([*switches * 4, "nothing"]) if chance.rarely(0.4) or switches else None
            made |= {"set": {target: number(chance, 0)}} if target else {"stop": True}
        return made

    model.case["events"] = {f"event {k}": event() for k in range(chance.choice((1, 1, 2)))}


# ---------------------------------------------------------------------- contacts and joints


def _law(chance: Chance) -> Tree:
    return chance.choice(
        (
            {"restitution": number(chance, 0.8, (0, -1, 2)), "stiffness": 1e6},
            {"hunt_crossley": 0.8, "stiffness": number(chance, 1e6)},
            {"lankarani_nikravesh": 0.9, "hertz": {"modulus": [2e11, 2e11]}},
            {"flores": 0.5, "stiffness": 1e6, "exponent": number(chance, 1.5, (0, 1, -1))},
            {"kelvin_voigt": 1e5, "damping": 10},
            {"impulsive": number(chance, 0.8, (0, 1, 2, -1))},
            *(
                [{"restitution": 0.8}, {"restitution": 0.5, "flores": 0.5, "stiffness": 1.0}]
                if chance.rarely(0.3)
                else []
            ),
        )
    )


def _contact(chance: Chance, model: Model) -> None:
    point, first = _point(chance, model), "ground"
    kind: Tree = chance.choice(
        (
            {"sphere_plane": [first, point], "radius": number(chance, 0.02, (0, -1)), "normal": [0, 1]},
            {"sphere_plane": [first, point], "radius": 0.02},
            {"sphere_sphere": [first, point], "radii": [0.1, number(chance, 0.02)]},
            {"sphere_in_sphere": [first, point], "radius": 0.02, "clearance": number(chance, 0.05)},
            {"sphere_polyline": [first, point], "points": [[-1, 0], [1, 0]], "radius": 0.02},
            {
                "sphere_profile": [first, point],
                "points": [[-1, 0], [-0.3, -0.1], [0.3, -0.1], [1, 0]],
                "closed": False,
            },
            *(
                [
                    {"cylinder_plane": [first, point], "radius": 0.02, "length": 0.1},
                    {"journal_bearing": [first, point], "radius": 0.02, "clearance": 1e-3, "length": 0.1},
                    {"sphere_profile": [first, point], "points": [[0, 0], [0, 0]]},
                    {"sphere_sphere": [point, point], "radii": [0.1, 0.1]},
                ]
                if chance.rarely(0.5)
                else []
            ),
        )
    )
    entry = {**kind, "law": _law(chance)}
    if chance.random() < 0.3:
        entry["friction"] = chance.choice((0.3, {"dynamic": 0.2, "static": 0.3}, number(chance, 0.1, (-1, 1e9))))
    model.case.setdefault("contacts", {})[chance.choice(("floor", "touch", "t"))] = entry


def _in_joint(chance: Chance, model: Model) -> None:
    """Play, stiffness or stops of a joint."""
    joints = model.case.get("joints", {})
    if not joints:
        return
    joint = joints[chance.choice(list(joints))]
    joint |= chance.choice(
        (
            {"clearance": number(chance, 1e-4)},
            {"clearance": {"radial": 1e-4, "radius": 0.01, "law": _law(chance)}},
            {"stiffness": number(chance, 1e6), "damping": 10},
            {"rotation_stiffness": 1e4},
            {"lock": chance.choice((_formula(chance, model), "t - 0.004", "0.01 - t", "1", "sin(600*t)"))},
            {"lock": chance.choice(("t - 0.01", "0.01 - t"))},
            {"friction": number(chance, 0.5)},
            {"friction": _bristles(chance, model)},
            {"stops": [-0.1, 0.1], "stop_law": _law(chance)},
            {
                "stops": chance.choice(([0.1, -0.1], [0.5, 1])) if chance.rarely(0.4) else [-0.1, 0.1],
                "stop_stiffness": 0 if chance.rarely(0.3) else 1e4,
            },
        )
    )


def _transmission(chance: Chance, model: Model) -> None:
    two = [model.bodies[0], model.bodies[-1] if len(model.bodies) > 1 else "ground"]
    if chance.rarely(0.2):
        two = [chance.choice(model.bodies) for _ in range(2)]
    made: Tree = chance.choice(
        (
            {"gear": two, "ratio": number(chance, 2.0)},
            {"gear": two, "teeth": chance.choice(([20], [0, 10])) if chance.rarely(0.3) else [20, 40]},
            {"gear": two, "ratio": 2, "stiffness": 1e4, "backlash": 1e-3},
            {"belt": two, "radii": [0.1, number(chance, 0.2)]},
            {"cable": two, "radii": [0.1, 0.1], "stiffness": 1e5, "pretension": 10},
            {"constant_velocity": two},
            *(
                [
                    {"rack": two, "radius": 0.1},
                    {"screw": two, "lead": 0.01},
                    {"cam": two, "profile": "0.01*sin(angle)"},
                    {"cam": two, "profile": "1/angle", "of": "rotation"},
                ]
                if chance.rarely(0.6)
                else []
            ),
        )
    )
    if chance.rarely(0.1):
        made["carrier"] = chance.choice(("nobody", model.bodies[0]))
    model.case.setdefault("joints", {})["mesh"] = made
    model.joints.append("mesh")


def motion_of_machine(chance: Chance, model: Model) -> Tree:
    """A motion in time that is asked for plainly, or a rest."""
    if model.rests or chance.random() < 0.05:
        return {"kind": "statics"} | chance.choice(
            (
                {"path": True},
                {"buckling": number(chance, 2, (0, 50, 51, -1))},
                {"path": True, "buckling": 1},
                {},
                {"time": 0.01},
                {"path": True, "time": chance.choice((0.01, -1))},
            )
        )
    entry: Tree = {"kind": "transient", "duration": 0.02, "step": number(chance, 5e-4, (0, -1, 0.1))}
    if chance.random() < 0.15:
        entry = {"kind": "transient", "duration": 0.02, "tolerance": number(chance, 1e-5, (0, 10, 1e-30))}
        entry["integrator"] = chance.choice(("dormand_prince", "dormand_prince_853"))
    if chance.rarely(0.3):
        entry |= chance.choice(
            (
                {"initial_deformation": chance.choice(("undeformed", "equilibrium", "periodic"))},
                {"integrator": chance.choice(("conserving", "dormand_prince", "dormand_prince_853", "radau"))},
                {"formalism": chance.choice(("kane", "lagrange"))},
                {"samples": chance.choice((2, 11))},
                {"spectral_radius": chance.choice((0.0, 1.0, 2))},
            )
        )
    if chance.random() < 0.15:
        return {
            "kind": chance.choice(("rigid_motion", "kinematics", "joint_forces")),
            "duration": 0.02,
            "samples": 5,
        }
    return entry
