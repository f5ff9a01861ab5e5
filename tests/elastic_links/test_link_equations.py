"""The equations of a link along a history: against exact beams and against the closed form instant by instant."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff
from flexframe.equations.coefficients import Terms
from flexframe.mesh.plane_builders import rectangle
from flexframe.model.friction import Friction
from flexframe.model.system_loads import Actuator, MarkerForce, Spring, SystemGravity
from flexframe.multibody.inverse_dynamics import inverse_dynamics
from flexframe.multibody.kinematics import follow
from flexframe.multibody.links.cycle_modes import cycle_modes
from flexframe.multibody.links.link import ElasticLink, given_history, link_history
from flexframe.multibody.mechanism import mechanism
from flexframe.sensors.kinds import MarkerSensor

from .links import PINNED, marker_load, pinned_beam, slider_crank


def along_random_motion(body, seed=3, instants=4):
    """Frame motion in space and forces at both ends, all of comparable influence."""
    random = np.random.default_rng(seed)
    t = np.arange(instants, dtype=float)
    omega, epsilon, a = (random.normal(size=(instants, 3)) * s for s in (60.0, 400.0, 300.0))
    if body.space == "planar":
        omega[:, :2] = epsilon[:, :2] = a[:, 2] = 0.0
    forces = random.normal(size=(2, instants, 3)) * 3e3
    if body.space == "planar":
        forces[..., 2] = 0.0
    loads = tuple(
        marker_load(body, on, t, force=force) for on, force in zip(("start", "end"), forces, strict=True)
    )
    return given_history(
        t, angular_velocity=omega, angular_acceleration=epsilon, origin_acceleration=a, loads=loads
    )


def test_uniform_axial_force():
    """f² = f0² (1 + P/P_cr): a pinned Euler–Bernoulli beam keeps its sines, so the law is exact for each mode n
    with P_cr n²; ten cubic elements have errors (π n/10)⁴/720 of frequencies, 1e-5 for n = 1, 2e-4 for n = 2."""
    body = pinned_beam()
    section = ff.Rectangle(0.02, 0.03)
    critical = np.pi**2 * ff.STEEL.young * section.inertia_z
    forces = critical * np.array([-0.9, -0.3, 0.0, 0.5, 2.0])
    t = np.arange(5.0)
    load = marker_load(body, "end", t, force=np.stack([forces, 0 * t, 0 * t], axis=1))
    link = ElasticLink.attach(ff.discretise(body))
    found = cycle_modes(link.equations(given_history(t, loads=(load,))), 3)
    frequencies = found.eigenvalues.imag / (2 * np.pi)
    still = (np.pi**2 * np.sqrt(ff.STEEL.young * section.inertia_z / (ff.STEEL.density * section.area))) / (
        2 * np.pi
    )
    for n, tolerance in ((1, 2e-5), (2, 2e-4)):
        exact = n**2 * still * np.sqrt(1 + forces / (critical * n**2))
        # near buckling the relative error of f² grows by 1/(1 + P/P_cr)
        np.testing.assert_allclose(frequencies[:, n - 1] ** 2, exact**2, atol=2 * tolerance * (n**2 * still) ** 2)
    # beyond the critical force the frozen equations diverge: the eigenvalue is real and positive
    beyond = marker_load(body, "end", t[:1], force=(-1.2 * critical, 0, 0))
    lowest = cycle_modes(link.equations(given_history(t[:1], loads=(beyond,))), 1).eigenvalues[0, 0]
    assert lowest.imag == 0
    assert lowest.real == pytest.approx(2 * np.pi * still * np.sqrt(0.2), rel=1e-4)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_equals_the_closed_form(space):
    """Sums of units equal the equations of motion of the same instant with the forces as loads of the body."""
    supports = PINNED if space == "planar" else (*PINNED, ff.Fix("start", ("rx",)), ff.Fix("end", ("uz",)))
    body = replace(pinned_beam(4, rotary_inertia=1.0), space=space, supports=supports)
    history = along_random_motion(body)
    terms = Terms(coriolis=0.7, euler=1.3, centrifugal=0.9, geometric=1.1)
    equations = ElasticLink.attach(ff.discretise(body)).equations(history, terms)
    for i in range(4):
        loads = tuple(
            ff.NodeForce(on, tuple(load.force[i]))
            for on, load in zip(("start", "end"), history.loads, strict=True)
        )
        discrete = ff.discretise(replace(body, loads=loads))
        motion = ff.FrameMotion(
            history.angular_velocities[i],
            history.angular_accelerations[i],
            (0, 0, 0),
            history.origin_accelerations[i],
        )
        exact = ff.bodies.equations_of_motion(discrete, motion, terms)
        reduce = discrete.supports.reduce_matrix
        for ours, theirs in (
            (equations.matrix_at(0, i), reduce(exact.stiffness)),
            (equations.matrix_at(1, i), reduce(exact.damping)),
        ):
            # sums in another order: round-off only
            assert abs(ours - theirs).max() < 1e-12 * abs(theirs).max()
        load = discrete.supports.reduce_vector(exact.load)
        np.testing.assert_allclose(equations.load_at(slice(None))[i], load, atol=1e-12 * np.abs(load).max())


def test_projection_keeps_the_sums():
    body = pinned_beam(4)
    equations = ElasticLink.attach(ff.discretise(body)).equations(along_random_motion(body))
    V = np.random.default_rng(0).normal(size=(equations.size, 5))
    reduced = equations.project(V)
    everything = slice(None)
    for i in range(4):
        for small, full in (
            (reduced.stiffness_at(everything)[i], equations.matrix_at(0, i)),
            (reduced.damping_at(everything)[i], equations.matrix_at(1, i)),
        ):
            whole = V.T @ (full @ V)
            np.testing.assert_allclose(small, whole, atol=1e-12 * np.abs(whole).max())
        np.testing.assert_allclose(
            reduced.load_at(everything)[i], V.T @ equations.load_at(everything)[i], rtol=1e-9, atol=1e-9
        )


def test_history_of_a_mechanism_balances():
    """Forces at the places of the rod and its inertia are in equilibrium at every instant (d'Alembert), with
    gravity, a spring, a force at a place, and an actuator and friction that follow the state among them: misfits
    are round-off of the largest force."""
    loads = (
        SystemGravity(),
        Spring("spring", "ground.A", "rod.4", stiffness=2e4, free=0.1, damping=5.0),
        MarkerForce("push", "rod.2", ("30*sin(100*t)", "50 + 100*way.y", "0"), axes="body"),
        Actuator("ram", "ground.A", "rod.3", "200*way.x", along="line"),
        Friction("rub", "ground.A", "rod.3", "20*(1 + t)", velocity=0.1),
    )
    system = replace(slider_crank(), loads=loads, sensors={"way": MarkerSensor("position", "rod.3")})
    forces = inverse_dynamics(follow(mechanism(system), np.linspace(0, 0.04, 9)))
    history = link_history(forces, "rod")
    inertia = ff.discretise(slider_crank().body("rod")).inertia
    m, S, J = inertia.mass, inertia.first_moment, inertia.inertia_tensor
    for i in range(9):
        w, e, a = history.angular_velocities[i], history.angular_accelerations[i], history.origin_accelerations[i]
        force = sum(load.force[i] for load in history.loads)
        moment = sum(load.moment[i] + np.cross(load.point, load.force[i]) for load in history.loads)
        rate = m * a + np.cross(e, S) + np.cross(w, np.cross(w, S))
        spin = np.cross(S, a) + J @ e + np.cross(w, J @ w)
        assert np.abs(force - rate).max() < 1e-9 * 2e3
        assert np.abs(moment - spin).max() < 1e-9 * 2e3 * 0.3
    assert {load.name for load in history.loads} == {"B", "C", "spring", "push", "ram", "rub"}


def test_support_reactions_of_the_rigid_limit():
    """Statically determinate supports of a link that carries its joint forces carry nothing themselves when the
    deformation is static: reactions of equilibrium under all loads vanish to round-off."""
    system = slider_crank(supports=PINNED)
    forces = inverse_dynamics(follow(mechanism(system), np.linspace(0, 0.04, 5)))
    discrete = ff.discretise(system.body("rod"))
    link = ElasticLink.attach(discrete)
    free = ff.discretise(slider_crank().body("rod"))
    equations = link.equations(link_history(forces, "rod"), Terms(geometric=0), supports=free.supports)
    for i in range(5):
        f = equations.load_at(slice(None))[i]
        u = discrete.equilibrium.solve(f).displacements[:, 0]
        reactions = discrete.supports.support_forces(discrete.stiffness @ u - f)
        assert np.abs(reactions).max() < 1e-9 * np.abs(f).max()


def test_errors():
    loose = replace(pinned_beam(), supports=(ff.Pin("start"),))
    with pytest.raises(ff.InputError, match="tie it to the frame"):
        ElasticLink.attach(ff.discretise(loose))
    t = np.arange(2.0)
    plate = ff.Body.plane(
        "plate",
        rectangle(0.2, 0.1, (2, 1)),
        material=ff.STEEL,
        thickness=0.01,
        supports=(ff.Clamp("left"),),
    )
    load = marker_load(plate, 1, t, force=(1, 0, 0), moment=(0, 0, 1))
    with pytest.raises(ff.InputError, match="moment along rz on body plate"):
        ElasticLink.attach(ff.discretise(plate)).equations(given_history(t, loads=(load,)))
    loaded = slider_crank()
    rod = replace(loaded.body("rod"), loads=(ff.Gravity(),))
    loaded = replace(loaded, bodies=[rod if b.name == "rod" else b for b in loaded.bodies])
    forces = inverse_dynamics(follow(mechanism(loaded), t * 0.01))
    with pytest.raises(ff.InputError, match="loads of its own"):
        link_history(forces, "rod")
