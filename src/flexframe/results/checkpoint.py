"""A motion that is not finished yet, kept in a file so that it can go on after an interruption."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import AnalysisError, InputError
from flexframe.files import Folder
from flexframe.maths.array_archives import DAMAGED

_KEY = "fingerprint"


@dataclass(frozen=True)
class Checkpoint:
    """A file of plain arrays beside the results; `resume` says whether an earlier one may be used."""

    path: Path
    resume: bool = False

    def load(self, fingerprint: str) -> dict[str, NDArray[Any]] | None:
        """What was kept of the same computation; None where there is nothing, or something else."""
        if not self.resume:
            return None
        try:
            beside = Folder(self.path.parent, confined=True)
            with beside.open(self.path.name) as file, np.load(file.stream, allow_pickle=False) as kept:
                if str(kept[_KEY]) != fingerprint:
                    return None
                return {name: kept[name] for name in kept.files if name != _KEY}
        except (InputError, *DAMAGED):
            return None  # absent, cut short or not ours: the computation begins anew

    def save(self, fingerprint: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep the arrays in place of the earlier ones, whole or not at all."""
        fresh = self.path.with_name(f"{self.path.name}.{token_hex(4)}")
        try:
            with fresh.open("wb") as file:
                kept: dict[str, Any] = {_KEY: np.array(fingerprint), **arrays}
                np.savez(file, **kept)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AnalysisError(
                f"{self.path}: the unfinished motion cannot be kept ({reason}); free space or give another --out"
            ) from error
        finally:
            fresh.unlink(missing_ok=True)

    def clear(self) -> None:
        """Forget what was kept."""
        self.path.unlink(missing_ok=True)


def checkpoint_beside(folder: Path, analysis: str, *, resume: bool = False) -> Checkpoint:
    """The checkpoint of an analysis whose results will be in that folder."""
    return Checkpoint(folder.with_name(f".{folder.name}.{analysis}.unfinished.npz"), resume)
