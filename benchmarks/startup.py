"""`flexframe run` of small examples from the shell: warm, and the first ever, when loops are still to be compiled.

Usage: python -m benchmarks.startup [repetitions]
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import Figure, alternating, write

EXAMPLES = Path(__file__).parents[1] / "examples"
SMALL = ("rotating_beam", "rectangle_element", "triangle_element", "jeffcott", "reduced_beam")
FIRST = ("rotating_beam", "spin_up", "four_bar")
WARM_LIMIT, FIRST_LIMIT = 1.5, 30.0  # s


def run(name: str, folder: Path, cache: Path | None = None) -> None:
    """Run an example in a process of its own; with `cache`, compiled loops are kept there only."""
    settings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    settings["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    if cache is not None:
        settings["NUMBA_CACHE_DIR"] = str(cache)
    start = "import sys; from flexframe.cli import main; sys.argv[0] = 'flexframe'; main()"
    command = [sys.executable, "-c", start, "run", str(EXAMPLES / f"{name}.yaml"), "--out", str(folder / name)]
    subprocess.run(command, check=True, env=settings, capture_output=True)


def measured(repetitions: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        names = [name for name in SMALL if (EXAMPLES / f"{name}.yaml").is_file()]
        warm = alternating([lambda n=name: run(n, folder) for name in names], repetitions)
        figures = [
            Figure(f"warm run of {name}", statistics.median(times), "s", WARM_LIMIT)
            for name, times in zip(names, warm, strict=True)
        ]
        for name in FIRST:
            if (EXAMPLES / f"{name}.yaml").is_file():
                work = [lambda n=name: run(n, folder, folder / f"cache of {n}")]
                ((seconds,),) = alternating(work, 1, warm=False)
                figures.append(Figure(f"first run of {name}", seconds, "s", FIRST_LIMIT))
    return figures


if __name__ == "__main__":
    write("startup", figures=measured(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
