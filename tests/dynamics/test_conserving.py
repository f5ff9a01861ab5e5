"""Free flight with the conserving integrator: exact motions, order, energy and momenta over many steps."""

from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest
from scipy.special import ellipj
from tests.dynamics.samples import simulate
from tests.formalisms.system_samples import double_pendulum, elastic_rod, free_body, state_of
from tests.rounding import ROUNDING, rounding

from flexframe.errors import InputError
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.contract import DynamicSystem, Simulation
from flexframe.multibody.integrators import free_flight
from flexframe.multibody.integrators.conserving import Conserving, gauss_coefficients
from flexframe.multibody.integrators.free_flight import body_mass_matrix, body_momenta, central_inertia
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import ClampedFrame, attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.reduced_body import reduced_body
from flexframe.reduction.second_order import consistent_mass_matrix, second_order_fields
from flexframe.reduction.strategies import Modal
from flexframe.sensors import MarkerSensor

FREE_BODY = free_body()


def departures(run) -> tuple[float, float, float]:
    """Largest relative changes of energy, linear and angular momentum over the samples."""
    energy = run.stored_energy + run.energies[:, 6]

    def change(values) -> float:
        return float(np.abs(values - values[0]).max() / (np.abs(values[0]).max() or 1.0))

    return change(energy), change(run.linear_momentum), change(run.angular_momentum)


def test_mass_matrix_is_that_of_the_field_at_all_nodes() -> None:
    """Against the matrix of the second-order field, which was checked point by point; round-off."""
    body = elastic_rod("frame", 0.7, space="spatial")[0]
    attached = attach(body, reference=ClampedFrame("start"))
    basis = reduction_basis(attached, Modal(4))
    reduced, second = reduced_body(attached, basis), second_order_fields(attached, basis)
    system = dynamic_system(System([body], space="spatial"), {"frame": reduced}, second_order={"frame": second})
    delta = 0.02 * np.random.default_rng(0).standard_normal(4)
    expected = consistent_mass_matrix(reduced, second, delta)
    found = body_mass_matrix(system.bodies[0], delta)
    np.testing.assert_allclose(found, expected, atol=ROUNDING * np.abs(expected).max())


@pytest.mark.parametrize("space", ["spatial", "planar"])
def test_hamiltonian_and_its_gradient(space: str) -> None:
    """H against ½uᵀMu + ½δᵀkδ of the momenta (round-off), ∂H against fourth-order differences (1e-9)."""
    system = FREE_BODY if space == "spatial" else free_body("planar")
    body, m = system.bodies[0], system.bodies[0].size
    inertia = central_inertia(body, planar=system.planar)
    state = state_of(system)
    u = np.concatenate([state.velocities[0], state.angular_velocities[0], state.rates])
    momenta = body_momenta(body, state.deformation, u)
    z = np.linalg.solve(inertia.modes, state.deformation)
    y = np.concatenate([momenta.angular, z, inertia.modes.T @ momenta.elastic])

    def H(at: np.ndarray) -> float:
        return float(inertia.energy_gradient(at[None])[0][0])

    carried = momenta.linear @ momenta.linear / (2 * body.mass)  # of the mass centre
    expected = u @ body_mass_matrix(body, state.deformation) @ u / 2 - carried
    expected += state.deformation @ body.stiffness @ state.deformation / 2
    assert H(y) == pytest.approx(expected, rel=1e-13)
    slope = inertia.energy_gradient(y[None])[1][0]
    order = [0, 1, 2, *range(3 + m, 3 + 2 * m), *range(3, 3 + m)]  # ∂H/∂(L, p, z)
    for place, number in enumerate(order):
        if system.planar and number < 2:
            continue
        size = 1e-4 * max(abs(y[number]), 1e-2)
        steps = [H(y + k * size * np.eye(len(y))[number]) for k in (-2, -1, 1, 2)]
        difference = (8 * (steps[2] - steps[1]) - (steps[3] - steps[0])) / (12 * size)
        assert difference == pytest.approx(slope[place], rel=1e-9, abs=1e-9 * np.abs(slope).max())


