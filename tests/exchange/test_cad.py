"""Geometry meshed by netgen, against closed forms, meshes of our own, and damaged files."""

import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.exchange.test_stl import mutant
from typer.testing import CliRunner

from flexframe.analyses.modes.analysis import modes
from flexframe.cli import app
from flexframe.elements.properties import STEEL
from flexframe.errors import InputError
from flexframe.exchange import meshing
from flexframe.exchange.meshes import read_mesh, write_mesh
from flexframe.exchange.meshing import Meshing
from flexframe.exchange.reading import read_part
from flexframe.mesh.blocks import nodes_of_blocks
from flexframe.mesh.builders import block
from flexframe.mesh.checks import check_mesh
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.supports import Clamp

DATA = Path(__file__).parent / "data"
VOLUME = (60 * 20 * 10 - np.pi * 5**2 * 10) * 1e-9
"""Of the link: a plate with a bore [m³]."""

netgen = pytest.mark.skipif(meshing.find_spec("netgen") is None, reason="the extra cad is not installed")


@pytest.fixture(scope="module")
def link() -> Mesh:
    return read_mesh(DATA / "link.step", meshing=Meshing(size=0.01, sizes={"bore": 0.002}))


@netgen
def test_second_order_link(link: Mesh) -> None:
    """Ten nodes a cell, on the bore too: its volume error is of the fourth order of the angle between nodes."""
    quality = check_mesh(link)
    assert quality.faults == ()
    assert [cells.cell.name for cells in link.blocks] == ["tetra10"]
    # a parabola through three points on an arc of 2 mm misses a circle of 5 mm by R (h/R)⁴/384 = 3e-4 mm
    assert quality.volume == pytest.approx(VOLUME, rel=2e-5)
    bore = link.points[nodes_of_blocks(link.facet_sets["bore"])]
    assert np.abs(np.hypot(bore[:, 0] - 0.03, bore[:, 1] - 0.01) - 0.005).max() < 1e-9  # all nodes on it
    (said,) = link.notices
    assert re.search(
        r"tetra10 cells of at most 10 mm; their volume of 1\.12\d+e-05 m³, .* % (above|below) the geom", said
    )


@netgen
def test_faces_and_bodies_are_sets(link: Mesh) -> None:
    """By their names, or by their numbers; together the faces are the whole boundary."""
    assert {"left", "right", "bore"} < set(link.facet_sets)
    assert all(re.fullmatch(r"left|right|bore|face\d", name) for name in link.facet_sets)
    assert set(link.cell_sets) == {"link"} and len(link.cell_sets["link"]) == link.cell_count
    faces = sum(len(part) for parts in link.facet_sets.values() for part in parts)
    assert faces == sum(map(len, link.boundary()))
    assert np.abs(link.points[link.nodes_of("left"), 0]).max() < 1e-12
    at_bore = link.facet_sets["bore"][0].nodes
    lengths = np.linalg.norm(link.points[at_bore[:, 0]] - link.points[at_bore[:, 1]], axis=1)
    assert lengths.max() < 0.004  # of the size that was asked for at this face, not of 10 mm


@netgen
def test_bar_of_two_bodies() -> None:
    """Glued at their common face they vibrate as the same bar in hexahedra of our own, and as a beam."""
    mesh = read_mesh(DATA / "bar.step", meshing=Meshing(size=0.01))
    assert check_mesh(mesh).faults == ()  # no two nodes in one place
    assert set(mesh.cell_sets) == {"root", "tip"}
    assert "root equal to it, tip equal to it" in mesh.notices[1]
    found = modes(Body.solid("bar", mesh, material=STEEL, supports=(Clamp("clamp"),)), count=2).frequencies_hz
    own = block((0.2, 0.01, 0.01), (20, 1, 1))
    wanted = modes(Body.solid("bar", own, material=STEEL, supports=(Clamp("left"),)), count=2).frequencies_hz
    # both meshes are of second order and stiff by less than (h/L)⁴ with a factor of order one
    assert np.allclose(found, wanted, rtol=3e-3)
    beam = 1.8751041**2 / (2 * np.pi * 0.2**2) * np.sqrt(STEEL.young * 0.01**2 / (12 * STEEL.density))
    assert np.allclose(found, beam, rtol=1e-2)  # shear and rotary inertia take 0.3 %, the clamp adds as much


@netgen
def test_iges_is_sewn() -> None:
    """Loose faces of an IGES file become a solid; order 1 inscribes the bore, so that the volume is larger."""
    mesh = read_mesh(DATA / "link.igs", meshing=Meshing(size=0.01, order=1))
    assert [cells.cell.name for cells in mesh.blocks] == ["tetra"]
    volume = check_mesh(mesh).volume
    assert VOLUME < volume < 1.02 * VOLUME
    assert f"{100 * (volume / VOLUME - 1):.2g} % above" in mesh.notices[0]
    assert len(mesh.facet_sets) == 7


@netgen
def test_units_are_those_of_the_file(tmp_path: Path) -> None:
    """A file in metres is a thousand times as large; units that the caller gives are refused."""
    text = (DATA / "bar.step").read_text(encoding="ascii")
    large = tmp_path / "large.stp"
    large.write_text(text.replace("SI_UNIT(.MILLI.,.METRE.)", "SI_UNIT($,.METRE.)"), encoding="ascii")
    mesh = read_mesh(large, meshing=Meshing(size=50.0, order=1))
    assert np.allclose(np.ptp(mesh.points, axis=0), [200, 10, 10], rtol=1e-9)
    with pytest.raises(InputError, match="says its unit itself"):
        read_part(large, units="mm, N, s, tonne")
    with pytest.raises(InputError, match=r"would have .* cells of 5 mm; give a larger size"):
        read_mesh(large, meshing=Meshing(size=0.005))


