"""Numbers in binary files of Nastran and Ansys and in results of CalculiX come out as they went in."""

from pathlib import Path

import numpy as np
import pytest
from tests.exchange import foreign

import flexframe as ff
from flexframe.errors import InputError

MILLIMETRES = "mm, N, s, tonne"
SINGLE = 1e-6  # relative; of single precision


@pytest.mark.parametrize(("order", "word"), [("<", 4), (">", 4), ("<", 8), (">", 8)])
def test_op2(order: str, word: int, tmp_path: Path) -> None:
    """Frequencies √λ / 2π = 10 and 50 Hz, generalised masses and shapes, of words of four and eight bytes."""
    path = tmp_path / "modes.op2"
    path.write_bytes(foreign.op2(order, word))
    found = ff.exchange.read_part(path, units=MILLIMETRES).modes
    assert found is not None
    np.testing.assert_allclose(found.frequencies_hz, [10.0, 50.0], rtol=SINGLE if word == 4 else 1e-14)
    np.testing.assert_array_equal(found.node_labels, foreign.NODES)
    # 1 tonne mm² is 1e-3 kg m²
    np.testing.assert_allclose(found.masses, 1e-3 * np.array(foreign.MASSES), rtol=1e-14)
    np.testing.assert_allclose(found.shapes, foreign.SHAPES * ([1e-3] * 3 + [1.0] * 3), rtol=1e-14)
    assert found.turned  # OUGV1 is in the axes of each point


def test_full(tmp_path: Path) -> None:
    """Two masses and a spring: √(k (1/m + 1/2m)) along x; the row that is held is left out and said."""
    path = tmp_path / "part.full"
    path.write_bytes(foreign.full())
    part = ff.exchange.read_part(path)
    K, M = (part.matrices[name].matrix.toarray() for name in "KM")
    k, m = foreign.STIFFNESS, foreign.MASS
    wanted = np.diag([k, 10.0, 20.0, k, 30.0])
    wanted[0, 3] = wanted[3, 0] = -k
    np.testing.assert_array_equal(K, wanted)
    np.testing.assert_array_equal(M, np.diag([m] * 3 + [2 * m] * 2))
    np.testing.assert_array_equal(part.matrices["K"].rows, [(10, 1), (10, 2), (10, 3), (20, 1), (20, 2)])
    assert any("1 of 6 degrees of freedom are constrained" in notice for notice in part.notices)
    squares = np.linalg.eigvals(np.linalg.solve(M, K)).real
    assert squares.max() == pytest.approx(k * 1.5 / m, rel=1e-14)


@pytest.mark.parametrize("units", [None, MILLIMETRES])
def test_rst(units: str | None, tmp_path: Path) -> None:
    """A cube and its mode in body axes, also at the node whose axes are turned."""
    path = tmp_path / "part.rst"
    path.write_bytes(foreign.rst())
    part = ff.exchange.read_part(path, units=units)
    length = 1.0 if units is None else 1e-3
    assert part.mesh is not None and part.modes is not None
    np.testing.assert_allclose(part.mesh.points, foreign.CUBE * length, rtol=1e-15)
    assert {block.cell.name: len(block) for block in part.mesh.blocks} == {"hexahedron": 1}
    np.testing.assert_array_equal(part.modes.node_labels, range(11, 19))
    np.testing.assert_allclose(part.modes.frequencies_hz, [12.5])
    np.testing.assert_allclose(part.modes.shapes[0, :, :3], foreign.CUBE_SHAPE * length, atol=1e-15)


def test_frd(tmp_path: Path) -> None:
    """A cube and two modes with their generalised masses; six digits are more than these numbers need."""
    path = tmp_path / "part.frd"
    path.write_text(foreign.frd(), encoding="ascii")
    part = ff.exchange.read_part(path)
    assert part.mesh is not None and part.modes is not None
    np.testing.assert_allclose(part.mesh.points, foreign.CUBE)
    np.testing.assert_array_equal(part.mesh.blocks[0].nodes, [range(8)])
    np.testing.assert_allclose(part.modes.frequencies_hz, [12.5, 40.0])
    np.testing.assert_allclose(part.modes.masses, [1.0, 2.0])
    for mode in (1, 2):
        np.testing.assert_allclose(part.modes.shapes[mode - 1, :, :3], mode * foreign.CUBE_SHAPE)


def test_bulk_data_without_their_last_line(tmp_path: Path) -> None:
    """Read with a notice; a file that ends within a line is cut off."""
    block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (2, 1, 1)), material=ff.STEEL)
    path = tmp_path / "block.bdf"
    ff.exchange.write_part(block, path)
    whole = path.read_text()
    assert ff.exchange.read_part(path).notices == ()
    head, end, _ = whole.partition("ENDDATA")
    assert end
    path.write_text("CEND\nBEGIN BULK\n" * ("BEGIN BULK" not in head) + head)
    part = ff.exchange.read_part(path)
    assert part.notices == (
        "block.bdf has no ENDDATA; if it was cut off, what stood behind its last line is missing",
    )
    assert part.mesh is not None and part.mesh.cell_count == 2
    path.write_text(path.read_text().rstrip())
    with pytest.raises(InputError, match="ends within a line"):
        ff.exchange.read_part(path)
