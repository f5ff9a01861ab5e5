"""Files for ParaView, read back through meshio and as XML: every number as it was."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import meshio
import numpy as np
import pytest
from tests.rounding import ROUNDING
from typer.testing import CliRunner

from flexframe.analyses.elastic_response.record import ElasticResponse
from flexframe.analyses.kinematics.record import Kinematics
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.simulate import simulate
from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import discretise
from flexframe.cases.case import load_case
from flexframe.cli import app
from flexframe.elements.properties import STEEL, BeamProperty, Rectangle, ShellProperty
from flexframe.errors import InputError
from flexframe.exchange.paraview import write_paraview
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.mesh.builders import block, disc, polyline
from flexframe.model.body import Body, Region
from flexframe.model.loads import Traction
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion
from flexframe.results.body_fields import body_fields
from flexframe.results.csv_tables import write_csv
from flexframe.results.storage import write_results

EXAMPLES = Path(__file__).parents[2] / "examples"


def cube(order: int = 2) -> Body:
    mesh = block((0.3, 0.1, 0.1), (3, 1, 1), order=order)
    return Body.solid(
        "cube", mesh, material=STEEL, supports=(Clamp("left"),), loads=(Traction("right", (0.0, 0.0, 1e6)),)
    )


def test_statics_come_back_exactly(tmp_path: Path) -> None:
    """Doubles are stored as they are: displacement and every nodal stress are equal, bit by bit."""
    record = statics(cube())
    (path,) = write_paraview(record, tmp_path, "bending")
    read = meshio.read(path)
    assert np.array_equal(read.points, record.mesh.points)
    assert [kind.type for kind in read.cells] == ["hexahedron20"]
    assert np.array_equal(read.cells[0].data, record.mesh.blocks[0].nodes)
    assert np.array_equal(read.point_data["displacement"], record.displacements[:, :3])
    assert "rotation" not in read.point_data  # solids have none
    for name, values in record.nodal_stress.items():
        assert np.array_equal(read.point_data[f"nodal_stress_{name}"], values)


def test_modes_come_back_exactly(tmp_path: Path) -> None:
    """A field for each mode; of a spinning body real and imaginary parts."""
    mesh = disc(0.2, 3, order=1)
    body = Body("disc", mesh, (Region(ShellProperty(STEEL, 0.002)),), space="spatial")
    record = modes(body, FrameMotion.spin(300.0), count=10)
    (path,) = write_paraview(record, tmp_path, "spinning")
    data = meshio.read(path).point_data
    for number, (shape, frequency) in enumerate(zip(record.shapes, record.frequencies_hz, strict=True), 1):
        name = f"mode_{number:02}_{frequency:.6g}_Hz"
        assert np.array_equal(data[name], shape[:, :3].real)
        if shape.imag.any():
            assert np.array_equal(data[f"{name}_imaginary"], shape[:, :3].imag)


def test_history_is_a_collection(tmp_path: Path) -> None:
    """The times of the .pvd file are those of the snapshots; every node is at r_O + R(x + u), `motion` from x."""
    mesh = polyline([(0, 0), (1, 0)], divisions=4)
    prop = BeamProperty(STEEL, Rectangle(0.02, 0.01))
    body = Body("arm", mesh, (Region(prop),), supports=(Clamp("start"),))
    record = simulate(discretise(body), FrameMotion.spin(20.0), duration=0.05, steps=8)
    collection, *files = write_paraview(record, tmp_path, "turning")
    entries = list(ElementTree.parse(collection).getroot().iter("DataSet"))
    assert [float(entry.attrib["timestep"]) for entry in entries] == record.times[record.snapshots].tolist()
    assert [tmp_path / entry.attrib["file"] for entry in entries] == files
    assert record.frame_path is not None
    for number, file in enumerate(files):
        read = meshio.read(file)
        u = record.displacements[number]
        assert np.array_equal(read.point_data["displacement"], u[:, :3])
        R = rotation_from_quaternion(record.frame_path.rotations[number])
        placed = record.frame_path.positions[number] + (mesh.points + u[:, :3]) @ R.T
        # sums in another order: a few units of the last digit
        np.testing.assert_allclose(read.points, placed, rtol=0, atol=ROUNDING)
        np.testing.assert_allclose(read.points - read.point_data["motion"], mesh.points, rtol=0, atol=ROUNDING)
    assert np.array_equal(read.point_data["rotation"], record.displacements[-1][:, 3:])


@dataclass(frozen=True)
class Stored:
    folder: Path
    rod: ElasticResponse
    kinematics: Kinematics


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    """A slider-crank with its kinematics and the elastic response of its rod."""
    folder = tmp_path_factory.mktemp("stored") / "results"
    case = load_case(EXAMPLES / "slider_crank.yaml", ["analyses.rod.steps=100"])
    records = {name: case.analyses[name].run(case) for name in ("kinematics", "rod")}
    summary = {"analyses": {name: record.summary() for name, record in records.items()}}
    write_results(folder, summary=summary, records=records, case_text=case.text, report="")
    return Stored(folder, records["rod"], records["kinematics"])


def test_stored_results_are_exported(stored: Stored, tmp_path: Path) -> None:
    """`flexframe export` works from the folder alone and gives every number of the record."""
    done = CliRunner().invoke(app, ["export", str(stored.folder), "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["skipped"] == []
    record, files = stored.rod, answer["files"]["rod"]
    assert len(files) == 1 + len(record.snapshots)
    last = meshio.read(files[-1])
    assert np.array_equal(last.point_data["displacement"], record.displacements["rod"][-1][:, :3])
    moved = record.motion.body("rod")
    instant = record.snapshots[-1]
    u = record.displacements["rod"][-1][:, :3]
    body = record.motion.mechanism.system.body("rod")
    assert body.mesh is not None
    placed = moved.positions[instant] + (body.mesh.points + u) @ moved.rotations[instant].T
    # rotations pass through quaternions: a few units of the last digit
    np.testing.assert_allclose(last.points, placed, rtol=0, atol=ROUNDING)


def test_rigid_bodies_in_motion(stored: Stored, tmp_path: Path) -> None:
    """A crank that turns by φ = ω t: its end is at l (cos φ, sin φ) and moves with l ω across."""
    collection, *files = write_paraview(stored.kinematics, tmp_path, "kinematics")
    times: dict[str, list[float]] = {}
    for entry in ElementTree.parse(collection).getroot().iter("DataSet"):
        times.setdefault(Path(entry.attrib["file"]).name.split("_")[0], []).append(float(entry.attrib["timestep"]))
    motion = stored.kinematics.motion
    assert set(times) == set(motion.names)
    shown = [file for file in files if file.name.startswith("crank_")]
    assert len(shown) == len(times["crank"]) > 10
    for file, time in zip(shown, times["crank"], strict=True):
        read, angle = meshio.read(file), 150.0 * time
        across, along = (
            np.array([-np.sin(angle), np.cos(angle), 0.0]),
            np.array([np.cos(angle), np.sin(angle), 0.0]),
        )
        end = int(np.linalg.norm(read.points - 0.15 * along, axis=1).argmin())
        # joints are closed to 1e-12 of the machine's size, velocities to that times the speed
        assert np.abs(read.points[end] - 0.15 * along).max() < 1e-11
        assert np.abs(read.point_data["velocity"][end] - 22.5 * across).max() < 1e-9


def test_csv_holds_every_digit(tmp_path: Path) -> None:
    """Text of a double read back is that double."""
    record = statics(cube(1))
    files = write_csv(record.to_xarray(), tmp_path, "bending")
    table = {path.stem: list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) for path in files}
    rows = table["bending-node"]
    for column, component in (("displacement_ux", 0), ("displacement_uz", 2)):
        assert [float(row[column]) for row in rows] == record.displacements[:, component].tolist()
    assert [float(row["point_x [m]"]) for row in rows] == record.mesh.points[:, 0].tolist()
    assert [int(table["bending-cell_0"][1][f"cells_0_hexahedron_{k}"]) for k in range(8)] == list(
        record.mesh.blocks[0].nodes[1]
    )


def test_mixed_meshes_come_back_from_storage() -> None:
    """Blocks keep their order and shapes in a dataset."""
    record = modes(cube(), count=2)
    (fields,) = body_fields(record.to_xarray())
    assert [b.cell.name for b in fields.mesh.blocks] == [b.cell.name for b in record.mesh.blocks]
    assert all(
        np.array_equal(a.nodes, b.nodes) for a, b in zip(fields.mesh.blocks, record.mesh.blocks, strict=True)
    )


def test_refusals(stored: Stored, tmp_path: Path) -> None:
    """What cannot be written is refused in one line with the way out."""
    runner = CliRunner()
    for options, words in (
        (["--to", "stl"], "choose one of vtk, csv"),
        (["--analysis", "rods"], "choose from kinematics"),
        (["--out", str(stored.folder)], "give another folder"),
    ):
        done = runner.invoke(app, ["export", str(stored.folder), *options])
        assert done.exit_code == 2
        assert words in done.stderr
    with pytest.raises(InputError, match="no fields on a mesh"):
        write_paraview(statics(cube(1)).to_xarray()[["point"]], tmp_path, "nothing")
