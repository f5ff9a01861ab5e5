"""Generalised-α on the Lie group in a compiled loop (Brüls, Cardona & Arnold 2012; Arnold, Brüls & Cardona 2015).

With h the step, x = u̇ at its end and an auxiliary acceleration a,

    (1 − α_m) a₁ + α_m a₀ = (1 − α_f) x₁ + α_f x₀,
    q₁ = q₀ ∘ exp(h u₀ + h²(½ − β) a₀ + h²β a₁),      u₁ = u₀ + h(1 − γ) a₀ + hγ a₁,

and x₁, λ₁ solve M x + h = Q + Aᵀλ and s(q₁) = f. Factors of the iteration matrix are kept while they serve.
"""

from math import isfinite
from typing import Any

import numpy as np

from flexframe.dynamics.compiling import entry, inner
from flexframe.dynamics.copying_kernels import copy1, copy2, copy_place
from flexframe.dynamics.dense_kernels import substitute
from flexframe.dynamics.equation_kernels import factorise_matrix, fill_matrix, residual
from flexframe.dynamics.measure_kernels import deflection
from flexframe.dynamics.projection_kernels import advance, set_velocities, speed
from flexframe.dynamics.sampling_kernels import SAMPLE, STEP, keep_step, take_sample
from flexframe.dynamics.stopping import DONE, NO_CONVERGENCE, NO_INERTIA, NOT_FINITE, SINGULAR, TOO_BENT

STEPS, ITERATIONS, FACTORISATIONS, EVALUATIONS, REJECTED = range(5)

_ITERATIONS = 12
_SLOW = 0.01  # contraction of an iteration beyond which factors are renewed for the next step
_STUCK = 0.7  # beyond which they are renewed at once
_POSITION_GOAL = 1e-13  # remaining error of positions, in lengths of the system and radians
_SPEED_GOAL = 1e-11  # of velocities, relative to the largest
_ROUNDING = 5e-16  # of the gap of a constraint, in lengths of the system and radians
_ROUGHEST = 1e-8  # error of positions that rounding may leave at a singular position of the linkage
_SHARE = 1e-5  # of the first correction, which is of the size of the error of the step; less is not worth the work


@inner
def _predict(tables: Any, run: Any, step: float, constants: Any, growth: float) -> None:
    """Accelerations at the end from those before, and what they mean for positions and velocities."""
    am, af, beta, gamma = constants
    x, known, u, trial, moves, u_next = run.x, run.a, run.u, run.trial, run.step, run.u_next
    old = run.x_before
    for i in range(tables.size):
        trial[i] = x[i] + growth * (x[i] - old[i])
        a = ((1.0 - af) * trial[i] + af * x[i] - am * known[i]) / (1.0 - am)
        moves[i] = step * u[i] + step * step * ((0.5 - beta) * known[i] + beta * a)
        u_next[i] = u[i] + step * ((1.0 - gamma) * known[i] + gamma * a)


@inner
def _refactorise(tables: Any, run: Any, time: float, step: float, constants: Any, work: Any) -> bool:  # noqa: PLR0917
    """Factors of the iteration matrix at the trial state: mass, damping and stiffness, or all that changes."""
    am, af, beta, gamma = constants
    bp, gp = beta * (1.0 - af) / (1.0 - am), gamma * (1.0 - af) / (1.0 - am)
    rows = tables.rows
    n, count = tables.size, len(tables.rows.types)
    fill_matrix(tables, run.after, work, step * gp, step * step * bp)
    if run.level[0] == 1:
        # column by column from differences of the residual, the constraints as they are scaled in the iteration
        residual(tables, run.after, time, run.trial, run.multipliers, work)
        copy1(work.residual, run.base)
        for j in range(n):
            small = 1e-7 * tables.scales[j] / (step * step * bp)
            run.trial[j] += small
            run.step[j] += step * step * bp * small
            run.u_next[j] += step * gp * small
            advance(tables, run.before, run.step, run.after)
            set_velocities(tables, run.u_next, run.after)
            residual(tables, run.after, time, run.trial, run.multipliers, work)
            for i in range(n):
                work.matrix[i, j] = (work.residual[i] - run.base[i]) / small
            for row in range(count):
                scale = 1.0 / (step * step * bp) if rows.holonomic[row] else 1.0 / (step * gp)
                work.matrix[n + row, j] = (work.residual[n + row] - run.base[n + row]) * scale / small
            run.trial[j] -= small
            run.step[j] -= step * step * bp * small
            run.u_next[j] -= step * gp * small
        advance(tables, run.before, run.step, run.after)
        set_velocities(tables, run.u_next, run.after)
    return factorise_matrix(tables, work)


