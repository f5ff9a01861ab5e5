"""Damaged, truncated and foreign files: each reader gives a whole part or one clear line, for 500 mutants each."""

import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.io import mmwrite
from tests.exchange import foreign

import flexframe as ff
from flexframe.assembly.discrete import discretise
from flexframe.errors import InputError
from flexframe.exchange.bodies import part_body, usable
from flexframe.exchange.contract import Part, Settings
from flexframe.exchange.formats import FORMATS
from flexframe.exchange.reading import read_file
from flexframe.exchange.reduced import to_arrays

MUTANTS = 500
QUICK = 64


def part() -> ff.Body:
    """A solid with a support, a mass and named sets."""
    body = ff.Body.solid("part", ff.mesh.block((0.4, 0.1, 0.1), (1, 1, 1), order=1), material=ff.STEEL)
    return replace(body, supports=(ff.Clamp("left"),), point_masses=(ff.PointMass("right", 0.1),))


def written(ending: str) -> Callable[[Path], Path]:
    """A file that flexframe writes of the part."""

    def write(folder: Path) -> Path:
        path = folder / f"part{ending}"
        matrices = ending in (".op4", ".mtx")
        ff.exchange.write_part(ff.discretise(part()) if matrices else part(), path)
        return path

    return write


def reduced(ending: str) -> Callable[[Path], Path]:
    """A file that flexframe writes of the part with three modes."""

    def write(folder: Path) -> Path:
        path = folder / f"part{ending}"
        body = replace(part(), supports=())
        points = [ff.reduction.Interface("right", "right")]
        made = ff.reduction.reduce_body(
            body, ff.reduction.Modal(3), interfaces=points, reference=ff.reduction.MeanAxes()
        )
        ff.exchange.write_part(made, path)
        return path

    return write


def by_hand(ending: str, made: Callable[[], bytes]) -> Callable[[Path], Path]:
    """A file as another program writes it."""

    def write(folder: Path) -> Path:
        path = folder / f"part{ending}"
        path.write_bytes(made())
        return path

    return write


MEDIT = """MeshVersionFormatted 2
Dimension 3
Vertices
4
0 0 0 1
1 0 0 1
0 1 0 1
0 0 1 1
Tetrahedra
1
1 2 3 4 1
End
"""
SU2 = """NDIME= 3
NELEM= 1
10 0 1 2 3 0
NPOIN= 4
0 0 0 0
1 0 0 1
0 1 0 2
0 0 1 3
NMARK= 0
"""
DMIG = """DMIG    K              0       6       2       0
DMIG*   K                              1               1
*                      1               1 3.000000000D+06
*                      2               1-3.000000000D+06
DMIG*   K                              2               1
*                      2               1 3.000000000D+06
DMIG    M              0       6       2       0
DMIG*   M                              1               1
*                      1               1 1.500000000D+00
DMIG*   M                              2               1
*                      2               1 3.000000000D+00
"""
NETGEN = """mesh3d
dimension
3
geomtype
0
surfaceelements
0
volumeelements
1
1 4 1 2 3 4
points
4
0 0 0
1 0 0
0 1 0
0 0 1
endmesh
"""


def stored(ending: str) -> Callable[[Path], Path]:
    """A matrix of CalculiX with the list of its rows beside it."""

    def write(folder: Path) -> Path:
        path = folder / f"part{ending}"
        path.write_text("".join(f"{k} {k} {k}.0\n" for k in range(1, 7)) + "4 1 -0.5\n", encoding="ascii")
        rows = [f"{node}.{dof}\n" for node in (1, 2) for dof in (1, 2, 3)]
        path.with_suffix(".dof").write_text("".join(rows), encoding="ascii")
        return path

    return write


