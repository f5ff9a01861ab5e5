"""Analyses that are stopped at any of their parts and taken up again: the same numbers, bit by bit."""

from pathlib import Path

import pytest

from flexframe.cases.case import Case, parse_case
from flexframe.cases.run import CaseResult, run_case
from flexframe.errors import StopRequest
from flexframe.results.checkpoint import Checkpoint, KeptWork, restore
from flexframe.results.storage import read_results, write_results

BEAM = """\
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 40}}
    material: steel
    section: {rectangle: {width: 30 mm, height: 4 mm}}
    supports: [{clamp: start}]
analyses:
"""
SHAFT = """\
bodies:
  shaft:
    space: spatial
    mesh: {line: {length: 1 m, divisions: 8}}
    material: steel
    section: {circle: {diameter: 20 mm}}
    supports: [{fix: start, dofs: [ux, uy, uz, rx]}, {fix: end, dofs: [uy, uz]}]
analyses:
"""
FAN = """\
space: spatial
bodies:
  hub: {mass: 2, inertia: [1, 1, 1], points: {rim: [300 mm, 0, 0]}}
  blade: {mass: 3, inertia: [0, 0.7, 0.7], centre: [800 mm, 0, 0], points: {root: [0, 0, 0]}}
joints:
  axle: {revolute: [ground, hub], axis: [0, 0, 1]}
  hinge: {revolute: [hub.rim, blade.root], axis: [0, 1, 0]}
drives: {motor: {angle: 0, joint: axle}}
start: {blade: {position: [300 mm, 0, 0]}}
analyses:
"""
CRANK = """\
ground: {O: [0, 0]}
bodies:
  crank:
    mesh: {line: {length: 300 mm, divisions: 4}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 10 mm}}
joints: {A: {revolute: [ground.O, crank.start]}}
drives: {motor: {angle: 40*t, joint: A}}
analyses:
"""
COLUMN = """\
ground: {O: [0, 0]}
bodies:
  strip:
    mesh: {line: {length: 1 m, divisions: 8}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 2 mm}}
    reduction: exact
joints: {foot: {fixed: [ground.O, strip.start]}}
loads: {push: {force: [0, 20], on: strip.end}}
analyses:
"""
LOADED = "loads: [{force: [0, 1, 0], on: [0.25, 0, 0]}], sensors: {middle: {on: [0.5, 0, 0], dof: uy}}"
RAMP = "loads: [{on: [0.5, 0, 0], unbalance: 1e-4}], sensors: {middle: {on: [0.5, 0, 0]}}"
PULSING = 'period: 2*pi/w, parameters: {P: 5, w: 30}, loads: [{on: end, force: ["P*cos(w*t)", 0]}]'
CASES = {
    "modes": BEAM + "  run: {kind: modes, count: 5, motion: {spin: 20}}\n",
    "campbell": BEAM + "  run: {kind: campbell, speeds: {end: 50, count: 12}, modes: 3}\n",
    "campbell of a system": FAN + "  run: {kind: campbell, speeds: {end: 20, count: 7}, modes: 1}\n",
    "frequency response": SHAFT.replace("divisions: 8", "divisions: 120")  # small ones are not worth keeping
    + f"  run: {{kind: frequency_response, method: direct, frequencies: {{end: 90 Hz, count: 9}}, {LOADED}}}\n",
    "run up": SHAFT + f"  run: {{kind: run_up, axis: [1, 0, 0], end: 300, acceleration: 400, modes: 4, {RAMP}}}\n",
    "stability": BEAM + f"  run: {{kind: stability, modes: 2, {PULSING}, "
    "scan: {parameter: w, start: 25, end: 60, count: 6}}\n",
    "cycle spectrum": CRANK + "  run: {kind: cycle_spectrum, duration: 0.1, samples: 9, count: 2}\n",
    "statics with a path": COLUMN + "  run: {kind: statics, path: true}\n",
}


def _case(text: str) -> Case:
    return parse_case(text, file="case.yaml", folder=Path(__file__).parent)


def _same(one: CaseResult, other: CaseResult) -> bool:
    """All arrays of all analyses, bit by bit."""
    found, wanted = ({n: r.to_xarray() for n, r in result.records.items()} for result in (one, other))
    return found.keys() == wanted.keys() and all(found[name].identical(wanted[name]) for name in wanted)


@pytest.mark.parametrize("kind", CASES)
def test_a_stopped_analysis_goes_on_with_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Stopped after the first part, in the middle and before the end; parts that are kept are not done again."""
    keep, made, last = KeptWork.keep, 0, 10**9

    def counted(self: KeptWork, key: str, value: object) -> None:
        nonlocal made
        keep(self, key, value)
        made += 1
        if made == last:
            raise StopRequest("stopped by SIGTERM", 143)

    monkeypatch.setattr(KeptWork, "keep", counted)
    case = _case(CASES[kind])
    whole = run_case(case)
    run_case(case, checkpoints=lambda name: Checkpoint(tmp_path / f"{name}.npz"))
    total = made
    for count in sorted({1, (total + 1) // 2, total}):
        place = tmp_path / f"{count}.npz"
        made, last = 0, count
        with pytest.raises(StopRequest):
            run_case(case, checkpoints=lambda _, place=place: Checkpoint(place))  # type: ignore[misc]
        made, last = 0, 10**9
        resumed = run_case(case, checkpoints=lambda _, place=place: Checkpoint(place, resume=True))  # type: ignore[misc]
        assert made <= total - count + 2  # parts that stand inside another one may be done again
        assert _same(resumed, whole)


def test_parts_of_another_case_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same text with another length, and a file that is damaged or names what is not ours."""
    monkeypatch.setattr("flexframe.results.checkpoint.QUIET_SECONDS", -1.0)
    place = Checkpoint(tmp_path / "run.npz", resume=True)
    first = run_case(_case(CASES["modes"]), checkpoints=lambda _: place)
    longer = _case(CASES["modes"].replace("length: 1 m", "length: 2 m"))
    found = run_case(longer, checkpoints=lambda _: place)
    assert _same(found, run_case(longer))
    assert not _same(found, first)
    place.path.write_bytes(b"PK damaged")
    assert _same(run_case(longer, checkpoints=lambda _: place), found)
    for name in ("os:system", "flexframe.cli:main", "flexframe.nothing:Nothing"):
        with pytest.raises((ValueError, ImportError)):
            restore({"class": name, "parts": {}}, {})


def test_a_part_of_a_case_is_written_and_read(tmp_path: Path) -> None:
    """What `finished` is given when a signal comes holds the analyses that are done."""
    case = _case(CASES["modes"] + "  other: {kind: modes, count: 2}\n")
    parts: list[CaseResult] = []

    def stop(done: float, total: int, name: str) -> None:
        del done, total
        if name == "other":
            raise StopRequest("stopped by SIGTERM", 143)

    with pytest.raises(StopRequest):
        run_case(case, stop, finished=parts.append)
    (part,) = parts
    assert part.missing == ("other",)
    write_results(tmp_path / "out", summary=part.summary(), records=part.records, case_text=case.text, report="")
    read = read_results(tmp_path / "out")
    assert read.summary["stopped"] == "stopped by SIGTERM"
    assert read.dataset("run").identical(read.dataset("run"))
    assert list(read.summary["analyses"]) == ["run"]