@inner
def _factorise_before(tables: Any, run: Any, time: float, step: float, constants: Any, work: Any) -> bool:  # noqa: PLR0917
    """Factors at the start of the step, for a step that ends in a singular position of the linkage.

    There the constraints hardly change with the positions: the matrix next to it serves, its own does not.
    """
    am, af, beta, gamma = constants
    bp, gp = beta * (1.0 - af) / (1.0 - am), gamma * (1.0 - af) / (1.0 - am)
    residual(tables, run.before, time, run.trial, run.multipliers, work)
    fill_matrix(tables, run.before, work, step * gp, step * step * bp)
    found = factorise_matrix(tables, work)
    residual(tables, run.after, time, run.trial, run.multipliers, work)
    return bool(found)


@inner
def _drives_move(target: Any) -> bool:
    """Whether a drive does work; one correction, however small, leaves its force off by as much in every step."""
    fastest = 0.0
    for row in range(len(target)):
        fastest = max(fastest, abs(target[row, 1]))
    return fastest > 0.0


@inner
def _rounding_floor(tables: Any, step: float, bp: float, gp: float, weight: float, work: Any) -> float:  # noqa: PLR0917
    """Corrections that gaps of the size of rounding call for with the factors at hand.

    Near a singular position of the linkage they are large, although the constraints are met as well as can be.
    """
    n, rows = tables.size, tables.rows
    right, scales = work.right, tables.scales
    for i in range(n):
        right[i] = 0.0
    for row in range(len(rows.types)):
        unit = _ROUNDING / rows.scales[row] / (step * step * bp if rows.holonomic[row] else step * gp)
        right[n + row] = unit if work.residual[n + row] < 0.0 else -unit
    substitute(work.factors, work.pivots, n + len(rows.types), right)
    floor = 0.0
    for i in range(n):
        floor = max(floor, abs(right[i]) * weight / scales[i])
    return min(floor, _ROUGHEST / _POSITION_GOAL)


@inner
def _solve(tables: Any, run: Any, time: float, step: float, constants: Any, work: Any) -> int:  # noqa: PLR0912, PLR0915, PLR0917
    """Newton's iteration for x and λ at the end of a step."""
    am, af, beta, gamma = constants
    bp, gp = beta * (1.0 - af) / (1.0 - am), gamma * (1.0 - af) / (1.0 - am)
    n, holonomic, scales = tables.size, tables.rows.holonomic, tables.scales
    count = len(holonomic)
    right, left_over, forces = work.right, work.residual, run.multipliers
    trial, moves, u_next = run.trial, run.step, run.u_next
    fastest = _SPEED_GOAL * max(1.0, speed(tables, run.u))
    # a correction of x counts by what it means for positions and velocities; no finer than rounding of positions
    weight = max(step * step * bp / _POSITION_GOAL, step * gp / max(fastest, 2e-15 / step))
    for attempt in range(4):
        fresh = attempt > 0
        if attempt:
            if attempt == 2:
                run.level[0] = 1
            elif attempt == 3:
                run.level[0] = 0
            copy1(run.multipliers_before, run.multipliers)
            _predict(tables, run, step, constants, 0.0)
        advance(tables, run.before, run.step, run.after)
        set_velocities(tables, run.u_next, run.after)
        last, aim = 0.0, 1.0
        for iteration in range(_ITERATIONS):
            residual(tables, run.after, time, run.trial, run.multipliers, work)
            run.counts[EVALUATIONS] += 1
            if iteration == 0 and run.age[0] >= 0:
                run.age[0] += 1
            if run.age[0] < 0 or (fresh and iteration == 0):
                if attempt == 3:
                    made = _factorise_before(tables, run, time, step, constants, work)
                else:
                    made = _refactorise(tables, run, time, step, constants, work)
                if not made and attempt == 3:
                    return SINGULAR
                if not made:
                    break
                run.age[0] = 0
                run.contraction[0] = 0.1
                run.counts[FACTORISATIONS] += 1
                if run.level[0] == 1:
                    residual(tables, run.after, time, run.trial, run.multipliers, work)
            for i in range(n):
                right[i] = -left_over[i]
            for row in range(count):
                scale = 1.0 / (step * step * bp) if holonomic[row] else 1.0 / (step * gp)
                right[n + row] = -left_over[n + row] * scale
            substitute(work.factors, work.pivots, n + count, right)
            run.counts[ITERATIONS] += 1
            size = 0.0
            for i in range(n):
                part = right[i]
                trial[i] += part
                moves[i] += step * step * bp * part
                u_next[i] += step * gp * part
                size = max(size, abs(part) * weight / scales[i])
                if not isfinite(part):
                    size = np.inf
            for row in range(count):
                forces[row] += right[n + row]
            if not isfinite(size):
                break
            advance(tables, run.before, run.step, run.after)
            set_velocities(tables, run.u_next, run.after)
            rate = size / last if last > 0.0 else run.contraction[0]
            if iteration:
                run.contraction[0] = min(0.9, max(rate, 0.5 * run.contraction[0], 1e-3))
            if iteration == 0:
                aim = max(1.0, _SHARE * size)
            done = size <= 1.0 or (rate < 0.9 and 2.0 * size * rate <= aim * (1.0 - rate))
            if done and not (iteration == 0 and _drives_move(work.target)):
                if (iteration and rate > _SLOW and run.age[0] > 1) or attempt == 3:
                    run.age[0] = -1
                return DONE
            if iteration > 1 and rate > _STUCK:
                if size <= max(30.0, _rounding_floor(tables, step, bp, gp, weight, work)):
                    return DONE
                break
            last = size
    return NO_CONVERGENCE