DECK = """SOL 103
CEND
SPC = 4
MPC = 3
BEGIN BULK
PARAM,WTMASS,1.0
MAT1,1,2.1+11,,.3,7850.
MAT8,2,1.+11,1.+10,.3,5.+9,,,1500.
PBARL,1,1,,TUBE
,.02,.01
PBEAM,2,1,4.-4,1.-8,2.-8,,3.-8
PSHELL,3,1,.01,1
PSHELL,4,2,.01,2
PSOLID,5,1
PCOMP,10,-.005,2.,,,,,SYM
,2,.002,45.,,1,.003,0.
PCOMPG,11,-.005,,,,,,
,1,2,.002,45.,,,,
,2,1,.003,0.
PELAS,6,1000.
CORD2R,7,,0.,0.,0.,.3,.4,1.
,1.,.2,.1
CORD1C,8,1,2,4
GRID,1,,0.,0.,0.
GRID,2,,.5,0.,0.
GRID,3,,.9,.1,-.2,7
GRID,4,,.6,.1,.3
GRID,5,7,.6,-.3,.1,7
GRDSET,,,,,,,
CBAR,1,1,1,2,0.,0.,1.
CBEAM,2,2,3,4,0.,0.,1.
CTRIA3,3,3,1,2,4
CQUAD4,4,4,1,2,3,4,30.
CTRIA3,11,10,1,2,4,30.
CTRIA3,12,11,1,2,5,7,.001
CTETRA,5,5,1,2,4,5
CELAS2,6,1000.,3,1,5,1
CBUSH,7,9,3,5,,,,0
PBUSH,9,K,1.+3,1.+3,1.+3
CONM2,8,5,,.5,.01,.0,.0
,1.-3,,1.-3,,,1.-3
RBE2,9,2,123,3,THRU,4
RBE3,10,,5,123,1.,123,1,2,4
MPC,3,3,4,1.0,2,4,-1.0
MPCADD,5,3
SPC1,4,123456,1
SPC,4,2,3,0.
SET1,11,1,THRU,4
$HMSET       11        1 "corners"
DMIG,K2GG,0,6,1,0
DMIG,K2GG,4,1,,4,1,5.+3
ENDDATA
"""
INPUT = """*HEADING
part
*NODE, NSET=all
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 2, 0, 0
*TRANSFORM, NSET=turned
1, 1, 0, -1, 1, 0
*NSET, NSET=turned
3, 4
*ELEMENT, TYPE=S4, ELSET=plate
1, 1, 2, 3, 4
*ELEMENT, TYPE=S3, ELSET=layered
6, 1, 2, 5
*ELEMENT, TYPE=B31, ELSET=beam
2, 2, 6
*ELEMENT, TYPE=C3D4, ELSET=solid
3, 1, 2, 4, 5
*ELEMENT, TYPE=SPRING1, ELSET=spring
4, 5
*ELEMENT, TYPE=MASS, ELSET=mass
5, 6
*SURFACE, NAME=face, TYPE=ELEMENT
solid, S1
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.
*ORIENTATION, NAME=axes
1, 0, 0, 0, 1, 0
3, 30.
*SHELL SECTION, ELSET=plate, MATERIAL=STEEL
0.01
*SHELL SECTION, ELSET=layered, COMPOSITE, OFFSET=0.5, SYMMETRIC
0.01, 3, STEEL, 30.
0.02, 3, STEEL, 0.
*BEAM SECTION, ELSET=beam, MATERIAL=STEEL, SECTION=RECT
0.02, 0.01
0, 0, 1
*SOLID SECTION, ELSET=solid, MATERIAL=STEEL
*SPRING, ELSET=spring
2
1000.
*MASS, ELSET=mass
0.5
*EQUATION
2
3, 1, 1.0, 2, 1, -1.0
*RIGID BODY, NSET=turned, REF NODE=6
*COUPLING, REF NODE=6, SURFACE=face, CONSTRAINT NAME=c
*KINEMATIC
1, 3
*BOUNDARY
1, 1, 3
"""
DATABASE = """/PREP7
ET,1,185
ET,2,188
ET,3,21
ET,4,181
KEYOP,1,2,2
MPDATA,R5.0,1,EX,1,1,2.1e11
MPDATA,R5.0,1,NUXY,1,1,0.3
MPDATA,R5.0,1,DENS,1,1,7850.0
SECTYPE,2,BEAM,RECT
SECDATA,0.01,0.02
SECTYPE,4,SHELL
SECDATA,0.01,1,0.0,3
SECDATA,0.02,1,45.0,3
SECOFFSET,BOT
R,3,0.5,0.5,0.5
NBLOCK,6,SOLID,9,9
(3i9,6e21.13e3)
        1        0        0
        2        0        0 1.0000000000000E+000
        3        0        0 1.0000000000000E+000 1.0000000000000E+000
        4        0        0 0.0000000000000E+000 1.0000000000000E+000
        5        0        0 0.0000000000000E+000 0.0000000000000E+000 1.0000000000000E+000
        6        0        0 1.0000000000000E+000 0.0000000000000E+000 1.0000000000000E+000
        7        0        0 1.0000000000000E+000 1.0000000000000E+000 1.0000000000000E+000
        8        0        0 0.0000000000000E+000 1.0000000000000E+000 1.0000000000000E+000
        9        0        0 2.0000000000000E+000
N,R5.3,LOC,-1
EBLOCK,19,SOLID,4,4
(19i4)
   1   1   1   1   0   0   0   0   8   0   1   1   2   3   4   5   6   7   8
   1   2   1   2   0   0   0   0   2   0   2   2   9
   1   3   3   1   0   0   0   0   1   0   3   9
   1   4   1   4   0   0   0   0   4   0   4   1   2   3   4
  -1
CMBLOCK,FACE,NODE,2
(8i10)
         1        -4
CE,R5.0,DEFI,2,1,0.0
CE,R5.0,NODE,2,UX,1.0,3,UX,-1.0
CP,1,UY,2,3
D,1,UX,0.0
FINISH
"""


