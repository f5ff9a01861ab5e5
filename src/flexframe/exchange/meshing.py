"""Geometry of CAD programs meshed by netgen: how fine, and the process that does it."""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.given import require_number

_WORKER = Path(__file__).with_name("netgen_worker.py")
_LONGEST = 24 * 3600.0  # s by the clock
_SECONDS = 600.0  # of the processor, beyond which netgen is taken to hang: a million cells by features take less,
_SECONDS_PER_CELL = 5e-3  # and each that the size asks for some more
_OUT_OF_TIME = getattr(signal, "SIGXCPU", None)
_PARTS = 15  # of the diagonal of the part, the largest cell without a size
_MOST = 5e6  # cells
_SEWN = 1e-3  # mm: edges of faces of IGES files that are this close are one


@dataclass(frozen=True)
class Meshing:
    """How finely geometry (STEP, IGES, BREP) is meshed into tetrahedra.

    `size` [m] is that of the largest cell, by default a fifteenth of the diagonal of the part; `sizes` are those
    at faces by their names. Small features are meshed more finely: `per_radius` cells on a radius of curvature and
    `per_edge` on every edge; `grading` from 0 (slow) to 1 says how fast cells grow from there. Order 2 are
    ten-node tetrahedra whose middle nodes lie on the curved surface.
    """

    size: float | None = None
    sizes: Mapping[str, float] = field(default_factory=dict)
    per_radius: float = 2.0
    per_edge: float = 1.0
    grading: float = 0.3
    order: int = 2

    def __post_init__(self) -> None:
        given = {"per_radius": self.per_radius, "per_edge": self.per_edge, "grading": self.grading}
        sizes = {f"sizes.{name}": value for name, value in self.sizes.items()}
        for what, value in {**given, **sizes, **({} if self.size is None else {"size": self.size})}.items():
            require_number(value, what)
            if not value > 0:
                raise InputError(f"{what} is {value:g}; give a value that is positive", field=what)
        if self.grading > 1:
            raise InputError(f"grading is {self.grading:g}; give a value from 0 (slow) to 1", field="grading")
        if self.order not in (1, 2):
            raise InputError(f"order is {self.order}; give 1 (four nodes) or 2 (ten)", field="order")


def run_netgen(path: Path, meshing: Meshing, *, name: str, sew: bool, faces: int = 0) -> dict[str, Any]:
    """Arrays that the worker made of a file, lengths in mm; InputError with the name where it could not.

    netgen is C++ that a damaged file may end; it runs in a process of its own. `faces` are those that the file
    declares.
    """
    if find_spec("netgen") is None:
        raise InputError(
            f"{name}: geometry is meshed by netgen, which is not installed; run: pip install 'flexframe[cad]'"
        )
    with TemporaryDirectory(prefix="flexframe-") as folder:
        answer = Path(folder) / "mesh.npz"
        request = {
            "path": str(path),
            "answer": str(answer),
            "sew": sew,
            "tolerance": _SEWN,
            "size": None if meshing.size is None else 1e3 * meshing.size,
            "sizes": {face: 1e3 * size for face, size in meshing.sizes.items()},
            "parts": _PARTS,
            "most": _MOST,
            "faces": faces,
            "seconds": _SECONDS,
            "seconds_per_cell": _SECONDS_PER_CELL,
            "per_radius": meshing.per_radius,
            "per_edge": meshing.per_edge,
            "grading": meshing.grading,
            "order": meshing.order,
        }
        try:
            done = subprocess.run(
                [sys.executable, str(_WORKER)],
                input=json.dumps(request).encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=folder,
                timeout=_LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise InputError(f"{name}: netgen did not finish in a day; give a larger size") from None
        if -done.returncode == _OUT_OF_TIME:
            raise InputError(
                f"{name}: netgen did not finish in {_SECONDS:.0f} s and more of computing; the geometry is "
                "damaged, or much finer than its size: repair it, or give a larger size and a smaller per_radius"
            )
        if done.returncode != 0 or not answer.is_file():
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            why = f"signal {-done.returncode}" if done.returncode < 0 else (lines or ["no reason given"])[-1][:200]
            raise InputError(
                f"{name}: netgen ended without a mesh ({why}); the geometry is damaged or beyond it, repair "
                "it and export it again"
            )
        with np.load(answer) as found:
            made = dict(found)
    if "refused" in made:
        raise InputError(f"{name}: {made['refused']}")
    return {**made, **json.loads(str(made["facts"]))}
