"""The six formalisms; adding one is one file and one name here."""

from flexframe.errors import InputError
from flexframe.formalisms.contract import Formalism
from flexframe.formalisms.gibbs_appell import GibbsAppell
from flexframe.formalisms.hamilton import Hamilton
from flexframe.formalisms.kane import Kane
from flexframe.formalisms.lagrange import Lagrange
from flexframe.formalisms.maggi import Maggi
from flexframe.formalisms.whittaker import Whittaker

FORMALISMS: tuple[Formalism, ...] = (Lagrange(), GibbsAppell(), Hamilton(), Maggi(), Kane(), Whittaker())


def formalism_named(name: str) -> Formalism:
    """The formalism of that name; `Gibbs–Appell`, `gibbs-appell` and `gibbs_appell` are the same."""
    spelled = name.strip().lower().replace("–", "_").replace("-", "_").replace(" ", "_")
    for formalism in FORMALISMS:
        if formalism.name == spelled:
            return formalism
    raise InputError(f"formalism '{name}' is unknown; choose one of {', '.join(f.name for f in FORMALISMS)}")
