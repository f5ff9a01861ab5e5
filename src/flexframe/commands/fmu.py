"""flexframe fmu: a system of a case as a unit that other simulators step or integrate."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from flexframe.analyses.fmu.writing import write_fmu
from flexframe.cases.case import load_case
from flexframe.cases.stepping import stepped_system, with_tuned_parameters
from flexframe.commands.console import print_json
from flexframe.entries.parameters import field_value
from flexframe.entries.problems import locate_errors
from flexframe.entries.quantities import TIME
from flexframe.errors import InputError


@dataclass(frozen=True)
class UnitOptions:
    """How a unit is made."""

    fmi: int = 2
    interface: str = "co_simulation"
    analysis: str = ""
    step: str = ""
    parameters: Sequence[str] = ()
    overrides: Sequence[str] = ()
    confined: bool = False
    as_json: bool = False


def fmu(path: Path, out: Path | None, options: UnitOptions) -> None:
    """Write the unit and say what it has."""
    fmi: Literal[2, 3] = 3 if options.fmi == 3 else 2
    if options.fmi not in (2, 3):
        raise InputError(f"--fmi {options.fmi}: this version is not known; give 2 or 3")
    case = load_case(path, options.overrides, confined=options.confined)
    case = with_tuned_parameters(case, options.parameters)
    target = out or path.with_suffix(".fmu")
    system, words = stepped_system(case, options.analysis)
    if options.step:
        words["step"] = field_value(options.step, TIME)
    name = case.title or path.stem
    with locate_errors(case.problems()):
        write_fmu(
            system,
            target,
            fmi=fmi,
            interface=cast("Literal['co_simulation', 'model_exchange', 'both']", options.interface),
            parameters=options.parameters,
            name=name,
            **words,
        )
    inputs = [each.name for each in system.inputs if each.name not in options.parameters]
    if options.as_json:
        found = {"file": str(target), "fmi": fmi, "interface": options.interface, "inputs": inputs}
        print_json(found | {"parameters": list(options.parameters)})
        return
    kinds = {"co_simulation": "co-simulation", "model_exchange": "model exchange"}
    kind = kinds.get(options.interface, "co-simulation and model exchange")
    print(f"{target}: FMI {fmi}.0, {kind}, inputs: {', '.join(inputs) or 'none'}")