def test_coefficients_are_those_of_gauss() -> None:
    """Two stages: a_ij of the method of Gauss in closed form; with K = s the mean is the value itself."""
    found, root = gauss_coefficients(2, 2), np.sqrt(3) / 6
    np.testing.assert_allclose(found.stages, [[0.25, 0.25 - root], [0.25 + root, 0.25]], atol=ROUNDING)
    np.testing.assert_allclose(found.weights, [0.5, 0.5], atol=ROUNDING)
    np.testing.assert_allclose(found.means, np.eye(2), atol=ROUNDING)


def test_rigid_body_turns_as_euler_found() -> None:
    """Torque-free ω(t) in Jacobi's elliptic functions; order 6 at 0.01 rad a step leaves 1e-12."""
    J, spin = np.array([1.0, 2.0, 2.6]), np.array([0.7, 0.0, 1.3])
    start = {"top": Placement(angular_velocity=tuple(spin))}
    top = RigidBody("top", 1.0, tuple(J), points={"O": (0, 0, 0)})
    system = dynamic_system(System([top], start=start, space="spatial"))
    run = simulate(system, duration=7.0, step=0.01, integrator="conserving", samples=8)
    twice, square = J @ spin**2, (J * spin) @ (J * spin)  # 2T and L²
    a = [
        np.sqrt((square - J[2] * twice) / (J[0] * (J[0] - J[2]))),
        np.sqrt((square - J[2] * twice) / (J[1] * (J[1] - J[2]))),
        np.sqrt((square - J[0] * twice) / (J[2] * (J[2] - J[0]))),
    ]
    modulus = (J[1] - J[0]) * (twice * J[2] - square) / ((J[2] - J[1]) * (square - twice * J[0]))
    rate = np.sqrt((J[2] - J[1]) * (square - twice * J[0]) / np.prod(J))
    assert 0 < modulus < 1
    sn, cn, dn, _ = ellipj(rate * run.times, modulus)
    expected = np.stack([a[0] * cn, a[1] * sn, a[2] * dn], axis=1)
    found = run.velocities[:, 3:6]
    expected[:, 1] *= np.sign(found[1, 1] / expected[1, 1])  # the sense of the middle component
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert max(departures(run)[::2]) < ROUNDING


@pytest.mark.parametrize(("stages", "points"), [(1, 3), (2, 4), (3, 5)])
def test_order(stages: int, points: int) -> None:
    """Halving the step divides the error by 2^(2s); the reference has steps far below the smallest."""
    start, times = state_of(FREE_BODY), np.array([0.0, 0.1])
    exact = simulate(FREE_BODY, start, samples=times, step=1e-4, integrator=Conserving(4, 6))
    errors = []
    for count in (40, 80, 160):
        run = simulate(FREE_BODY, start, samples=times, step=0.1 / count, integrator=Conserving(stages, points))
        gap = np.abs(run.quaternions[-1] - exact.quaternions[-1]).max()
        errors.append(max(gap, np.abs(run.deformations[-1] - exact.deformations[-1]).max()))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders[-1], 2 * stages, atol=0.15)


def test_energy_and_momenta_over_1e5_steps() -> None:
    """A tumbling, vibrating beam, some fifteen steps in its fastest period; one rounding a step at worst."""
    system = free_body(modes=3)
    run = simulate(system, state_of(system), duration=300.0, step=3e-3, integrator="conserving", samples=101)
    assert run.statistics.steps == 100_000
    assert max(departures(run)) < rounding(100_000)
    energy = run.stored_energy
    drift = np.polyfit(run.times, energy - energy[0], 1)[0] * run.times[-1]
    assert abs(drift) < 1e-13 * energy[0]


@pytest.mark.slow
def test_no_drift_over_1e6_steps() -> None:
    """A straight line through a million steps of energy and angular momentum rises by less than 1e-12."""
    system = free_body()
    run = simulate(system, state_of(system), duration=1000.0, step=1e-3, integrator="conserving", samples=201)
    assert run.statistics.steps == 1_000_000
    assert max(departures(run)) < 1e-11
    carried = np.abs(run.positions).max() * np.abs(run.linear_momentum).max()  # r × p far from the origin rounds
    for values, noise in (
        (run.stored_energy, 0.0),
        *((part, 1e-15 * carried) for part in run.angular_momentum.T),
    ):
        rise = np.polyfit(run.times, values, 1)[0] * run.times[-1]
        assert abs(rise) < 1e-12 * np.abs(values).max() + noise


