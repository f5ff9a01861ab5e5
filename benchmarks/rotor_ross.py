"""ROSS's example rotor and compressor in both programs: eigenvalues over the speed, and unbalance responses.

The models are the same: flexframe takes ROSS's rotor over (`ff.rotors.ross_rotor`), tables of bearings and seals
included. Both follow eight modes, and both give orbits at all nodes; nothing is drawn. Results are compared in the
same run: eigenvalues by the nearest of ROSS's state matrix, whose modes `run_campbell` lists, and orbits by the
direct solution of ROSS's matrices, which `run_unbalance_response` sums over modes.

Usage: python -m benchmarks.rotor_ross [repetitions]
"""

import sys
import warnings
from collections.abc import Callable

import numpy as np
import ross
from benchmarks.harness import Comparison, compare, write

import flexframe as ff

MODES = 8
AGREED = 1e-8


def campbell(name: str, rotor: ross.Rotor, speeds: np.ndarray, repetitions: int) -> Comparison:
    imported = ff.rotors.ross_rotor(rotor)
    kept: dict[str, ff.results.CampbellDiagram] = {}

    def ours() -> None:
        kept["ours"] = ff.campbell_diagram(imported.rotor, speeds, modes=MODES, engine_orders=[1], tolerance=1e-9)

    def theirs() -> None:
        rotor.run_campbell(speeds, frequencies=MODES)

    work = f"Campbell diagram of {name}, {len(speeds)} speeds, {MODES} modes"
    result = compare(work, "ROSS", ours, theirs, repetitions=repetitions)
    apart = 0.0
    for k in (0, len(speeds) // 2, len(speeds) - 1):
        values = np.linalg.eigvals(rotor.A(speeds[k]))
        found = kept["ours"].eigenvalues[k]
        for value in found[np.isfinite(found)]:
            apart = max(apart, float(np.abs(values - value).min() / abs(value)))
    return _noted(result, apart, "eigenvalues differ")


def unbalance(name: str, rotor: ross.Rotor, speeds: np.ndarray, node: int, repetitions: int) -> Comparison:
    imported = ff.rotors.ross_rotor(rotor)
    sensors = {str(n): ff.sensors.DofSensor(place) for n, place in imported.nodes.items()}
    kept: dict[str, ff.results.FrequencyResponse] = {}

    def ours() -> None:
        loads = [ff.rotors.Unbalance(imported.nodes[node], 1e-3, 0.3)]
        kept["ours"] = ff.unbalance_response(imported.rotor, speeds, loads, sensors, tolerance=1e-9)

    def theirs() -> None:
        rotor.run_unbalance_response(node, 1e-3, 0.3, speeds)

    work = f"unbalance response of {name}, {len(speeds)} speeds, {len(sensors)} stations"
    result = compare(work, "ROSS", ours, theirs, repetitions=repetitions)
    apart = 0.0
    for k in (0, len(speeds) // 2, len(speeds) - 1):
        s = speeds[k]
        matrix = rotor.K(s) - s**2 * rotor.M(s) + 1j * s * (rotor.C(s) + s * rotor.G())
        answer = np.linalg.solve(matrix, rotor._unbalance_force(node, 1e-3, 0.3, np.array([s]))[:, 0])
        answer = answer.reshape(-1, 4)[: len(sensors), :2]
        orbits = kept["ours"].orbits
        found = np.array([[orbits[str(n)].first[k], orbits[str(n)].second[k]] for n in imported.nodes])
        apart = max(apart, float(np.abs(found - answer).max() / np.abs(answer).max()))
    return _noted(result, apart, "orbits differ")


def _noted(result: Comparison, apart: float, what: str) -> Comparison:
    assert apart < AGREED, f"{what} by {apart:.1e}"
    return Comparison(result.workload, result.peer, result.ours_s, result.peer_s, f"{what} by {apart:.0e}")


def workloads(repetitions: int) -> list[Comparison]:
    rotors: list[tuple[str, Callable[[], ross.Rotor], np.ndarray, int]] = [
        ("ROSS's example rotor", ross.rotor_example, np.linspace(10.0, 800.0, 100), 2),
        ("ROSS's compressor", ross.compressor_example, np.linspace(420.0, 1000.0, 100), 29),
    ]
    found = []
    for name, made, speeds, node in rotors:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of ROSS's splines
            rotor = made()
            found += [
                campbell(name, rotor, speeds, repetitions),
                unbalance(name, rotor, speeds, node, repetitions),
            ]
    return found


if __name__ == "__main__":
    write("rotor_ross", workloads(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
