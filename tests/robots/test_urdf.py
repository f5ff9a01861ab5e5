"""URDF files: what is read, what is left out with a word, and what is refused with file and line."""

from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe.files import Folder

from .arms import GRAVITY, robot

INERTIAL = (
    '<inertial><origin xyz="0.1 0 0"/><mass value="2"/>'
    '<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>'
)


def _urdf(folder: Path, body: str, name: str = "arm.urdf") -> Path:
    path = folder / name
    path.write_text(f'<robot name="arm">\n{body}\n</robot>\n', encoding="utf-8")
    return path


def _two(joint: str, child: str = "") -> str:
    return (
        f'<link name="base">{INERTIAL}</link>\n<link name="arm">{INERTIAL}{child}</link>\n'
        f'<joint name="hinge" {joint}</joint>'
    )


ENDS = '<parent link="base"/><child link="arm"/>'


@pytest.mark.parametrize(
    ("kind", "freedoms"),
    [("revolute", 1), ("continuous", 1), ("prismatic", 1), ("fixed", 0), ("floating", 6), ("planar", 3)],
)
def test_kinds_of_joints(tmp_path: Path, kind: str, freedoms: int) -> None:
    """Each leaves its number of freedoms: poles of the system that nothing holds are two for each."""
    text = _two(f'type="{kind}">{ENDS}<axis xyz="0 0 1"/><origin xyz="0.5 0 0" rpy="0.3 0.2 0.1"/>')
    system = ff.robots.read_urdf(_urdf(tmp_path, text)).system()
    if freedoms == 0:
        assert [body.name for body in system.bodies] == ["base"]
        return
    model = ff.linearise(system)
    assert model.order == 2 * freedoms
    assert np.abs(model.poles).max() < 1e-4


def test_fixed_links_are_one_body_with_markers(tmp_path: Path) -> None:
    """Masses at their places: m c and the inertia about the common centre by hand."""
    text = _two(f'type="fixed">{ENDS}<origin xyz="0 1 0"/>')
    body = ff.robots.read_urdf(_urdf(tmp_path, text)).system().body("base")
    assert isinstance(body, ff.RigidBody)
    assert (body.mass, *body.centre) == pytest.approx((4.0, 0.1, 0.5, 0.0))
    # two bodies, each half a metre from the common centre along y
    assert np.diag(body.inertia) == pytest.approx([0.02 + 4 * 0.25, 0.04, 0.04 + 4 * 0.25])
    assert body.frames["arm"].point == pytest.approx([0, 1, 0])


def test_limits_dynamics_and_stops(tmp_path: Path) -> None:
    """Limits are those of the system; damping and friction act; with stops a joint runs against them."""
    text = _two(
        f'type="revolute">{ENDS}<axis xyz="0 1 0"/><limit lower="-0.5" upper="0.7" velocity="2" effort="30"/>'
        '<dynamics damping="0.4" friction="0.2"/>'
    )
    arm = ff.robots.read_urdf(_urdf(tmp_path, text))
    system = arm.system()
    limits = system.limits_of("hinge")
    assert (limits.lower, limits.upper, limits.speed, limits.force) == (-0.5, 0.7, 2.0, 30.0)
    joint = system.joints[-1]
    drive = ff.drives.joint_drive(joint, "3*t")
    found = ff.joint_forces(
        ff.System(system.bodies, system.joints, [drive], system.loads, system.ground, space="spatial"), [0.0, 0.1]
    )
    # 3 rad/s: damping and full friction, and no weight
    assert found.forces.joints[drive.name].values[:, 0] == pytest.approx([1.4, 1.4], rel=1e-9)
    stopped = arm.system(limits="stops", stop_stiffness=1e4).joints[-1]
    assert isinstance(stopped, ff.Revolute) and stopped.stops == (-0.5, 0.7)
    with pytest.raises(ff.InputError, match="stops want a stop_stiffness"):
        arm.system(limits="stops")


