"""The same body through every format that is written and read: frequencies, spin-up and free flight are the same.

Text formats hold 10 digits or more, so that relative differences of 1e-9 in positions and moduli are all that a
file may cost; frequencies follow with the same order, motions with a factor for the steps that they take. Fields
of DMIG matrices have 16 characters, ten digits: entries of K cancel in bending, which costs (length / height)².
Standard input data hold kinetic energy to second order in the deformation, and so does what they say of a flight.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.io import mmwrite
from tests.exchange import foreign

import flexframe as ff
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError
from flexframe.exchange.contract import Format, Part
from flexframe.exchange.formats import FORMATS
from flexframe.exchange.units import SI, parse_units
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.mesh import Mesh

MILLIMETRES = "mm, N, s, tonne"
SOFT = ff.Material(2e9, 0.3, 1500.0, "soft")
DIGITS = 1e-8  # relative; of files with ten digits or more
CANCELLED = 1e-6  # relative; of matrices with ten digits

Carrier = Callable[[ff.Body, Path, str | None], ff.Body]


def through_mesh(ending: str) -> Carrier:
    def carry(body: ff.Body, folder: Path, units: str | None) -> ff.Body:
        path = folder / f"part{ending}"
        assert ff.exchange.write_part(body, path, units=units) == ()
        return ff.exchange.part_body("part", ff.exchange.read_part(path, units=units))

    return carry


def through_matrices(ending: str) -> Carrier:
    def carry(body: ff.Body, folder: Path, units: str | None) -> ff.Body:
        files = [folder / f"part{ending}"]
        ff.exchange.write_part(ff.discretise(body), files[0], units=units)
        if ending not in (".bdf", ".pch"):
            files.append(folder / "mesh.bdf")
            ff.exchange.write_part(body, files[1], units=units)
        part = ff.exchange.read_part(files, units=units)
        return ff.exchange.part_body("part", part, use="matrices")

    return carry


def in_units(discrete: DiscreteBody, units: str | None) -> tuple[Array, Array]:
    """Stiffness and mass as numbers of a file."""
    named = parse_units(units) if units else SI
    return discrete.stiffness.toarray() / named.stiffness, discrete.mass.toarray() / named.mass


def through_ansys_matrices(body: ff.Body, folder: Path, units: str | None) -> ff.Body:
    """A `.full` made by hand, in double precision."""
    ff.exchange.write_part(body, folder / "mesh.cdb", units=units)
    labels = range(1, body.mesh.node_count + 1)
    (folder / "part.full").write_bytes(foreign.full_of(labels, *in_units(ff.discretise(body), units)))
    part = ff.exchange.read_part([folder / "mesh.cdb", folder / "part.full"], units=units)
    return ff.exchange.part_body("part", part, use="matrices")


def through_stored_matrices(body: ff.Body, folder: Path, units: str | None) -> ff.Body:
    """`.sti`, `.mas` and `.dof` as CalculiX lays them out, with 14 digits."""
    ff.exchange.write_part(body, folder / "part.inp", units=units)
    for ending, matrix in zip((".sti", ".mas"), in_units(ff.discretise(body), units), strict=True):
        rows, columns = np.nonzero(np.tril(matrix))
        entries = zip(rows + 1, columns + 1, matrix[rows, columns], strict=True)
        (folder / f"part{ending}").write_text("".join(f"{i} {j} {value:.13e}\n" for i, j, value in entries))
    dofs = [f"{node}.{axis}\n" for node in range(1, body.mesh.node_count + 1) for axis in (1, 2, 3)]
    (folder / "part.dof").write_text("".join(dofs))
    files = [folder / f"part{ending}" for ending in (".inp", ".sti", ".mas")]
    return ff.exchange.part_body("part", ff.exchange.read_part(files, units=units), use="matrices")


def through_plain_matrices(ending: str) -> Carrier:
    """K and M without labels of their rows beside the mesh."""

    def carry(body: ff.Body, folder: Path, units: str | None) -> ff.Body:
        ff.exchange.write_part(body, folder / "mesh.bdf", units=units)
        files = [folder / f"{name}{ending}" for name in "KM"]
        for path, matrix in zip(files, in_units(ff.discretise(body), units), strict=True):
            if ending == ".npy":
                np.save(path, matrix)
            elif ending == ".npz":
                sparse.save_npz(path, sparse.csr_array(matrix))
            else:
                mmwrite(path, sparse.coo_array(matrix), precision=16)
        part = ff.exchange.read_part([folder / "mesh.bdf", *files], units=units)
        return ff.exchange.part_body("part", part, use="matrices")

    return carry


CARRIERS: dict[str, tuple[Carrier, float]] = {
    "bulk data": (through_mesh(".bdf"), DIGITS),
    "coded database": (through_mesh(".cdb"), DIGITS),
    "input file": (through_mesh(".inp"), DIGITS),
    "OP4": (through_matrices(".op4"), DIGITS),
    "substructure": (through_matrices(".mtx"), DIGITS),
    "DMIG": (through_matrices(".bdf"), CANCELLED),
    "punch": (through_matrices(".pch"), CANCELLED),
    "Ansys matrices": (through_ansys_matrices, DIGITS),
    "CalculiX matrices": (through_stored_matrices, DIGITS),
    "Matrix Market": (through_plain_matrices(".mtx"), DIGITS),
    "scipy": (through_plain_matrices(".npz"), DIGITS),
    "numpy": (through_plain_matrices(".npy"), DIGITS),
}


def bar() -> ff.Body:
    return ff.Body.solid("part", ff.mesh.block((0.5, 0.05, 0.03), (6, 1, 1)), material=SOFT)


def frequencies(body: ff.Body) -> Array:
    """The six lowest of the free body that are not zero."""
    return ff.modes(body, count=12).frequencies_hz[6:]


def spin_up(body: ff.Body) -> Array:
    """Displacements of a bar that is held at one end and turned by 1 rad within 50 ms."""
    return turned(replace(body, supports=(ff.Clamp("left"),)))[0]


def free_flight(body: ff.Body, size: float = 1.0) -> tuple[Array, Array]:
    """Displacements and places of a bar that flies, turns, and is bent by a force that goes with time."""
    force = (0.0, f"{20 * size}*sin(300*t)", f"{30 * size}*cos(200*t)")
    system = ff.System(
        [body],
        loads=[ff.MarkerForce("kick", "part.right", force=force)],
        start={"part": ff.Placement([0.0, 0.0, 0.0], 0.0, [1.0, 2.0, 0.0], 20.0 * size)},
        space="spatial",
    )
    found = ff.simulate(
        system,
        duration=0.02,
        steps=40,
        stress=False,
        initial_deformation="undeformed",
        reductions={"part": ff.reduction.ReductionChoice(ff.reduction.Modal(8))},
    )
    return found.displacements["part"], found.motion.body("part").positions


def apart(found: Array, wanted: Array) -> float:
    """Largest difference over the largest value."""
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


@pytest.fixture(scope="module")
def own() -> tuple[Array, Array, tuple[Array, Array]]:
    body = bar()
    return frequencies(body), spin_up(body), free_flight(body)


@pytest.mark.parametrize("units", [None, MILLIMETRES], ids=["SI", "millimetres"])
@pytest.mark.parametrize("name", CARRIERS)
def test_a_solid_moves_alike(
    name: str, units: str | None, own: tuple[Array, Array, tuple[Array, Array]], tmp_path: Path
) -> None:
    carry, digits = CARRIERS[name]
    body = carry(bar(), tmp_path, units)
    assert apart(frequencies(body), own[0]) < digits
    assert np.abs(own[1]).max() > 0.01  # it bends
    assert apart(spin_up(body), own[1]) < 10 * digits
    bent, places = free_flight(body)
    assert np.abs(own[2][0]).max() > 1e-4
    assert apart(bent, own[2][0]) < 10 * digits
    assert apart(places, own[2][1]) < 10 * digits


# ---------------------------------------------------------------------- meshes alone


def simple() -> Mesh:
    """Straight tetrahedra, which every format of meshes has."""
    return ff.mesh.block((0.5, 0.05, 0.03), (6, 1, 1), order=1, shape="tetra")


def medit_text(points: Array, cells: IntArray) -> str:
    nodes = "".join(f"{x!r} {y!r} {z!r} 0\n" for x, y, z in points.tolist())
    corners = "".join(" ".join(map(str, row)) + " 1\n" for row in (cells + 1).tolist())
    head = "MeshVersionFormatted 2\nDimension 3\n"
    return f"{head}Vertices\n{len(points)}\n{nodes}Tetrahedra\n{len(cells)}\n{corners}End\n"


def su2_text(points: Array, cells: IntArray) -> str:
    corners = "".join(f"10 {' '.join(map(str, row))} {number}\n" for number, row in enumerate(cells.tolist()))
    nodes = "".join(f"{x!r} {y!r} {z!r} {number}\n" for number, (x, y, z) in enumerate(points.tolist()))
    return f"NDIME= 3\nNELEM= {len(cells)}\n{corners}NPOIN= {len(points)}\n{nodes}NMARK= 0\n"


def netgen_text(points: Array, cells: IntArray) -> str:
    turned = cells[:, [0, 2, 1, 3]] + 1  # tetrahedra of Netgen turn the other way
    corners = "".join(f"1 4 {' '.join(map(str, row))}\n" for row in turned.tolist())
    nodes = "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in points.tolist())
    head = "mesh3d\ndimension\n3\ngeomtype\n0\nsurfaceelements\n0\n"
    return f"{head}volumeelements\n{len(cells)}\n{corners}points\n{len(points)}\n{nodes}endmesh\n"


TEXTS = {".mesh": medit_text, ".su2": su2_text, ".vol": netgen_text}


@pytest.mark.parametrize("ending", [".msh", ".vtu", ".vtk", ".frd", *TEXTS])
def test_a_mesh_alone_moves_alike(ending: str, tmp_path: Path) -> None:
    """With the material of a user; `.frd` has six digits, which the height of 30 mm feels in bending."""
    mesh = simple()
    digits = 1e-4 if ending == ".frd" else DIGITS
    if ending in TEXTS:
        (tmp_path / f"part{ending}").write_text(TEXTS[ending](mesh.points, mesh.blocks[0].nodes))
    else:
        ff.exchange.write_part(Part(mesh=mesh), tmp_path / f"part{ending}")
    read = ff.exchange.read_part(tmp_path / f"part{ending}").mesh
    assert read is not None
    ends = {name: mesh.nodes_of(name) for name in ("left", "right")}  # nodes keep their order
    own, body = (
        ff.Body.solid("part", one.with_sets(node_sets=ends), material=SOFT)
        for one in (replace(mesh, facet_sets={}, cell_sets={}), replace(read, facet_sets={}, cell_sets={}))
    )
    assert apart(frequencies(body), frequencies(own)) < digits
    assert apart(spin_up(body), spin_up(own)) < 10 * digits
    for found, wanted in zip(free_flight(body), free_flight(own), strict=True):
        assert apart(found, wanted) < 10 * digits


# ---------------------------------------------------------------------- modes


def ansys_results(part: Part, path: Path) -> None:
    """A `.rst` made by hand, in double precision."""
    assert part.mesh is not None and part.modes is not None
    labels = range(1, part.mesh.node_count + 1)
    modes = part.modes
    unit = modes.shapes[:, :, :3] / np.sqrt(modes.masses)[:, None, None]
    elements = (part.mesh.blocks[0].nodes + 1).tolist()
    # rigid motions have the frequency 0 more than once
    shapes = dict(zip((modes.frequencies_hz + 1e-6 * np.arange(len(unit))).tolist(), unit, strict=True))
    path.write_bytes(foreign.rst_of(labels, part.mesh.points, 186, elements, shapes))


def written_modes(part: Part, path: Path) -> None:
    ff.exchange.write_part(part, path)


MODES = {
    ".op2": (written_modes, ".bdf", 1e-5),
    ".frd": (written_modes, ".inp", 1e-4),
    ".rst": (ansys_results, ".cdb", 1e-6),
}
"""Who writes the file, that of the mesh, and relative differences: of seven and six digits in combined shapes."""


@pytest.mark.parametrize("ending", MODES)
def test_modes_beside_a_mesh_move_alike(ending: str, tmp_path: Path) -> None:
    """A body of the modes in memory: frequencies and flight of the free bar, spin-up of the one that is held."""
    write, beside, digits = MODES[ending]
    for body, motion in ((bar(), free_flight), (replace(bar(), supports=(ff.Clamp("left"),)), turned)):
        part = ff.exchange.body_part(body, modes=ff.modes(body, count=24))
        write(part, tmp_path / f"part{ending}")
        ff.exchange.write_part(body, tmp_path / f"mesh{beside}")
        read = ff.exchange.read_part([tmp_path / f"mesh{beside}", tmp_path / f"part{ending}"])
        found, own = (ff.exchange.part_body("part", one, use="modes") for one in (read, part))
        assert apart(*(ff.modes(one, count=12).frequencies_hz for one in (found, body))) < digits
        for filed, wanted in zip(motion(found), motion(own), strict=True):
            assert np.abs(wanted).max() > 1e-4
            assert apart(filed, wanted) < 10 * digits


def turned(body: ff.Body) -> tuple[Array]:
    """Displacements of a body that is held and turned by 1 rad within 50 ms."""
    turning = ff.motion.planar(ff.motion.polynomial((0.0, 1.0), duration=0.05))
    return (ff.simulate(body, turning, duration=0.05, steps=20, stress=False).displacements,)


def plate() -> ff.Body:
    """A plate of shells with a mass on one edge."""
    mesh = ff.mesh.rectangle(0.4, 0.3, (4, 3), order=1)
    body = ff.Body.shell("part", mesh, thickness=0.004, material=SOFT)
    return replace(body, point_masses=(ff.PointMass("right", 0.05),))


def shaft() -> ff.Body:
    """A tube of beams."""
    return ff.Body.beam(
        "part", length=0.8, divisions=8, section=ff.Circle(0.03, 0.02), material=ff.STEEL, space="spatial"
    )


def girder() -> ff.Body:
    """A rectangle of beams, higher than wide, which tells its axes apart."""
    return ff.Body.beam(
        "part", length=0.8, divisions=8, section=ff.Rectangle(0.01, 0.03), material=ff.STEEL, space="spatial"
    )


@pytest.mark.parametrize("ending", [".bdf", ".cdb", ".inp"])
@pytest.mark.parametrize("make", [plate, shaft, girder])
def test_structures_have_the_same_frequencies(make: Callable[[], ff.Body], ending: str, tmp_path: Path) -> None:
    body = make()
    path = tmp_path / f"part{ending}"
    ff.exchange.write_part(body, path)
    again = ff.exchange.part_body("part", ff.exchange.read_part(path))
    assert apart(frequencies(again), frequencies(body)) < DIGITS


def contents_of(part: Part, form: Format) -> set[str]:
    """What a format holds of a part and gives back; sets alone are no part."""
    return set(part.contents) & set(form.reads) & set(form.writes)


@pytest.mark.parametrize("form", [form for form in FORMATS if form.write is not None], ids=lambda form: form.name)
def test_every_format_that_is_written_is_read_back(form: Format, tmp_path: Path) -> None:
    """All contents that it holds come back, and what was read is written and read as the same once more."""
    free = bar()
    held = replace(free, supports=(ff.Clamp("left"),), point_masses=(ff.PointMass("right", 0.1),))
    points = [ff.reduction.Interface("right", "right")]
    reduced = ff.reduction.reduce_body(
        free, ff.reduction.Modal(3), interfaces=points, reference=ff.reduction.MeanAxes()
    )
    whole = ff.exchange.body_part(ff.discretise(free), modes=ff.modes(free, count=8))
    for part in (whole, ff.exchange.body_part(held), ff.exchange.body_part(reduced)):
        path = tmp_path / f"part{form.endings[0]}"
        if not contents_of(part, form) - {"sets"}:
            continue
        if form.needs_cells and part.reduced is not None:
            with pytest.raises(InputError, match="nodes without cells"):
                ff.exchange.write_part(part, path)
            continue
        ff.exchange.write_part(part, path, units=MILLIMETRES)
        once = ff.exchange.read_part(path, units=MILLIMETRES)
        assert set(once.contents) == contents_of(part, form)
        ff.exchange.write_part(once, path, units=MILLIMETRES)
        twice = ff.exchange.read_part(path, units=MILLIMETRES)
        assert set(twice.contents) == set(once.contents)
        names = {"MAT 1" if form.name == "ansys" else "soft"}  # Ansys has numbers for materials
        assert set(twice.materials) == set(once.materials) == (names if once.regions else set())
        if once.mesh is not None:
            assert twice.mesh is not None
            np.testing.assert_allclose(twice.mesh.points, once.mesh.points, rtol=1e-12)
            assert set(once.mesh.node_sets) <= set(twice.mesh.node_sets)
        for name, matrix in once.matrices.items():
            assert apart(twice.matrices[name].matrix.toarray(), matrix.matrix.toarray()) < DIGITS
        if once.modes is not None:
            assert twice.modes is not None
            np.testing.assert_allclose(twice.modes.frequencies_hz, once.modes.frequencies_hz, rtol=1e-6)
            np.testing.assert_allclose(twice.modes.shapes, once.modes.shapes, atol=1e-6)


def test_a_reduced_body_keeps_its_matrices(tmp_path: Path) -> None:
    """Craig and Bampton's matrices of a reduced body in OP4: the frequencies of the reduced body, free."""
    points = [ff.reduction.Interface("left", "left"), ff.reduction.Interface("right", "right")]
    body = ff.reduction.reduce_body(bar(), ff.reduction.CraigBampton(6), interfaces=points)
    part = ff.exchange.body_part(body)
    ff.exchange.write_part(body, tmp_path / "part.op4")
    read = ff.exchange.read_part(tmp_path / "part.op4")
    for name in ("K", "M"):
        assert apart(read.matrices[name].matrix.toarray(), part.matrices[name].matrix.toarray()) < DIGITS
        np.testing.assert_array_equal(read.matrices[name].rows, part.matrices[name].rows)


