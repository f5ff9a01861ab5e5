"""The same body through every format that is written and read: frequencies, spin-up and free flight are the same.

Text formats hold 10 digits or more, so that relative differences of 1e-9 in positions and moduli are all that a
file may cost; frequencies follow with the same order, motions with a factor for the steps that they take. Fields
of DMIG matrices have 16 characters, ten digits: entries of K cancel in bending, which costs (length / height)².
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
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


def free_flight(body: ff.Body) -> tuple[Array, Array]:
    """Displacements and places of a bar that flies, turns, and is bent by a force that goes with time."""
    system = ff.System(
        [body],
        loads=[ff.MarkerForce("kick", "part.right", force=(0.0, "20*sin(300*t)", "30*cos(200*t)"))],
        start={"part": ff.Placement([0.0, 0.0, 0.0], 0.0, [1.0, 2.0, 0.0], 20.0)},
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