GRIPPER = f"""
<link name="hand">{INERTIAL}</link>
<link name="left">{INERTIAL}</link>
<link name="right">{INERTIAL}</link>
<link name="knob">{INERTIAL}</link>
<joint name="open left" type="prismatic"><parent link="hand"/><child link="left"/><axis xyz="0 1 0"/>
  <limit lower="0" upper="0.04" velocity="0.1" effort="50"/></joint>
<joint name="open right" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 -1 0"/>
  <limit lower="0" upper="0.04" velocity="0.1" effort="50"/><mimic joint="open left"/></joint>
<joint name="turn" type="continuous"><parent link="hand"/><child link="knob"/><axis xyz="1 0 0"/>
  <mimic joint="open left" multiplier="100" offset="0.5"/></joint>
"""


def test_mimic_is_a_coupling_without_loss(tmp_path: Path) -> None:
    """One motor moves both fingers and turns a knob: F = (m₁ + m₂ + I k²) a, by kinetic energy."""
    system = ff.robots.read_urdf(_urdf(tmp_path, GRIPPER)).system()
    joints = {joint.name: joint for joint in system.joints}
    drive = ff.drives.joint_drive(joints["open left"], "0.01 + 0.05*t^2")
    found = ff.joint_forces(
        ff.System(system.bodies, system.joints, [drive], (), system.ground, system.start, space="spatial"),
        [0.0, 0.2],
    )
    knob = 0.01  # about x through the joint, on which the centre lies
    assert found.forces.joints[drive.name].values[:, 0] == pytest.approx(0.1 * (2 + 2 + knob * 100**2), rel=1e-9)
    left, right = (found.motion.body(name).positions[:, 1] for name in ("left", "right"))
    assert left == pytest.approx([0.01, 0.012]) and right == pytest.approx(-left)
    turned = found.motion.body("knob").rotations[0] @ [0, 1, 0]
    assert np.arctan2(turned[2], turned[1]) == pytest.approx(100 * 0.01 + 0.5)


def test_names_as_bodies_may_have_them(tmp_path: Path) -> None:
    """A dot parts body and point; another sign stands in its place, and a notice says so."""
    text = f'<link name="a.b/c">{INERTIAL}</link>'
    arm = ff.robots.read_urdf(_urdf(tmp_path, text))
    assert list(arm.links) == ["a_b_c"]
    assert "'a.b/c' is called 'a_b_c'" in arm.notices[0]


def test_start_is_within_limits() -> None:
    """Axis 4 cannot be at zero: it starts at its upper limit, the others at zero."""
    values = robot("seven").values()
    assert values["axis_4"] == -0.0698 and values["axis_1"] == 0.0


# ---------------------------------------------------------------------- shapes

STL = """solid t
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid t
"""
OBJ = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n"
DAE = """<?xml version="1.0"?>
<COLLADA><asset><unit meter="0.001"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array count="9">0 0 0 1000 0 0 0 500 0</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>0 0 2000</translate>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes></COLLADA>
"""


@pytest.mark.parametrize(
    ("name", "text", "box"),
    [("a.stl", STL, (1, 1, 0)), ("a.obj", OBJ, (2, 1, 0)), ("a.dae", DAE, (1, 0.5, 0))],
)
def test_visual_meshes(tmp_path: Path, name: str, text: str, box: tuple[float, ...]) -> None:
    """Triangles in the axes of the link, scaled and placed; of COLLADA with unit and node."""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / name).write_text(text, encoding="utf-8")
    where = f'<geometry><mesh filename="package://arm/meshes/{name}" scale="2 2 2"/></geometry>'
    visual = f'<visual><origin xyz="0 0 1"/>{where}</visual>'
    arm = ff.robots.read_urdf(_urdf(tmp_path, f'<link name="base">{INERTIAL}{visual}</link>'))
    assert arm.notices == ()
    mesh = arm.links["base"].mesh
    assert mesh is not None
    low, high = mesh.bounding_box
    assert high - low == pytest.approx(2 * np.array(box))
    assert low[2] == pytest.approx(1.0 + (4.0 if name == "a.dae" else 0.0))


