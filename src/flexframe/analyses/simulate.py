"""Motion in time of a body on a known frame, or of a whole system: one function, the same words."""

from collections.abc import Callable, Mapping
from typing import Literal, Required, TypedDict, Unpack, overload

from flexframe.analyses.transient.analysis import Start, body_transient
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled.motion import system_transient
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.analyses.transient.record import Transient
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.model.system import InitialDeformation, System
from flexframe.model.system_damping import SystemDamping
from flexframe.motion.frame import REST, FrameMotion, MotionLaw
from flexframe.multibody.contract import SimulationOptions
from flexframe.results.checkpoint import Checkpoint, keep_in
from flexframe.sensors.contract import Sensor


class _Words(TypedDict, total=False):
    """The keywords of `simulate`, for type checkers, who learn from the target what is returned."""

    duration: Required[float]
    step: float | None
    steps: int | None
    tolerance: float | None
    integrator: str | None
    formalism: str | None
    samples: int | None
    sensors: Mapping[str, Sensor] | None
    terms: Terms | None
    spectral_radius: float | None
    initial_deformation: InitialDeformation | None
    period: float | None
    damping: SystemDamping | None
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None
    modes: int | None
    start: Start | None
    stress: bool
    discrete: Mapping[str, DiscreteBody] | None
    progress: Callable[[float], None] | None
    checkpoint: Checkpoint | None
    after: CoupledMotion | None


@overload
def simulate(target: System, **words: Unpack[_Words]) -> CoupledMotion: ...
@overload
def simulate(
    target: Body | DiscreteBody, motion: FrameMotion | MotionLaw | None = ..., **words: Unpack[_Words]
) -> Transient: ...
def simulate(
    target: System | Body | DiscreteBody,
    motion: FrameMotion | MotionLaw | None = None,
    *,
    duration: float,
    step: float | None = None,
    steps: int | None = None,
    tolerance: float | None = None,
    integrator: str | None = None,
    formalism: str | None = None,
    samples: int | None = None,
    sensors: Mapping[str, Sensor] | None = None,
    terms: Terms | None = None,
    spectral_radius: float | None = None,
    initial_deformation: InitialDeformation | None = None,
    period: float | None = None,
    damping: SystemDamping | None = None,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    modes: int | None = None,
    start: Start | None = None,
    stress: bool = True,
    discrete: Mapping[str, DiscreteBody] | None = None,
    progress: Callable[[float], None] | None = None,
    checkpoint: Checkpoint | None = None,
    after: CoupledMotion | None = None,
) -> Transient | CoupledMotion:
    """Motion from t = 0 over `duration` [s]: of a body on a frame that moves in a known way, or of a system.

    Parameters
    ----------
    target
        A body (its frame moves as `motion` says, at rest without one), whose equations are linear in its
        deformation; or a system, whose frames and deformations are unknown together.
    motion
        Of the frame of a body: ω, ε, v_O and a_O that stay, or a law of time.
    duration
        Length of the motion [s].
    step, steps, tolerance
        One of them: the step [s], the number of equal steps, or (system) the relative error of a step.
    integrator, formalism
        Who integrates (system: generalised_alpha, conserving; with a tolerance dormand_prince,
        dormand_prince_853, radau), and whose equations, if not the closed form.
    samples
        Instants that are stored; without it up to 4000 of a body and about 400 of a system. Extremes are always
        those over all steps.
    sensors
        By name, see `flexframe.sensors`; a sensor that asks for what the motion does not have is refused.
    terms
        Multipliers of the terms of the moving frame; in a system `geometric` alone, 0 or 1.
    spectral_radius
        Of generalised-α; without it 1 for a body (nothing is damped) and 0.8 for a system (multipliers of joints
        must be).
    initial_deformation, period
        "undeformed" (usual for a body), in "equilibrium" with motion and loads at t = 0 (usual for a system), or,
        of a system, with all bodies where they would rest, "at_rest", or on the steady cycle, "periodic", whose
        `period` [s] follows from drives that turn steadily.
    damping
        Ratios of the assembled system, beside the damping of its bodies.
    reductions
        Of the meshed bodies of a system, by name; eight modes with static corrections for the others.
    modes
        Of one body: shapes of Whittaker's basis, 4 without it.
    start, stress
        Of one body: displacements and rates at t = 0 instead of `initial_deformation`; whether stress is followed.
    discrete, progress, checkpoint
        Who is called with the finished fraction; of a system also matrices at hand, and where unfinished work is
        kept.
    after
        Of a system: the motion of the same bodies after which this one goes on, from its end and time. Joints,
        drives, loads and steps may be others; velocities that these do not allow are changed, as notices say.

    Returns
    -------
    Transient or CoupledMotion
        `Transient` of a body, `CoupledMotion` of a system, SI units. Where the theory of small deflections ends
        or no solution is found, the motion of a system ends there and says why.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade",
    ...     length=1.0,
    ...     divisions=4,
    ...     section=ff.Rectangle(0.04, 0.01),
    ...     material=ff.STEEL,
    ...     supports=[ff.Clamp("start")],
    ...     loads=[ff.NodeForce("end", (0.0, 1.0))],
    ... )
    >>> tip = {"tip": ff.sensors.DofSensor("end", "uy")}
    >>> found = ff.simulate(blade, duration=0.1, steps=200, sensors=tip, initial_deformation="equilibrium")
    >>> found.sensors["tip"].values[[0, -1]].round(8)  # m: it stays at F L³/3EI and a little shear
    array([0.00047623, 0.00047623])
    """
    options = SimulationOptions(
        duration=duration,
        step=step,
        steps=steps,
        tolerance=tolerance,
        integrator=integrator,
        formalism=formalism,
        samples=samples,
        spectral_radius=spectral_radius,
        terms=terms or Terms(),
        initial_deformation=initial_deformation,
        period=period,
        modes=modes,
    )
    if isinstance(target, System):
        _reject("a system", "leave it out, or give a body", motion=motion, start=start)
        with keep_in(checkpoint):
            return system_transient(
                target,
                options,
                sensors=sensors,
                reductions=reductions,
                damping=damping,
                discrete=discrete,
                progress=progress,
                after=after,
            )
    remedy = "give a system, or leave it out (a body has its own damping)"
    own = {"damping": damping, "reductions": reductions, "discrete": discrete, "checkpoint": checkpoint}
    _reject("one body", remedy, **own, after=after)
    return body_transient(
        target,
        REST if motion is None else motion,
        options,
        sensors=sensors,
        start=start,
        stress=stress,
        progress=progress,
    )


def _reject(what: str, remedy: str, **given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} does not belong to the motion of {what}; {remedy}")
