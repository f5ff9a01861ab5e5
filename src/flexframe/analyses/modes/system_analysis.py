"""Modes of a system: small motions of all bodies together about their equilibrium or their steady rotation."""

from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np

from flexframe.analyses.campbell.steady_spin import SteadySpin, resting_system, steady_spin
from flexframe.analyses.campbell.system_labels import shape_label
from flexframe.analyses.campbell.system_shapes import body_shapes, normalise_shapes
from flexframe.analyses.campbell.system_spectrum import ModesAtSpeed, SystemSpectrum
from flexframe.analyses.exact_bodies import EXACT_TANGENT, strain_notices, strains_at
from flexframe.analyses.judging import judge
from flexframe.analyses.modes.analysis import RESIDUAL_LIMIT
from flexframe.analyses.modes.system_record import SystemModes
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.system import System
from flexframe.spectra.growth import UNSTABLE
from flexframe.stages import begin_work


@judge
def system_modes(
    system: System,
    *,
    count: int = 10,
    time: float = 0.0,
    drive: str | None = None,
    speed: float | None = None,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    geometric: bool = True,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> SystemModes:
    """The `count` lowest modes of (λ²M + λC + K)z = 0 of a system, z the motions that joints and drives leave.

    At rest they are about the equilibrium with drives and loads as they are at `time`, which is found as
    `system_statics` finds it; with a `speed` about the steady rotation by one drive, as in `system_campbell`. K is
    the full tangent there: springs, weight, strain, stress, curvature of joints, and of exact beams however far
    they are bent.

    Parameters
    ----------
    system
        Bodies with joints, drives and loads.
    count
        Number of modes.
    time
        Of drives and loads of a system at rest [s].
    drive, speed
        Name of the drive that turns the system (the only one if not given) and its speed [rad/s].
    reductions
        Coordinates of each meshed body, or "rigid".
    geometric
        Whether the geometric stiffness takes part.
    discrete
        Bodies that are discretised already, by name.

    Returns
    -------
    SystemModes
        Eigenvalues [rad/s], frequencies [Hz] and shapes of all bodies.

    Examples
    --------
    >>> rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    >>> pendulum = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity()])
    >>> ff.system_modes(pendulum).frequencies_hz.round(4)  # (3 g/2 l)^½/2π
    array([0.6105])
    """
    if count < 1:
        raise InputError(f"the number of modes is {count}; ask for at least one", field="count")
    if speed is None:
        if drive is not None:
            raise InputError("drive names what turns the system; give its speed too", field="drive")
        resting = resting_system(system, time=time, reductions=reductions, geometric=geometric, discrete=discrete)
        ready = resting.spin
        stability: Literal["stable", "unstable", "neutral", ""] = resting.stability
        spectrum = SystemSpectrum(ready, 0.0)
        spectrum.begin(resting.equilibrium)
        found = spectrum.at(0.0)
    else:
        ready = steady_spin(system, drive=drive, reductions=reductions, geometric=geometric, discrete=discrete)
        stability = ""
        spectrum = SystemSpectrum(ready, speed)
        spectrum.require_steady(speed)
        begin_work()
        found = spectrum.at(speed)
    kept = np.arange(min(count, len(found.eigenvalues)))
    state = found.equilibrium.state
    strains = strains_at(ready.elastic, ready.dynamic, state)
    shapes = body_shapes(ready.dynamic, ready.parts, [state], [found.vectors[:, kept]])
    exact = f"; {EXACT_TANGENT}" if ready.spinning.has_exact_beams else ""
    return SystemModes(
        system=system,
        eigenvalues=found.eigenvalues[kept],
        labels=tuple(_label(ready, found, int(k)) for k in kept),
        shapes=normalise_shapes(ready.dynamic, shapes),
        residuals=_residuals(found)[kept],
        frame="rotating" if speed else "fixed",
        time=time if speed is None else 0.0,
        speed_rad_s=speed or 0.0,
        drive=ready.drive.name if ready.drive is not None else "",
        stability=stability,
        reductions=ready.elastic.figures,
        geometric=geometric,
        method=f"all {len(found.eigenvalues)} motions that joints leave, dense{exact}",
        strains=strains,
        notices=(*ready.notices, *strain_notices(strains), *_notices(ready, found, count, stability)),
    )


def _label(ready: SteadySpin, found: ModesAtSpeed, number: int) -> str:
    """Who moves; about a spin also along or across the axis."""
    label = shape_label(ready, found, number)
    who = label.partition(" of ")[2]
    value = found.eigenvalues[number]
    if value == 0:
        return f"free motion of {who}"
    words = label if ready.drive is not None else f"motion of {who}"
    if value.real > UNSTABLE * abs(value):
        words += ", divergence" if abs(value.imag) <= UNSTABLE * abs(value) else ", flutter"
    return words


def _residuals(found: ModesAtSpeed) -> Array:
    """‖(λ²M + λC + K) z‖ over the sum of its terms, in coordinates of unit mass: (f,)."""
    motions = found.motions
    z = np.linalg.lstsq(motions.basis, found.vectors, rcond=None)[0]
    terms = [
        motions.mass @ z * found.eigenvalues**2,
        motions.damping @ z * found.eigenvalues,
        motions.stiffness @ z,
    ]
    size = sum(np.linalg.norm(term, axis=0) for term in terms)
    left = np.linalg.norm(sum(terms), axis=0)
    return np.asarray(np.divide(left, size, out=np.zeros_like(left), where=size > 0))


def _notices(ready: SteadySpin, found: ModesAtSpeed, count: int, stability: str) -> Iterator[str]:
    if len(found.eigenvalues) < count:
        yield f"{count} modes were asked for, the system has {len(found.eigenvalues)}"
    if ready.parts:
        sizes = ", ".join(f"{each.body} {each.size}" for each in ready.elastic.figures if not each.exact)
        yield f"elastic bodies have few coordinates ({sizes}); more modes show what that leaves out"
    worst = float(_residuals(found).max(initial=0.0))
    if worst > RESIDUAL_LIMIT:
        yield f"an eigenpair has the relative residual {worst:.1e}; treat its frequency with care"
    if stability == "unstable":
        yield "the equilibrium is unstable: the system would leave it"