# ---------------------------------------------------------------------- reduced bodies


def through_file(body: ff.reduction.ReducedBody, path: Path, units: str | None = None) -> ff.Body:
    assert ff.exchange.write_part(body, path, units=units) == ()
    part = ff.exchange.read_part(path, units=units)
    assert part.notices == ()
    return ff.exchange.part_body("part", part)


def flying() -> ff.reduction.ReducedBody:
    """The bar with the modes and the attachment that free flight gives it."""
    right = [ff.reduction.Interface("right", "right")]
    return ff.reduction.reduce_body(
        bar(), ff.reduction.Modal(8), interfaces=right, reference=ff.reduction.MeanAxes()
    )


def test_a_reduced_body_flies_alike(own: tuple[Array, Array, tuple[Array, Array]], tmp_path: Path) -> None:
    """Frame and end of the bar as with the mesh; both ways round to 1e-9 in steps with tolerances of their own."""
    body = through_file(flying(), tmp_path / "part.npz")
    assert apart(ff.modes(body, count=6).frequencies_hz, own[0]) < DIGITS
    bent, places = free_flight(body)
    end = own[2][0][:, bar().mesh.nodes_of("right"), :3].mean(axis=1)
    assert apart(bent[:, 0, :3], end) < 10 * DIGITS
    assert apart(places, own[2][1]) < 10 * DIGITS


