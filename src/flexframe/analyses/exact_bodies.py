"""Analyses of one body of exact beams about its equilibrium: what they refuse, and what is to be said."""

from typing import TYPE_CHECKING

from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.model.constraints import Direction
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.system import System

if TYPE_CHECKING:
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
    """What is to be said about an equilibrium."""
    if deformed.strain <= SMALL_STRAIN:
        return ()
    return (
        f"strain of {100 * deformed.strain:.2g} % in equilibrium is beyond the small strains "
        f"({100 * SMALL_STRAIN:g} %) of the section law; do not trust what follows from it",
    )


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
