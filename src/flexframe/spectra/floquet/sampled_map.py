"""The map of one period of ẋ = A(t) x from samples of A, evenly spread over the period.

A is the trigonometric polynomial through its samples; steps are collocation of order 16 (`gauss`), more of them
until the map changes no more.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.spectra.floquet.gauss import NODES, STAGES, first_order_maps

_TOLERANCE = 1e-11
_ROUNDS = 6
_PHASE = 2.0  # rad of the fastest motion in a step
_MOST = 100_000  # steps
_ROOM = 8_000_000  # numbers held at once


@dataclass(frozen=True, eq=False)
class SampledMap:
    """x(T) = Φ x(0)."""

    matrix: Array
    error: float  # change of Φ in the last refinement, or what the highest harmonics of A have, relative


def monodromy(samples: Array, period: float) -> SampledMap:
    """Φ of samples of A (k, n, n) at t = 0, T/k, …"""
    fastest = max(float(np.abs(np.linalg.eigvals(A)).max(initial=0.0)) for A in samples)
    steps = max(16.0, fastest * period / _PHASE)
    if steps > _MOST:
        raise AnalysisError(
            f"one period holds {fastest * period / (2 * np.pi):.3g} oscillations of the fastest motion, too many "
            "to follow; keep fewer modes"
        )
    spectrum = np.fft.rfft(samples, axis=0) / len(samples)
    spectrum[1:] *= 2
    if len(samples) % 2 == 0:
        spectrum[-1] /= 2
    sizes = np.abs(spectrum).max(axis=(1, 2))
    tail = float(sizes[-max(2, len(sizes) // 8) :].max() / sizes.max())
    before, error = _map(spectrum, period, int(np.ceil(steps))), np.inf
    for _ in range(_ROUNDS):
        steps *= 1.5
        now = _map(spectrum, period, int(np.ceil(steps)))
        last, error = error, float(np.linalg.norm(now - before) / np.linalg.norm(now))
        before = now
        if error <= _TOLERANCE or error > 0.3 * last:
            break
    return SampledMap(before, max(error, tail))


def _map(spectrum: ComplexArray, period: float, steps: int) -> Array:
    n = spectrum.shape[1]
    h = period / steps
    chunk = max(1, _ROOM // (STAGES * n) ** 2)
    done = np.eye(n)
    for first in range(0, steps, chunk):
        starts = h * np.arange(first, min(steps, first + chunk))
        times = (starts[:, None] + h * NODES).ravel()
        waves = np.exp(2j * np.pi / period * np.outer(times, np.arange(len(spectrum))))
        A = np.tensordot(waves, spectrum, axes=1).real.reshape(len(starts), STAGES, n, n)
        for step in first_order_maps(A, h):
            done = step @ done
    return done
