"""Kinematics of a driven linkage: positions, velocities and accelerations at all instants.

A walk along the motion (Taylor prediction of second order, Newton correction) finds anchors and watches for dead
points; then all instants are solved together from the nearest anchor.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import solved
from flexframe.multibody.closure import CLOSED, assemble_positions, scale_constraints, scaled_jacobian
from flexframe.multibody.constraints import Targets
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.mobility import mobility, named_rows, require_driven
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import Configuration, Rates, as_rates

_CHUNK = 400  # instants solved together: their arrays stay in the processor's cache
_LARGEST_CORRECTION = 0.05  # of a predicted position, in lengths and radians
_EASY_CORRECTION = 0.004
_SINGULAR = 1e-9
_HALVINGS = 40
_BETWEEN = 5_000  # solved positions between two instants that are wanted


@dataclass(frozen=True, eq=False)
class _Anchor:
    """A solved instant of the walk."""

    time: float
    configuration: Configuration
    velocity: Array  # (n,)
    acceleration: Array  # (n,)
    singular_value: float
    jacobian: Array  # scaled: (rows, n)
    orientation: float  # changes its sign where the Jacobian loses rank


def follow(mechanism: Mechanism, times: ArrayLike, start: Configuration | None = None) -> MechanismMotion:
    """The motion that the drives prescribe, at increasing times, on the assembly nearest to the start."""
    t = np.atleast_1d(np.asarray(times, dtype=float))
    if not np.isfinite(t).all() or (np.diff(t) <= 0).any():
        raise InputError("the times of a kinematic analysis must increase; sort them and remove repeated ones")
    constraints = mechanism.constraints
    if not constraints.holonomic.all():
        owner = constraints.owners[int(np.argmin(constraints.holonomic))]
        raise InputError(
            f"{owner} is a constraint on velocities, which does not fix positions; "
            "compute the motion as rigid_motion",
            field="kind",
        )
    first = mechanism.counted_from(assemble_positions(mechanism, constraints, float(t[0]), start))
    known_rank = require_driven(mechanism, first, float(t[0]))
    targets = constraints.targets(t)
    walk = _Walk(mechanism, known_rank)
    anchors = walk.anchors(t, targets, first)
    parts = [
        walk.all_at(t[i : i + _CHUNK], targets.at(slice(i, i + _CHUNK)), anchors) for i in range(0, len(t), _CHUNK)
    ]
    configuration, velocities, accelerations, closure = _join(parts)
    weakest = min(anchors, key=lambda anchor: anchor.singular_value)
    found = mobility(mechanism, first, float(t[0]))
    return MechanismMotion(
        mechanism=mechanism,
        times=t,
        configuration=configuration,
        velocities=velocities,
        accelerations=accelerations,
        mobility=found,
        closure=closure,
        smallest_singular_value=weakest.singular_value,
        at_time=weakest.time,
        notices=found.notices(),
    )


@dataclass(frozen=True, eq=False)
class _Walk:
    mechanism: Mechanism
    rank: int

    def anchors(self, times: Array, targets: Targets, first: Configuration) -> list[_Anchor]:
        """Solved instants so close that Taylor's series reaches all times between them."""
        anchors = [self._anchor(float(times[0]), first, targets.at([0]))]
        i, stride = 0, 1
        while i < len(times) - 1:
            j = min(i + stride, len(times) - 1)
            found = self._advance(anchors[-1], float(times[j]), targets.at([j]))
            if found is None:
                if stride > 1:
                    stride //= 2
                    continue
                found_chain = self._divide(anchors[-1], float(times[j]))
                anchors += found_chain
                i = j
                continue
            anchor, correction = found
            self._refuse_crossing(anchors[-1], anchor)
            anchors.append(anchor)
            i = j
            if correction < _EASY_CORRECTION:
                stride *= 2
        return anchors

    def _divide(self, start: _Anchor, end: float) -> list[_Anchor]:
        """Anchors from a time to the next one wanted, in steps as small as needed."""
        chain, step, smallest = [start], 0.5 * (end - start.time), (end - start.time) * 0.5**_HALVINGS
        while chain[-1].time < end:
            time = min(chain[-1].time + step, end)
            found = self._advance(chain[-1], time, self.mechanism.constraints.targets(np.array([time])))
            if found is None:
                step *= 0.5
                if step < smallest or chain[-1].time + step == chain[-1].time:
                    raise self._lost(chain[-1])
                continue
            self._refuse_crossing(chain[-1], found[0])
            chain.append(found[0])
            if len(chain) > _BETWEEN:
                raise AnalysisError(
                    f"the linkage moves too far between the instants {start.time:g} s and {end:g} s to be "
                    f"followed (more than {_BETWEEN} positions); ask for more samples or a shorter duration"
                )
            if found[1] < _EASY_CORRECTION:
                step *= 2
        return chain[1:]

    def _advance(self, start: _Anchor, time: float, targets: Targets) -> tuple[_Anchor, float] | None:
        """The next anchor and the size of its first correction, or nothing when the step is too long."""
        dt = time - start.time
        step = (start.velocity * dt + 0.5 * start.acceleration * dt**2)[None]
        guess = self.mechanism.move(start.configuration, step)
        c, previous, first = guess, np.inf, 0.0
        for iteration in range(12):
            gap, J = scale_constraints(self.mechanism, self.mechanism.constraints, c, targets)
            if np.abs(gap).max() < 0.01 * CLOSED:
                break
            try:
                step = solved(J, -gap, self.rank)
            except np.linalg.LinAlgError:
                return None
            size = float(np.abs(step).max())
            if not np.isfinite(size) or size > _LARGEST_CORRECTION or size > 2 * previous + 1e-13:
                return None
            first = size if iteration == 0 else first
            if size < 1e-14:
                break
            previous = size
            c = self.mechanism.move(c, step * self.mechanism.column_scale)
        else:
            if np.abs(gap).max() > CLOSED:
                return None
        return self._anchor(time, c, targets, start), first

    def _anchor(self, time: float, c: Configuration, targets: Targets, before: _Anchor | None = None) -> _Anchor:
        constraints, scale = self.mechanism.constraints, self.mechanism.column_scale
        J = scaled_jacobian(self.mechanism, constraints, c, time)
        values = np.linalg.svd(J[0], compute_uv=False)
        smallest = float(values[self.rank - 1] / values[0])
        if smallest < _SINGULAR:
            raise self._singular(time, J[0])
        orientation = 1.0 if before is None else before.orientation * self._sense(before.jacobian, J[0])
        u = self._velocity(J, c, targets)
        a = self._acceleration(J, c, u, targets)
        return _Anchor(time, c, u[0] * scale, a[0] * scale, smallest, J[0], orientation)

    def _sense(self, before: Array, after: Array) -> float:
        """−1 when det J changed its sign; with redundant rows, of J seen in the row space that it had before."""
        if before.shape[0] == before.shape[1]:
            return float(np.linalg.slogdet(before)[0] * np.linalg.slogdet(after)[0])
        U = np.linalg.svd(before, full_matrices=False)[0]
        return float(np.linalg.slogdet(U.T @ before)[0] * np.linalg.slogdet(U.T @ after)[0])

    def _velocity(self, J: Array, c: Configuration, targets: Targets) -> Array:
        """J q̇ = ḟ, in scaled coordinates."""
        return solved(J, self._wanted_rates(c, targets), self.rank)

    def _wanted_rates(self, c: Configuration, targets: Targets) -> Array:
        """ḟ, in scaled coordinates."""
        constraints = self.mechanism.constraints
        rates = targets.rate + constraints.own_rates(c, targets.times)
        return np.asarray(rates * self.mechanism.row_scale(constraints))

    def _acceleration(self, J: Array, c: Configuration, u: Array, targets: Targets) -> Array:
        """J q̈ = f̈ − β, in scaled coordinates."""
        rates = as_rates(u * self.mechanism.column_scale, self.mechanism.bodies)
        _, bias = self.mechanism.constraints.rates(c, rates, targets.times)
        return solved(J, (targets.second - bias) * self.mechanism.row_scale(self.mechanism.constraints), self.rank)

    def all_at(
        self, times: Array, targets: Targets, anchors: list[_Anchor]
    ) -> tuple[Configuration, Rates, Rates, float]:
        """Every instant from the anchor before it, all together."""
        mechanism, constraints = self.mechanism, self.mechanism.constraints
        anchor_times = np.array([anchor.time for anchor in anchors])
        index = np.clip(np.searchsorted(anchor_times, times, side="right") - 1, 0, None)
        used, back = np.unique(index, return_inverse=True)
        chosen = [anchors[i] for i in used]
        c = stack([anchor.configuration for anchor in chosen]).at(back)
        v = np.array([anchor.velocity for anchor in chosen])[back]
        w = np.array([anchor.acceleration for anchor in chosen])[back]
        dt = (times - anchor_times[index])[:, None]
        c = mechanism.move(c, v * dt + 0.5 * w * dt**2)
        for _ in range(8):
            gap, J = scale_constraints(mechanism, constraints, c, targets)
            left = np.abs(gap).max(axis=1)
            if left.max() < 0.1 * CLOSED:
                break
            c = mechanism.move(c, solved(J, -gap, self.rank) * mechanism.column_scale)
        if left.max() > CLOSED:
            worst = int(np.argmax(left))
            row = int(np.argmax(np.abs(gap[worst])))
            raise AnalysisError(
                f"the linkage comes apart at t = {times[worst]:g} s, first at {constraints.owners[row]} (residual "
                f"{left[worst]:.1e}); its constraints contradict each other there"
            )
        u = self._velocity(J, c, targets)
        self._require_consistent(J, c, u, targets)
        a = self._acceleration(J, c, u, targets)
        scale = mechanism.column_scale
        rates = as_rates(u * scale, mechanism.bodies)
        return c, rates, as_rates(a * scale, mechanism.bodies), float(left.max())

    def _require_consistent(self, J: Array, c: Configuration, u: Array, targets: Targets) -> None:
        """Redundant rows must agree on the velocities."""
        if J.shape[1] == self.rank:
            return
        rate = self._wanted_rates(c, targets)
        misfit = np.abs(np.einsum("tmn,tn->tm", J, u) - rate)
        worst = np.unravel_index(np.argmax(misfit), misfit.shape)
        if misfit[worst] > 1e-7 * max(1.0, float(np.abs(u).max())):
            raise AnalysisError(
                f"the constraints contradict each other at t = {targets.times[worst[0]]:g} s: "
                f"{self.mechanism.constraints.owners[worst[1]]} cannot follow; remove or correct it"
            )

    # ------------------------------------------------------------------ dead points

    def _refuse_crossing(self, before: _Anchor, after: _Anchor) -> None:
        """A change of sign of the determinant between two anchors means a singular position between them."""
        if before.orientation == after.orientation:
            return
        low, high = before, after
        for _ in range(60):
            middle = 0.5 * (low.time + high.time)
            if middle in (low.time, high.time):
                break
            found = self._advance(low, middle, self.mechanism.constraints.targets(np.array([middle])))
            if found is None:
                break
            low, high = (found[0], high) if found[0].orientation == before.orientation else (low, found[0])
        time = 0.5 * (low.time + high.time)
        raise self._singular(
            time, scaled_jacobian(self.mechanism, self.mechanism.constraints, low.configuration, low.time)[0]
        )

    def _singular(self, time: float, J: Array) -> AnalysisError:
        U = np.linalg.svd(J)[0]
        involved = ", ".join(named_rows(U[:, self.rank - 1 : self.rank], self.mechanism.constraints.owners))
        return AnalysisError(
            f"the linkage passes a singular position (dead point) at t = {time:.9g} s{self._drives_at(time)}, "
            f"where the constraints of {involved} depend on each other and the motion is not determined; "
            "stay on one side of it, or drive another body"
        )

    def _lost(self, last: _Anchor) -> AnalysisError:
        J = scaled_jacobian(self.mechanism, self.mechanism.constraints, last.configuration, last.time)
        if last.singular_value < 1e-2:
            U = np.linalg.svd(J[0])[0]
            involved = ", ".join(named_rows(U[:, self.rank - 1 : self.rank], self.mechanism.constraints.owners))
            return AnalysisError(
                f"the linkage reaches a dead point at t = {last.time:.9g} s{self._drives_at(last.time)} and "
                f"cannot be driven further: {involved} would come apart; shorten the motion of the drive, "
                "or drive another body"
            )
        return AnalysisError(
            f"the linkage cannot follow its drives after t = {last.time:.9g} s{self._drives_at(last.time)}; "
            "check that they are continuous there"
        )

    def _drives_at(self, time: float) -> str:
        """', motor 12.3°' for every drive."""
        constraints = self.mechanism.constraints
        targets = constraints.targets(np.array([time]))
        shown = []
        for row in np.setdiff1d(np.flatnonzero(self.mechanism.drive_rows), constraints.following):
            value = targets.value[0, row]
            text = f"{value:.9g} m" if constraints.lengths[row] else f"{np.degrees(value):.9g}°"
            shown.append(f"{constraints.owners[row]} at {text}")
        return f" ({', '.join(shown)})" if shown else ""


def stack(configurations: Sequence[Configuration]) -> Configuration:
    """Poses of several instants as one."""
    angles = [c.angles for c in configurations if c.angles is not None]
    counted = [c.counted for c in configurations if c.counted is not None]
    return Configuration(
        np.concatenate([c.positions for c in configurations]),
        np.concatenate([c.rotations for c in configurations]),
        np.concatenate(angles) if angles else None,
        np.concatenate(counted) if len(counted) == len(configurations) else None,
    )


def _join(
    parts: list[tuple[Configuration, Rates, Rates, float]],
) -> tuple[Configuration, Rates, Rates, float]:
    configurations, velocities, accelerations, closures = zip(*parts, strict=True)
    return (
        stack(list(configurations)),
        _stacked_rates(velocities),
        _stacked_rates(accelerations),
        max(closures),
    )


def _stacked_rates(parts: tuple[Rates, ...]) -> Rates:
    return Rates(np.concatenate([p.linear for p in parts]), np.concatenate([p.angular for p in parts]))
