"""Odd machines for `tools.odd_cases --machines`: contacts, clearance, transmissions, controllers, events.

Each is a small machine that would run, to which things are added that may not fit: laws without a stiffness,
shapes that overlap, formulas with names that are not there, switches that nobody has, loops of signals,
transmissions between what does not turn, samplings that no integrator knows.
"""

from collections.abc import Callable

from tools.odd_chance import Chance, Model, Tree, number, some_name


def machine(chance: Chance) -> Model:
    """A machine with one or more of the entries that depend on the state."""
    model = chance.choice((_pendulum, _pendulum, _wheels, _wheels, _ball, _ball, _slide, _slide))(chance)
    for add, share in (
        (_sensors, 0.7),
        (_controllers, 0.5),
        (_actuator, 0.5),
        (_events, 0.45),
        (_contact, 0.35),
        (_in_joint, 0.35),
        (_transmission, 0.2),
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
            "supports": [{"clamp": "start"}],
            "reduction": {"modes": 1},
        },
        "start",
        "end",
    )


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
        lambda: {"gain": _formula(chance, model), "factor": number(chance, 2.0)},
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
        if chance.rarely(0.15) and "period" not in made[name]:
            made[name]["period"] = number(chance, 0.002, (0, -1, 1e-12))
    if chance.rarely(0.08):
        made |= {"one": {"gain": "two", "factor": 1}, "two": {"gain": "one", "factor": 1}}


def _actuator(chance: Chance, model: Model) -> None:
    second = _point(chance, model)
    first = "ground.O" if "ground" in model.case else "ground"
    entry: Tree = {"actuator": [first, second], "law": _formula(chance, model)}
    if chance.random() < 0.5:
        entry["along"] = chance.choice(("angle", "line", "axis"))
        if entry["along"] == "axis":
            entry["axis"] = [1, 0]
    loads = model.case.setdefault("loads", {})
    loads["drive"] = entry
    if chance.random() < 0.3:
        loads["push"] = {"force": [_formula(chance, model), 0], "on": second}
    if chance.random() < 0.15:
        loads["rub"] = {
            "friction": [first, second],
            "axis": [1, 0],
            "limit": number(chance, 1.0),
            "model": chance.choice(("elasto_plastic", "lugre", "tanh")),
        }


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


def motion_of_machine(chance: Chance) -> Tree:
    """A motion in time that is asked for plainly."""
    entry: Tree = {"kind": "transient", "duration": 0.02, "step": number(chance, 5e-4, (0, -1, 0.1))}
    if chance.rarely(0.3):
        entry |= chance.choice(
            (
                {"initial_deformation": chance.choice(("undeformed", "equilibrium", "periodic"))},
                {"integrator": chance.choice(("conserving", "dormand_prince"))},
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
