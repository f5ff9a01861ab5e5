"""Laws of time in compiled loops: value, first and second derivative."""

from math import acos, asin, atan, atan2, cos, cosh, exp, floor, inf, isnan, log, nan, sin, sinh, sqrt, tan, tanh
from typing import Any

from flexframe.dynamics.compiling import inner
from flexframe.maths.formula import Operation

NUMBER, TAPE, TABLE = range(3)

_NUMBER, _VARIABLE, _NEGATE = int(Operation.NUMBER), int(Operation.VARIABLE), int(Operation.NEGATE)
_ADD, _SUBTRACT, _MULTIPLY = int(Operation.ADD), int(Operation.SUBTRACT), int(Operation.MULTIPLY)
_DIVIDE, _POWER = int(Operation.DIVIDE), int(Operation.POWER)
_SIN, _COS, _TAN = int(Operation.SIN), int(Operation.COS), int(Operation.TAN)
_ASIN, _ACOS, _ATAN, _ATAN2 = (
    int(Operation.ASIN),
    int(Operation.ACOS),
    int(Operation.ATAN),
    int(Operation.ATAN2),
)
_SINH, _COSH, _TANH = int(Operation.SINH), int(Operation.COSH), int(Operation.TANH)
_EXP, _LOG, _SQRT = int(Operation.EXP), int(Operation.LOG), int(Operation.SQRT)
_ABS, _SIGN, _STEP = int(Operation.ABS), int(Operation.SIGN), int(Operation.STEP)
_MIN, _MAX = int(Operation.MIN), int(Operation.MAX)


@inner
def _divided(a: float, b: float) -> float:
    """a/b with the infinities of floating-point numbers."""
    if b != 0.0:
        return a / b
    return nan if a == 0.0 or isnan(a) else (inf if a > 0.0 else -inf)


@inner
def _unary(code: int, x: float) -> Any:  # noqa: PLR0911, PLR0912 - one branch for each function
    """f, f' and f''."""
    if code == _NEGATE:
        return -x, -1.0, 0.0
    if code == _SIN:
        return sin(x), cos(x), -sin(x)
    if code == _COS:
        return cos(x), -sin(x), -cos(x)
    if code == _TAN:
        f = tan(x)
        return f, 1.0 + f * f, 2.0 * f * (1.0 + f * f)
    if code == _ATAN:
        size = 1.0 + x * x
        return atan(x), 1.0 / size, -2.0 * x / (size * size)
    if code == _SINH:
        return sinh(x), cosh(x), sinh(x)
    if code == _COSH:
        return cosh(x), sinh(x), cosh(x)
    if code == _TANH:
        f = tanh(x)
        return f, 1.0 - f * f, -2.0 * f * (1.0 - f * f)
    if code == _EXP:
        f = exp(x)
        return f, f, f
    if code == _ABS:
        return abs(x), (1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)), 0.0
    if code == _SIGN:
        return (1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)), 0.0, 0.0
    if code == _STEP:
        return (0.0 if x < 0.0 else 1.0), 0.0, 0.0
    if code == _LOG:
        if x <= 0.0:
            return (-inf if x == 0.0 else nan), nan, nan
        return log(x), 1.0 / x, -1.0 / (x * x)
    if code == _SQRT:
        if x < 0.0:
            return nan, nan, nan
        f = sqrt(x)
        return f, _divided(0.5, f), _divided(-0.25, x * f)
    # asin, acos
    if abs(x) > 1.0:
        return nan, nan, nan
    root = sqrt(1.0 - x * x)
    slope, curvature = _divided(1.0, root), _divided(x, root * root * root)
    if code == _ASIN:
        return asin(x), slope, curvature
    return acos(x), -slope, -curvature


@inner
def _power(x: Any, y: Any) -> Any:  # noqa: PLR0911
    """xʸ: as a power of x where y stands still, else by exp(y log x)."""
    x0, x1, x2 = x
    y0, y1, y2 = y
    if y1 == 0.0 and y2 == 0.0:
        if x0 == 0.0 and y0 < 0.0:
            return inf, nan, nan
        if x0 < 0.0 and y0 != floor(y0):
            return nan, nan, nan
        f = x0**y0
        if y0 == 0.0:
            return f, 0.0, 0.0
        if x0 == 0.0 and y0 < 1.0:
            return f, nan, nan
        slope = y0 * x0 ** (y0 - 1.0)
        curvature = 0.0
        if y0 != 1.0:
            curvature = nan if x0 == 0.0 and y0 < 2.0 else y0 * (y0 - 1.0) * x0 ** (y0 - 2.0)
        return f, slope * x1, slope * x2 + curvature * x1 * x1
    if x0 <= 0.0:
        return nan, nan, nan
    root = log(x0)
    l1 = x1 / x0
    l2 = x2 / x0 - l1 * l1
    g1 = y1 * root + y0 * l1
    g2 = y2 * root + 2.0 * y1 * l1 + y0 * l2
    f = x0**y0
    return f, f * g1, f * (g2 + g1 * g1)


