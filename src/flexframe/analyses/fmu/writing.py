"""Units are written: for simulators that step them, or that integrate their equations themselves.

A unit is a zip file: the description of its variables, the core as a library without Python, and the model file.
"""

import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from platform import machine
from tempfile import TemporaryDirectory
from typing import Any, Literal

from flexframe.analyses.fmu.description import LIBRARY, Description, Interface, Variable, fmi2, fmi3
from flexframe.analyses.fmu.states import ExchangedStates, exchanged_states
from flexframe.analyses.stepping import Simulation
from flexframe.errors import InputError
from flexframe.model.system import System, unknown

_WHEN = (1980, 1, 1, 0, 0, 0)  # of files in a unit, so that equal models make equal units
_INTERFACES: Mapping[str, tuple[Interface, ...]] = {
    "co_simulation": ("co_simulation",),
    "model_exchange": ("model_exchange",),
    "both": ("model_exchange", "co_simulation"),
}


def write_fmu(
    system: System,
    path: str | Path,
    *,
    fmi: Literal[2, 3] = 2,
    interface: Literal["co_simulation", "model_exchange", "both"] = "co_simulation",
    parameters: Sequence[str] = (),
    name: str = "",
    **options: Any,
) -> Path:
    """Write a system as a functional mock-up unit.

    Parameters
    ----------
    system
        Its inputs become inputs of the unit, its sensors outputs.
    path
        Of the unit, `.fmu`.
    fmi
        2 for FMI 2.0, 3 for FMI 3.0.
    interface
        `co_simulation`: the unit has our integrator. `model_exchange`: the simulator integrates the equations in
        independent coordinates; impulsive contacts, locks and functions of Python are refused. `both`: it may
        choose.
    parameters
        Inputs that become tunable parameters instead.
    name
        Of the model, that of the system without one.
    options
        Those of `Simulation`: step, reductions, outputs and others.

    Returns
    -------
    Path
        Where the unit is.

    Examples
    --------
    >>> system = ff.System(
    ...     [ff.RigidBody("block", 2.0, np.array(0.01))],
    ...     [ff.Prismatic("guide", "ground", "block", axis=(1.0, 0.0))],
    ...     loads=[ff.MarkerForce("push", "block", ("pull", 0.0))],
    ...     sensors={"x": ff.sensors.MarkerSensor("position", "block", along=(1.0, 0.0))},
    ...     inputs=[ff.Input("pull", 0.0, "N")],
    ... )
    >>> ff.write_fmu(system, "block.fmu", fmi=3, step=1e-3).name
    'block.fmu'
    """
    if fmi not in (2, 3):
        raise InputError(f"FMI {fmi} is not known; give 2 or 3", field="fmi")
    known = [each.name for each in system.inputs]
    for parameter in parameters:
        if parameter not in known:
            raise InputError(unknown("input", parameter, known), field="parameters")
    if interface not in _INTERFACES:
        raise InputError(unknown("interface", interface, list(_INTERFACES)), field="interface")
    interfaces = _INTERFACES[interface]
    library = compiled_library()
    sim = Simulation(system, **options)
    if not sim.stepping.outputs:
        raise InputError("the system has no sensor that a unit could give out; add sensors", part=("sensors",))
    exchanged = _exchange_states(sim, interfaces)
    variables = tuple(_variables(sim, parameters, interfaces, exchanged))
    _require_single_names(variables)
    with TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        sim.save(model)
        content = model.read_bytes()
    token = f"{{{sha256(content).hexdigest()[:32]}}}"
    smooth = not sim.dynamic.system.all_contacts
    description = Description(
        name or system.name, token, interfaces, variables, sim.stepping.step, derivatives=smooth
    )
    files: Mapping[str, bytes] = {
        "modelDescription.xml": (fmi2 if fmi == 2 else fmi3)(description),
        f"binaries/{_platform(fmi)}/{library.name}": library.read_bytes(),
        "resources/model.flexframe": content,
        "resources/token": token.encode() + b"\n",
    }
    path = Path(path)
    with zipfile.ZipFile(path, "w") as archive:
        for place, data in files.items():
            archive.writestr(zipfile.ZipInfo(place, _WHEN), data, zipfile.ZIP_DEFLATED)
    return path


def _exchange_states(sim: Simulation, interfaces: Sequence[Interface]) -> ExchangedStates | None:
    """The states that a unit shows; none where co-simulation alone is possible."""
    try:
        return exchanged_states(sim)
    except InputError:
        if "model_exchange" in interfaces:
            raise
        return None


def compiled_library() -> Path:
    """The library that was compiled with the package."""
    spec = find_spec("flexframe._core")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for ending in (".so", ".dll", ".dylib"):
            found = Path(folder) / f"{LIBRARY}{ending}"
            if found.is_file():
                return found
    raise InputError("this build of flexframe has no library for units; install a wheel, or build it again")


def _platform(fmi: int) -> str:
    """The folder of the library, as the standards name it."""
    arm = machine().lower() in ("arm64", "aarch64")
    system = {"linux": "linux", "win32": "windows", "darwin": "darwin"}.get(sys.platform, sys.platform)
    if fmi == 3:
        return f"{'aarch64' if arm else 'x86_64'}-{system}"
    return {"linux": "linux64", "windows": "win64", "darwin": "darwin64"}.get(system, system)


def _variables(
    sim: Simulation, parameters: Sequence[str], interfaces: Sequence[Interface], exchanged: ExchangedStates | None
) -> Iterator[Variable]:
    """All variables: the time, inputs, outputs, the internal step, states, their derivatives, indicators.

    References count on whether an interface has a variable or not, as `core/fmu/unit.hpp` says.
    """
    number = count()
    yield Variable(next(number), "time", "independent", "continuous", "s")
    for each in sim.stepping.inputs:
        kind = ("parameter", "tunable") if each.name in parameters else ("input", "continuous")
        yield Variable(next(number), each.name, *kind, each.unit, each.value, "Input of the model")
    for output in sim.stepping.outputs:
        sensor = output.name.partition(".")[0]
        words = f"Sensor {sensor}" if sensor == output.name else f"Component of the sensor {sensor}"
        yield Variable(next(number), output.name, "output", "continuous", output.unit, words=words)
    step = next(number)
    if "co_simulation" in interfaces:
        words = "Longest step of the integrator; a communication step takes as many of equal length as it needs"
        yield Variable(step, "internal_step", "parameter", "fixed", "s", sim.stepping.step, words)
    if exchanged is None:
        return
    kind = ("local", "continuous")
    references = [next(number) for _ in exchanged.states]
    for reference, state in zip(references, exchanged.states, strict=True):
        yield Variable(
            reference, state.name, *kind, state.unit, state.value, state.words, exact=True, nominal=state.nominal
        )
    if "model_exchange" not in interfaces:
        return
    for reference, state in zip(references, exchanged.states, strict=True):
        unit = f"{state.unit}/s" if state.unit else ""
        yield Variable(next(number), f"der({state.name})", *kind, unit, derivative_of=reference)
    for place, name in enumerate(exchanged.indicators, 1):
        words = f"Passes zero at the event: {name}"
        yield Variable(next(number), f"event_indicator_{place}", *kind, words=words, indicator=True)


def _require_single_names(variables: Sequence[Variable]) -> None:
    names = Counter(each.name for each in variables)
    twice = next((name for name, times in names.items() if times > 1), None)
    if twice is not None:
        raise InputError(f"two variables of the unit are called {twice}; give the sensor or input another name")