def test_planar_flight_counts_turns() -> None:
    """A planar body at 6 rad/s turns through many turns; |R L| and the mean angle agree with the quaternion."""
    system = free_body("planar")
    run = simulate(system, state_of(system), duration=3.0, step=1e-3, integrator="conserving", samples=31)
    assert max(departures(run)) < 1e-13
    assert run.angles[-1, 0] > 2 * np.pi
    R = rotation_from_quaternion(run.quaternions[:, 0])
    turned = np.exp(1j * run.angles[:, 0])
    np.testing.assert_allclose(R[:, 0, 0] + 1j * R[:, 1, 0], turned, atol=1e-12)


def test_generalised_alpha_converges_to_it() -> None:
    """Another integrator on the same equations, its error falling by four with half the step."""
    start, times = state_of(FREE_BODY), np.array([0.0, 0.1])
    exact = simulate(FREE_BODY, start, samples=times, step=5e-4, integrator="conserving")
    errors = []
    for step in (4e-4, 2e-4, 1e-4):
        run = simulate(FREE_BODY, start, samples=times, step=step, spectral_radius=1.0)
        errors.append(np.abs(run.velocities[-1] - exact.velocities[-1]).max())
    np.testing.assert_allclose(np.log2(errors[1] / errors[2]), 2.0, atol=0.2)
    assert errors[2] < 0.02 * np.abs(exact.velocities[-1]).max()


def test_gravity_moves_the_mass_centre_only() -> None:
    """Attitude and deformation are those without gravity; the mass centre falls by ½gt² exactly."""
    falling = replace_loads(FREE_BODY, [SystemGravity(acceleration=(0.0, 0.0, -9.81))])
    start = state_of(FREE_BODY)
    plain = simulate(FREE_BODY, start, duration=0.4, step=1e-3, integrator="conserving", samples=3)
    run = simulate(falling, start, duration=0.4, step=1e-3, integrator="conserving", samples=3)
    np.testing.assert_array_equal(run.quaternions, plain.quaternions)
    np.testing.assert_array_equal(run.deformations, plain.deformations)
    fall = run.positions[-1, 0] - plain.positions[-1, 0]
    np.testing.assert_allclose(fall, [0, 0, -9.81 * 0.4**2 / 2], atol=ROUNDING)
    assert run.energy_drift < 1e-13


def replace_loads(system: DynamicSystem, loads: list) -> DynamicSystem:
    elastic = {body.name: body.reduced for body in system.bodies if body.reduced is not None}
    return dynamic_system(replace(system.system, loads=loads), elastic)


def test_damping_takes_energy_and_no_momentum() -> None:
    """What is lost is what the dampers took, to rounding; both momenta stay."""
    system = free_body(damping=1e-4)
    run = simulate(system, state_of(system), duration=2.0, step=1e-3, integrator="conserving", samples=11)
    energy, linear, angular = departures(run)
    assert max(energy, linear, angular) < 1e-12
    assert run.energies[-1, 6] > 0.3 * run.energies[0, 1]


def test_continued_runs_are_the_same_bit_by_bit() -> None:
    """From the end of a run, and from its arrays as a file would hold them."""
    start, times = state_of(FREE_BODY), np.linspace(0.0, 0.2, 5)
    whole = simulate(FREE_BODY, start, samples=times, step=1e-3, integrator="conserving")
    half = simulate(FREE_BODY, start, samples=times[:3], step=1e-3, integrator="conserving")
    kept = type(half.end).from_arrays(half.end.arrays())
    rest = simulate(FREE_BODY, kept, samples=times[2:], step=1e-3, integrator="conserving")
    np.testing.assert_array_equal(rest.quaternions, whole.quaternions[2:])
    np.testing.assert_array_equal(rest.velocities, whole.velocities[2:])
    np.testing.assert_array_equal(rest.positions, whole.positions[2:])