@pytest.mark.parametrize("units", [None, MILLIMETRES], ids=["SI", "millimetres"])
def test_standard_input_data_fly_alike_to_second_order(units: str | None, tmp_path: Path) -> None:
    """Relative differences are of second order in the deformation: a tenth of it leaves a hundredth of them."""
    whole, body = (through_file(flying(), tmp_path / f"part{end}", units) for end in (".npz", ".sid_fem"))
    assert apart(ff.modes(body, count=6).frequencies_hz, ff.modes(whole, count=6).frequencies_hz) < DIGITS
    differs = []
    for size in (1.0, 0.1):
        (found, places), (wanted, flown) = free_flight(body, size), free_flight(whole, size)
        differs.append(apart(found, wanted))
        assert apart(places, flown) < 1e-7 * size  # of the path, beside 3.4 mm of bending at 0.5 m
    assert differs[0] < 1e-3  # (3.4 mm / 0.5 m)² is 5e-5
    assert differs[1] == pytest.approx(differs[0] / 100, rel=0.1)


@pytest.mark.parametrize("ending", [".npz", ".sid_fem", ".sid"])
@pytest.mark.parametrize("units", [None, MILLIMETRES], ids=["SI", "millimetres"])
def test_reduced_bodies_spin_up_alike(ending: str, units: str | None, tmp_path: Path) -> None:
    """Held at one end and turned: the reduced body as it is before it is filed; modes and end as with the mesh."""
    held = replace(bar(), supports=(ff.Clamp("left"),), damping=ff.Damping(mass=20.0))
    right = [ff.reduction.Interface("right", "right")]
    reduced = ff.reduction.reduce_body(held, ff.reduction.Modal(12), interfaces=right)
    body = through_file(reduced, tmp_path / f"part{ending}", units)
    turning = ff.motion.planar(ff.motion.polynomial((0.0, 1.0), duration=0.05))
    found = ff.simulate(body, turning, duration=0.05, steps=20, stress=False).displacements[:, 0, :3]
    wanted = ff.simulate(held, turning, duration=0.05, steps=20, stress=False).displacements
    end = wanted[:, bar().mesh.nodes_of("right"), :3].mean(axis=1)
    assert apart(found, end) < 1e-4  # what modes beyond the twelfth do
    spinning = ff.FrameMotion.spin(100.0)
    again = ff.reduction.reduce_body(body, ff.reduction.Modal(reduced.size))
    poles, filed = (ff.reduction.reduced_equations(one, spinning).eigenvalues() for one in (reduced, again))
    assert apart(filed[np.argsort(filed.imag)], poles[np.argsort(poles.imag)]) < DIGITS
    # C = 20 M; gyroscopic terms share it out
    assert poles.real.mean() == pytest.approx(-10.0, rel=DIGITS)
