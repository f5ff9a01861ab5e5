"""Why a run ended before its end, in words."""

from flexframe.dynamics.contract import DynamicSystem

SECONDS_AT_ONCE = 0.1
"""Wall time of one call of the core, after which progress is shown and a motion can be stopped."""

DONE, SINGULAR, NO_CONVERGENCE, NOT_FINITE, TOO_BENT, NO_INERTIA, TOO_SMALL, RUNNING = range(8)


def reason_of(system: DynamicSystem, status: int, time: float, body: int) -> str:
    """What happened at a time, and what to do."""
    when = f"t = {time:.6g} s"
    match status:
        case 1:
            return (
                f"the equations became singular at {when}; take a tolerance instead of a step, which passes "
                "singular positions of a linkage; look for a dead point or a body that moves without inertia"
            )
        case 2:
            return (
                f"the iteration of a step did not converge at {when}; take a shorter step, or a tolerance "
                "instead of a step, which passes singular positions; look for a dead point or forces that grow "
                "without bound"
            )
        case 4:
            name = system.names[body] if body >= 0 else "a body"
            terms = "" if system.geometric else ", or switch the geometric terms on"
            return (
                f"the deflection of {name} left the range of small deflections at {when} (a section turns by more "
                f"than {system.deflection_limit:g} rad); divide the body, or stiffen it{terms}"
            )
        case 5:
            return f"a free motion has no inertia at {when}; give the bodies that move freely a mass"
        case 6:
            return (
                f"the step became too small at {when}; loosen the tolerance, or look for a dead point, a jump of "
                "a load, or modes far stiffer than the motion"
            )
        case _:
            return f"the motion is no longer finite at {when}; look for forces that grow without bound"