def test_pauses_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core returns after every single step instead of every 0.05 s; nothing is different."""
    start, times = state_of(FREE_BODY), np.linspace(0.0, 0.2, 3)
    whole = simulate(FREE_BODY, start, samples=times, step=1e-3, integrator="conserving")
    reports: list[float] = []
    monkeypatch.setattr(free_flight, "_PATIENCE", 0.0)
    run = simulate(FREE_BODY, start, samples=times, step=1e-3, integrator="conserving", progress=reports.append)
    np.testing.assert_allclose(reports, np.arange(1, 201) / 200, rtol=ROUNDING)
    assert run.statistics.iterations == whole.statistics.iterations
    for name, value in whole.end.arrays().items():
        np.testing.assert_array_equal(run.end.arrays()[name], value, err_msg=name)


def test_a_run_can_be_stopped_soon() -> None:
    """Python has the word every 0.05 s between samples; the median gap leaves room for a busy machine."""
    moments: list[float] = []

    def stop(fraction: float) -> None:
        moments.append(perf_counter())
        if len(moments) == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(
            FREE_BODY,
            state_of(FREE_BODY),
            duration=1e4,
            step=1e-3,
            integrator="conserving",
            samples=2,
            progress=stop,
        )
    assert np.median(np.diff(moments)) < 0.2


def test_all_steps_are_shown() -> None:
    """Steps that are observed in blocks have the bits of samples; only times may be rounded differently."""
    start, times = state_of(FREE_BODY), np.linspace(0.0, 0.04, 41)
    run = simulate(FREE_BODY, start, samples=times, step=1e-3, integrator="conserving")
    blocks: list[Simulation] = []
    simulate(FREE_BODY, start, samples=times[[0, -1]], step=1e-3, integrator="conserving", observe=blocks.append)

    def shown(name: str) -> np.ndarray:
        return np.concatenate([getattr(block, name) for block in blocks])

    for name in ("quaternions", "deformations"):
        np.testing.assert_array_equal(shown(name), getattr(run, name), err_msg=name)
    for name in ("times", "positions", "velocities", "energies"):
        expected = getattr(run, name)
        atol = ROUNDING * np.abs(expected).max()
        np.testing.assert_allclose(shown(name), expected, atol=atol, err_msg=name)


def test_tables_of_a_wrong_shape_are_rejected() -> None:
    """The core names the table and its length instead of reading beyond it."""
    inertia = central_inertia(FREE_BODY.bodies[0], planar=False)
    m, n = FREE_BODY.bodies[0].size, FREE_BODY.bodies[0].fields
    short = replace(inertia, shape_products=inertia.shape_products[:8])
    with pytest.raises(ValueError, match=f"shape_products has {8 * n * n} numbers instead of {9 * n * n}"):
        _ = short.hamiltonian
    with pytest.raises(ValueError, match=f"rows of {3 + 2 * m} numbers"):
        inertia.energy_gradient(np.zeros((2, 5)))


def test_refusals_and_reasons() -> None:
    pendulum = double_pendulum()
    with pytest.raises(InputError, match=r"does not know the small deflections of .* use generalised_alpha"):
        simulate(pendulum, duration=0.1, step=1e-3, integrator="conserving")
    for before in (None, (0.0, 0.0, 0.0)):
        push = MarkerForce("push", "block", ("-3*speed", 0.0, 0.0), force_before=before)
        sensors = {"speed": MarkerSensor("velocity", "block", along=(1.0, 0.0, 0.0))}
        block = System([RigidBody("block", 1.0, np.eye(3))], loads=[push], sensors=sensors, space="spatial")
        with pytest.raises(InputError, match="does not know forces that follow the state"):
            simulate(dynamic_system(block), duration=0.1, step=1e-3, integrator="conserving")
    with pytest.raises(InputError, match="conserving has equal steps"):
        simulate(FREE_BODY, initial_state(FREE_BODY), duration=0.1, tolerance=1e-6, integrator="conserving")
    run = simulate(
        FREE_BODY, state_of(FREE_BODY), duration=5.0, step=1.0, integrator="conserving", samples=2, partial=True
    )
    assert run.reason is not None
    assert "did not converge" in run.reason
    with pytest.raises(InputError, match="stages"):
        Conserving(3, 2)
