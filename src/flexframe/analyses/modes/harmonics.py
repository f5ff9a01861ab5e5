"""Modes of a body of revolution, nodal diameter by nodal diameter."""

from collections.abc import Sequence

import numpy as np

from flexframe.analyses.harmonics import (
    drawn_surface,
    require_own_axis,
    said_once,
    spin_notices,
    surface_shapes,
)
from flexframe.analyses.modes.analysis import fewer_modes, mode_notices
from flexframe.analyses.modes.record import Modes
from flexframe.assembly.axisymmetric import AXIS
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.harmonics import harmonic_equations
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.motion.frame import FrameMotion
from flexframe.results.record import Whirl
from flexframe.spectra.eigenpairs import eigenpairs
from flexframe.spectra.growth import growing
from flexframe.spectra.mode_labels import harmonic_labels, whirl_of
from flexframe.stages import begin_work


def harmonic_modes(
    section: DiscreteBody, motion: FrameMotion, terms: Terms, count: int, diameters: Sequence[int]
) -> Modes:
    """The `count` lowest modes of each number of nodal diameters, in their order; see `modes`."""
    body = section.body
    spin = motion.angular_velocity
    if spin.any():
        require_own_axis(body, spin, "motion")
    if motion.angular_acceleration.any() or motion.origin_acceleration.any():
        raise InputError(
            f"body {body.name} of revolution turns steadily about a point at rest; give a spin", field="motion"
        )
    harmonics = [section.harmonics.at(n) for n in diameters]
    equations = [harmonic_equations(each, terms) for each in harmonics]
    begin_work()
    surface = drawn_surface(section, diameters)
    axis = spin / motion.speed if motion.speed else AXIS
    values, shapes, residuals, labels, signed, notices, confirmed = [], [], [], [], [], [], []
    methods: list[str] = []
    numbers: list[int] = []
    for harmonic, affine in zip(harmonics, equations, strict=True):
        frozen = affine.at(motion)
        pairs = eigenpairs(harmonic, frozen, min(count, harmonic.supports.size))
        full = harmonic.supports.expand(pairs.vectors)
        values.append(pairs.eigenvalues)
        residuals.append(pairs.residuals)
        shapes.append(surface_shapes(harmonic, full, surface))
        labels += harmonic_labels(harmonic, pairs.eigenvalues, full)
        signed.append(harmonic.content(full, axis).signed)
        unstable = int(growing(harmonic, pairs.eigenvalues, full).sum())
        found = (
            *fewer_modes(count, len(pairs.eigenvalues)),
            *mode_notices(frozen, motion, pairs, unstable),
        )
        notices.append((harmonic.n, found))
        confirmed.append(pairs.confirmed)
        methods.append(pairs.method)
        numbers += [harmonic.n] * len(pairs.eigenvalues)
    eigenvalues, waves = np.concatenate(values), np.concatenate(signed)
    whirl: tuple[Whirl, ...] | None = None
    inertial = None
    if motion.speed:
        travelling = np.abs(np.abs(waves) - numbers) < 0.25
        seen = np.abs(eigenvalues.imag - np.rint(waves) * motion.speed) / (2 * np.pi)
        inertial = np.where(travelling, seen, np.nan)
        whirl = tuple(whirl_of(n, value) for n, value in zip(waves, eigenvalues, strict=True))
    return Modes(
        body=body.name,
        mesh=surface.mesh,
        eigenvalues=eigenvalues,
        shapes=np.concatenate(shapes),
        residuals=np.concatenate(residuals),
        labels=tuple(labels),
        frame="rotating" if motion.speed else "fixed",
        speed_rad_s=motion.speed,
        terms=terms,
        method=f"nodal diameters one by one: {'; '.join(dict.fromkeys(methods))}",
        confirmed=False if False in confirmed else None if None in confirmed else True,
        nodal_diameters=tuple(numbers),
        whirl=whirl,
        inertial_frequencies_hz=inertial,
        notices=(*spin_notices(section, motion.speed, terms), *said_once(notices)),
    )
