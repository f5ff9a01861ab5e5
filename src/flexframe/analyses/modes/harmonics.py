"""Modes of a body of revolution, nodal diameter by nodal diameter."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.analyses.harmonics import (
    require_own_axis,
    said_once,
    spin_notices,
    surface_shapes,
)
from flexframe.analyses.modes.analysis import fewer_modes, mode_notices
from flexframe.analyses.modes.record import Modes
from flexframe.assembly.axisymmetric import AXIS
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.assembly.section_rotors import section_surface
from flexframe.equations.bodies import harmonic_equations
from flexframe.equations.coefficients import Terms
from flexframe.equations.parts import EquationsOfMotion
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.solver_settings import limited_threads
from flexframe.mesh.extrusion import SweptSurface
from flexframe.motion.frame import FrameMotion
from flexframe.results.record import Whirl
from flexframe.spectra.eigenpairs import Eigenpairs, eigenpairs
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
    axis = spin / motion.speed if motion.speed else AXIS
    with limited_threads():
        harmonics = [section.harmonics.at(n) for n in diameters]
        equations = [harmonic_equations(each, terms) for each in harmonics]
        begin_work()
        surface = section_surface(section, max(diameters))
        parts = [
            _diameter(harmonic, affine.at(motion), motion, axis=axis, count=count, surface=surface)
            for harmonic, affine in zip(harmonics, equations, strict=True)
        ]
    eigenvalues = np.concatenate([part.pairs.eigenvalues for part in parts])
    numbers = [part.n for part in parts for _ in part.labels]
    whirl: tuple[Whirl, ...] | None = None
    inertial = None
    if motion.speed:
        waves = np.concatenate([part.signed for part in parts])
        travelling = np.abs(np.abs(waves) - numbers) < 0.25
        seen = np.abs(eigenvalues.imag - np.rint(waves) * motion.speed) / (2 * np.pi)
        inertial = np.where(travelling, seen, np.nan)
        whirl = tuple(whirl_of(n, value) for n, value in zip(waves, eigenvalues, strict=True))
    confirmed = {part.pairs.confirmed for part in parts}
    return Modes(
        body=body.name,
        mesh=surface.mesh,
        eigenvalues=eigenvalues,
        shapes=np.concatenate([part.shapes for part in parts]),
        residuals=np.concatenate([part.pairs.residuals for part in parts]),
        labels=tuple(label for part in parts for label in part.labels),
        frame="rotating" if motion.speed else "fixed",
        speed_rad_s=motion.speed,
        terms=terms,
        method=f"nodal diameters one by one: {'; '.join(dict.fromkeys(part.pairs.method for part in parts))}",
        confirmed=False if False in confirmed else None if None in confirmed else True,
        nodal_diameters=tuple(numbers),
        whirl=whirl,
        inertial_frequencies_hz=inertial,
        notices=(
            *spin_notices(section, motion.speed, terms),
            *said_once([(part.n, part.notices) for part in parts]),
        ),
    )


@dataclass(frozen=True, eq=False)
class _Diameter:
    """The modes of one number of nodal diameters."""

    n: int
    pairs: Eigenpairs
    shapes: ComplexArray  # on the surface: (modes, points, 6)
    labels: tuple[str, ...]
    signed: Array  # n of waves e^{inθ}: (modes,)
    notices: tuple[str, ...]


def _diameter(
    harmonic: HarmonicBody,
    frozen: EquationsOfMotion,
    motion: FrameMotion,
    *,
    axis: Array,
    count: int,
    surface: SweptSurface,
) -> _Diameter:
    pairs = eigenpairs(harmonic, frozen, min(count, harmonic.supports.size))
    full = harmonic.supports.expand(pairs.vectors)
    unstable = int(growing(harmonic, pairs.eigenvalues, full).sum())
    return _Diameter(
        harmonic.n,
        pairs,
        surface_shapes(harmonic, full, surface),
        harmonic_labels(harmonic, pairs.eigenvalues, full),
        harmonic.content(full, axis).signed,
        (*fewer_modes(count, len(pairs.eigenvalues)), *mode_notices(frozen, motion, pairs, unstable)),
    )
