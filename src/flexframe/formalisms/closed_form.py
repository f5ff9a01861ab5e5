"""The closed form m δ̈ + 2c δ̇ + [k + k(ε) + k(ω²)] δ = q − q(ε) − q(ω²) − m_O a of elements, from invariants.

This is what the routes are compared with, not a route itself: integrals of ρN, ρxN and ρNN, combined by the
motion.
"""

import numpy as np

from flexframe.formalisms.contract import ElementEquations, MovingElements
from flexframe.motion.frame import FrameMotion


def closed_form(elements: MovingElements, motion: FrameMotion) -> ElementEquations:
    """M, C, K, f of every element."""
    w, x, N = elements.weights, elements.positions, elements.shape
    weighted = N * w[..., None, None]
    M_O = weighted.sum(axis=1)  # ∫ρN: (elements, 3, p)
    X = np.einsum("egk,egmp->ekmp", x, weighted, optimize=True)  # ∫ρ x_k N_m
    flat = N.transpose(0, 2, 1, 3)
    Y = np.einsum("ekgp,engq->eknpq", weighted.transpose(0, 2, 1, 3), flat, optimize=True)  # ∫ρ N_k N_n
    W, transport = motion.W, motion.E + motion.W @ motion.W
    return ElementEquations(
        mass=np.einsum("ekkpq->epq", Y),
        damping=2 * np.einsum("ab,eabpq->epq", W, Y) + elements.damping,
        stiffness=np.einsum("ab,eabpq->epq", transport, Y) + elements.stiffness,
        load=elements.load
        - np.einsum("ab,ebap->ep", transport, X)
        - np.einsum("a,eap->ep", motion.origin_acceleration, M_O),
    )
