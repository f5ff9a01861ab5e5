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
