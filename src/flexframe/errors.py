"""The errors a user can meet; each message says what is wrong and what to do."""


class FlexframeError(Exception):
    """Anything flexframe reports to its user on purpose."""

    exit_code = 3


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
