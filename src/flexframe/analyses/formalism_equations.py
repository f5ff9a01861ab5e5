"""The equations of motion of a body by a formalism of the user's choice."""

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.coefficients import Terms
from flexframe.equations.parts import EquationsOfMotion
from flexframe.errors import AnalysisError, InputError
from flexframe.formalisms.registry import formalism_named
from flexframe.motion.frame import FrameMotion

if TYPE_CHECKING:
    from flexframe.formalisms.formalism import Formalism


def choose_equations(
    discrete: DiscreteBody, motion: FrameMotion, terms: Terms, formalism: str | None
) -> EquationsOfMotion:
    """The closed form from invariants, or every element's equations by the formalism of that name."""
    if formalism is None:
        return equations_of_motion(discrete, motion, terms)
    from flexframe.formalisms.bodies import is_damped, require_elements  # the closed form does without this

    route = formalism_named(formalism)
    require_elements(discrete, field="formalism")
    require_complete_inertia(route, terms)
    damped = is_damped(discrete)
    reason = route.refusal([motion], damped=damped)
    if reason is not None:
        raise AnalysisError(f"{route.title} does not apply: {reason}; choose another formalism", field="formalism")
    made = route.body_equations(discrete, motion, geometric=terms.geometric)
    # elements side by side are joined by `spread`; where they are added up already, this is the identity
    mass, C, K = (
        sparse.csr_array(made.spread.T @ (matrix @ made.spread))
        for matrix in (made.mass, made.damping, made.stiffness)
    )
    at_rest = motion.at_rest and not (terms.geometric and discrete.loads.forces.any())
    return EquationsOfMotion(
        mass=mass,
        damping_parts={} if at_rest and not damped else {"complete": C},
        stiffness_parts={"elastic" if at_rest else "complete": K},
        load_parts={"complete": np.asarray(made.spread.T @ made.load)},
        terms=terms,
    )


def require_complete_inertia(formalism: "Formalism", terms: Terms) -> None:
    """Refuse multipliers of inertia terms, which no formalism knows."""
    if (terms.coriolis, terms.euler, terms.centrifugal) != (1, 1, 1):
        raise InputError(
            f"{formalism.title} derives the complete inertia terms; multipliers other than 1 need the closed form "
            "(leave the formalism out)",
            field="terms",
        )
