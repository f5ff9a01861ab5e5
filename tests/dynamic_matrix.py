"""P(λ, Ω) of equations, which tests multiply with eigenvectors and compare part by part."""

from typing import Any

from flexframe.equations.affine import AffineEquations


def dynamic_matrix(equations: AffineEquations[Any], eigenvalue: complex, speed: float) -> Any:
    """P = λ²M + λC(Ω) + K(Ω), complex, from the factors that analyses take."""
    total: Any = (0.0 * eigenvalue) * equations.mass
    for part, factor in zip(equations.coefficients, equations.factors(eigenvalue, speed), strict=True):
        if factor:
            total = total + complex(factor) * part.matrix
    return total
