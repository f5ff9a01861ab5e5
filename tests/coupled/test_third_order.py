"""Equations of third order in the deflection of beams: against exact beams, energies and formalisms."""

import numpy as np
import pytest
from tests.exact_beams.cantilevers import CLAMP, Stiffness, beam_along, clamped, equilibria, sections, straight

from flexframe.analyses.crosscheck.system_analysis import crosscheck_dynamics
from flexframe.analyses.simulate import simulate
from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import Material, ShellProperty
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mesh.plane_builders import rectangle
from flexframe.model.body import Body, Region
from flexframe.model.joints import Revolute, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.supports import Pin
from flexframe.model.system import Space, System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import ClampedFrame, MeanAxes, Reference, attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.next_order import with_next_order
from flexframe.reduction.reduced_body import reduced_body
from flexframe.reduction.strategies import Modal
from flexframe.sensors import MarkerSensor

PROPERTIES = {
    "planar": Stiffness(1e6, 5e5, 0.8, 1.0).property(),
    "spatial": Stiffness(1e6, 5e5, 0.8, 1.0, 2.5).property(),
}
DIRECTIONS = {"planar": np.array([0.0, 1.0, 0.0]), "spatial": np.array([0.0, 1.0, 1.5])}
MODES = {"planar": 8, "spatial": 12}
TIP = RigidBody("tip", 1e-9, np.full(3, 1e-12))  # shows where the end is
CLAMPED = ClampedFrame("start")


def held(load: float, space: Space, *, order: int, reference: Reference, divisions: int = 8) -> Array:
    """Displacement of the tip of a cantilever of L = EI = 1 under a dead force, welded to a light body there."""
    body = beam_along(straight(1.0, divisions), PROPERTIES[space], space=space)
    system = System(
        [body, TIP],
        [CLAMP, Weld("end", "beam.end", "tip")],
        loads=[MarkerForce("pull", "tip", tuple(load * DIRECTIONS[space]))],
        start={"tip": Placement((1.0, 0.0, 0.0))},
        space=space,
    )
    choice = ReductionChoice(order=order, reference=reference, strategy=Modal(MODES[space]))  # type: ignore[arg-type]
    return np.asarray(
        system_statics(system, reductions={"beam": choice}).motion.body("tip").positions[0] - [1, 0, 0]
    )


