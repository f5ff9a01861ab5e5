"""Motion in time of one body on a frame that moves in a known way, by the closed form or by any formalism."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from flexframe.analyses.formalism_equations import require_complete_inertia
from flexframe.analyses.histories import History, Recorder, Sensor, recorded_path, sensor_rows
from flexframe.analyses.judging import judged
from flexframe.analyses.motion_coefficients import CombinedCoefficients
from flexframe.analyses.stress_following import FollowedStress
from flexframe.analyses.time_routes import ClosedForm
from flexframe.assembly.discrete import DiscreteBody, discretised
from flexframe.assembly.equations import Terms
from flexframe.errors import AnalysisError, InputError
from flexframe.formalisms.bodies import is_damped
from flexframe.formalisms.registry import formalism_named
from flexframe.formalisms.time_stepping import BodyMotion, BodyTask
from flexframe.maths.arrays import Array
from flexframe.maths.factorisation import SingularMatrixError, factorise
from flexframe.maths.generalised_alpha import GeneralisedAlpha
from flexframe.model.body import Body
from flexframe.motion.frame import FrameMotion
from flexframe.motion.laws import MotionLaw, Steady
from flexframe.results.peaks import stored_words
from flexframe.results.transient import Transient

LARGEST = 1e6  # displacement over the size of the body at which a motion counts as diverged


@dataclass(frozen=True, eq=False)
class Start:
    """Displacements and rates relative to the frame at the first instant; zero where not given: (p,)."""

    displacements: Array | None = None
    rates: Array | None = None


@judged
def transient(
    body: Body | DiscreteBody,
    motion: FrameMotion | MotionLaw,
    *,
    end: float,
    steps: int,
    formalism: str | None = None,
    sensors: Mapping[str, Sensor] | None = None,
    start: Start | None = None,
    terms: Terms | None = None,
    spectral_radius: float = 1.0,
    modes: int = 4,
    stress: bool = True,
) -> Transient:
    """Integrate M δ̈ + C δ̇ + K δ = f from t = 0 to `end` in equal steps.

    Without a formalism: generalised-α on the eliminated equations, coefficients combined from invariants. With one
    the equations of all elements, the constraints of the supports and the steps are its own; where it needs a
    reduced basis, that has `modes` shapes. With `stress` its largest values are followed in time.
    """
    if not (np.isfinite(end) and end > 0):
        raise InputError(f"the end of the motion is {end:g} s; give a positive time")
    if steps < 1:
        raise InputError(f"the number of steps is {steps}; give at least one")
    discrete = discretised(body)
    law = Steady(motion) if isinstance(motion, FrameMotion) else motion
    terms = terms or Terms()
    route = formalism_named(formalism) if formalism is not None else None
    times = np.linspace(0.0, end, steps + 1)
    if route is not None:
        require_complete_inertia(route, terms)
        instants = [law.at(float(t)) for t in np.linspace(0.0, end, 33)]
        reason = route.refusal(instants, damped=is_damped(discrete))
        if reason is not None:
            raise AnalysisError(f"{route.title} does not apply: {reason}; choose another formalism")
    _require_mass(discrete)
    rows = sensor_rows(discrete, sensors or {})
    began = perf_counter()
    combined = CombinedCoefficients(discrete, terms, discrete.supports)
    task = BodyTask(discrete, law, times, terms.geometric, GeneralisedAlpha(spectral_radius), modes)
    stepper: BodyMotion = ClosedForm(task, combined) if route is None else route.body_motion(task)
    start = start or Start()
    zero = np.zeros(discrete.dofs.count)
    recorder = Recorder(discrete, law, times, rows, combined, with_forces=stepper.whole)
    snapshots = recorder.kept[recorder.snapshots]
    followed = FollowedStress(discrete, law, terms, times, snapshots, stepper.whole) if stress else None
    for number, instant in enumerate(
        stepper.motion(
            zero if start.displacements is None else start.displacements,
            zero if start.rates is None else start.rates,
        )
    ):
        _require_bounded(discrete, instant.displacements, float(times[number]))
        recorder.take(number, instant)
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
