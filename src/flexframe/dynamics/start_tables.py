"""The equations as they were before the start, with earlier values of loads, or as they are at one time."""

from dataclasses import replace

import numpy as np

from flexframe.dynamics.contract import DynamicSystem
from flexframe.dynamics.laws import law_tables
from flexframe.maths.formula import Formula, Operation
from flexframe.model.constraints import Fixed, TimeLaw


def value_before(law: TimeLaw, given: float | None) -> float:
    """What a load was before the start: as given, else its number where it is constant, else zero."""
    if given is not None:
        return given
    match law:
        case Fixed(value=value):
            return value
        case Formula() if int(Operation.VARIABLE) not in map(int, law.opcodes):
            return float(law.jet(0.0)[0])
    return 0.0


def system_before(system: DynamicSystem, time: float) -> DynamicSystem:
    """The system with the laws of drives at a time and with loads that keep their values before the start."""
    tables = system.tables
    forces, loads = tables.forces, tables.loads
    values = np.concatenate([forces.before.ravel(), loads.before])
    first = len(system.laws)
    numbers = np.arange(first, first + values.size)
    split = forces.before.size
    laws = (*system.laws, *(Fixed(float(value)) for value in values))
    earlier = tables._replace(
        laws=law_tables(laws, time, time),
        forces=forces._replace(laws=numbers[:split].reshape(forces.laws.shape)),
        loads=loads._replace(laws=numbers[split:]),
    )
    return replace(system, laws=laws, tables=earlier)


def frozen(system: DynamicSystem, time: float) -> DynamicSystem:
    """The system with drives and loads that stay for ever what they are at a time."""
    laws = tuple(Fixed(float(law.jet(np.array([time]))[0][0])) for law in system.laws)
    return replace(system, laws=laws, tables=system.tables._replace(laws=law_tables(laws, time, time)))