def exact(load: float, space: Space) -> Array:
    """The same by exact beams, fine enough that their mesh does not show."""
    body = beam_along(straight(1.0, 32), PROPERTIES[space], space=space)
    pull = MarkerForce("pull", "beam.end", tuple(load * DIRECTIONS[space]))
    return np.asarray(sections(equilibria(clamped(body, [pull]))).tip - [1.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("space", "reference"),
    [("planar", CLAMPED), ("planar", MeanAxes()), ("spatial", CLAMPED)],
    ids=["planar", "planar_mean_axes", "spatial"],
)
def test_departs_with_the_fifth_power_of_the_load(space: Space, reference: Reference) -> None:
    """Across the beam; along it with the sixth. Second order: with the third and the fourth.

    Slopes between loads 0.4 and 0.2, of which the next power changes them by 0.15; in space the mesh of 16
    elements, in which twist is linear along each, leaves a little of the third power.
    """
    loads = (0.4, 0.2)
    references = [exact(load, space) for load in loads]
    across = 3 if space == "spatial" else 2
    for order, powers in ((2, (4.0, 3.0, 3.0)), (3, (6.0, 5.0, 5.0))):
        divisions = 16 if space == "spatial" else 8
        found = [held(load, space, order=order, reference=reference, divisions=divisions) for load in loads]
        departures = np.abs(np.array(found) - references)[:, :across]
        slopes = np.log2(departures[0] / departures[1])
        assert slopes == pytest.approx(powers[:across], abs=0.35)


def test_mean_axes_in_space_are_nearer() -> None:
    """The attitude of the clamp lacks products of twist and bending: a part of the third power stays."""
    true = exact(0.2, "spatial")
    second, third = (
        np.linalg.norm(held(0.2, "spatial", order=order, reference=MeanAxes()) - true) for order in (2, 3)
    )
    assert third < second / 3


def test_deflection_of_an_eighth_of_the_length() -> None:
    """Tip 13 %: the error is 1.8 % of it in second order, a fortieth of that in third."""
    true = exact(0.4, "planar")
    errors = [
        np.linalg.norm(held(0.4, "planar", order=order, reference=CLAMPED) - true) / true[1] for order in (2, 3)
    ]
    assert errors[0] == pytest.approx(0.018, rel=0.05)
    assert errors[1] < errors[0] / 30


def test_stretch_of_a_beam_that_is_held_at_both_ends() -> None:
    """w = a sin(πx/L) between two pins: ½ (EA/L) (½∫w′²)² = EA π⁴a⁴/32L³, beside ∫ U w′² = EI π⁶a⁴/16L⁵."""
    EA, EI = 1e4, 1.0
    body = beam_along(
        straight(1.0, 24),
        Stiffness(EA, 0.5 * EA, 0.8, EI).property(),
        space="planar",
        theory="euler_bernoulli",
        supports=[Pin("start"), Pin("end")],
    )
    attached = attach(body)
    reduced = reduced_body(attached, reduction_basis(attached, Modal(1)))
    order = with_next_order(attached, reduced).next_order
    assert order is not None
    middle = attached.discrete.dofs.nodal(reduced.basis.vectors[:, 0])[12, 1]
    found = float(order.energy.value(np.array([0.1 / middle])))
    expected = (EA * np.pi**4 / 32 + EI * np.pi**6 / 16) * 0.1**4
    # one element of 24 has 7.5° of the wave, mean slopes of it are right to 7.5°²/12 in w′², and rotary inertia
    # changes the mode by EI/EA
    assert found == pytest.approx(expected, rel=3e-3)


def pendulum(space: Space, *, order: int, reference: Reference) -> tuple[System, dict[str, ReductionChoice]]:
    """A strip that swings on a hinge with a heavy body welded askew to its end."""
    body = beam_along(straight(1.0, 6), PROPERTIES[space], space=space)
    bob = RigidBody("bob", 0.2, np.array([1e-3, 2e-3, 2e-3]), points={"grip": (-0.1, 0.05, 0.0)})
    system = System(
        [body, bob],
        [Revolute("hinge", "ground", "beam.start", (0.0, 0.0, 1.0)), Weld("grip", "beam.end", "bob.grip")],
        loads=[SystemGravity("weight", (0.0, -1.2, 0.3 if space == "spatial" else 0.0))],
        start={"bob": Placement((1.1, -0.05, 0.0))},
        space=space,
    )
    choice = ReductionChoice(order=order, reference=reference, strategy=Modal(4))  # type: ignore[arg-type]
    return system, {"beam": choice}


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_energy_is_kept(space: Space) -> None:
    """To the tolerance of the integrator: inertia, joints and strain are of one Lagrangian."""
    system, reductions = pendulum(space, order=3, reference=MeanAxes())
    found = simulate(
        system,
        duration=0.5,
        samples=11,
        integrator="dormand_prince_853",
        tolerance=1e-9,
        reductions=reductions,
        initial_deformation="undeformed",
    )
    total = found.energies["kinetic"] + found.energies["strain"] + found.energies["potential"]
    assert found.energies["strain"].max() > 1e-3
    assert np.abs(total - total[0]).max() < 1e-6 * found.energies["kinetic"].max()


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_six_formalisms_agree(space: Space) -> None:
    """Accelerations, joint forces and a short motion, by points that move in the field of third order."""
    system, reductions = pendulum(space, order=3, reference=MeanAxes())
    assert crosscheck_dynamics(_ready(system, reductions), duration=1e-3).agrees


def _ready(system: System, reductions: dict[str, ReductionChoice]) -> DynamicSystem:
    made = elastic_system(system, reductions, watched={})
    return dynamic_system(made.system, {name: part.reduced for name, part in made.parts.items()})


def test_motion_is_nearer_to_exact_beams_and_says_how_near() -> None:
    """A cantilever let go under a weight that bends it by a tenth of its length at rest, a fifth as it swings."""
    body = beam_along(straight(1.0, 8), PROPERTIES["planar"], space="planar")
    system = System([body], [CLAMP], loads=[SystemGravity("weight", (0.0, -0.8, 0.0))])
    found = {
        name: simulate(
            system,
            duration=2.0,
            samples=41,
            step=5e-3,
            reductions={"beam": choice},
            sensors={"tip": MarkerSensor("position", "beam.end")},
            initial_deformation="undeformed",
        )
        for name, choice in {
            "exact": ReductionChoice(exact=True),
            "second": ReductionChoice(reference=CLAMPED),
            "third": ReductionChoice(order=3, reference=CLAMPED),
        }.items()
    }
    true = found["exact"].sensors["tip"].values
    largest = np.abs(true[:, 1]).max()
    errors = {
        name: np.linalg.norm(found[name].sensors["tip"].values - true, axis=1).max() / largest
        for name in ("second", "third")
    }
    assert 0.15 < largest < 0.25
    assert errors["third"] < errors["second"] / 5
    estimates = {name: found[name].theory_error for name in errors}
    assert estimates["third"].is_bound and estimates["third"].order == 3
    # exact beams of 8 elements have an error of their own, 1e-4 of the tip
    assert estimates["third"].value > errors["third"] - 1e-3
    assert estimates["third"].value < estimates["second"].value / 2
    assert "order: 3" in estimates["second"].notices[0]


def test_what_has_no_third_order_is_refused() -> None:
    plate = Body(
        "plate",
        rectangle(1.0, 1.0, divisions=(2, 2), order=1),
        (Region(ShellProperty(Material(2e11, 0.3, 7800.0), 0.01)),),
        space="spatial",
    )
    with pytest.raises(InputError, match="not of beams alone") as refused:
        elastic_system(System([plate], space="spatial"), {"plate": ReductionChoice(order=3)}, watched={})
    assert refused.value.field == ("order",)
    beam = beam_along(straight(1.0, 4), PROPERTIES["planar"], space="planar")
    with pytest.raises(InputError, match="conserving"):
        simulate(
            System([beam]),
            duration=0.1,
            step=1e-3,
            integrator="conserving",
            reductions={"beam": ReductionChoice(order=3)},
        )
