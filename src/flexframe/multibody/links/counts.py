"""How many modes a model can have."""

from flexframe.errors import InputError


def too_many_modes(count: int, unknowns: int) -> InputError:
    """The refusal of a number of modes that a model with so many unknowns does not have."""
    if not unknowns:
        return InputError(
            "supports and joints hold everything, so that nothing can vibrate; free a degree of freedom, or "
            "divide a body into more elements",
            field="count",
        )
    return InputError(
        f"{count} modes of a model with {unknowns} unknowns are not possible; ask for 1 to {unknowns}",
        field="count",
    )