@inner
def _binary(code: int, x: Any, y: Any) -> Any:  # noqa: PLR0911
    x0, x1, x2 = x
    y0, y1, y2 = y
    if code == _ADD:
        return x0 + y0, x1 + y1, x2 + y2
    if code == _SUBTRACT:
        return x0 - y0, x1 - y1, x2 - y2
    if code == _MULTIPLY:
        return x0 * y0, x1 * y0 + x0 * y1, x2 * y0 + 2.0 * x1 * y1 + x0 * y2
    if code == _DIVIDE:
        q = _divided(x0, y0)
        dq = _divided(x1 - q * y1, y0)
        return q, dq, _divided(x2 - 2.0 * dq * y1 - q * y2, y0)
    if code == _POWER:
        return _power(x, y)
    if code == _ATAN2:
        size = x0 * x0 + y0 * y0
        rate = _divided(y0 * x1 - x0 * y1, size)
        return atan2(x0, y0), rate, _divided(y0 * x2 - x0 * y2 - 2.0 * rate * (x0 * x1 + y0 * y1), size)
    if code == _MIN:
        return x if x0 <= y0 else y
    if code == _MAX:
        return x if x0 >= y0 else y
    whole = floor(_divided(x0, y0))  # mod
    return x0 - y0 * whole, x1 - whole * y1, x2 - whole * y2


@inner
def law_jet(laws: Any, law: int, time: float, stack: Any) -> Any:
    """f, ḟ and f̈ of one law."""
    if laws.kinds[law] == NUMBER:
        return laws.values[law], 0.0, 0.0
    first, count = laws.starts[law], laws.counts[law]
    if laws.kinds[law] == TABLE:
        return _tabulate(laws, law, first, count, time)
    top = 0
    for k in range(first, first + count):
        code = laws.opcodes[k]
        if code == _NUMBER:
            stack[top, 0], stack[top, 1], stack[top, 2] = laws.operands[k], 0.0, 0.0
            top += 1
        elif code == _VARIABLE:
            stack[top, 0], stack[top, 1], stack[top, 2] = time, 1.0, 0.0
            top += 1
        elif _NEGATE < code < _SIN or code == _ATAN2 or code >= _MIN:
            x = (stack[top - 2, 0], stack[top - 2, 1], stack[top - 2, 2])
            y = (stack[top - 1, 0], stack[top - 1, 1], stack[top - 1, 2])
            stack[top - 2, 0], stack[top - 2, 1], stack[top - 2, 2] = _binary(code, x, y)
            top -= 1
        else:
            dx, ddx = stack[top - 1, 1], stack[top - 1, 2]
            f, slope, curvature = _unary(code, stack[top - 1, 0])
            stack[top - 1, 0] = f
            stack[top - 1, 1] = slope * dx
            stack[top - 1, 2] = slope * ddx + curvature * dx * dx
    return stack[0, 0], stack[0, 1], stack[0, 2]


@inner
def _tabulate(laws: Any, law: int, first: int, count: int, time: float) -> Any:
    """Polynomial of fifth degree between two points of a table, with their values and derivatives."""
    step = laws.origins[law, 1]
    place = (time - laws.origins[law, 0]) / step
    k = min(max(floor(place), 0), count - 2)
    x = place - k
    a, b = laws.table[first + k], laws.table[first + k + 1]
    p0, v0, a0 = a[0], a[1] * step, a[2] * step * step
    p1, v1, a1 = b[0] - (p0 + v0 + 0.5 * a0), b[1] * step - (v0 + a0), b[2] * step * step - a0
    c3 = 10.0 * p1 - 4.0 * v1 + 0.5 * a1
    c4 = -15.0 * p1 + 7.0 * v1 - a1
    c5 = 6.0 * p1 - 3.0 * v1 + 0.5 * a1
    value = p0 + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
    rate = v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))
    second = a0 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))
    return value, rate / step, second / (step * step)
