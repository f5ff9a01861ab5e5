"""Linear equations between degrees of freedom in files: read as what they say, and written for programs."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.exchange.test_same_body import apart, frequencies

import flexframe as ff
from flexframe.errors import InputError
from flexframe.supports import EquationCoupling

WRITTEN = {".bdf": 1e-8, ".inp": 1e-9, ".cdb": 1e-8}  # relative; by the digits of coordinates in the file


def joined_blocks() -> ff.Body:
    """A held block with equations between single nodes, of two, three and five terms with odd factors."""
    mesh = ff.mesh.with_points(ff.mesh.block((0.4, 0.1, 0.08), (4, 1, 1)), {"hub": (0.5, 0.05, 0.04)})
    rng = np.random.default_rng(8)
    right = mesh.nodes_of("right")
    equations = [
        EquationCoupling.of_terms([("hub", dof, 1.0), *((int(node), dof, -1 / len(right)) for node in right)])
        for dof in ("ux", "uy", "uz")
    ]
    for first, second in zip(right[:-1:2].tolist(), right[1::2].tolist(), strict=False):
        a, b = rng.normal(size=2)
        equations.append(
            EquationCoupling.of_terms([(first, "ux", a), (second, "ux", -a), (second, "uy", 0.1 * b)])
        )
    # θ of the hub by the difference of two displacements: a factor with a length in it
    low, high = int(right[0]), int(right[-1])
    equations += [
        EquationCoupling.of_terms([("hub", "rx", 0.128), (low, "uz", 1.0), (high, "uz", -1.0)]),
        EquationCoupling.of_terms([("hub", "ry", 1.0)]),
        EquationCoupling.of_terms([("hub", "rz", 1.0)]),
    ]
    return replace(
        ff.Body.solid("block", mesh, material=ff.STEEL, supports=(ff.Clamp("left"),)),
        couplings=tuple(equations),
        point_masses=(ff.PointMass("hub", 2.0, (0.02, 0.02, 0.02)),),
    )


@pytest.mark.parametrize("units", [None, "mm, N, s, tonne"])
@pytest.mark.parametrize("ending", WRITTEN)
def test_equations_come_back(ending: str, units: str | None, tmp_path: Path) -> None:
    """Frequencies of a body whose equations went through a file, in SI and with lengths in millimetres."""
    body = joined_blocks()
    left_out = ff.exchange.write_part(ff.exchange.body_part(body), tmp_path / f"block{ending}", units=units)
    assert not [note for note in left_out if "coupling" in note]
    part = ff.exchange.read_part(tmp_path / f"block{ending}", units=units)
    assert apart(frequencies(ff.exchange.part_body("block", part)), frequencies(body)) < WRITTEN[ending]


# ---------------------------------------------------------------------- Nastran

DECK = """BEGIN BULK
MAT1,1,2.1+11,,.3,7850.
PBAR,1,1,4.-4,1.-8,2.-8,3.-8
CORD2R,7,,0.,0.,0.,.3,.4,1.
,1.,.2,.1
GRID,1,,0.,0.,0.
GRID,2,,.5,0.,0.
GRID,3,,.9,.1,-.2,7
GRID,4,,.6,.1,.3
GRID,5,,.6,-.3,.1,7
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,1,3,4,0.,0.,1.
CBAR,3,1,3,5,0.,0.,1.
{}
ENDDATA
"""
RIGID = "RBE2,9,2,123456,3"
SAME: dict[str, str] = {
    "RBAR": "RBAR,9,2,3,123,456,,",
    "RBE1": "RBE1,9,2,14,3,2356\n,UM,3,14,2,2356",
    "RTRPLT": "RTRPLT,9,2,3,4,12345,,2\n,6,123456,13456",
    "MPC": "\n".join(f"MPC,1,3,{k},1.0,2,{k},-1.0" for k in (4, 5, 6)),
}


def bars(tmp_path: Path, cards: str, couple: str = "") -> np.ndarray:
    file = tmp_path / "bars.bdf"
    file.write_text(DECK.format(cards), encoding="ascii")
    part = ff.exchange.read_part(file)
    assert not part.hindrances
    return elastic(ff.exchange.part_body("bars", part))


def elastic(body: ff.Body) -> np.ndarray:
    """Frequencies of all that is no rigid motion and no mechanism [Hz]."""
    found = ff.modes(body, count=14).frequencies_hz
    return found[found > 1e-2][:5]


def test_rigid_elements_by_chosen_components(tmp_path: Path) -> None:
    """RBAR and RBE1 that are led by six components of both ends say what an RBE2 says; condition, 1e-8."""
    wanted = bars(tmp_path, RIGID)
    for name in ("RBAR", "RBE1"):
        np.testing.assert_allclose(bars(tmp_path, SAME[name]), wanted, rtol=1e-8, err_msg=name)


def test_a_rigid_triangle(tmp_path: Path) -> None:
    """RTRPLT led by six components of its corners against an RBE2 on the same three points, 1e-8."""
    wanted = bars(tmp_path, "RBE2,9,2,123456,3,4")
    np.testing.assert_allclose(bars(tmp_path, SAME["RTRPLT"]), wanted, rtol=1e-8)


def test_a_mean_of_components(tmp_path: Path) -> None:
    """RBE3 that follows all components of one point moves with it as a rigid piece, 1e-8."""
    np.testing.assert_allclose(
        bars(tmp_path, "RBE3,9,,2,123456,1.,123456,3"), bars(tmp_path, "RBE2,9,3,123456,2"), rtol=1e-8
    )


def test_a_rigid_rod(tmp_path: Path) -> None:
    """RROD between two points against a rod of 1e6 times the stiffness; 1e-5."""
    tie = "RBE2,8,2,23456,3\n"
    stiff = tie + "CONROD,50,4,5,60,4.+2\nMAT1,60,2.1+11,,.3,1.-9"
    np.testing.assert_allclose(bars(tmp_path, tie + "RROD,9,4,5,1"), bars(tmp_path, stiff), rtol=1e-5)


def test_multipoint_constraints_in_turned_axes(tmp_path: Path) -> None:
    """MPC between components in the axes of a point and basic ones: rows written out by hand, 1e-9."""
    cards = "MPC,1,3,1,1.0,2,1,-.8\n,,2,2,-.6\nMPC,1,5,6,2.,4,3,.5\nRBE2,8,4,12,2"
    got = bars(tmp_path, cards)
    part = ff.exchange.read_part(tmp_path / "bars.bdf")
    body = ff.exchange.part_body("bars", part)
    z = np.array([0.3, 0.4, 1.0]) / np.linalg.norm([0.3, 0.4, 1.0])
    y = np.cross(z, [1.0, 0.2, 0.1])
    y /= np.linalg.norm(y)
    x = np.cross(y, z)
    dofs = ("ux", "uy", "uz", "rx", "ry", "rz")
    one = [(2, dofs[k], x[k]) for k in range(3)] + [(1, "ux", -0.8), (1, "uy", -0.6)]
    two = [(4, dofs[3 + k], 2 * z[k]) for k in range(3)] + [(3, "uz", 0.5)]
    kept = tuple(c for c in body.couplings if not isinstance(c, EquationCoupling))
    assert len(kept) == len(body.couplings) - 1
    hand = replace(body, couplings=(*kept, EquationCoupling.of_terms(one), EquationCoupling.of_terms(two)))
    np.testing.assert_allclose(elastic(hand), got, rtol=1e-9)


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("MPC,1,3,12,1.0,2,1,-.8", "joins a scalar point or several components"),
        ("RBAR,9,2,3,123,123,,", "do not say how a rigid piece moves"),
        ("RBE3,9,,2,123456,1.,12,3,4", "have no mean motion"),
    ],
)
def test_what_equations_cannot_say(card: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bars.bdf").write_text(DECK.format(card), encoding="ascii")
    lacks = ff.exchange.read_part(tmp_path / "bars.bdf").lacks
    assert any(message in lack and "bars.bdf:14" in lack for lack in lacks), lacks


# ---------------------------------------------------------------------- Abaqus and CalculiX

RING = """*NODE
{nodes}
*ELEMENT, TYPE=C3D20, ELSET=all
{cells}
*NODE, NSET=hub
{hub}, 0.31, 0.02, 0.05
*ELEMENT, TYPE=MASS, ELSET=hub
9000, {hub}
*MASS, ELSET=hub
0.7
*NSET, NSET=inside
{inside}
*NSET, NSET=outside
{outside}
*SURFACE, NAME=nothing, TYPE=NODE
inside,
*MATERIAL, NAME=steel
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.
*SOLID SECTION, ELSET=all, MATERIAL=steel
*TRANSFORM, TYPE=C, NSET=inside
0., 0., 0., 0., 0., 1.
*TRANSFORM, TYPE=R, NSET=outside
1., 1., 0., -1., 1., 0.2
*BOUNDARY
inside, 1, 1
inside, 3, 3
*EQUATION
4
{a}, 1, 1., {b}, 2, -.5, {c}, 3, .25
{hub}, 1, 1.
2
{hub}, 2, 1., {a}, 2, -1.
2
{hub}, 3, 1., {b}, 3, -1.
3
outside, 1, 1., outside, 2, .1, {hub}, 1, -1.
*STEP
*FREQUENCY
10
*END STEP
"""


def ring(tmp_path: Path, described: str = RING) -> Path:
    """A ring of curved hexahedra with supports and equations in turned axes."""
    flat = ff.mesh.block((0.1, 2 * np.pi, 0.1), (1, 12, 1))
    angle, radius = flat.points[:, 1], 0.2 + flat.points[:, 0]
    points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), flat.points[:, 2]])
    mesh = ff.mesh.Mesh(points, flat.blocks).merged_nodes(1e-6)
    radii = np.hypot(*mesh.points[:, :2].T)
    inside, far = np.flatnonzero(radii < 0.21), np.flatnonzero(radii > 0.29)
    text = described.format(
        nodes="\n".join(
            f"{n}, {x:.14g}, {y:.14g}, {z:.14g}" for n, (x, y, z) in enumerate(mesh.points.tolist(), 1)
        ),
        cells="\n".join(
            f"{n}, {', '.join(str(v + 1) for v in row[:10])},\n{', '.join(str(v + 1) for v in row[10:])}"
            for n, row in enumerate(mesh.blocks[0].nodes.tolist(), 1)
        ),
        hub=mesh.node_count + 1,
        inside=",\n".join(str(n + 1) for n in inside),
        outside=",\n".join(str(n + 1) for n in far[4:7]),
        a=far[0] + 1,
        b=far[1] + 1,
        c=far[2] + 1,
    )
    (tmp_path / "ring.inp").write_text(text, encoding="ascii")
    return tmp_path / "ring.inp"


@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
def test_equations_and_axes_against_calculix(tmp_path: Path) -> None:
    """*EQUATION with single nodes and *BOUNDARY in axes of *TRANSFORM: ten frequencies of CalculiX.

    Curved elements are integrated differently, by 2e-4 of a frequency in a coarse mesh; seven digits are printed.
    """
    file = ring(tmp_path)
    single = file.read_text(encoding="ascii").replace("outside, 1, 1., outside, 2, .1", "{0}, 1, 1., {0}, 2, .1")
    first = single.partition("NSET=outside\n")[2].partition(",")[0]
    file.write_text(single.format(first), encoding="ascii")
    subprocess.run(["ccx", "ring"], cwd=tmp_path, check=True, capture_output=True, timeout=120)
    table = (
        file.with_suffix(".dat").read_text(encoding="ascii").partition("(CYCLES/TIME")[2].partition("P A R T")[0]
    )
    printed = [line.split() for line in table.splitlines()]
    wanted = np.array([float(row[3]) for row in printed if len(row) == 5 and row[0].isdigit()])
    body = ff.exchange.part_body("ring", ff.exchange.read_part(file))
    np.testing.assert_allclose(ff.modes(body, count=10).frequencies_hz, wanted, rtol=2e-4)


def test_sets_in_equations_go_node_by_node(tmp_path: Path) -> None:
    """An equation of a set of three nodes is three equations."""
    part = ff.exchange.read_part(ring(tmp_path))
    (coupling,) = part.couplings
    assert isinstance(coupling, EquationCoupling)
    assert coupling.matrix.shape[0] == 6


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2\n{hub}, 2", "two\n{hub}, 2", "begins with how many terms"),
        ("3\noutside, 1, 1.", "9\noutside, 1, 1.", "has 3 of its 9 terms"),
        ("outside, 2, .1", "inside, 2, .1", "joins sets of different sizes"),
        ("1., 1., 0., -1., 1., 0.2", "1., 1., 0., 2., 2., 0.", "has its points in line"),
    ],
)
def test_damaged_equations(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in RING
    with pytest.raises(InputError, match=r"ring\.inp:\d+: .*" + message):
        ff.exchange.read_part(ring(tmp_path, RING.replace(old, new)))
