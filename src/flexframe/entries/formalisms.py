"""The choice of a formalism in a case."""

from typing import TYPE_CHECKING, Literal

from flexframe.formalisms.registry import NAMES

if TYPE_CHECKING:
    FormalismName = str
else:
    FormalismName = Literal[NAMES]
