"""The formalisms by name; this tuple is the only list of them."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from flexframe.errors import InputError

if TYPE_CHECKING:
    from flexframe.formalisms.formalism import Formalism


@dataclass(frozen=True)
class Registered:
    """A formalism: the name of its files in `formalisms` and `symbolic`, and of its class in both."""

    name: str
    author: str

    def form(self, package: str) -> Any:
        """Its class in `formalisms` (numbers) or in `symbolic` (formulas), made; loaded when it is asked for."""
        return getattr(import_module(f"flexframe.{package}.{self.name}"), self.author)()


FORMALISMS = (
    Registered("lagrange", "Lagrange"),
    Registered("gibbs_appell", "GibbsAppell"),
    Registered("hamilton", "Hamilton"),
    Registered("maggi", "Maggi"),
    Registered("kane", "Kane"),
    Registered("whittaker", "Whittaker"),
)

NAMES = tuple(entry.name for entry in FORMALISMS)


def canonical(name: str) -> str:
    """`Gibbs–Appell`, `gibbs-appell` and `gibbs appell` are one name: `gibbs_appell`."""
    spelled = name.strip().lower().replace("'", "").replace("’", "")
    return spelled.replace("–", "_").replace("-", "_").replace(" ", "_")


def find_formalism(name: str) -> Registered:
    """The entry of that name in any spelling, or an `InputError` with the names that there are."""
    for entry in FORMALISMS:
        if entry.name == canonical(name):
            return entry
    raise InputError(f"formalism {name!r} is unknown; choose one of {', '.join(NAMES)}", field="formalism")


def formalism_named(name: str) -> "Formalism":
    """The numeric form of that name in any spelling."""
    return cast("Formalism", find_formalism(name).form("formalisms"))


def numeric_formalisms() -> tuple["Formalism", ...]:
    """The numeric forms of all."""
    return tuple(entry.form("formalisms") for entry in FORMALISMS)
