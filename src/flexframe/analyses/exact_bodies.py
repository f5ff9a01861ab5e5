"""Analyses of one body of exact beams about its equilibrium: what they refuse, and their notices."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.model.constraints import Direction
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.transient.coupled.division import ElasticSystem
    from flexframe.multibody.contract import DynamicState, DynamicSystem
    from flexframe.multibody.equilibria.known_frame import DeformedBody

SMALL_STRAIN = 0.02
"""Strain up to which a linear section law serves."""

EXACT_TANGENT = "tangent of exact beams about their equilibrium"


def require_whole_physics(terms: Terms, formalism: str | None = None) -> None:
    """Refuse what the tangent of exact beams does not know: parts of its terms, and other routes to it."""
    if not terms.physical:
        raise InputError(
            "the tangent of exact beams has all terms of the motion in one; leave multipliers of terms out, or "
            "reduction: exact",
            field="terms",
        )
    if formalism is not None:
        raise InputError(
            "small motions of exact beams take the tangent of the core; leave the formalism out, or compare "
            "formalisms by a crosscheck of a system",
            field="formalism",
        )


def exact_notices(deformed: "DeformedBody") -> tuple[str, ...]:
    """Notices about an equilibrium of one body."""
    return strain_notices({deformed.discrete.body.name: deformed.strain})


def strain_notices(strains: Mapping[str, float]) -> tuple[str, ...]:
    """Notices about the largest strains of bodies in equilibrium."""
    return tuple(
        f"strain of {100 * strain:.2g} % of body {name} in equilibrium is beyond the small strains "
        f"({100 * SMALL_STRAIN:g} %) of the section law; do not trust what follows from it"
        for name, strain in strains.items()
        if strain > SMALL_STRAIN
    )


def strains_at(elastic: "ElasticSystem", system: "DynamicSystem", state: "DynamicState") -> dict[str, float]:
    """The largest strain of each body of exact beams at a state."""
    if not elastic.exact:
        return {}
    from flexframe.analyses.transient.coupled.exact_stress import largest_strains
    from flexframe.analyses.transient.coupled.observed import Observed
    from flexframe.multibody.linearisation import evaluate

    seen, watches = Observed.of(evaluate(system, [state]), elastic.parts), elastic.stress()
    for name in elastic.exact:
        watches[name].take(seen)
    return largest_strains(watches)


def hub_system(body: Body, axis: Direction) -> System:
    """A body that its clamp joins to a hub, which turns about an axis through the origin of its frame."""
    if not body.supports:
        raise InputError(
            f"body {body.name} of exact beams turns with the hub to which it is clamped; give it a clamp, or make "
            "a system of it",
            part=("bodies", body.name, "supports"),
        )
    if body.loads:
        raise InputError(
            f"loads of body {body.name} turn with its sections where it is made of exact beams and spins; leave "
            "them out, or make a system of it, whose diagram has them so",
            part=("bodies", body.name, "loads"),
        )
    hub = Revolute("hub", "ground", body.name, axis)
    return System([body], [hub], [AngleDrive("spin", "ground", body.name, "t", axis)], space=body.space)
