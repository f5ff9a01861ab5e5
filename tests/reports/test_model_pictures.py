"""What scenes show of a model: sections in true size, discs with their inertia, one symbol for each support."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.rounding import ROUNDING

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.section_shapes import box_section, i_section
from flexframe.elements.sections import Circle, GeneralSection, Rectangle
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.loads import NodeForce, Pressure
from flexframe.model.supports import Clamp, Fix, FrameSpring, Pin
from flexframe.presentation.beam_surfaces import SIDES, beam_surface, bending_shape, section_face
from flexframe.presentation.drawing import BUDGET, drawing, frames_within_budget
from flexframe.presentation.scenes import History, Part, Scene, Skin, StaticShape
from flexframe.presentation.scenes import Modes as ModeList
from flexframe.presentation.symbols import AROUND, SIZE, TurningLoad, mass_solid
from flexframe.presentation.units import SI, DisplayUnits, Scale, in_units
from flexframe.studio.snapshots import model_snapshot

SECTIONS = [
    Rectangle(0.04, 0.01),
    Circle(0.05),
    Circle(0.05, 0.03),
    GeneralSection(1e-4, 2e-9, 1e-9, 2e-9),
    i_section(0.2, 0.1, web=0.006, flange=0.01),
    box_section(0.06, 0.04, web=0.003),
    PolygonSection(((0.0, 0.0), (0.03, 0.0), (0.0, 0.05))),
]


def shaft(**what) -> Body:
    made = Body.beam("shaft", length=0.6, divisions=6, section=Circle(0.03), material=ff.STEEL, space="spatial")
    return replace(made, **what)


def triangle_areas(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    (x1, y1), (x2, y2) = (b - a).T, (c - a).T
    return np.abs(x1 * y2 - x2 * y1) / 2


@pytest.mark.parametrize("section", SECTIONS, ids=lambda s: type(s).__name__)
def test_the_face_of_a_section_has_its_area_and_moments(section):
    face = section_face(section)
    areas = triangle_areas(face.points, face.triangles)
    # a polygon of n corners inside a circle has the part sin(2π/n)/(2π/n) of its area; no other is approximated
    polygon = np.sin(2 * np.pi / SIDES) / (2 * np.pi / SIDES) if isinstance(section, Circle) else 1.0
    wanted = polygon * section.area
    if isinstance(section, GeneralSection):  # drawn as the rectangle with its moments, which has its own area
        wanted = section.height * section.width
    assert areas.sum() == pytest.approx(wanted, rel=ROUNDING * 100)
    centroids = face.points[face.triangles].mean(axis=1)
    middle = (areas[:, None] * centroids).sum(axis=0) / wanted
    # the centroid is on the axis, to rounding of sums over some hundred triangles
    assert np.abs(middle).max() < 1e-12 * section.height


@pytest.mark.parametrize("section", SECTIONS, ids=lambda s: type(s).__name__)
def test_a_beam_is_drawn_with_the_height_and_width_of_its_section(section):
    body = Body.beam("bar", length=1.0, divisions=4, section=section, material=ff.STEEL, space="spatial")
    drawn = drawing("bar", body.mesh, body).parts[0]
    assert drawn.skin is not None
    turn = section.principal_angle  # of the principal axes, in which height and width are given
    across = drawn.skin.offsets[:, 1:]
    seen = np.stack([across @ [np.cos(turn), np.sin(turn)], across @ [-np.sin(turn), np.cos(turn)]])
    low, high = seen.min(axis=1), seen.max(axis=1)
    ring = np.concatenate(section_face(section).rings)
    np.testing.assert_allclose(high - low, np.ptp(ring, axis=0), rtol=1e-12)
    if not isinstance(section, PolygonSection):  # the corners of the polygons lie on the outermost fibres
        np.testing.assert_allclose(np.ptp(ring, axis=0), [section.height, section.width], rtol=1e-12)
    assert np.ptp(drawn.vertices[:, 0]) == pytest.approx(1.0, rel=ROUNDING)


def test_a_stepped_shaft_has_its_steps():
    mesh = ff.mesh.polyline([[0, 0], [0.2, 0], [0.5, 0]], divisions=4)
    prop = shaft().regions[0].prop
    regions = tuple(
        Region(replace(prop, section=Circle(d)), cells, "timoshenko_beam")
        for d, cells in ((0.02, "segment1"), (0.05, "segment2"))
    )
    part = drawing("shaft", mesh, Body("shaft", mesh, regions, space="spatial")).parts[0]
    radii = np.linalg.norm(part.skin.offsets, axis=1)
    x = part.nodes[part.skin.nodes, 0]
    corners = radii > 1e-9  # without the middles of faces, which have none
    assert set(np.round(radii[corners & (x < 0.199)], 12)) == {0.01}
    assert set(np.round(radii[corners & (x > 0.201)], 12)) == {0.025}
    assert set(np.round(radii[corners & (np.abs(x - 0.2) < 1e-9)], 12)) == {0.01, 0.025}


def test_the_skin_follows_its_node_as_a_rigid_arm():
    part = Part("p", np.zeros((1, 3)), skin=Skin(np.array([0]), np.array([[0.0, 0.1, 0.0]])))
    u = np.array([[1.0, 2.0, 3.0, 0.0, 0.0, 0.5]])  # a turn about z moves the arm along −x by 0.05
    np.testing.assert_allclose(part.displace(u), [[1, 2, 3], [0.95, 2, 3]], rtol=ROUNDING)


def test_beams_bend_as_beams_between_their_nodes():
    rng = np.random.default_rng(1)
    axis, turn, shift = rng.normal(size=(3, 3))
    ends = [np.concatenate([shift + np.cross(turn, x), turn]) for x in (np.zeros(3), axis)]
    moved = bending_shape(axis, 0.3) @ np.concatenate(ends)
    # a rigid motion stays one
    wanted = np.concatenate([shift + np.cross(turn, 0.3 * axis), turn])
    np.testing.assert_allclose(moved, wanted, rtol=ROUNDING * 10, atol=ROUNDING * 10)
    # a cantilever of length 1 under a force at its end has v = (3s² − s³)/2 and v′ = 3s − 3s²/2 for v(1) = 1
    end = np.array([0, 1.0, 0, 0, 0, 1.5])
    moved = bending_shape(np.array([1.0, 0, 0]), 0.4) @ np.concatenate([np.zeros(6), end])
    np.testing.assert_allclose(moved[[1, 5]], [(3 * 0.16 - 0.064) / 2, 1.2 - 0.24], rtol=ROUNDING)


def test_a_disc_is_drawn_with_the_radius_and_thickness_that_give_its_inertia():
    m, r, t = 7.0, 0.2, 0.05
    polar, across = m * r**2 / 2, m * (r**2 / 4 + t**2 / 12)
    disc = mass_solid(PointMass(0, m, (polar, across, across)), 1.0)
    assert len(disc.vertices) == 2 * AROUND
    np.testing.assert_allclose(np.hypot(*disc.vertices[:, 1:].T), r, rtol=ROUNDING * 10)
    assert np.ptp(disc.vertices[:, 0]) == pytest.approx(t, rel=ROUNDING * 100)  # t² is a difference of moments


def test_a_block_and_a_ball_have_their_inertia():
    m, a, b, c = 3.0, 0.1, 0.2, 0.4
    block = mass_solid(
        PointMass(0, m, tuple(m / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b]))), 1.0
    )
    np.testing.assert_allclose(np.ptp(block.vertices, axis=0), [a, b, c], rtol=ROUNDING * 100)
    ball = mass_solid(PointMass(0, m, (2 / 5 * m * a**2,) * 3), 1.0)
    np.testing.assert_allclose(np.linalg.norm(ball.vertices, axis=1), a, rtol=ROUNDING * 10)
    steel = mass_solid(PointMass(0, 7850 * 4 / 3 * np.pi * 0.03**3), 1.0)  # without inertia, a ball of steel
    np.testing.assert_allclose(np.linalg.norm(steel.vertices, axis=1), 0.03, rtol=ROUNDING * 10)


def test_every_support_mass_spring_and_load_has_its_symbol():
    body = shaft(
        supports=(Pin("start"), Fix("end", ("uy", "uz")), Fix("start", ("rx",))),  # a held rotation is not drawn
        point_masses=(PointMass("end", 2.0), PointMass((0.3, 0.0), 1.0)),
        springs=(FrameSpring("end", (0.0, 1e5, 2e5)), FrameSpring("start", damping=(0.0, 0.0, 3.0))),
        loads=(NodeForce("end", (0.0, -5.0), (0.0, 0.0, 2.0)),),
    )
    whole = drawing("shaft", body.mesh, body, carried=("masses", "supports", "springs", "loads"))
    names = [part.name for part in whole.parts if part.symbol]
    assert names == ["point mass"] * 2 + ["support"] * 2 + ["spring"] * 2 + ["damper", "load", "moment"]
    labels = [part.label for part in whole.parts if part.symbol and part.label]
    assert labels == ["2 kg", "1 kg", "100 kN/m", "200 kN/m", "3 N s/m", "5 N", "2 N m"]
    # the tip of a support touches the shaft: it is a radius below its node
    support = next(part for part in whole.parts if part.name == "support")
    assert support.vertices[1:, 2].max() == pytest.approx(-0.015, rel=1e-12)


def test_a_spring_is_held_by_the_ground_and_follows_its_node():
    body = shaft(springs=(FrameSpring("end", (0.0, 1e5, 0.0)),))
    whole = drawing("shaft", body.mesh, body)
    nodal = np.zeros((7, 6))
    nodal[-1, :3] = 1.0, 2.0, 3.0
    spring, moved = whole.parts[1], whole.displacements(nodal)[1]
    far = np.abs(spring.nodes[:, 1])
    np.testing.assert_array_equal(moved[far == far.max()], 0.0)
    np.testing.assert_allclose(moved[np.argmin(far)], nodal[-1, :3], rtol=ROUNDING)


def test_a_spring_starts_outside_the_mass_at_its_node():
    m, r = 5.0, 0.1
    mass = PointMass("end", m, (2 / 5 * m * r**2,) * 3)
    body = shaft(springs=(FrameSpring("end", (0.0, 1e5, 0.0)),), point_masses=(mass,))
    spring = next(p for p in drawing("shaft", body.mesh, body).parts if p.name == "spring")
    # vertices of the ball stand 20 degrees apart both ways: the nearest reaches at least cos² 10° of the radius
    assert r * np.cos(np.pi / 18) ** 2 * (1 - 1e-9) <= np.abs(spring.nodes[:, 1]).min() <= r


def test_a_pressure_pushes_against_the_body():
    mesh = ff.mesh.rectangle(2.0, 1.0, (4, 2), order=1)
    sheet = Body.plane("sheet", mesh, material=ff.STEEL, thickness=0.01, loads=(Pressure("top", 1e5),))
    whole = drawing("sheet", mesh, sheet, carried=("loads",))
    arrows = whole.parts[1]
    assert len(arrows.nodes) == 4  # facets of the top
    # from outside down to the edge y = 1, three symbols long; its points are the tips
    assert arrows.nodes[:, 1] == pytest.approx(1.0, rel=1e-9)
    assert arrows.vertices[:, 1].max() == pytest.approx(1.0 + 3 * 0.035 * 2.0, rel=1e-9)


def test_supports_of_many_nodes_are_thinned_and_large_bodies_stay_within_the_budget():
    mesh = ff.mesh.block((1.0, 0.2, 0.2), (20, 6, 6))
    block = Body.solid("block", mesh, material=ff.STEEL, supports=(Clamp("left"),))
    whole = drawing("block", mesh, block)
    assert len(mesh.nodes_of("left")) > 12
    assert [len(part.nodes) for part in whole.parts if part.symbol] == [12]
    numbers = 3 * len(whole.parts[0].nodes) + 6 * 12  # symbols with a skin carry rotations
    assert frames_within_budget(whole, 10**9) == BUDGET // (4 * numbers)
    assert beam_surface(block) is None


def test_modes_of_a_shaft_show_its_torsion():
    found = ff.modes(shaft(supports=(Clamp("start"),)), ff.FrameMotion.spin(0.0), count=8)
    scene = next(b for b in found.presentation().blocks("m") if getattr(b, "id", "") == "modes-m")
    assert isinstance(scene.content, ModeList)
    part = scene.parts[0]
    moved = [np.abs(part.displace(mode.displacement[0])) for mode in scene.content.modes]
    axes = len(part.nodes)
    # in one of the modes the axis rests while the surface turns
    turning = [u[axes:].max() / (u[:axes].max() + 1e-300) for u in moved]
    assert max(turning) > 1e6


def test_the_model_of_the_studio_has_a_symbol_for_each_mass_and_support():
    case = load_case(Path(__file__).parents[2] / "examples" / "three_disc_rotor.yaml")
    scene = model_snapshot(case)
    assert [part.name for part in scene.parts] == ["rotor", *["point mass"] * 3, "support"]
    assert scene.view == "corner"
    discs = [part for part in scene.parts if part.name == "point mass"]
    # I = m r²/2 about the shaft, as the case file gives it
    for part, (mass, polar) in zip(discs, ((14.58, 0.123), (45.945, 0.976), (55.134, 1.171)), strict=True):
        radii = np.hypot(*part.skin.offsets[:, 1:].T)
        assert radii.max() == pytest.approx(np.sqrt(2 * polar / mass), rel=1e-3)  # two moments are averaged


def test_gravity_and_torsion_springs_of_a_mechanism_are_drawn() -> None:
    """The arrow points along gravity; the spiral goes with the body that the spring turns."""
    rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    spring = ff.loads.TorsionSpring("coil", "ground", "rod", stiffness=5.0)
    system = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity(), spring])
    record = ff.rigid_motion(system, np.linspace(0.0, 0.5, 11))
    scene = next(block for block in record.presentation().blocks("swing") if isinstance(block, Scene))
    parts = {part.name: number for number, part in enumerate(scene.parts)}
    gravity = scene.parts[parts["gravity"]]
    tip, tail = gravity.vertices[0], gravity.vertices[1:].mean(axis=0)
    assert (tip - tail) / np.linalg.norm(tip - tail) == pytest.approx([0.0, -1.0, 0.0], abs=1e-12)
    assert gravity.label == "gravity 9.81 m/s²"
    assert isinstance(scene.content, History)
    assert scene.content.motions[parts["coil"]].rotations == pytest.approx(
        scene.content.motions[parts["rod"]].rotations
    )


def test_the_colour_of_displacements_is_in_the_unit_of_the_reader() -> None:
    """2 mm are shown as 2 mm, whatever the lengths of the page are in."""
    part = Part("b", np.zeros((2, 3)), lines=np.array([[0, 1]]))
    scene = Scene("s", (part,), StaticShape((np.array([[0.002, 0, 0], [0, 0, 0]]),)), displacement_unit="m")
    shown = in_units(scene, SI)
    assert (shown.displacement_unit, shown.displacement_factor) == ("mm", 1e3)
    inches = in_units(scene, DisplayUnits({"m": Scale("in", 1 / 0.0254)}))
    assert (inches.displacement_unit, inches.displacement_factor) == ("in", 1 / 0.0254)
    modes = in_units(replace(scene, displacement_unit=""), SI)
    assert (modes.displacement_unit, modes.displacement_factor) == ("", 1.0)


def test_the_excitation_of_a_frequency_response_is_drawn() -> None:
    """The harmonic force, and not the load at rest."""
    arm = ff.Body.beam(
        "arm",
        length=1.0,
        divisions=4,
        section=ff.Rectangle(0.04, 0.01),
        material=ff.STEEL,
        supports=(Clamp("start"),),
        loads=(NodeForce("end", (0.0, 8.0, 0.0)),),
    )
    sensors = {"tip": ff.sensors.DofSensor("end", "uy")}
    excited = [ff.loads.HarmonicForce("end", (0.0, 0.5))]
    record = ff.frequency_response(arm, ff.FrameMotion.spin(0.0), [1.0, 2.0], excited, sensors)
    scene = next(block for block in record.presentation().blocks("answer") if isinstance(block, Scene))
    assert [part.label for part in scene.parts if part.name == "load"] == ["0.5 N"]


def turning_part(load: TurningLoad) -> tuple[Part, np.ndarray]:
    """What is drawn of a load at the end of a shaft along x, 20 mm thick; its vertices as seen from that end."""
    shaft = ff.Body.beam(
        "shaft", length=1.0, divisions=4, section=ff.Circle(0.02), material=ff.STEEL, space="spatial"
    )
    drawn = drawing("shaft", shaft.mesh, shaft, carried=("loads",), turning=(load,))
    (part,) = [piece for piece in drawn.parts if piece.colour == "red"]
    return part, part.vertices[len(part.nodes) :] - part.nodes[0]


def test_an_unbalance_is_a_mass_outside_the_shaft_where_its_angle_says() -> None:
    """A ball that touches the surface at 60°, and a bent arrow that goes on from there with the spin."""
    angle = np.radians(60)
    way, along = np.array([0, np.cos(angle), np.sin(angle)]), np.array([0, -np.sin(angle), np.cos(angle)])
    part, seen = turning_part(TurningLoad("end", way, np.array([1.0, 0, 0]), "unbalance 1 kg m", mass=True))
    assert part.label == "unbalance 1 kg m" and part.nodes[0] == pytest.approx([1.0, 0, 0])
    radii = np.linalg.norm(seen[:, 1:], axis=1)
    assert radii.min() >= 0.01 * np.cos(np.pi / SIDES) - 1e-12  # the section is a polygon inside its circle
    assert radii.min() <= 0.01 + 0.5 * 0.35 * SIZE  # and the ball, of this radius, touches it but for its facets
    nearest = seen[radii < 0.01 + 0.35 * SIZE].mean(axis=0)
    assert nearest / np.linalg.norm(nearest) == pytest.approx(way, abs=0.12)  # to 7°, of facets of 18°
    assert (seen @ along).max() > -2 * (seen @ along).min()  # with the spin


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_a_whirling_force_is_an_arrow_and_the_way_it_turns(sense: float) -> None:
    part, seen = turning_part(TurningLoad("end", np.array([0, 1.0, 0]), np.array([sense, 0, 0]), "3 N, forward"))
    assert part.label == "3 N, forward"
    assert seen[seen[:, 1].argmax(), 2] == pytest.approx(0.0, abs=1e-12)  # its tip, across the shaft
    sideways = seen[:, 2] * sense
    assert sideways.max() > -2 * sideways.min()
