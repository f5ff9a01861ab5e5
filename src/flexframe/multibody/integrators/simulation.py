"""Two-way dynamics in one call: from a start to an end by an integrator."""

from collections.abc import Callable

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Integrator,
    Progress,
    Simulation,
    SimulationOptions,
    require_complete,
)
from flexframe.multibody.equations import laws_at
from flexframe.multibody.forces import bristle_states
from flexframe.multibody.integrators.conserving import Conserving
from flexframe.multibody.integrators.error_control import EmbeddedPair, ImplicitRadau
from flexframe.multibody.integrators.fixed_steps import GeneralisedAlpha
from flexframe.multibody.laws import python_errors, require_finite_laws
from flexframe.multibody.start import consistent_start, initial_state

INTEGRATORS: tuple[Integrator, ...] = (
    GeneralisedAlpha(),
    EmbeddedPair("dormand_prince"),
    EmbeddedPair("dormand_prince_853"),
    ImplicitRadau(),
    Conserving(),
)
"""Every integrator; adding one is one file and its name here."""

_SAMPLES = 501


def integrator_named(name: str) -> Integrator:
    """The integrator of this name."""
    for integrator in INTEGRATORS:
        if integrator.name == name:
            return integrator
    known = ", ".join(integrator.name for integrator in INTEGRATORS)
    raise InputError(f"unknown integrator '{name}'; known are {known}", field="integrator")


def _require_following(system: DynamicSystem, integrator: Integrator) -> None:
    """Refuse what an integrator cannot follow."""
    network, follows = system.network, integrator.follows
    if follows == "events":
        return
    if network.events or network.samplings:
        what = f"event {network.events[0].name} asks" if network.events else "sampled controllers ask"
        by_formalism = all(integrator.name != each.name for each in INTEGRATORS)
        raise InputError(
            f"{integrator.name} does not end its steps at given instants, as {what} for; "
            + (
                "leave the formalism out"
                if by_formalism
                else "take generalised_alpha with a step, or dormand_prince"
            ),
            field="formalism" if by_formalism else "integrator",
        )
    states = bool(network.tables.initial_states.size or bristle_states(system.tables.contacts))
    if states and follows == "nothing":
        raise InputError(
            f"{integrator.name} does not integrate states of controllers and bristles; take generalised_alpha "
            "with a step, or dormand_prince",
            field="integrator",
        )


def integrate(
    system: DynamicSystem,
    options: SimulationOptions,
    start: DynamicState | None = None,
    *,
    times: Array | None = None,
    progress: Progress | None = None,
    checkpoint: Callable[[DynamicState], None] | None = None,
    partial: bool = False,
) -> Simulation:
    """Integrate the motion from a start, the described one unless another is given, over its duration.

    `times` of the samples replace evenly spread ones, the first being that of the start. A run that is continued
    from the `end` of another (or from a state given to `checkpoint`) with the times that are left repeats the
    uninterrupted run bit by bit. A run that ends early raises, or with `partial` returns what there is with its
    reason.
    """
    begun = initial_state(system) if start is None else start
    if times is None:
        times = begun.time + np.linspace(0.0, options.duration, options.samples or _SAMPLES)
    elif (
        len(times) < 2
        or not np.isfinite(times).all()
        or (np.diff(times) <= 0).any()
        or abs(times[0] - begun.time) > 1e-9 * max(1.0, abs(begun.time))
    ):
        raise InputError(f"the times of the samples must increase from the start, {begun.time:g} s; sort them")
    require_finite_laws(system.system, times)
    ready = laws_at(system, float(times[0]), float(times[-1]))
    name = options.integrator or "generalised_alpha"
    chosen = integrator_named(name) if isinstance(name, str) else name
    _require_following(system, chosen)
    with python_errors(ready):
        if not begun.memory:
            begun = consistent_start(ready, begun)
        result = chosen.run(ready, begun, times, options, progress, checkpoint)
    return result if partial else require_complete(result)