@netgen
def test_refused_geometry(tmp_path: Path) -> None:
    """One line each, with what to do."""
    text = (DATA / "link.step").read_bytes()
    iges = (DATA / "link.igs").read_bytes()
    shell = re.search(rb"CLOSED_SHELL\('',\((#\d+,)", text)
    assert shell is not None
    for name, wrong, words in (
        ("cut.step", text[: len(text) // 2], "is cut short"),
        ("cut.igs", iges[: len(iges) // 2], "is cut short"),
        ("open.step", text.replace(shell.group(1), b"", 1), "and no solid"),
        ("lost.step", re.sub(rb"= PLANE\('',#\d+\)", b"= PLANE('',#999999)", text, count=1), "lost.step: "),
        ("text.step", b"solid part\n" * 100, "is not STEP"),
        ("other.igs", text, "is not IGES, it looks like STEP"),
        ("none.step", b"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n", "none.step: "),
    ):
        path = tmp_path / name
        path.write_bytes(wrong)
        with pytest.raises(InputError, match=words) as refused:
            read_mesh(path)
        assert "\n" not in str(refused.value) and str(refused.value).startswith(str(path))
    with pytest.raises(InputError, match="has no face 'bor' of which sizes speaks; known are"):
        read_mesh(DATA / "link.step", meshing=Meshing(sizes={"bor": 0.001}))


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says what to install."""
    monkeypatch.setattr(meshing, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'flexframe\[cad\]'"):
        read_mesh(DATA / "link.step")


@pytest.mark.parametrize(
    "program, words",
    [
        ("import os\nos.abort()", "signal 6"),
        ("raise MemoryError('no room')", "no room"),
        ("pass", "no reason given"),
    ],
)
def test_a_crash_is_one_line(program: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends netgen's process does not end this one."""
    worker = tmp_path / "worker.py"
    worker.write_text(program, encoding="ascii")
    monkeypatch.setattr(meshing, "_WORKER", worker)
    monkeypatch.setattr(meshing, "find_spec", lambda _: True)
    with pytest.raises(InputError, match=f"link.step: netgen ended without a mesh .*{words}"):
        read_mesh(DATA / "link.step")


def test_meshing_is_checked(tmp_path: Path) -> None:
    """Sizes that are none, and files that hold a mesh already."""
    for wrong, words in (
        ({"size": 0.0}, "size is 0"),
        ({"sizes": {"bore": -1.0}}, "sizes.bore is -1"),
        ({"grading": 2.0}, "grading is 2"),
        ({"order": 3}, "order is 3"),
    ):
        with pytest.raises(InputError, match=words):
            Meshing(**wrong)
    write_mesh(block((1, 1, 1), (1, 1, 1)), tmp_path / "block.vtu")
    with pytest.raises(InputError, match="meshing is for geometry"):
        read_mesh(tmp_path / "block.vtu", meshing=Meshing())


CASE = """
bodies:
  link:
    mesh: {file: link.step, meshing: {size: 20 mm, sizes: {bore: 5 mm}}}
    material: steel
    supports: [{clamp: left}]
analyses:
  rest: {kind: modes, count: 1}
"""


@netgen
@pytest.mark.skipif(sys.platform == "win32", reason="processor time is limited on Unix only")
def test_hanging_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that computes without end is ended by its processor time, however busy the machine is."""
    real = meshing._WORKER.read_text(encoding="utf-8")
    worker = tmp_path / "worker.py"
    worker.write_text(
        real.replace("    solids, faces = list", "    while True:\n        pass\n    solids, faces = list")
    )
    monkeypatch.setattr(meshing, "_WORKER", worker)
    monkeypatch.setattr(meshing, "_SECONDS", 1.0)
    with pytest.raises(InputError, match=r"link\.step: netgen did not finish in 1 s"):
        read_mesh(DATA / "link.step")


@netgen
def test_case_with_geometry(tmp_path: Path) -> None:
    """`check` shows the mass beside what the mesh loses of it; a size that is none is refused at its field."""
    (tmp_path / "link.step").write_bytes((DATA / "link.step").read_bytes())
    path = tmp_path / "case.yaml"
    path.write_text(CASE, encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(path)])
    assert done.exit_code == 0, done.output
    shown = " ".join(done.output.split())
    assert "the geometry's" in shown and "tetra10 cells of at most 20 mm" in shown
    path.write_text(CASE.replace("size: 20 mm", "grading: 3"), encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(path)])
    assert "grading" in done.stderr and done.exit_code == 2
    path.write_text(CASE.replace("file: link.step", "file: link.step, scale: 0.001"), encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(path)])
    assert "bodies.link.mesh: link.step: says its unit itself" in done.stderr and done.exit_code == 2


@netgen
@pytest.mark.slow  # a second of meshing for each, and netgen may hang
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", ["link.step", "link.igs"])
def test_damaged_geometry(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 mutants: meshed without faults and of the volume that is stated, or refused in one line."""
    monkeypatch.setattr(meshing, "_SECONDS", 20.0)
    data, chance, path = (DATA / name).read_bytes(), random.Random(22), tmp_path / name
    for _ in range(500):
        path.write_bytes(mutant(data, chance))
        try:
            assert check_mesh(read_mesh(path, meshing=Meshing(size=0.03))).faults == ()
        except InputError as error:
            assert "\n" not in str(error)
