"""Times and sizes of memory as the command line takes them."""

import re

from flexframe.errors import InputError

_AMOUNT = re.compile(r"\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*([A-Za-z]*)\s*")
_SECONDS = {"ms": 1e-3, "s": 1.0, "": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {
    **{unit: 1e3**power for power, unit in enumerate(("kB", "MB", "GB", "TB"), 1)},
    **{unit: 1024.0**power for power, unit in enumerate(("KiB", "MiB", "GiB", "TiB"), 1)},
}


def seconds(option: str, text: str | None) -> float | None:
    """A time like 60s, 90 or 2h in seconds; nothing stays nothing."""
    return None if text is None else _amount(option, text, _SECONDS, "60s, 5min or 2h")


def memory_bytes(option: str, text: str | None) -> float | None:
    """A size like 2GB in bytes; nothing stays nothing."""
    return None if text is None else _amount(option, text, _BYTES, "500MB or 2GB")


def _amount(option: str, text: str, units: dict[str, float], example: str) -> float:
    found = _AMOUNT.fullmatch(text)
    if found is None or found[2] not in units or not float(found[1]) > 0:
        raise InputError(f"{option}: '{text}' cannot be read; give something like {example}")
    return float(found[1]) * units[found[2]]
