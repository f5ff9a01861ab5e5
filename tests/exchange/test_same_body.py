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

import flexframe as ff
from flexframe.errors import InputError
from flexframe.exchange.contract import Format, Part
from flexframe.exchange.formats import FORMATS
from flexframe.maths.arrays import Array

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
        if ending != ".bdf":
            files.append(folder / "mesh.bdf")
            ff.exchange.write_part(body, files[1], units=units)
        part = ff.exchange.read_part(files, units=units)
        return ff.exchange.part_body("part", part, use="matrices")

    return carry


CARRIERS: dict[str, tuple[Carrier, float]] = {
    "bulk data": (through_mesh(".bdf"), DIGITS),
    "coded database": (through_mesh(".cdb"), DIGITS),
    "input file": (through_mesh(".inp"), DIGITS),
    "OP4": (through_matrices(".op4"), DIGITS),
    "substructure": (through_matrices(".mtx"), DIGITS),
    "DMIG": (through_matrices(".bdf"), CANCELLED),
}


def bar() -> ff.Body:
    return ff.Body.solid("part", ff.mesh.block((0.5, 0.05, 0.03), (6, 1, 1)), material=SOFT)


def frequencies(body: ff.Body) -> Array:
    """The six lowest of the free body that are not zero."""
    return ff.modes(body, count=12).frequencies_hz[6:]


def spin_up(body: ff.Body) -> Array:
    """Displacements of a bar that is held at one end and turned by 1 rad within 50 ms."""
    turning = ff.motion.planar(ff.motion.polynomial((0.0, 1.0), duration=0.05))
    held = replace(body, supports=(ff.Clamp("left"),))
    return ff.simulate(held, turning, duration=0.05, steps=20, stress=False).displacements


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
