"""Write small results of every kind of store, which the tests of later versions open again.

    python -m tools.stored_results

They go to tests/results/data/format-N, N being the number of the format that this version writes. What an earlier
format wrote stays as it is: it is the evidence that its results can still be read.
"""

import sys
from pathlib import Path

import flexframe as ff
from flexframe.exchange.reduced import write_reduced_body
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import reduce_body
from flexframe.reduction.strategies import CraigBampton
from flexframe.results.storage import FORMAT, REPORT, write_results

DATA = Path(__file__).resolve().parent.parent / "tests" / "results" / "data"
CASES = DATA / "cases"
VARIED = ("bodies.beam.section.rectangle.height", ["10 mm", "20 mm", "30 mm"])


def write(folder: Path) -> None:
    """A run of a body, a coupled motion, a sweep and a reduced body; pages of reports are left out."""
    for name in ("beam", "pendulum"):
        result = ff.run_case(ff.load_case(CASES / f"{name}.yaml"))
        write_results(
            folder / name,
            summary=result.summary(),
            records=result.records,
            case_text=result.case.text,
            report="",
        )
        (folder / name / REPORT).unlink()
    ff.sweep(CASES / "beam.yaml", dict([VARIED]), out=folder / "sweep")
    beam = ff.load_case(CASES / "beam.yaml").discrete("beam")
    reduced = reduce_body(beam, CraigBampton(3), interfaces=[Interface("tip", "end")])
    write_reduced_body(reduced, folder / "reduced_beam.npz")


def main() -> int:
    """Write the present format; one that is there already is not touched."""
    folder = DATA / f"format-{FORMAT}"
    if folder.exists():
        print(f"{folder} is there already; raise FORMAT in results/storage.py if the format has changed")
        return 1
    write(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"wrote {folder}, {size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
