"""A mesh of a million nodes read from Nastran bulk data and from an Ansys coded database: time and memory.

Each file is read in a process of its own, whose largest memory is that of the reading; times are the processor's.

Usage: python -m benchmarks.large_files [nodes along an edge]
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import Figure, write

import flexframe as ff

EDGE = 100  # nodes, 10⁶ in the cube
MOST_SECONDS, MOST_GIGABYTES = 60.0, 4.0
READING = """
import json, resource, sys, time
import flexframe as ff
start = time.process_time()
mesh = ff.exchange.read_part(sys.argv[1]).mesh
seconds = time.process_time() - start
print(json.dumps([mesh.node_count, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6]))
"""


def figures(folder: Path, body: ff.Body, ending: str) -> list[Figure]:
    path = folder / f"large{ending}"
    ff.exchange.write_part(body, path)
    told = subprocess.run([sys.executable, "-c", READING, str(path)], capture_output=True, check=True, text=True)
    nodes, seconds, gigabytes = json.loads(told.stdout)
    assert nodes == body.mesh.node_count
    workload, note = f"{ending} of {nodes} nodes", f"file of {path.stat().st_size / 1e6:.0f} MB"
    return [
        Figure(f"reading {workload}", seconds, "s of the processor", MOST_SECONDS, note=note),
        Figure(f"memory of reading {workload}", gigabytes, "GB", MOST_GIGABYTES, note=note),
    ]


if __name__ == "__main__":
    cells = int(sys.argv[1] if len(sys.argv) > 1 else EDGE) - 1
    mesh = ff.mesh.block((1.0, 1.0, 1.0), (cells, cells, cells), order=1)
    body = ff.Body.solid("large", mesh, material=ff.STEEL)
    with tempfile.TemporaryDirectory() as name:
        found = [figure for ending in (".bdf", ".cdb") for figure in figures(Path(name), body, ending)]
    write("large_files", figures=found)
