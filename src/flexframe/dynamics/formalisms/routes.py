"""The six formalisms at the level of a system; adding one is one file and one name here."""

from flexframe.dynamics.formalisms.contract import SystemFormalism
from flexframe.dynamics.formalisms.gibbs_appell import GibbsAppell
from flexframe.dynamics.formalisms.hamilton import Hamilton
from flexframe.dynamics.formalisms.kane import Kane
from flexframe.dynamics.formalisms.lagrange import Lagrange
from flexframe.dynamics.formalisms.maggi import Maggi
from flexframe.dynamics.formalisms.whittaker import Whittaker
from flexframe.errors import InputError

SYSTEM_FORMALISMS: tuple[SystemFormalism, ...] = (
    Lagrange(),
    GibbsAppell(),
    Hamilton(),
    Maggi(),
    Kane(),
    Whittaker(),
)


def system_formalism(name: str) -> SystemFormalism:
    """The formalism of that name; `Gibbs–Appell`, `gibbs-appell` and `gibbs_appell` are the same."""
    spelled = name.strip().lower().replace("–", "_").replace("-", "_").replace(" ", "_")
    for formalism in SYSTEM_FORMALISMS:
        if formalism.name == spelled:
            return formalism
    known = ", ".join(formalism.name for formalism in SYSTEM_FORMALISMS)
    raise InputError(f"formalism '{name}' is unknown; choose one of {known}")
