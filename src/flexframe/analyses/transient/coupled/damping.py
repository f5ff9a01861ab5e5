"""What damps the deformation of bodies in a coupled motion, and the ratios that assembled modes get from it."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.errors import InputError
from flexframe.model.system_damping import ModalDamping, RayleighFit, SystemDamping, fitted_ratios
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.division.pieces import divisions_of, whole_name
from flexframe.multibody.equilibria.small_motions import assembled_modes, damped_modes, with_ratios
from flexframe.multibody.start import initial_state
from flexframe.results.motion_damping import SHOWN, MotionDamping, element_words

_MANY = 80  # velocities beyond which ratios that nobody asked for are not looked at


def motion_damping(
    system: DynamicSystem, start: DynamicState, parts: Mapping[str, ElasticPart], damping: SystemDamping | None
) -> tuple[DynamicSystem, MotionDamping]:
    """The system with the damping asked for, and what its modes have then.

    Modes are those about the start of the motion, or about the described start with the drives at another time.
    """
    words = list(
        dict.fromkeys(
            word.replace(f"body {part.name}:", f"body {whole_name(system.system, part.name)}:")
            for part in parts.values()
            for word in part_words(part)
        )
    )
    exact = [division.whole for division in divisions_of(system.system).values() if division.exact is not None]
    words += [word for body in exact for word in element_words(body)]
    if damping is None:
        if not words or system.size > _MANY or exact:  # modes of exact beams are those of a Campbell diagram
            return system, MotionDamping(tuple(words))
        return system, _looked_at(system, start, MotionDamping(tuple(words)))
    if not parts:
        raise InputError(
            "no body of the system is elastic, so that there is nothing to damp; leave damping out",
            field="damping",
        )
    state = start if damping.at == 0.0 else initial_state(system, time=damping.at)
    modes = assembled_modes(system, state)
    record = MotionDamping(at=damping.at)
    match damping:
        case ModalDamping():
            ratios = np.full(len(modes.omegas), damping.ratio)
            word = (
                f"{damping.ratio:.3g} of critical damping in every mode of the assembled system, rigid motion free"
            )
        case RayleighFit():
            ratios, alpha, beta = fitted_ratios(damping, modes.omegas)
            record = replace(record, alpha=alpha, beta=beta)
            word = f"ζ = (α/ω + βω)/2 in every mode of the assembled system, α {alpha:.4g} 1/s, β {beta:.4g} s"
    system = with_ratios(system, modes, ratios)
    return system, _looked_at(system, state, replace(record, parts=(word, *words)))


def part_words(part: ElasticPart) -> tuple[str, ...]:
    """What damps a body of its own."""
    words = element_words(part.discrete.body)
    if not part.damping_ratio:
        return words
    return (
        *words,
        f"body {part.name}: {part.damping_ratio:.3g} of critical damping in its own {part.reduced.size} modes, "
        f"alone in its frame ({part.figures.reference}), not in those of the assembled system",
    )


def _looked_at(system: DynamicSystem, state: DynamicState, record: MotionDamping) -> MotionDamping:
    modes = damped_modes(system, state)
    return replace(record, frequencies_hz=modes.frequencies_hz[:SHOWN], ratios=modes.ratios[:SHOWN])
