"""A controller that is designed on the exported model acts on the nonlinear flexible arm as predicted."""

from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

import flexframe as ff
from flexframe.maths.state_space import StateSpace, balanced_truncation, modal_truncation

from .arms import CHOICE, angle_of, flexible_arm


def test_exported_model_stabilises_the_arm() -> None:
    """LQG by python-control: damping of the closed loop, read from the nonlinear motion, within 2 %."""
    control = pytest.importorskip("control", reason="python-control is not installed")
    model = ff.linearise(flexible_arm(), reductions=CHOICE, outputs=["angle", "tip"])
    plant = model.to_control()
    weight = 30.0 * model.C.T @ model.C + 1e-3 * np.eye(model.order)
    gain = control.lqr(plant, (weight + weight.T) / 2, [[1.0]])[0]
    filter_gain = control.lqe(plant.A, plant.B, plant.C, [[1.0]], 1e-5 * np.eye(2))[0]
    A = model.A - model.B @ gain - filter_gain @ model.C
    closed = np.linalg.eigvals(np.block([[model.A, -model.B @ gain], [filter_gain @ model.C, A]]))
    assert (closed.real < 0).all()
    at = {each.name: each.value for each in model.outputs}
    measured = (f"angle - ({at['angle']!r})", f"tip - ({at['tip']!r})")
    regulator = ff.controllers.StateSpace("command", measured, A, filter_gain, -gain)
    angle = at["angle"] + 0.004
    here = ff.Placement([0, 0], [0, 0, angle])
    arm = flexible_arm("command", inputs=[], controllers=[regulator], start={"hub": here, "arm": here})
    motion = ff.simulate(arm, duration=3.0, tolerance=1e-8, samples=3001, reductions=CHOICE)
    late = motion.times > 0.6  # faster poles have gone; the slowest is at 1.5 Hz
    found = ff.results.decay(motion.times[late], motion.sensors["tip"].values[late] - at["tip"], about=0.0)
    predicted = closed[np.argmin(np.abs(closed.imag / (2 * np.pi) - found.frequency_hz))]
    assert predicted.imag / (2 * np.pi) == pytest.approx(found.frequency_hz, rel=0.02)
    assert found.damping_ratio == pytest.approx(-predicted.real / abs(predicted), rel=0.02)
    # and the loop itself, linearised with its controller, has the predicted poles
    again = ff.linearise(arm, reductions=CHOICE)
    for value in closed:
        assert np.abs(again.poles - value).min() < 1e-7 * np.abs(closed).max()


def _plant() -> StateSpace:
    """Four modes with 2 % damping, two inputs and three outputs, and a motion that nothing holds."""
    rng = np.random.default_rng(4)
    w = np.array([1.0, 3.0, 10.0, 30.0])
    A = np.block([[np.zeros((4, 4)), np.eye(4)], [-np.diag(w**2), -np.diag(0.04 * w)]])
    B, C = (
        np.vstack([np.zeros((4, 2)), rng.normal(size=(4, 2))]),
        np.hstack([rng.normal(size=(3, 4)), np.zeros((3, 4))]),
    )
    free = np.zeros((10, 10))
    free[:8, :8], free[8, 9] = A, 1.0
    return StateSpace(
        free,
        np.vstack([B, [[0, 0], [1, 2]]]),
        np.hstack([C, rng.normal(size=(3, 1)) * [[1, 0]]]),
        np.zeros((3, 2)),
    )


@pytest.mark.parametrize("order", [4, 6, 8])
def test_reduction_keeps_its_bound(order: int) -> None:
    """The largest singular value of the difference stays below 2Σσ, and is above the first σ left out."""
    plant = _plant()
    rates = np.concatenate([np.geomspace(1e-2, 1e3, 1500), [1.0, 3.0, 10.0, 30.0]])
    small = balanced_truncation(plant, order)
    apart = np.linalg.norm(plant.response(rates) - small.system.response(rates), 2, axis=(1, 2)).max()
    assert small.kept_unstable == 2
    assert small.hankel_values[order - 2] * 0.99 < apart < small.error_bound
    modal = modal_truncation(plant, order)
    apart = np.linalg.norm(plant.response(rates) - modal.system.response(rates), 2, axis=(1, 2)).max()
    assert apart < modal.error_bound


def test_hankel_values_of_one_state() -> None:
    """ẋ = −a x + b w, y = c x has σ = |b c|/2a."""
    one = StateSpace(np.array([[-3.0]]), np.array([[2.0]]), np.array([[5.0]]), np.zeros((1, 1)))
    assert balanced_truncation(one, 1).hankel_values == pytest.approx([10 / 6], rel=1e-12)


def test_files_of_other_programs(tmp_path: Path) -> None:
    """What is written is what is read back by scipy, with names and units."""
    rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    system = ff.System(
        [rod],
        [ff.Revolute("A", "ground", "rod")],
        loads=[ff.loads.Actuator("motor", "ground", "rod", "torque"), ff.SystemGravity()],
        sensors={"angle": angle_of()},
        inputs=[ff.Input("torque", 0.0, unit="N m")],
    )
    model = ff.linearise(system)
    read = loadmat(model.write_mat(tmp_path / "model.mat"), simplify_cells=True)
    for name in "ABCD":
        assert np.array_equal(np.reshape(read[name], getattr(model, name).shape), getattr(model, name))
    assert (read["input_names"], read["input_units"]) == ("torque", "N m")
    files = model.write_csv(tmp_path)
    assert [file.name for file in files][:2] == ["model-A.csv", "model-B.csv"]
    assert float(files[1].read_text().splitlines()[2].split(",")[1]) == model.B[1, 0]
    assert np.array_equal(model.to_scipy().A, model.A)
    # J θ̈ + m g l/2 θ = w: the static answer, and poles of the sampled plant
    assert model.response(0.0)[0, 0, 0].real == pytest.approx(1 / 9.81, rel=1e-9)
    made = model.discrete(0.01)
    expected = np.sort_complex(np.exp(0.01 * model.poles))
    assert np.sort_complex(np.linalg.eigvals(made.A)) == pytest.approx(expected, rel=1e-12)
