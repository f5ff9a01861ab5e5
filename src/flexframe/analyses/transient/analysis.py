"""Motion in time of one body on a frame that moves in a known way, by the closed form or by any formalism."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from flexframe.analyses.body_state import BodySensors
from flexframe.analyses.formalism_equations import require_complete_inertia
from flexframe.analyses.judging import judge
from flexframe.analyses.transient.histories import INSTANTS, History, Recorder, recorded_path
from flexframe.analyses.transient.record import Transient
from flexframe.analyses.transient.stress_following import FollowedStress
from flexframe.analyses.transient.time_routes import ClosedForm
from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.equations.bodies import affine_equations
from flexframe.equations.cycle import Combination
from flexframe.errors import AnalysisError, InputError, at_field
from flexframe.formalisms.bodies import is_damped, require_elements
from flexframe.formalisms.registry import formalism_named
from flexframe.formalisms.time_stepping import BodyMotion, BodyTask
from flexframe.maths.arrays import Array
from flexframe.maths.factorisation import SingularMatrixError, factorise
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.model.body import Body
from flexframe.motion.frame import FrameMotion, MotionLaw, Steady
from flexframe.multibody.contract import SimulationOptions
from flexframe.results.peaks import stored_words
from flexframe.sensors.contract import Sensor
from flexframe.stages import begin_work

_PROGRESS = 100  # steps between two reports of it
_LOOKED_AT = 500  # instants of the motion that are tried before anything is computed
_MODES = 4  # of Whittaker's basis
LARGEST = 1e6  # displacement over the size of the body at which a motion counts as diverged


@dataclass(frozen=True, eq=False)
class Start:
    """Displacements and rates relative to the frame at the first instant; zero where not given: (p,)."""

    displacements: Array | None = None
    rates: Array | None = None


@judge
def body_transient(
    body: Body | DiscreteBody,
    motion: FrameMotion | MotionLaw,
    options: SimulationOptions,
    *,
    sensors: Mapping[str, Sensor] | None = None,
    start: Start | None = None,
    stress: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Transient:
    """Integrate M δ̈ + C δ̇ + K δ = f of a body on a known frame; `simulate` explains the options.

    Without a formalism: generalised-α on the eliminated equations, coefficients combined from invariants. With one
    the equations of all elements, the constraints of the supports and the steps are its own; where it needs a
    reduced basis, that has `modes` shapes. With `stress` its largest values are followed in time.
    """
    _require_equal_steps(options)
    steps, end, terms = options.equal_steps, options.duration, options.terms
    discrete = ensure_discrete(body)
    law = Steady(motion) if isinstance(motion, FrameMotion) else motion
    route = formalism_named(options.formalism) if options.formalism is not None else None
    times = np.linspace(0.0, end, steps + 1)
    with at_field("motion"):
        for t in times[:: max(1, steps // _LOOKED_AT)]:
            law.at(float(t))
    if route is not None:
        require_elements(discrete, field="formalism")
        require_complete_inertia(route, terms)
        instants = [law.at(float(t)) for t in np.linspace(0.0, end, 33)]
        reason = route.refusal(instants, damped=is_damped(discrete))
        if reason is not None:
            raise AnalysisError(
                f"{route.title} does not apply: {reason}; choose another formalism", field="formalism"
            )
    discrete.require_freedom()
    _require_mass(discrete)
    followers = BodySensors(sensors or {}, discrete, law)
    began = perf_counter()
    equations = affine_equations(discrete, terms)
    combined = Combination(equations.project(discrete.supports))
    method = AlphaMethod(1.0 if options.spectral_radius is None else options.spectral_radius)
    task = BodyTask(discrete, law, times, terms.geometric, method, options.modes or _MODES)
    stepper: BodyMotion = ClosedForm(task, combined) if route is None else route.body_motion(task)
    if followers.wants_accelerations and not stepper.whole:
        raise InputError(
            "accelerations are not known in a reduced basis; leave out the sensors of them", field="sensors"
        )
    start = start or _start(discrete, combined, law, options)
    zero = np.zeros(discrete.dofs.count)
    whole = Combination(equations)
    samples = options.samples or INSTANTS
    recorder = Recorder(
        discrete, law, times, followers, combined, whole, with_forces=stepper.whole, samples=samples
    )
    snapshots = recorder.kept[recorder.snapshots]
    begin_work()
    followed = FollowedStress(discrete, law, terms, times, snapshots, stepper.whole) if stress else None
    for number, instant in enumerate(
        stepper.motion(
            zero if start.displacements is None else start.displacements,
            zero if start.rates is None else start.rates,
        )
    ):
        _require_bounded(discrete, instant.displacements, float(times[number]))
        recorder.take(number, instant)
        if progress is not None and number % _PROGRESS == 0:
            progress(number / steps)
        if followed is not None:
            inert = followed.wants_accelerations
            followed.take(
                number, instant, recorder.accelerations(float(times[number]), instant) if inert else None
            )
    history: History = recorder.history()
    found = None if followed is None else followed.record()
    seconds = perf_counter() - began
    return Transient(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        model=discrete.body,
        times=times[history.kept],
        sensors=history.sensors,
        support_forces=history.support_forces,
        snapshots=history.snapshots,
        displacements=history.displacements,
        frame_path=recorded_path(law, times[history.kept][history.snapshots]),
        energy_drift=history.energy_drift,
        constraint_residual=history.constraint_residual,
        steps=stepper.steps,
        seconds=seconds,
        formalism=route.name if route is not None else "",
        method=stepper.description,
        frame="rotating" if law.at(0.0).speed or law.at(end).speed else "fixed",
        terms=terms,
        notices=(*stepper.notices, *stored_words(steps, len(history.kept))),
        stress=found,
    )


def _require_equal_steps(options: SimulationOptions) -> None:
    """Refuse what belongs to the motion of a system."""
    if options.tolerance is not None:
        raise InputError(
            "a body on a known frame takes equal steps; give step or steps instead of a tolerance",
            field="tolerance",
        )
    if options.integrator not in {None, "generalised_alpha"}:
        raise InputError(
            f"the integrator '{options.integrator}' belongs to the motion of a system; on one body leave it out, "
            "or give a formalism",
            field="integrator",
        )
    if options.initial_deformation in {"periodic", "at_rest"}:
        raise InputError(
            f"a start '{options.initial_deformation}' belongs to the motion of a system; on one body give "
            "initial_deformation equilibrium or undeformed",
            field="initial_deformation",
        )


def _start(discrete: DiscreteBody, combined: Combination, law: MotionLaw, options: SimulationOptions) -> Start:
    """Undeformed, or in equilibrium with the motion and the loads at t = 0: K δ = f."""
    if options.initial_deformation != "equilibrium":
        return Start()
    now = combined.at(law.at(0.0))
    try:
        solved = factorise(now.stiffness, "general").solve(np.asarray(now.load))
    except SingularMatrixError as error:
        raise AnalysisError(
            f"body {discrete.body.name} has no equilibrium at t = 0: its stiffness is singular; support "
            "it, or give initial_deformation undeformed",
            field="initial_deformation",
        ) from error
    return Start(discrete.supports.expand(solved))


def _require_mass(discrete: DiscreteBody) -> None:
    """Accelerations exist only where every motion has mass."""
    try:
        factorise(discrete.supports.reduce_matrix(discrete.mass), "spd").close()
    except SingularMatrixError as error:
        raise AnalysisError(
            f"body {discrete.body.name} can move without mass (a rotation that no element gives inertia), so its "
            "accelerations are not defined; hold that motion, or add mass there"
        ) from error


def _require_bounded(discrete: DiscreteBody, displacements: Array, time: float) -> None:
    largest = float(np.abs(displacements).max(initial=0.0))
    if not largest <= LARGEST * discrete.size:
        raise AnalysisError(
            f"the motion diverged: a displacement of {largest:.1e} m at t = {time:g} s; use smaller steps, or "
            "check the terms (a spinning body needs its geometric stiffness)"
        )