def matrix_file(ending: str) -> Callable[[Path], Path]:
    """A matrix without labels, as numpy and scipy write it."""

    def write(folder: Path) -> Path:
        path = folder / f"K{ending}"
        matrix = sparse.csr_array(np.diag(np.arange(1.0, 13.0)) - np.diag(np.full(11, 0.5), -1))
        if ending == ".npy":
            np.save(path, matrix.toarray())
        elif ending == ".npz":
            sparse.save_npz(path, matrix)
        else:
            mmwrite(path, matrix)
        return path

    return write


SAMPLES: dict[str, Callable[[Path], Path]] = {
    "nastran": written(".bdf"),
    "op4": written(".op4"),
    "ansys": written(".cdb"),
    "abaqus": written(".inp"),
    "mtx": written(".mtx"),
    "gmsh": written(".msh"),
    "sid": reduced(".sid_fem"),
    "reduced": reduced(".npz"),
    "op2": by_hand(".op2", foreign.op2),
    "full": by_hand(".full", foreign.full),
    "rst": by_hand(".rst", foreign.rst),
    "frd": by_hand(".frd", lambda: foreign.frd().encode()),
    "vtu": written(".vtu"),
    "vtk": written(".vtk"),
    "medit": by_hand(".mesh", MEDIT.encode),
    "su2": by_hand(".su2", SU2.encode),
    "netgen": by_hand(".vol", NETGEN.encode),
}
MATRICES: dict[str, Callable[[Path], Path]] = {
    "DMIG in a punch file": by_hand(".pch", DMIG.encode),
    "sti": stored(".sti"),
    "mas": stored(".mas"),
    "all kinds of cards": by_hand(".bdf", DECK.encode),
    "all kinds of keywords": by_hand(".inp", INPUT.encode),
    "all kinds of commands": by_hand(".cdb", DATABASE.encode),
    "stl": written(".stl"),
    "matrix market": matrix_file(".mtx"),
    "scipy": matrix_file(".npz"),
    "numpy": matrix_file(".npy"),
}