@inner
def _one_step(tables: Any, run: Any, time: float, step: float, constants: Any, work: Any) -> int:  # noqa: PLR0917
    """From `run.before` to `run.after`, and back into `run.before`."""
    am, af, _, _ = constants
    copy1(run.multipliers, run.multipliers_before)
    _predict(tables, run, step, constants, 1.0)
    status = _solve(tables, run, time, step, constants, work)
    if status != DONE:
        return status
    x, old, known, trial = run.x, run.x_before, run.a, run.trial
    for i in range(tables.size):
        known[i] = ((1.0 - af) * trial[i] + af * x[i] - am * known[i]) / (1.0 - am)
        old[i] = x[i]
        x[i] = trial[i]
    copy1(run.u_next, run.u)
    copy_place(run.after, run.before)
    set_velocities(tables, run.u, run.before)
    for k in range(3):
        run.works[k] += 0.5 * step * (run.powers[k] + work.powers[k])
        run.powers[k] = work.powers[k]
    return DONE


@entry
def run_segment(  # noqa: PLR0917
    tables: Any, run: Any, segment: Any, constants: Any, limit: float, samples: Any, first: int, work: Any
) -> Any:
    """Several intervals (start, step, first step, number of steps, whether to sample) one after the other."""
    taken = first
    for k in range(len(segment.starts)):
        begin, step = segment.starts[k], segment.steps[k]
        if step != run.last_step[0]:
            run.age[0] = -1
            run.last_step[0] = step
            run.contraction[0] = 0.1
            copy1(run.x, run.x_before)  # without growth
        for i in range(segment.counts[k]):
            time = begin + (segment.firsts[k] + i + 1) * step
            status = _one_step(tables, run, time, step, constants, work)
            if status != DONE:
                return status, taken, time, -1
            run.counts[STEPS] += 1
            bent, body = deflection(tables, run.before)
            if not bent <= limit:
                return (TOO_BENT if isfinite(bent) else NOT_FINITE), taken, time, body
        if segment.kept[k] == STEP:
            keep_step(tables, run.before, run.u, run.x, run.multipliers, run.works, samples, taken, work)
            taken += 1
        if segment.kept[k] == SAMPLE:
            # velocities are on A u = ḟ to the order of the method; they are put there exactly for the sample only,
            # as correcting them in every step would cost an order
            copy2(work.factors, run.keep_factors)
            copy1(work.pivots, run.keep_pivots)
            spares = (run.after, run.spare, run.u_next)
            if not take_sample(
                tables, run.before, run.u, run.works, segment.ends[k], spares, samples, taken, work
            ):
                return NO_INERTIA, taken, segment.ends[k], -1
            copy2(run.keep_factors, work.factors)
            copy1(run.keep_pivots, work.pivots)
            taken += 1
    return DONE, taken, segment.ends[len(segment.ends) - 1], -1
