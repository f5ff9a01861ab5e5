"""What readers leave out of a file is said."""

import json
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from flexframe.cli import app
from flexframe.exchange.meshes import read_mesh

SQUARE = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
{count}
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
{more}$EndNodes
$Elements
1
1 3 2 0 1 1 2 3 4
$EndElements
"""


def square(folder: Path, more: int) -> Path:
    """One quadrilateral, and nodes that nothing uses."""
    path = folder / "square.msh"
    lines = "".join(f"{5 + k} 0.5 {k} 0\n" for k in range(more))
    path.write_text(SQUARE.format(count=4 + more, more=lines), encoding="ascii")
    return path


def test_loose_nodes_of_gmsh(tmp_path: Path) -> None:
    """Two of six nodes are left out, with a notice that the description and part() keep; none without any."""
    mesh = read_mesh(square(tmp_path, 2))
    assert mesh.node_count == 4
    assert np.array_equal(mesh.node_labels, [1, 2, 3, 4])
    assert mesh.notices == ("2 nodes that no cell uses were left out",)
    assert "note: 2 nodes that no cell uses" in mesh.describe()
    assert mesh.part(np.array([0])).notices == mesh.notices
    assert read_mesh(square(tmp_path, 1)).notices == ("1 node that no cell uses was left out",)
    assert read_mesh(square(tmp_path, 0)).notices == ()


CASE = """
bodies:
  plate: {mesh: {file: square.msh, sets: {corner: [0]}}, material: steel, thickness: 1 mm}
  hub: {mass: 2 kg, inertia: 0.1, points: {rim: [1, 0], pin: [0, 0]}}
joints:
  joint: {revolute: [plate.corner, hub.pin]}
analyses:
  rest: {kind: modes, body: plate, count: 4}
"""


def test_check_shows_notices_and_rigid_bodies(tmp_path: Path) -> None:
    """`flexframe check` lists meshed and rigid bodies."""
    square(tmp_path, 3)
    case = tmp_path / "case.yaml"
    case.write_text(CASE, encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(case)])
    assert done.exit_code == 0, done.output
    assert "body plate: 1 cells, 4 nodes\n  note: 3 nodes that no cell uses" in done.stdout
    assert "rigid body hub: points rim, pin" in done.stdout
    answer = json.loads(CliRunner().invoke(app, ["check", str(case), "--json"]).stdout)
    hub = answer["rigid_bodies"]["hub"]
    assert hub["mass_kg"] == 2.0 and hub["points"] == ["rim", "pin"]
    assert answer["bodies"]["plate"]["notices"] == ["3 nodes that no cell uses were left out"]