def test_binary_stl_and_solids(tmp_path: Path) -> None:
    """Corners as little-endian numbers; boxes, cylinders and spheres as triangles."""
    corners = np.array([[[0, 0, 0], [3, 0, 0], [0, 4, 0]]], dtype="<f4")
    data = bytes(80) + (1).to_bytes(4, "little") + bytes(12) + corners.tobytes() + bytes(2)
    (tmp_path / "a.stl").write_bytes(data)
    shapes = (
        '<mesh filename="a.stl"/>',
        '<box size="1 2 3"/>',
        '<cylinder radius="1" length="5"/>',
        '<sphere radius="2"/>',
    )
    sizes = ((3, 4, 0), (1, 2, 3), (2, 2, 5), (4, 4, 4))
    for shape, size in zip(shapes, sizes, strict=True):
        text = f'<link name="base"><visual><geometry>{shape}</geometry></visual></link>'
        mesh = ff.robots.read_urdf(_urdf(tmp_path, text)).links["base"].mesh
        assert mesh is not None
        low, high = mesh.bounding_box
        assert high - low == pytest.approx(np.array(size), rel=0.04)  # a ball has 18 × 9 faces


def test_mesh_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """With file, line and both ways out; motions want no mesh."""
    text = '<link name="base"><visual><geometry><mesh filename="package://x/none.stl"/></geometry></visual></link>'
    path = _urdf(tmp_path, text)
    words = (
        r"^arm.urdf:2: link base: package://x/none.stl: there is no such file .* packages; .*\(meshes: false\)$"
    )
    with pytest.raises(ff.InputError, match=words):
        ff.robots.read_urdf(path)
    assert ff.robots.read_urdf(path, meshes=False).links["base"].mesh is None


@pytest.mark.parametrize(
    "name", ["../secret.stl", "/etc/passwd.stl", "package://x/../../secret.stl", "file:///etc/a.stl"]
)
def test_meshes_stay_in_their_folder(tmp_path: Path, name: str) -> None:
    """Nothing outside the folder of the file is opened."""
    (tmp_path / "secret.stl").write_text(STL, encoding="utf-8")
    (tmp_path / "robot").mkdir()
    text = f'<link name="base"><visual><geometry><mesh filename="{name}"/></geometry></visual></link>'
    with pytest.raises(ff.InputError, match=r"leads out of the folder|no such file"):
        ff.robots.read_urdf(_urdf(tmp_path / "robot", text))


