"""What the compiled core offers."""

LEVELS: tuple[str, ...]
LEVEL: str
