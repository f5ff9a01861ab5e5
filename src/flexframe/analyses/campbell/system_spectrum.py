"""Modes of a system that turns steadily, at any speed: steady state, small motions, eigenvalues."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import linalg

from flexframe.analyses.campbell.steady_spin import SteadySpin, not_steady
from flexframe.equations.affine import AffineEquations
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS, Part
from flexframe.errors import AnalysisError, InputError
from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.branch_tracking import States
from flexframe.multibody.equilibria.small_motions import light_modes
from flexframe.multibody.equilibria.turning import RelativeEquilibrium, SmallMotions
from flexframe.spectra.rotation.small_spectra import small_modes

_SYMMETRIC = 1e-7  # misfit of a matrix that should be symmetric, by differences
_ROUNDING = 30 * np.finfo(float).eps  # of the largest λ², left where stiffness should vanish
_DIFFERENCES = 1e-9  # of Ω², the same for stiffness by rotation
_CHANGE = 1e-6  # of a coefficient with the angle, beyond differences
_ANGLES = (0.7, 1.9)  # rad, no special ones
_REACH = 0.5  # lengths and radians from one steady state to the next
_HALVINGS = 8  # of a step of the speed on the way to a steady state


@dataclass(frozen=True, eq=False)
class ModesAtSpeed:
    """All modes at one speed by ascending |λ|, one of each conjugate pair; free motions have λ = 0."""

    equilibrium: RelativeEquilibrium
    motions: SmallMotions
    eigenvalues: ComplexArray  # (f,)
    vectors: ComplexArray  # changes of position η of the columns, ηᴴMη = 1: (n, f)
    energies: ComplexArray  # unit states for comparing modes: (2f, f)
    stiffness: Array  # eigenvalues of K in the metric of M, ascending, rounding set to zero: (f,)

    @property
    def states(self) -> States:
        """As branches are followed."""
        return States(self.eigenvalues, self.energies)


@dataclass(eq=False)
class SystemSpectrum:
    """Modes over the speed; each speed is solved once, from the nearest one that is known."""

    spin: SteadySpin
    fastest: float  # rad/s, the speed whose coordinates measure states
    known: dict[float, ModesAtSpeed] = field(default_factory=dict)
    _steady: dict[float, RelativeEquilibrium] = field(default_factory=dict)
    _kept: int | None = None  # number of modes that have inertia

    def at(self, speed: float) -> ModesAtSpeed:
        """The modes at a speed."""
        if speed not in self.known:
            found = self._equilibrium(speed)
            self.known[speed] = keep_part("modes at a speed", (self.fastest, found), lambda: self._about(found))
        return self.known[speed]

    def begin(self, found: RelativeEquilibrium) -> None:
        """Take a steady state that is known."""
        self._steady[found.speed] = found

    def _about(self, found: RelativeEquilibrium) -> ModesAtSpeed:
        """The modes about a steady state."""
        motions = self.spin.spinning.small_motions(found)
        if not motions.basis.shape[1]:
            raise InputError(
                "nothing of the system can vibrate; let a body be elastic, or free a coordinate", field="kind"
            )
        return self._solve(found, motions)

    def require_steady(self, speed: float) -> None:
        """Refuse a system whose forces or coefficients change when the whole is turned on."""
        if speed == 0.0:
            return
        assert self.spin.drive is not None, "what turns has a drive"
        spinning, name = self.spin.spinning, self.spin.drive.name
        found = self.at(speed)
        for angle in _ANGLES:
            if spinning.imbalance(found.equilibrium, angle) > _CHANGE:
                raise not_steady(f"forces change with the angle of {name}")
            turned = spinning.small_motions(found.equilibrium, angle=angle)
            if turned.basis.shape != found.motions.basis.shape or self._differs(found.motions, turned, speed):
                raise not_steady(f"stiffness or damping changes with the angle of {name}")

    def _differs(self, here: SmallMotions, there: SmallMotions, speed: float) -> bool:
        """Whether coefficients differ, each beside the stiffness and inertia of its own coordinates."""
        scales = self.spin.dynamic.tables.scales
        T = (here.basis / scales[:, None]).T @ (there.basis / scales[:, None])
        if np.abs(T.T @ T - np.eye(len(T))).max() > _CHANGE:
            return True
        kappa, directions, _ = self._separate(here.stiffness, here.mass)
        size = np.sqrt(np.abs(kappa) + speed**2)
        for ours, theirs, power in (
            (here.mass, there.mass, 0),
            (here.damping, there.damping, 1),
            (here.stiffness, there.stiffness, 2),
        ):
            change = directions.T @ (ours - T @ theirs @ T.T) @ directions
            if np.abs(change / np.sqrt(np.outer(size**power, size**power))).max() > _CHANGE:
                return True
        return False

    def _equilibrium(self, speed: float) -> RelativeEquilibrium:
        """From the nearest known speed, by smaller steps where one is too large."""
        spinning = self.spin.spinning
        if speed in self._steady:
            return self._steady[speed]
        if not self._steady:
            try:
                self._steady[speed] = spinning.steady(speed, self.spin.start)
            except AnalysisError:
                self._steady[0.0] = spinning.steady(0.0, self.spin.start)
        before = min(self._steady, key=lambda known: abs(known - speed))
        part, halvings = 1.0, 0
        while before != speed:
            there = speed if part == 1.0 else before + part * (speed - before)
            try:
                self._steady[there] = spinning.steady(there, self._steady[before].state, reach=_REACH)
            except AnalysisError:
                part, halvings = part / 2, halvings + 1
                if halvings > _HALVINGS:  # there may be none on the way, as at the resonance of an unbalance
                    self._steady[speed] = spinning.steady(speed, self.spin.start)
                    before = speed
            else:
                before, part = there, min(1.0, 2 * part)
        return self._steady[speed]

    def _solve(self, found: RelativeEquilibrium, motions: SmallMotions) -> ModesAtSpeed:
        M, C, K = motions.mass, motions.damping, motions.stiffness
        kappa, directions, noise = self._separate(K, M)
        noise += _DIFFERENCES * found.speed**2
        clear = np.abs(kappa)[np.abs(kappa) > noise]
        scale = max(abs(found.speed), *(np.sqrt([clear.min(), 1e-12 * clear.max()]) if clear.size else (1.0,)))
        # coordinates of unit mass that K does not couple
        C, K = directions.T @ C @ directions, directions.T @ K @ directions
        large = max(float(np.abs(C).max(initial=0.0)), scale)
        plain = self.spin.conservative and np.abs(C + C.T).max(initial=0.0) <= _SYMMETRIC * large
        plain = plain and np.abs(K - K.T).max(initial=0.0) <= _SYMMETRIC * np.abs(kappa).max(initial=0.0)
        rates = (
            Part[Array].constant("gyroscopic", DAMPING, (C - C.T) / 2)
            if plain
            else Part[Array].constant("damping", DAMPING, C)
        )
        parts = (
            Part[Array].constant("mass", MASS, np.eye(len(kappa))),
            rates,
            Part[Array].constant("stiffness", STIFFNESS, np.diag(kappa) if plain else K),
        )
        count = len(kappa)
        modes = small_modes(AffineEquations(count, parts), found.speed, count, scale=scale)
        values = np.where(np.abs(modes.eigenvalues) ** 2 <= noise, 0.0, modes.eigenvalues)
        amounts = directions @ modes.vectors
        vectors = motions.basis @ amounts
        cleaned = np.where(np.abs(kappa) <= noise, 0.0, kappa)
        return ModesAtSpeed(found, motions, values, vectors, self._unit_states(motions, amounts, values), cleaned)

    def _separate(self, K: Array, M: Array) -> tuple[Array, Array, float]:
        """κ, coordinates of unit mass that K does not couple, and what rounding leaves where κ should vanish.

        Sections of exact beams may have next to no rotary inertia: motions without any are left out, as many at
        every speed.
        """
        if not self.spin.spinning.has_exact_beams:
            kappa, directions = linalg.eigh((K + K.T) / 2, (M + M.T) / 2)
            return kappa, directions, _ROUNDING * float(np.abs(kappa).max(initial=0.0))
        found = light_modes(K, M, self._kept)
        self._kept = len(found.values)
        return found.values, found.directions, found.noise

    def _unit_states(self, motions: SmallMotions, amounts: ComplexArray, values: ComplexArray) -> ComplexArray:
        """(√κ c, λ c) of coordinates c in which M is one and K is κ at the fastest speed, of unit length."""
        to_unit, roots = self._reference
        c = to_unit.T @ (motions.basis / self.spin.dynamic.tables.scales[:, None] @ amounts)
        states = np.concatenate([roots[:, None] * c, values * c])
        return np.asarray(states / np.linalg.norm(states, axis=0))

    @cached_property
    def _reference(self) -> tuple[Array, Array]:
        """What makes c of a scaled change of position, and √κ: (n, f), (f,)."""
        found = self.spin.spinning.small_motions(self._equilibrium(self.fastest))
        kappa, directions, _ = self._separate(found.stiffness, found.mass)
        floor = 0.01 * self.fastest**2 + 1e-9 * float(np.abs(kappa).max(initial=0.0))
        to_unit = found.basis / self.spin.dynamic.tables.scales[:, None] @ found.mass @ directions
        return to_unit, np.sqrt(np.maximum(np.abs(kappa), floor))