def test_packages_are_folders_of_the_case(tmp_path: Path) -> None:
    """A folder that is named is opened, from a confined one only what lies in it."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.stl").write_text(STL, encoding="utf-8")
    text = '<link name="base"><visual><geometry><mesh filename="package://kit/a.stl"/></geometry></visual></link>'
    path = _urdf(tmp_path, text)
    assert ff.robots.read_urdf(path, packages={"kit": tmp_path / "parts"}).links["base"].mesh is not None
    inside = Folder(tmp_path, confined=True)
    assert ff.robots.read_urdf("arm.urdf", packages={"kit": "parts"}, folder=inside).links["base"].mesh is not None
    with pytest.raises(ff.InputError, match="leads out of the folder"):
        ff.robots.read_urdf("arm.urdf", packages={"kit": "../parts"}, folder=inside)


# ---------------------------------------------------------------------- what is refused

BROKEN = {
    "no xml": ("<robot", r"arm.urdf:\d: is no whole XML"),
    "another root": ("<sdf/>", "arm.urdf:1: <sdf> is no robot"),
    "no link": ('<robot name="a"/>', "has no link"),
    "a name twice": ('<robot><link name="a"/><link name="a"/></robot>', "two parts are called 'a'"),
    "no name": ("<robot>\n<link/></robot>", "arm.urdf:2: a <link> has no name"),
    "two roots": ('<robot><link name="a"/><link name="b"/></robot>', r"no tree: they have 2 roots \(a, b\)"),
    "an unknown link": (
        '<robot><link name="a"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>',
        "joint j: unknown link 'b'",
    ),
    "two parents": (
        '<robot><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="j" type="fixed"><parent link="a"/><child link="c"/></joint>'
        '<joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint></robot>',
        "link c has two parents",
    ),
    "a loop": (
        '<robot><link name="r"/><link name="a"/><link name="b"/>'
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
        '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>',
        "a closed loop of joints",
    ),
    "a wrong type": (
        '<robot><link name="a"/><link name="b"/>\n<joint name="j" type="hinge"><parent link="a"/>'
        '<child link="b"/></joint></robot>',
        "arm.urdf:2: joint j has the type 'hinge'; use one of revolute",
    ),
    "no number": (
        '<robot><link name="a">\n<inertial><mass value="heavy"/></inertial></link></robot>',
        "arm.urdf:2: value of <mass> is 'heavy', not one number",
    ),
    "not a number": (
        '<robot><link name="a"><inertial><mass value="nan"/></inertial></link></robot>',
        "value of <mass> is 'nan'",
    ),
    "no axis": (
        '<robot><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
        '<child link="b"/><axis xyz="0 0 0"/></joint></robot>',
        "the axis of joint j is zero",
    ),
    "impossible inertia": (
        '<robot><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="5"/></inertial></link>'
        "</robot>",
        "belongs to no body",
    ),
    "negative mass": (
        '<robot><link name="a"><inertial><mass value="-1"/></inertial></link></robot>',
        "has the mass -1",
    ),
    "limits the wrong way": (
        '<robot><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/>'
        '<child link="b"/><limit lower="1" upper="-1"/></joint></robot>',
        "do not increase",
    ),
    "mimics itself": (
        '<robot><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
        '<child link="b"/><mimic joint="j"/></joint></robot>',
        "mimics itself",
    ),
    "mimics nothing": (
        '<robot><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
        '<child link="b"/><mimic joint="k"/></joint></robot>',
        "unknown joint 'k'",
    ),
    "xacro": (
        '<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:include filename="a"/></robot>',
        "is written in xacro; make a URDF of it first",
    ),
    "an entity": (
        '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><robot><link name="&b;"/></robot>',
        "declares document types or entities",
    ),
    "a file as entity": (
        '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot><link name="&a;"/></robot>',
        "declares document types or entities",
    ),
    "too deep": ("<robot>" + "<a>" * 300 + "</a>" * 300 + "</robot>", "too many elements"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_files_are_refused_in_one_line(tmp_path: Path, what: str) -> None:
    """With the file, the line where there is one, and a way out."""
    text, words = BROKEN[what]
    path = tmp_path / "arm.urdf"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ff.InputError, match=words) as caught:
        ff.robots.read_urdf(path)
    assert str(caught.value).startswith("arm.urdf") and "\n" not in str(caught.value)


def test_random_damage_is_refused_or_read(tmp_path: Path) -> None:
    """Cut, doubled and flipped files: an InputError or a robot, never anything else."""
    text = (Path(__file__).parents[2] / "examples" / "six_axis_arm.urdf").read_bytes()
    rng = np.random.default_rng(3)
    path = tmp_path / "arm.urdf"
    for _ in range(60):
        a, b = sorted(rng.integers(0, len(text), 2).tolist())
        damaged = [
            text[:a],
            text[:a] + text[b:],
            text[:b] + text[a:],
            text[:a] + bytes([rng.integers(256)]) + text[a + 1 :],
        ]
        path.write_bytes(damaged[rng.integers(4)])
        try:
            ff.robots.read_urdf(path).system(loads=[GRAVITY])
        except ff.InputError as error:
            assert "\n" not in str(error)
