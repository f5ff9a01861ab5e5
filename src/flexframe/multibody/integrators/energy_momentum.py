"""Fixed steps that keep energy and momenta of rigid bodies, exact beams and joints, of second order.

Over a step every body moves by one twist, and forces are differences of energies over it in place of derivatives,
so that joints, drives, springs, beams and weight work exactly as far as energies change, and act on two bodies by
equal and opposite wrenches (`core/include/flexframe/step_balance.hpp`).
"""

from collections.abc import Callable

import numpy as np

from flexframe import _core
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.transmissions.contract import elements_of
from flexframe.multibody.contract import DynamicState, DynamicSystem, Progress, Simulation, SimulationOptions
from flexframe.multibody.division.system import whole_name
from flexframe.multibody.integrators.fixed_steps import FixedSteps
from flexframe.multibody.laws import SIGNAL


def keep_energy(  # noqa: PLR0917 - the order of the contract
    name: str,
    system: DynamicSystem,
    start: DynamicState,
    times: Array,
    options: SimulationOptions,
    progress: Progress | None,
    checkpoint: Callable[[DynamicState], None] | None,
) -> Simulation:
    """The motion at the wanted times, with steps that end on them."""
    require_kept(system)
    run = _core.EnergyMomentum(system.compiled)
    return FixedSteps(name, system, run, start, times, options, progress).simulate(checkpoint)


def require_kept(system: DynamicSystem) -> None:
    """Refuse what has no balance over a step."""
    described, tables = system.system, system.tables
    elastic = [whole_name(described, body.name) for body in system.bodies if body.size]
    transmissions = [element.name for element in elements_of(described.joints)]
    following = [system.owners[k] for k in np.flatnonzero(tables.rows.leading[:, 1])]
    of_forces, of_loads = (tables.forces.laws.ravel(), tables.forces.actuators), (tables.loads.laws,)
    laws = np.concatenate([*of_forces, *of_loads, tables.fields.laws, tables.beams.laws])
    reasons = {
        f"the small deflections of {elastic[0]}": "make it exact (reduction: exact, of beams) or rigid"
        for _ in elastic[:1]
    }
    reasons |= {f"the contact {found.name}": "" for found in described.all_contacts[:1]}
    reasons |= {f"the transmission {found}": "" for found in transmissions[:1]}
    reasons |= {f"{found}, which follows other coordinates": "" for found in following[:1]}
    reasons |= {f"the lock of {system.owners[k]}": "" for k in np.flatnonzero(tables.rows.locks[:, 0] >= 0)[:1]}
    if (tables.laws.kinds[laws[laws >= 0]] == SIGNAL).any():
        reasons["forces that follow the state"] = ""
    for what, remedy in reasons.items():
        raise InputError(
            "the conserving integrator keeps energy and momenta of rigid bodies and exact beams with joints, "
            f"drives, springs and loads of time; it does not know {what}; "
            + (f"{remedy}, or " if remedy else "")
            + "use generalised_alpha",
            field="integrator",
        )
