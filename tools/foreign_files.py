"""Reads all files of a folder as parts and counts what became of them: bodies, meshes, matrices, modes, refusals.

For the test data of other programs, which is not shipped: fetch a copy first. Files are read in processes with
a bound on their time, so that one file stops no other. Reasons are counted with their numbers and names left out.

Usage: python -m tools.foreign_files FOLDER [--endings .bdf .dat] [--every]
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from flexframe.exchange.formats import FORMATS

BOUND = 120.0  # s of the clock for one file
AT_ONCE = 50  # files a process
READING = """
import json, sys
import flexframe as ff
from flexframe.errors import InputError
from flexframe.exchange.bodies import usable
for name in sys.argv[1:]:
    try:
        part = ff.exchange.read_part(name)
        if usable(part):
            try:
                ff.discretise(ff.exchange.part_body("part", part))
                found = ["body", ""]
            except InputError as error:
                found = ["read", str(error)]
        else:
            lacks = next(iter(part.hindrances), "no properties, matrices or modes: " + ", ".join(part.contents))
            found = ["read", lacks]
    except InputError as error:
        found = ["refused", str(error)]
    except Exception as error:
        found = ["failed", f"{type(error).__name__}: {error}"]
    print(json.dumps([name, *found]), flush=True)
"""


def outcomes(paths: list[Path]) -> Iterator[tuple[str, str, str]]:
    """Name, outcome and reason of each file."""
    waiting = [str(path) for path in paths]
    while waiting:
        some = waiting[:AT_ONCE]
        command = [sys.executable, "-c", READING, *some]
        try:
            told = subprocess.run(command, capture_output=True, text=True, timeout=BOUND, check=False).stdout
            ended = "the process ended"
        except subprocess.TimeoutExpired as expired:
            told = expired.stdout.decode() if isinstance(expired.stdout, bytes) else expired.stdout or ""
            ended = f"longer than {BOUND:g} s"
        lines = [tuple(json.loads(line)) for line in told.splitlines() if line.startswith('["')]
        yield from lines
        if len(lines) < len(some):
            yield some[len(lines)], "failed", ended
        waiting = waiting[min(len(lines) + 1, len(some)) :]


def kind_of(reason: str, name: str) -> str:
    """A reason without the names and numbers of one file."""
    text = reason.partition("\n")[0].replace(name, "").replace(Path(name).name, "")
    text = re.sub(r"'[^']*'", "'…'", text)
    return re.sub(r"(?<![A-Za-z])[-+]?\d[\d.,eE+-]*", "…", text).strip(" :…")


def report(found: Iterable[tuple[str, str, str]], every: bool) -> None:
    """Counts by ending, then reasons by how often they occur."""
    counts: dict[str, Counter[str]] = {}
    reasons: dict[str, Counter[str]] = {}
    for name, outcome, reason in found:
        counts.setdefault(Path(name).suffix.lower(), Counter())[outcome] += 1
        if outcome != "body":
            reasons.setdefault(outcome, Counter())[kind_of(reason, name)] += 1
        if every:
            print(f"{outcome:8} {name}  {reason}", flush=True)
    for ending, of_ending in sorted(counts.items()):
        print(f"{ending:8}", ", ".join(f"{number} {outcome}" for outcome, number in of_ending.most_common()))
    for outcome, of_outcome in reasons.items():
        print(f"\n{outcome}:")
        for reason, number in of_outcome.most_common():
            print(f"{number:5} {reason}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--endings", nargs="+", default=sorted({one for form in FORMATS for one in form.endings}))
    parser.add_argument("--every", action="store_true", help="print each file")
    given = parser.parse_args()
    files = sorted(p for p in given.folder.rglob("*") if p.is_file() and p.suffix.lower() in given.endings)
    report(outcomes(files), given.every)
