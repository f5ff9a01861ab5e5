"""Bodies in substructures: their modes, their reduced bodies, and systems of them, against the whole body."""

import os
from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.workers import DaskPool, local_client
from flexframe.errors import InputError
from flexframe.maths.multilevel.pool import worked_by


def block(*supports):
    mesh = ff.mesh.block((2.0, 0.6, 0.5), (8, 3, 3))
    return ff.Body.solid("block", mesh, material=ff.STEEL, supports=supports)


def test_modes_lie_within_their_bounds():
    """Frequencies of the whole body, found by another method, lie between the bounds of the divided one."""
    for body in (block(ff.Clamp("left")), block()):
        whole, divided = ff.modes(body, count=8), ff.modes(body, count=8, substructures=4)
        assert divided.confirmed
        assert not divided.notices
        lower, upper = divided.frequency_bounds_hz.T
        assert (lower <= whole.frequencies_hz).all()
        assert (whole.frequencies_hz <= upper).all()
        np.testing.assert_allclose(lower, upper, rtol=1e-7)  # half of where refinement ends, and rounding
        assert "4 substructures" in divided.method
        assert divided.summary()["frequency_bounds_hz"][-1] == pytest.approx([lower[-1], upper[-1]], abs=0)
        assert {"at_least_hz", "at_most_hz"} <= set(divided.to_dataframe().columns)


def test_what_cannot_be_divided_is_refused():
    body = block(ff.Clamp("left"))
    with pytest.raises(InputError, match="1 substructures divide nothing; give two or more"):
        ff.modes(body, count=2, substructures=1)
    with pytest.raises(InputError, match="substructures are for modes at rest and without damping"):
        ff.modes(body, ff.FrameMotion.spin(100.0), count=2, substructures=4)
    with pytest.raises(InputError, match="give a number of workers, or the address"), ff.reduction.workers():
        pass


def test_reduced_body_is_that_of_its_modes():
    """The basis spans what that of `Modal` does, found with factors of the whole matrix: same frequencies."""
    interfaces = [ff.reduction.Interface("tip", "right")]
    divided, modal = (
        ff.reduction.reduce_body(block(ff.Clamp("left")), strategy, interfaces=interfaces)
        for strategy in (ff.reduction.Multilevel(modes=6, substructures=4), ff.reduction.Modal(modes=6))
    )
    assert divided.size == modal.size
    first, second = (
        np.linalg.eigvals(np.linalg.solve(body.elastic_mass, body.stiffness)).real for body in (divided, modal)
    )
    # modes are within 1e-4 of the exact ones, and frequencies within the square of that
    np.testing.assert_allclose(np.sort(first), np.sort(second), rtol=1e-6)


def test_divided_body_in_a_system():
    """A system takes the reduced body like any other: modes about its equilibrium as with the modal basis."""
    body = block()
    found = []
    for strategy in (ff.reduction.Multilevel(modes=6, substructures=3), ff.reduction.Modal(modes=6)):
        system = ff.System([body], [ff.Weld("weld", "ground", "block.left")], space="spatial")
        reductions = {"block": ff.reduction.ReductionChoice(strategy)}
        found.append(ff.system_modes(system, count=4, reductions=reductions).frequencies_hz)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)  # as above


def slider_crank(strategy):
    """A quarter turn of a crank with a rod of plane elements; deflection of the rod's middle."""
    mesh = ff.mesh.rectangle(0.3, 0.01, (16, 2))
    rod = ff.Body.plane("rod", mesh, material=ff.STEEL, thickness=0.01)
    system = ff.System(
        [
            ff.RigidBody("crank", 0.36, 0.002727, np.array([0.075, 0, 0]), {"B": (0.15, 0.0)}),
            rod,
            ff.RigidBody("slider", 0.075552, 0.0),
        ],
        [
            ff.Revolute("A", "ground", "crank"),
            ff.Revolute("B", "crank.B", "rod.left"),
            ff.Revolute("C", "rod.right", "slider"),
            ff.Prismatic("guide", "ground", "slider"),
        ],
        [ff.AngleDrive("motor", "ground", "crank", "150*t")],
        start={"rod": ff.Placement([0.15, 0, 0]), "slider": ff.Placement([0.45, 0, 0])},
    )
    return ff.simulate(
        system,
        duration=0.5 * np.pi / 150,
        steps=120,
        samples=41,
        sensors={"middle": ff.sensors.MarkerSensor("displacement", "rod", (0.15, 0.0), (0.0, 1.0))},
        reductions={"rod": ff.reduction.ReductionChoice(strategy)},
    )


@pytest.mark.slow
def test_slider_crank_with_a_divided_rod():
    """The history of a mechanism is that of the modal basis, and that of Craig–Bampton as far as modes go.

    Modes are refined to 1e-4 and enter by squares; twelve modes of either kind leave out what is above 40 kHz.
    """
    divided, modal, fixed = (
        slider_crank(strategy)
        for strategy in (
            ff.reduction.Multilevel(modes=12, substructures=3),
            ff.reduction.Modal(modes=12),
            ff.reduction.CraigBampton(modes=12),
        )
    )
    assert "by substructures" in divided.reductions[0].strategy
    assert divided.reductions[0].size == modal.reductions[0].size
    first, second, third = (found.sensors["middle"].values for found in (divided, modal, fixed))
    largest = np.abs(second).max()
    assert largest > 1e-5
    np.testing.assert_allclose(first, second, atol=1e-6 * largest)
    np.testing.assert_allclose(first, third, atol=1e-3 * largest)


def dies_once(mark, value):
    """Ends its process the first time."""
    if not Path(mark).exists():
        Path(mark).touch()
        os._exit(1)
    return 2.0 * value


def test_workers_that_end_are_replaced(tmp_path):
    """A task whose worker ended is done by another one, and modes are those of one process."""
    body = block(ff.Clamp("left"))
    expected = ff.modes(body, count=3, substructures=3)
    with local_client(2, instead="") as client:
        pool = DaskPool(client, "two workers")
        pool.start(0, dies_once, (str(tmp_path / "mark"), np.arange(3.0)))
        key, value = pool.finished()
        assert key == 0
        np.testing.assert_array_equal(value, [0.0, 2.0, 4.0])
        with worked_by(pool):
            found = ff.modes(body, count=3, substructures=3)
    assert found.method.endswith("two workers")
    np.testing.assert_allclose(found.frequencies_hz, expected.frequencies_hz, rtol=1e-9)  # bounds, and rounding
