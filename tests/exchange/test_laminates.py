"""Laminates and shells beside their nodes, as programs file them: the frequencies of the shell that is meant."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.exchange.test_same_body import DIGITS, MILLIMETRES, apart

import flexframe as ff
from flexframe.elements.laminate import LaminateProperty, Layer, laminate
from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial
from flexframe.model.body import Body, Region

CARBON = OrthotropicMaterial((140e9, 10e9, 10e9), (0.3, 0.0, 0.0), (5e9, 3.5e9, 4e9), 1600.0, "carbon")
FOAM = ff.Material(1e9, 0.25, 200.0, "foam")
PLIES = ((CARBON, 1.0, 0.0), (FOAM, 2.0, 0.0), (CARBON, 0.5, 45.0), (CARBON, 0.25, -30.0))
WAY = 20.0  # degrees, of axis 1 from the first side
OFFSET = 1.5  # mm, of the middle over the nodes
MESH = ff.mesh.rectangle(0.4, 0.3, (4, 3), order=1)


def meant(way: float, more: float = 0.0) -> LaminateProperty:
    """Axis 1 of the laminate at `way`, from which all layers are turned by `more` [degrees]."""
    layers = [Layer(material, t * 1e-3, float(np.radians(angle + more))) for material, t, angle in PLIES]
    return laminate(layers, offset=OFFSET * 1e-3, orientation=Orientation.of_rotation(float(np.radians(way))))


def frequencies(body: Body) -> np.ndarray:
    return ff.modes(body, count=14).frequencies_hz[6:]


def nastran(folder: Path, plies: str) -> Path:
    """Grid points and CQUAD4 in millimetres; one is turned by THETA, axis 1 of the others by a system."""
    lines = ["BEGIN BULK", "MAT8,1,140000.,10000.,.3,5000.,4000.,3500.,1.6-9", "MAT1,2,1000.,,.25,2.-10", plies]
    c, s = np.cos(np.radians(WAY)), np.sin(np.radians(WAY))
    lines += ["CORD2R,5,,0.,0.,0.,0.,0.,1.", f",{c:.6f},{s:.6f},0."]
    for node, (x, y, _) in enumerate((MESH.points * 1e3).tolist(), start=1):
        lines.append(f"GRID,{node},,{x:.8g},{y:.8g},0.")
    for number, nodes in enumerate((MESH.blocks[0].nodes + 1).tolist(), start=1):
        way = WAY if number == 1 else 5
        lines.append(f"CQUAD4,{number},7,{','.join(map(str, nodes))},{way}")
    path = folder / "plate.bdf"
    path.write_text("\n".join([*lines, "ENDDATA", ""]), encoding="ascii")
    return path


BOTTOM = OFFSET - 3.75 / 2
PCOMP = f"PCOMP,7,{BOTTOM},,,,,,,\n,1,1.,0.,,2,2.,0.,\n,1,.5,45.,,,.25,-30."
PCOMPG = f"PCOMPG,7,{BOTTOM},,,,,,,\n,11,1,1.,0.,,,,\n,12,2,2.,0.,,,,\n,13,1,.5,45.,,,,\n,14,1,.25,-30."


def ansys(folder: Path, section: str) -> Path:
    lines = ["/PREP7", "ET,1,181", "MP,EX,1,140000.", "MP,EY,1,10000.", "MP,EZ,1,10000.", "MP,PRXY,1,0.3"]
    lines += ["MP,PRYZ,1,0.", "MP,PRXZ,1,0.", "MP,GXY,1,5000.", "MP,GYZ,1,3500.", "MP,GXZ,1,4000."]
    lines += ["MP,DENS,1,1.6E-9", "MP,EX,2,1000.", "MP,NUXY,2,0.25", "MP,DENS,2,2.E-10", section]
    for node, (x, y, _) in enumerate((MESH.points * 1e3).tolist(), start=1):
        lines.append(f"N,{node},{x:.8g},{y:.8g},0.")
    lines += ["TYPE,1", "SECNUM,1", "MAT,1"]
    lines += [f"E,{','.join(map(str, nodes))}" for nodes in (MESH.blocks[0].nodes + 1).tolist()]
    path = folder / "plate.cdb"
    path.write_text("\n".join([*lines, "FINISH", ""]), encoding="ascii")
    return path


SECTION = "SECTYPE,1,SHELL\n" + "\n".join(
    f"SECDATA,{t},{1 if material is CARBON else 2},{angle + WAY},3" for material, t, angle in PLIES
)


def abaqus(folder: Path, section: str) -> Path:
    lines = ["*NODE"]
    lines += [f"{n}, {x:.8g}, {y:.8g}, 0." for n, (x, y, _) in enumerate((MESH.points * 1e3).tolist(), start=1)]
    lines.append("*ELEMENT, TYPE=S4, ELSET=E")
    lines += [
        f"{number}, {', '.join(map(str, nodes))}"
        for number, nodes in enumerate((MESH.blocks[0].nodes + 1).tolist(), start=1)
    ]
    lines += ["*MATERIAL, NAME=CARBON", "*ELASTIC, TYPE=ENGINEERING CONSTANTS"]
    lines += ["140000., 10000., 10000., .3, 0., 0., 5000., 4000.", "3500.", "*DENSITY", "1.6e-9"]
    lines += ["*MATERIAL, NAME=FOAM", "*ELASTIC", "1000., .25", "*DENSITY", "2e-10"]
    c, s = np.cos(np.radians(WAY)), np.sin(np.radians(WAY))
    lines += ["*ORIENTATION, NAME=WAY", f"{c:.12f}, {s:.12f}, 0., {-s:.12f}, {c:.12f}, 0.", section]
    path = folder / "plate.inp"
    path.write_text("\n".join([*lines, ""]), encoding="ascii")
    return path


LAYERED = f"*SHELL SECTION, ELSET=E, COMPOSITE, ORIENTATION=WAY, OFFSET={-OFFSET / 3.75!r}\n" + "\n".join(
    f"{t}, 3, {material.name.upper()}, {angle}" for material, t, angle in PLIES
)
FILES: dict[str, tuple[Callable[[Path, str], Path], str, float]] = {
    "PCOMP": (nastran, PCOMP, 1e-6),  # six digits of the axes
    "PCOMPG": (nastran, PCOMPG, 1e-6),
    "COMPOSITE": (abaqus, LAYERED, DIGITS),
}


@pytest.mark.parametrize("name", FILES)
def test_layers_are_those_of_the_file(name: str, tmp_path: Path) -> None:
    """Against the laminate written by hand in SI units; it says that stress is not that of the layers."""
    write, text, digits = FILES[name]
    part = ff.exchange.read_part(write(tmp_path, text), units=MILLIMETRES)
    body = ff.exchange.part_body("plate", part)
    wanted = frequencies(Body("plate", MESH, (Region(meant(WAY)),), space="spatial"))
    assert apart(frequencies(body), wanted) < digits
    assert any("a laminate of 4 layers" in notice for notice in body.notices)


def test_layers_of_ansys(tmp_path: Path) -> None:
    """Angles count from the first side, nodes at the bottom: the middle lies half the thickness above them."""
    path = ansys(tmp_path, SECTION + "\nSECOFFSET,BOT")
    body = ff.exchange.part_body("plate", ff.exchange.read_part(path, units=MILLIMETRES))
    (region,) = body.regions
    assert isinstance(region.prop, LaminateProperty)
    assert region.prop.offset == pytest.approx(3.75e-3 / 2)
    wanted, other = (
        frequencies(Body("plate", MESH, (Region(prop),), space="spatial"))
        for prop in (meant(0.0, WAY), meant(WAY))
    )
    assert apart(frequencies(body), wanted) < DIGITS  # free, wherever the nodes are
    # shear in balance with bending along two axes by themselves depends on these axes
    assert 1e-4 < apart(other, wanted) < 2e-3


def test_symmetric_halves(tmp_path: Path) -> None:
    """LAM = SYM and SYMMETRIC: the half that is listed, and its mirror image."""
    half = "PCOMP,7,,,,,,,SYM,\n,1,1.,0.,,1,.5,45."
    other = "*SHELL SECTION, ELSET=E, COMPOSITE, ORIENTATION=WAY, SYMMETRIC\n1., 3, CARBON, 0.\n.5, 3, CARBON, 45."
    layers = [Layer(CARBON, t, angle) for t, angle in ((1e-3, 0.0), (5e-4, np.pi / 4))]
    prop = laminate([*layers, *layers[::-1]], orientation=Orientation.of_rotation(np.radians(WAY)))
    wanted = frequencies(Body("plate", MESH, (Region(prop),), space="spatial"))
    for path, digits in ((nastran(tmp_path, half), 1e-6), (abaqus(tmp_path, other), DIGITS)):
        body = ff.exchange.part_body("plate", ff.exchange.read_part(path, units=MILLIMETRES))
        assert apart(frequencies(body), wanted) < digits


@pytest.mark.parametrize("form", ["nastran", "ansys", "abaqus"])
def test_a_shell_of_one_material_beside_its_nodes(form: str, tmp_path: Path) -> None:
    """4 mm of foam with the nodes on its lower face: the centre of mass is 2 mm above them."""
    if form == "nastran":
        path = nastran(tmp_path, "PSHELL,7,2,4.,2,,2")
        lines = path.read_text().splitlines()
        lines = [line.rpartition(",")[0] + ",0.,2." if line.startswith("CQUAD4") else line for line in lines]
        path.write_text("\n".join([*lines, ""]))
    elif form == "ansys":
        path = ansys(tmp_path, "SECTYPE,1,SHELL\nSECDATA,4.,2,0.,3\nSECOFFSET,BOT")
    else:
        path = abaqus(tmp_path, "*SHELL SECTION, ELSET=E, MATERIAL=FOAM, OFFSET=SNEG\n4.")
    body = ff.exchange.part_body("plate", ff.exchange.read_part(path, units=MILLIMETRES))
    inertia = ff.discretise(body).inertia
    assert inertia.mass == pytest.approx(0.4 * 0.3 * 4e-3 * 200.0, rel=1e-9)
    assert inertia.first_moment[2] / inertia.mass == pytest.approx(2e-3, rel=1e-9)
    wanted = frequencies(Body.shell("plate", MESH, thickness=4e-3, material=FOAM))
    assert apart(frequencies(body), wanted) < 1e-6


REFUSED = {
    "MEM": (nastran, "PCOMP,7,,,,,,,MEM,\n,1,1.,0.", "LAM = MEM is not read"),
    "no plies": (nastran, "PCOMP,7,,,,,,,", "has no plies"),
    "no thickness": (nastran, "PCOMP,7,,,,,,,,\n,1,,0.", "no thickness; give both"),
    "USER": (ansys, SECTION + "\nSECOFFSET,USER,1.", "SECOFFSET, USER is not read"),
    "own orientation": (
        abaqus,
        "*SHELL SECTION, ELSET=E, COMPOSITE\n1., 3, CARBON, WAY",
        "orientation of its own",
    ),
    "no material": (abaqus, "*SHELL SECTION, ELSET=E, COMPOSITE\n1., 3", "complete it"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_said_in_one_line(name: str, tmp_path: Path) -> None:
    write, text, told = REFUSED[name]
    part = ff.exchange.read_part(write(tmp_path, text), units=MILLIMETRES)
    with pytest.raises(ff.InputError) as caught:
        ff.exchange.part_body("plate", part)
    assert told in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("ending", [".bdf", ".cdb", ".inp"])
def test_layers_are_not_written(ending: str, tmp_path: Path) -> None:
    body = Body("plate", MESH, (Region(meant(0.0)),), space="spatial")
    left_out = ff.exchange.write_part(body, tmp_path / f"plate{ending}")
    assert any("layers of shells are not written" in sentence for sentence in left_out)


def test_axes_of_elements_in_ansys_are_refused(tmp_path: Path) -> None:
    path = ansys(tmp_path, "ESYS,11\n" + SECTION)
    with pytest.raises(ff.InputError, match=r"element coordinate system 11 \(ESYS\) are not read"):
        ff.exchange.part_body("plate", ff.exchange.read_part(path, units=MILLIMETRES))