def mutant(data: bytes, number: int) -> bytes:
    """The file with bytes changed, cut out, doubled, cut off, put in, or numbers replaced by impossible ones."""
    chance = np.random.default_rng([zlib.crc32(data), number])
    at, length = int(chance.integers(len(data))), int(chance.integers(1, 40))
    match number % 8:
        case 0:
            return data[:at]
        case 1:
            return data[:at] + data[at + length :]
        case 2:
            return data[:at] + data[at : at + length] + data[at:]
        case 3:
            return data[:at] + chance.bytes(length) + data[at + length :]
        case 4:
            changed = bytearray(data)
            for place in chance.integers(len(data), size=5):
                changed[place] = int(chance.integers(256))
            return bytes(changed)
        case 5:
            lines = data.split(b"\n")
            if len(lines) == 1:
                return data[at:] + data[:at]
            order = chance.permutation(len(lines))[:2]
            lines[order[0]], lines[order[1]] = lines[order[1]], lines[order[0]]
            return b"\n".join(lines)
        case 6:
            odd = (b"nan", b"1e999", b"-1", b"0", b"99999999999999999999", b"x", b",", b"*", b"\xff\xfe")
            return data[:at] + odd[number // 8 % len(odd)] + data[at + len(odd[number // 8 % len(odd)]) :]
        case _:
            return data[:at] + b"\n" + data[at:]


def require_whole(found: Part) -> None:
    """What is accepted can be used: finite, and every name that is used is there."""
    mesh = found.mesh
    if mesh is not None:
        assert np.isfinite(mesh.points).all()
        for block in mesh.blocks:
            assert block.nodes.min(initial=0) >= 0 and block.nodes.max(initial=0) < mesh.node_count
        for region in found.regions:
            assert mesh.cells_of(region.cells).size
        for mass in found.point_masses:
            assert mesh.nodes_of(str(mass.on)).size
        for support in found.supports:
            assert mesh.nodes_of(str(support.on)).size
    if found.reduced is not None:
        numbers = {name: values for name, values in to_arrays(found.reduced).items() if values.dtype == float}
        del numbers["coordinate_frequencies_hz"]  # of modes only
        assert all(np.isfinite(values).all() for values in numbers.values())
        discretise(part_body("part", found))
    for use in usable(found):
        with suppress(InputError):
            discretise(part_body("part", found, use=use))
    for filed in found.matrices.values():
        assert np.isfinite(filed.matrix.data).all()
        assert filed.rows is None or filed.rows.shape == (filed.matrix.shape[0], 2)
    if found.modes is not None:
        assert np.isfinite(found.modes.shapes).all() and np.isfinite(found.modes.frequencies_hz).all()


@pytest.mark.parametrize("mutants", [QUICK, pytest.param(MUTANTS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", {**SAMPLES, **MATRICES})
def test_mutants_are_read_or_refused_in_one_line(name: str, mutants: int, tmp_path: Path) -> None:
    path = {**SAMPLES, **MATRICES}[name](tmp_path)
    data = path.read_bytes()
    settings = Settings()
    require_whole(read_file(path, settings))
    refused = 0
    for number in range(mutants):
        path.write_bytes(mutant(data, number))
        try:
            require_whole(read_file(path, settings))
        except InputError as error:
            refused += 1
            assert "\n" not in str(error) and path.name in str(error), str(error)
    assert refused > mutants / 10  # the mutants are damaged indeed


@pytest.mark.parametrize("name", SAMPLES)
def test_files_of_other_formats_are_refused(name: str, tmp_path: Path) -> None:
    """The content of each sample under the ending of every other format."""
    for other, write in SAMPLES.items():
        if other == name:
            continue
        path = write(tmp_path)
        ending = next(form.endings[0] for form in FORMATS if form.name == name)
        foreign = path.rename(tmp_path / f"foreign{ending}")
        with pytest.raises(InputError) as caught:
            read_file(foreign, Settings())
        assert "\n" not in str(caught.value) and foreign.name in str(caught.value)


@pytest.mark.parametrize("ending", sorted({form.endings[0] for form in FORMATS if form.read is not None}))
@pytest.mark.parametrize("content", [b"", b"\0" * 64, b"hello\n", bytes(range(256)) * 4], ids=range(4))
def test_nonsense_is_refused(ending: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"nonsense{ending}"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_file(path, Settings())
    assert "\n" not in str(caught.value) and path.name in str(caught.value)


def test_a_matrix_with_an_impossible_row_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "matrix.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n99999999999999999999 1 3.0\n")
    with pytest.raises(InputError) as caught:
        read_file(path, Settings())
    assert "\n" not in str(caught.value) and path.name in str(caught.value)
