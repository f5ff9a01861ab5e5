"""Closed form of the linkage of paper 004, (A6)–(A31) in the corrected reading, as an independent reference.

Crank AB (l1), lever BC' (l2), pendulum C'D of length h in the direction θ3 − ψ, D = (x_D, e). (A12) is taken with
atan2; velocities and accelerations are (A19), (A23) and (A31) with b_i1 l1² and b_i2 l1 (as in A30).
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Linkage:
    l1: float
    l2: float
    h: float
    psi: float
    e: float

    def angles(self, phi1, x_D):
        """θ2 and θ3 − ψ by (A7)–(A16); C' below BD."""
        AD, slope = np.hypot(x_D, self.e), np.arctan2(self.e, x_D)
        alpha = np.arctan2(-AD * np.sin(phi1 - slope), self.l1 - AD * np.cos(phi1 - slope))
        beta = phi1 - np.pi - alpha - slope
        BD = np.sqrt(self.l1**2 + AD**2 - 2 * self.l1 * AD * np.cos(phi1 - slope))
        gamma = np.arccos((self.l2**2 + BD**2 - self.h**2) / (2 * self.l2 * BD))
        delta = np.arccos((self.h**2 + BD**2 - self.l2**2) / (2 * self.h * BD))
        return 2 * np.pi - gamma + beta + slope, beta + slope + delta

    def motion(self, phi1, x_D, omega, x_rate, epsilon, x_second):
        """θ2, θ3, their rates ω2, ω3 and accelerations ε2, ε3."""
        theta2, theta3 = self.angles(phi1, x_D)
        s1, c1, s2, c2 = np.sin(phi1), np.cos(phi1), np.sin(theta2), np.cos(theta2)
        s3, c3 = np.sin(theta3), np.cos(theta3)
        determinant = s2 * c3 - s3 * c2
        a11, a12 = (-c3 * s1 + s3 * c1) / determinant, -c3 / determinant
        a21, a22 = (c2 * s1 - c1 * s2) / determinant, c2 / determinant
        w2 = (a11 * self.l1 * omega + a12 * x_rate) / self.l2
        w3 = (a21 * self.l1 * omega + a22 * x_rate) / self.h
        # (A23): l2 ε2 = a11 l1 ε1 + a12 ẍ + b11 l1²ω1² + b12 l1 ω1 ẋ + b13 ẋ², likewise h ε3
        together = c3 * c2 + s3 * s2
        upper, lower = -(c3 * c1 + s3 * s1) / self.l1, (c2 * c1 + s2 * s1) / self.l1
        squares = ((1, a11**2, a21**2), (0, 2 * a11 * a12, 2 * a21 * a22), (0, a12**2, a22**2))
        b1 = [(k * upper - p * together / self.l2 - q / self.h) / determinant for k, p, q in squares]
        b2 = [(k * lower + p / self.l2 + q * together / self.h) / determinant for k, p, q in squares]
        products = (self.l1**2 * omega**2, self.l1 * omega * x_rate, x_rate**2)
        e2 = a11 * self.l1 * epsilon + a12 * x_second + sum(b * p for b, p in zip(b1, products, strict=True))
        e3 = a21 * self.l1 * epsilon + a22 * x_second + sum(b * p for b, p in zip(b2, products, strict=True))
        return theta2, theta3 + self.psi, w2, w3, e2 / self.l2, e3 / self.h
