"""Bodies of modes: the frequencies are those of the file, whatever the body carries and however it is held.

Modes are written with the digits that the formats hold: seven in OP2 and six in `.frd`.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.exchange import foreign

import flexframe as ff
from flexframe.errors import InputError
from flexframe.exchange.contract import FiledMatrix, FiledModes, Part
from flexframe.mesh.blocks import CellBlock

COUNT = 10


def with_modes(body: ff.Body, more: int = 0) -> Part:
    """A part with the modes of a body as a file has them, of unit mass, and nodes that no element has."""
    found = ff.modes(body, count=COUNT)
    shapes = np.real(found.shapes)
    nodes = np.arange(1, body.mesh.node_count + 1)
    full = np.zeros((COUNT, len(nodes) + more, 6))
    full[:, : len(nodes), : shapes.shape[2]] = shapes
    discrete = ff.discretise(body)
    at = discrete.dofs.numbers
    flat = np.zeros((COUNT, discrete.dofs.count))
    flat[:, at[at >= 0]] = full[:, : len(nodes)][:, at >= 0]
    masses = np.einsum("ki,ki->k", flat, (discrete.mass @ flat.T).T)
    labels = np.concatenate([nodes, 1000 + np.arange(more)])
    part = ff.exchange.body_part(body)
    return replace(part, modes=FiledModes(found.frequencies_hz, full, labels, masses))


def held_beam() -> ff.Body:
    """Clamped, with a mass at its end: most rotations of the first node are zero in all shapes."""
    body = ff.Body.beam(
        "beam", length=0.8, divisions=6, section=ff.Rectangle(0.01, 0.03), material=ff.STEEL, space="spatial"
    )
    mass = ff.PointMass("end", 0.5, (1e-3, 2e-3, 2e-3))
    return replace(body, supports=(ff.Clamp("start"),), point_masses=(mass,))


def free_plate() -> ff.Body:
    """Six rigid motions among ten modes."""
    mesh = ff.mesh.rectangle(0.4, 0.3, (4, 3), order=1)
    return ff.Body.shell("plate", mesh, thickness=0.004, material=ff.STEEL)


@pytest.mark.parametrize("make", [held_beam, free_plate])
@pytest.mark.parametrize("more", [0, 2])
def test_frequencies_are_those_of_the_file(make: Callable[[], ff.Body], more: int) -> None:
    body = make()
    part = with_modes(body, more)
    made = ff.exchange.part_body("part", part, use="modes")
    wanted = ff.modes(body, count=COUNT).frequencies_hz
    # shapes span an invariant space, so that only rounding is left; zeros are judged by the highest
    np.testing.assert_allclose(ff.modes(made, count=COUNT).frequencies_hz, wanted, atol=1e-7 * wanted.max())
    assert ff.discretise(made).inertia.mass == pytest.approx(ff.discretise(body).inertia.mass, rel=1e-9)
    assert any("belong to no element" in notice for notice in made.notices) == bool(more)


def test_modes_of_another_part_are_refused() -> None:
    part = with_modes(held_beam(), more=20)
    with pytest.raises(ff.InputError, match="give the mesh of the same part"):
        ff.exchange.part_body("part", part, use="modes")


def test_shells_may_be_listed_either_way_round() -> None:
    """A flat plate whose cells run clockwise about z, as files of other programs have them."""
    plate = free_plate()
    (block,) = plate.mesh.blocks
    turned = replace(plate, mesh=replace(plate.mesh, blocks=(CellBlock(block.cell, block.nodes[:, ::-1]),)))
    found, wanted = (ff.modes(body, count=COUNT).frequencies_hz for body in (turned, plate))
    np.testing.assert_allclose(found, wanted, atol=1e-7 * wanted.max())  # the same cells, listed another way


def test_springs_to_the_ground_hold_a_part(tmp_path: Path) -> None:
    """A stiff bar on two springs: bounce √(2k/m), pitch √(6k/m), and four motions that nothing holds."""
    lines = ["BEGIN BULK", "MAT1,1,2.1+11,,.3,7850.", "PBAR,1,1,1.-4,1.-5,1.-5,2.-5"]
    lines += ["GRID,1,,0.,0.,0.", "GRID,2,,1.,0.,0.", "CBAR,1,1,1,2,0.,1.,0."]
    lines += [f"CELAS2,{node + 1},1000.,{node},3" for node in (1, 2)]
    (tmp_path / "bar.bdf").write_text("\n".join([*lines, "ENDDATA", ""]), encoding="ascii")
    body = ff.exchange.part_body("bar", ff.exchange.read_part(tmp_path / "bar.bdf"))
    found = ff.modes(body, count=6).frequencies_hz
    wanted = np.sqrt(np.array([2.0, 6.0]) * 1000 / 0.785) / (2 * np.pi)
    np.testing.assert_allclose(found[:4], 0.0, atol=1e-9)
    # the bar bends thousands of times less than the springs give, and its sections have an inertia of their own
    assert found[4] == pytest.approx(wanted[0], rel=1e-3)
    turning = 7850 * (1e-4 / 12 + 1e-5)  # kg m²
    assert found[5] == pytest.approx(np.sqrt(1000 * 0.5 / turning) / (2 * np.pi), rel=1e-3)


def test_matrices_without_held_rows_are_of_a_held_body() -> None:
    """K and M of a clamped bar as programs file them: the frequencies of the clamped bar, no rigid motion."""
    free = ff.Body.solid("bar", ff.mesh.block((0.5, 0.05, 0.03), (4, 1, 1)), material=ff.STEEL)
    held = replace(free, supports=(ff.Clamp("left"),))
    discrete = ff.discretise(free)
    labels = np.argwhere(discrete.dofs.numbers >= 0)
    kept = np.flatnonzero(~np.isin(labels[:, 0], free.mesh.nodes_of("left")))
    rows = labels[kept] + 1
    order = discrete.dofs.numbers[labels[kept][:, 0], labels[kept][:, 1]]
    filed = {
        name: FiledMatrix(matrix[order][:, order], rows)
        for name, matrix in (("K", discrete.stiffness), ("M", discrete.mass))
    }
    body = ff.exchange.part_body("bar", Part(mesh=free.mesh, matrices=filed), use="matrices")
    found, wanted = (ff.modes(one, count=6).frequencies_hz for one in (body, held))
    np.testing.assert_allclose(found, wanted, rtol=1e-7)  # the same matrices


# ---------------------------------------------------------------------- written


def bar() -> ff.Body:
    return ff.Body.solid("bar", ff.mesh.block((0.5, 0.05, 0.03), (4, 1, 1)), material=ff.STEEL)


@pytest.mark.parametrize(("ending", "digits"), [(".op2", 1e-6), (".frd", 1e-5)])
@pytest.mark.parametrize("units", [None, "mm, N, s, tonne", "mm, kN, ms, kg"])
def test_written_modes_come_back(ending: str, digits: float, units: str | None, tmp_path: Path) -> None:
    """With the mesh from another file they are a body of the same frequencies, with the masses of the shapes."""
    found = ff.modes(bar(), count=COUNT)
    part = ff.exchange.body_part(bar(), modes=found)
    assert part.modes is not None
    left_out = ff.exchange.write_part(part, tmp_path / f"bar{ending}", units=units)
    assert any("digits" in sentence for sentence in left_out)
    ff.exchange.write_part(bar(), tmp_path / "bar.inp", units=units)
    again = ff.exchange.read_part([tmp_path / "bar.inp", tmp_path / f"bar{ending}"], units=units)
    assert again.modes is not None
    top = found.frequencies_hz.max()
    np.testing.assert_allclose(again.modes.frequencies_hz, found.frequencies_hz, atol=digits * top)
    np.testing.assert_allclose(again.modes.shapes, part.modes.shapes, atol=digits)
    np.testing.assert_allclose(again.modes.masses, part.modes.masses, rtol=digits)
    made = ff.exchange.part_body("bar", again, use="modes")
    np.testing.assert_allclose(
        ff.modes(made, count=COUNT).frequencies_hz, found.frequencies_hz, atol=10 * digits * top
    )


def test_op2_is_written_as_one_that_others_read(tmp_path: Path) -> None:
    """Byte for byte but the date: the file by hand is one that pyNastran reads with the same numbers."""
    frequencies = np.sqrt(foreign.EIGENVALUES) / (2 * np.pi)
    modes = FiledModes(frequencies, foreign.SHAPES, np.array(foreign.NODES), np.array(foreign.MASSES))
    ff.exchange.write_part(Part(modes=modes), tmp_path / "modes.op2")
    written, wanted = (tmp_path / "modes.op2").read_bytes(), foreign.op2()
    date = slice(16, 28)
    assert written[: date.start] + written[date.stop :] == wanted[: date.start] + wanted[date.stop :]


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shape", ["tetra", "hexahedron", "wedge"])
def test_results_have_the_cells_of_the_mesh(shape: str, order: int, tmp_path: Path) -> None:
    """Nodes in the middle of sides come in another order in `.frd`."""
    mesh = ff.mesh.block((0.5, 0.05, 0.03), (4, 1, 1), order=order, shape=shape)
    ff.exchange.write_part(Part(mesh=mesh), tmp_path / "bar.frd")
    again = ff.exchange.read_part(tmp_path / "bar.frd").mesh
    assert again is not None
    np.testing.assert_allclose(again.points, mesh.points, rtol=1e-5)
    assert [block.cell for block in again.blocks] == [block.cell for block in mesh.blocks]
    for found, wanted in zip(again.blocks, mesh.blocks, strict=True):
        np.testing.assert_array_equal(found.nodes, wanted.nodes)


def test_what_are_no_modes_of_the_body_is_refused() -> None:
    other = ff.modes(free_plate(), count=2)
    with pytest.raises(InputError, match="of another body"):
        ff.exchange.body_part(bar(), modes=other)
    shaft = replace(held_beam(), point_masses=())
    turning = ff.modes(shaft, ff.FrameMotion.spin(300.0, axis=(0, 0, 1)), count=2)
    with pytest.raises(InputError, match="modes are complex"):
        ff.exchange.body_part(shaft, modes=turning)


def test_cyclic_sectors_are_refused(tmp_path: Path) -> None:
    """Of a sector that stands for twelve the whole part is asked for, in one line."""
    labels = range(11, 19)
    data = foreign.rst_of(labels, foreign.CUBE, 185, [labels], {12.5: foreign.CUBE_SHAPE}, sectors=12)
    (tmp_path / "sector.rst").write_bytes(data)
    with pytest.raises(InputError) as caught:
        ff.exchange.read_part(tmp_path / "sector.rst")
    assert str(caught.value).endswith(
        "sector.rst: holds a cyclic sector of 12; expand it to the whole part (/CYCEXPAND) and write it again, or "
        "make the modes of nodal diameters here of the mesh of the sector (cyclic symmetry)"
    )


def test_a_mode_without_mass_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "modes.frd"
    path.write_text(foreign.frd().replace("1.000000E+00", "0.000000E+00", 1), encoding="ascii")
    with pytest.raises(InputError, match=r"modes.frd:\d+: the generalised mass of a mode is 0"):
        ff.exchange.read_part(path)
