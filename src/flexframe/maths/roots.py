"""A root between two points at which a function has different signs."""

from collections.abc import Callable

_ROUNDING = 2.0**-52


def bracket_root(function: Callable[[float], float], low: float, high: float, *, tolerance: float) -> float:
    """Chandrupatla's method: inverse quadratic interpolation where three values allow it, halving elsewhere.

    The root is met within the tolerance or a few roundings of its size. Reference: T. R. Chandrupatla, Advances in
    Engineering Software 28 (1997) 145–149.
    """
    a, b = high, low
    fa, fb = function(a), function(b)
    assert fa * fb <= 0, "the ends have different signs"
    part = 0.5
    while True:
        x = a + part * (b - a)
        fx = function(x)
        if (fx > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = x, fx
        best, least = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        if least == 0:
            return best
        near = (tolerance / 2 + 2 * _ROUNDING * abs(best)) / abs(b - a)
        if near > 0.5:
            return best
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        part = 0.5
        if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:
            part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        part = min(max(part, near), 1 - near)
