"""The errors a user can meet; each message says what is wrong and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

FieldPath = tuple[str | int, ...]
"""Keys and list positions from the outside to a field."""


class FlexframeError(Exception):
    """Anything flexframe reports to its user on purpose.

    `field` is what the message is about, seen from where it is raised: a parameter of a function, or a field
    further inside. `part` is the part of a model instead, from the top of the model: ("joints", "A", "axis").
    """

    exit_code = 3

    def __init__(self, message: str = "", *, field: str | FieldPath = (), part: FieldPath = ()) -> None:
        super().__init__(message)
        self.field: FieldPath = (field,) if isinstance(field, str) else field
        self.part = part

    def place(self, around: FieldPath) -> FieldPath:
        """The field of a case file that is to blame, where the error comes out of the field `around`."""
        return self.part or (*around, *self.field)


@contextmanager
def at_field(*field: str | int) -> Iterator[None]:
    """Errors raised inside are about this field, or about one inside it."""
    try:
        yield
    except FlexframeError as error:
        error.field = (*field, *error.field)
        raise


@contextmanager
def at_part(*part: str | int) -> Iterator[None]:
    """Errors raised inside are about this part of a model, or about a field of it."""
    try:
        yield
    except FlexframeError as error:
        error.part = error.part or (*part, *error.field)
        raise


class InputError(FlexframeError):
    """A model, mesh or case file that cannot be accepted as it stands."""

    exit_code = 2


class AnalysisError(FlexframeError):
    """An analysis that cannot be done: singular, diverged or not applicable."""

    exit_code = 3


class StopRequest(KeyboardInterrupt):
    """A computation shall end now: a signal came, or a bound of time or memory is reached.

    `keeps_results` says that what is computed so far becomes a result. Whoever keeps an unfinished motion notes in
    `reached` how far it came.
    """

    def __init__(self, reason: str, exit_code: int, *, keeps_results: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.exit_code = exit_code
        self.keeps_results = keeps_results
        self.reached = ""

    def __str__(self) -> str:
        return f"{self.reason} at {self.reached}" if self.reached else self.reason
