"""STL files: read, written, refused, and what a case makes of them."""

import random
from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding
from typer.testing import CliRunner

from flexframe.analyses.rigid_motion.record import RigidMotion
from flexframe.cases.case import load_case
from flexframe.cli import app
from flexframe.errors import InputError
from flexframe.exchange.contract import Part
from flexframe.exchange.meshes import read_mesh, write_mesh
from flexframe.exchange.reading import read_part
from flexframe.exchange.writing import write_part
from flexframe.mesh.builders import block, line, tube
from flexframe.mesh.enclosed import enclosed_solid
from flexframe.mesh.mesh import Mesh
from flexframe.model.rigid_body import RigidBody

SINGLE = float(np.finfo(np.float32).eps)


def as_text(mesh: Mesh, *names: str) -> str:
    """A text with the triangles of a surface, in as many solids as there are names."""
    parts = np.array_split(mesh.blocks[0].nodes, len(names))
    lines = []
    for name, nodes in zip(names, parts, strict=True):
        lines.append(f"solid {name}")
        for triangle in nodes:
            corners = (f"  vertex {x:.9e} {y:.9e} {z:.9e}" for x, y, z in mesh.points[triangle])
            lines += ["facet normal 0 0 0", " outer loop", *corners, " endloop", "endfacet"]
        lines.append(f"endsolid {name}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    """A tube of eight flat sides in millimetres."""
    path = tmp_path / "ring.stl"
    write_mesh(tube(10.0, 50.0, 200.0, (1, 8, 1), order=1), path)
    return path


def test_binary_and_text_hold_the_same(ring: Path, tmp_path: Path) -> None:
    """A tube with polygons of n corners: V = n/2 sin(2π/n) (R² − r²) h, to the digits of single precision."""
    mesh = read_mesh(ring)
    volume = 4 * np.sin(np.pi / 4) * (50**2 - 10**2) * 200
    assert enclosed_solid(mesh).volume == pytest.approx(volume, rel=10 * SINGLE)
    text = tmp_path / "text.stl"
    text.write_text(as_text(mesh, "low", "high"), encoding="ascii")
    again = read_mesh(text)
    assert np.allclose(again.points, mesh.points, rtol=1e-9, atol=1e-9)
    assert sorted(map(sorted, again.blocks[0].nodes)) == sorted(map(sorted, mesh.blocks[0].nodes))
    count = mesh.cell_count
    assert {name: len(cells) for name, cells in again.cell_sets.items()} == {
        "low": (count + 1) // 2,
        "high": count // 2,
    }
    misleading = tmp_path / "misleading.stl"
    misleading.write_bytes(b"solid made elsewhere".ljust(80) + ring.read_bytes()[80:])
    assert read_mesh(misleading).cell_count == count


def test_units_and_description(ring: Path) -> None:
    """The file is in millimetres; the part says what it encloses, or why it encloses nothing."""
    part = read_part(ring, units="mm, N, s, tonne")
    assert part.mesh is not None
    assert enclosed_solid(part.mesh).volume == pytest.approx(1.357645e-3, rel=1e-6)
    (said,) = part.notices
    assert "closed: volume 0.00135765 m³" in said and "taken as mm" in said
    done = CliRunner().invoke(app, ["describe", str(ring), "--units", "mm, N, s, tonne"])
    assert done.exit_code == 0, done.output
    assert "closed: volume 0.00135765 m³" in " ".join(done.stdout.split())


def test_flat_triangles_are_left_out(ring: Path, tmp_path: Path) -> None:
    """A triangle with two corners in one place bounds nothing; the notice counts it."""
    path, mesh = tmp_path / "needle.stl", read_mesh(ring)
    needle = (
        "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid"
    )
    path.write_text(as_text(mesh, "ring").replace("endsolid", needle), encoding="ascii")
    again = read_mesh(path)
    assert again.cell_count == mesh.cell_count
    assert again.notices == (
        f"1 of {mesh.cell_count + 1} triangles have two corners in one place and were left out",
    )


def test_writing(tmp_path: Path) -> None:
    """What STL cannot hold is said or refused."""
    said = write_part(Part(mesh=block((1, 1, 1), (1, 1, 1))), tmp_path / "block.stl")
    assert "sets of nodes, facets and cells" in said[0] and "seven digits" in said[-1]
    with pytest.raises(InputError, match="has no surface"):
        write_mesh(line(1.0, 2), tmp_path / "line.stl")


def test_refusals(ring: Path, tmp_path: Path) -> None:
    """One line each, with what to do."""
    data, text = ring.read_bytes(), as_text(read_mesh(ring), "ring")
    corner = bytearray(data)
    corner[96:100] = np.float32(np.nan).tobytes()
    for wrong, words in (
        (b"", "is empty"),
        (data[:-1], "triangles take"),
        (data + b"more", "triangles take"),
        (bytes(corner), "triangle 1 has a corner that is no place"),
        (data[:80] + bytes(4), "has no triangles"),
        (text[: len(text) // 2].encode(), "stl:.*export it again"),
        (text.replace("endsolid ring\n", "").encode(), "ends before its solid does"),
        (text.replace("vertex", "vertx", 1).encode(), r"wrong.stl:2: is not a whole facet"),
        (b"PK\3\4", "is not an STL file"),
    ):
        path = tmp_path / "wrong.stl"
        path.write_bytes(wrong)
        with pytest.raises(InputError, match=words) as refused:
            read_mesh(path)
        assert "\n" not in str(refused.value)


def mutant(data: bytes, chance: random.Random) -> bytes:
    """The file cut, with other bytes, with a piece missing, doubled or put in."""
    first = chance.randrange(len(data))
    last = min(len(data), first + chance.randrange(1, 300))
    match chance.randrange(5):
        case 0:
            return data[:first]
        case 1:
            changed = bytearray(data)
            for _ in range(chance.randrange(1, 6)):
                changed[chance.randrange(len(data))] = chance.randrange(256)
            return bytes(changed)
        case 2:
            return data[:first] + data[last:]
        case 3:
            return data[:last] + data[first:]
    return data[:first] + chance.randbytes(chance.randrange(1, 50)) + data[first:]


@pytest.mark.parametrize("form", ["binary", "text"])
def test_damaged_files(form: str, ring: Path, tmp_path: Path) -> None:
    """500 mutants: read whole as a surface, or refused in one line; a body only of what is closed."""
    data = ring.read_bytes() if form == "binary" else as_text(read_mesh(ring), "ring").encode()
    chance, path, refused = random.Random(22), tmp_path / "mutant.stl", 0
    for _ in range(500):
        path.write_bytes(mutant(data, chance))
        try:
            body = RigidBody.of_surface("ring", read_mesh(path), density=1.0)
            assert body.mass > 0
        except InputError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused > 400


CASE = """
space: spatial
ground: {O: [0, 0, 0]}
bodies:
  lever:
    stl: lever.stl
    unit: mm
    material: steel
    points: {pin: [0, 10 mm, 5 mm], tip: [200 mm, 10 mm, 5 mm]}
joints:
  pin: {revolute: [ground.O, lever.pin], axis: [0, 1, 0]}
loads:
  weight: {gravity: [0, 0, -9.81]}
analyses:
  swing: {kind: rigid_motion, duration: 0.5 s}
"""


def case(folder: Path, text: str = CASE) -> Path:
    write_mesh(block((200.0, 20.0, 10.0), (3, 2, 1)), folder / "lever.stl")
    path = folder / "case.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_pendulum_of_a_case(tmp_path: Path) -> None:
    """A lever released from the horizontal: ½ (I + m l²) ω² = m g l, so that its tip passes below with ω 2l."""
    loaded = load_case(case(tmp_path, CASE))
    body = loaded.system().body("lever")
    assert isinstance(body, RigidBody)
    mass = 7850 * 0.2 * 0.02 * 0.01
    assert body.mass == pytest.approx(mass, rel=10 * SINGLE)
    record = loaded.analyses["swing"].run(loaded)
    assert isinstance(record, RigidMotion)
    inertia = mass * (0.2**2 + 0.01**2) / 12 + mass * 0.1**2
    speed = 0.2 * np.sqrt(2 * mass * 9.81 * 0.1 / inertia)
    moving = record.motion.body("lever")
    found = np.linalg.norm(moving.point(np.array([0.2, 0.01, 0.005]))[1], axis=1)
    angle = np.arcsin(np.clip(-moving.rotations[:, 2, 0], -1, 1))
    # at every instant ω² = 2 m g l sin φ / I; the integrator's tolerance is far below single precision's digits
    assert np.abs(found**2 - speed**2 * np.sin(angle)).max() < 1e-5 * speed**2
    assert found.max() == pytest.approx(speed, rel=1e-3)  # an instant of the record is near the lowest position


def test_refusals_of_a_case(tmp_path: Path) -> None:
    """At `check` already, at the field, in one line."""
    for old, new, words in (
        ("    unit: mm\n", "", "bodies.lever.unit: is missing"),
        ("material: steel", "material: stel", "did you mean 'steel'"),
        ("material: steel", "density: 7850 kg/m^3\n    material: steel", "give either material"),
        ("material: steel", "description: nothing", "give either material"),
        ("lever.stl", "open.stl", "bodies.lever.stl: body lever: the surface is not closed: 3 edges are open"),
        ("lever.stl", "none.stl", "there is no such file"),
    ):
        path = case(tmp_path, CASE.replace(old, new))
        data = (tmp_path / "lever.stl").read_bytes()
        count = int.from_bytes(data[80:84], "little") - 1
        (tmp_path / "open.stl").write_bytes(data[:80] + count.to_bytes(4, "little") + data[84:-50])
        done = CliRunner().invoke(app, ["check", str(path)])
        assert done.exit_code == 2
        assert words in done.stderr, done.stderr


def test_density_of_a_case(tmp_path: Path) -> None:
    """A number in place of a material, an elastic body's shape from the same file, which is only drawn."""
    text = CASE.replace("material: steel", "density: 1000 kg/m^3")
    body = load_case(case(tmp_path, text)).system().body("lever")
    assert isinstance(body, RigidBody) and body.mesh is not None
    assert body.mass == pytest.approx(0.04, rel=rounding(10) + 10 * SINGLE)
    assert np.allclose(np.ptp(body.mesh.points, axis=0), [0.2, 0.02, 0.01], rtol=10 * SINGLE)
