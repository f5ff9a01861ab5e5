"""The two-degree-of-freedom linkage of paper 004, appendix B, to fifty digits.

Crank AB (l1) turns about A = (0, 0); the elastic lever BC' (l2); the pendulum C'D of effective length h, whose
pin D = (x_D, e) is carried by a slide that moves along x. Independent coordinates φ1 and x_D; positions follow in
closed form from (A7)-(A16). The paper gives no dimensions; these are of the size of a bench model, in metres,
kilograms and newtons.

θ_i and φ_i of the paper are the same angles. G1, G2 lie at the parts a1, a2 of their links; G3 lies at the
distance hg from C' in the direction θ3 - ψ - ξ.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mpmath import mp, mpf

from .precision import Vector, array, derivative

Alpha = Callable[[mpf, mpf], mpf]

L1, L2, H, E_D = mpf(1) / 8, mpf(7) / 16, mpf(3) / 8, mpf(3) / 32
PART_1, PART_2 = mpf(3) / 8, mpf(9) / 16
PSI, XI, HG = mpf(1) / 4, mpf(3) / 16, mpf(5) / 32
MASSES = array(
    [mpf(3) / 2] * 2 + [mpf(1) / 64] + [mpf(5) / 8] * 2 + [mpf(1) / 96] + [mpf(2)] * 2 + [mpf(1) / 32, mpf(3) / 4]
)


def alpha_by_atan2(numerator: mpf, denominator: mpf) -> mpf:
    """The angle at B with its quadrant."""
    return mp.atan2(numerator, denominator)


def alpha_by_atan(numerator: mpf, denominator: mpf) -> mpf:
    """(A12) as printed: the quadrant is lost."""
    return mp.atan(numerator / denominator)


def angles(phi1: mpf, x_D: mpf, *, alpha: Alpha = alpha_by_atan2, beta_by_sine: bool = False) -> tuple[mpf, mpf]:
    """θ2 and θ3 - ψ by (A7)-(A16); ``beta_by_sine`` takes β from asin instead of (A7)."""
    AD, slope = mp.hypot(x_D, E_D), mp.atan2(E_D, x_D)  # β' is the slope of AD
    at_B = alpha(-AD * mp.sin(phi1 - slope), L1 - AD * mp.cos(phi1 - slope))
    at_D = mp.asin(L1 * mp.sin(at_B) / AD) if beta_by_sine else phi1 - mp.pi - at_B - slope
    BD = mp.sqrt(L1**2 + AD**2 - 2 * L1 * AD * mp.cos(2 * mp.pi - phi1 + slope))
    gamma = mp.acos((L2**2 + BD**2 - H**2) / (2 * L2 * BD))
    delta = mp.acos((H**2 + BD**2 - L2**2) / (2 * H * BD))
    return 2 * mp.pi - gamma + at_D + slope, at_D + slope + delta


def closure(phi1: mpf, x_D: mpf, theta2: mpf, theta3_psi: mpf) -> Vector:
    """The two loop equations (A6)."""
    return array(
        [
            L1 * mp.cos(phi1) + L2 * mp.cos(theta2) + H * mp.cos(theta3_psi) - x_D,
            L1 * mp.sin(phi1) + L2 * mp.sin(theta2) + H * mp.sin(theta3_psi) - E_D,
        ]
    )


def configuration(phi1: mpf, x_D: mpf) -> Vector:
    """The ten coordinates x1, y1, φ1, x2, y2, φ2, x3, y3, φ3, x_D of (A25)-(A27)."""
    theta2, theta3_psi = angles(phi1, x_D)
    B = L1 * _direction(phi1)
    C = B + L2 * _direction(theta2)
    G1, G2, G3 = PART_1 * B, B + PART_2 * L2 * _direction(theta2), C + HG * _direction(theta3_psi - XI)
    return array([*G1, phi1, *G2, theta2, *G3, theta3_psi + PSI, x_D])


def _direction(angle: mpf) -> Vector:
    return array([mp.cos(angle), mp.sin(angle)])


@dataclass(frozen=True)
class Drive:
    """φ1(t) and x_D(t), general enough that no coefficient drops out."""

    t: mpf

    @staticmethod
    def inputs(t: mpf) -> Vector:
        """φ1 and x_D as functions of time."""
        return array([3 + 2 * t + mp.sin(3 * t) / 2, mpf(9) / 16 + mp.sin(2 * t) / 16 + t / 32])

    @property
    def rates(self) -> Vector:
        """ω1 and ẋ_D."""
        return derivative(self.inputs, self.t)

    @property
    def seconds(self) -> Vector:
        """ε1 and ẍ_D."""
        return derivative(self.inputs, self.t, 2)

    def path(self, t: mpf) -> Vector:
        """The ten coordinates at a time."""
        return configuration(*self.inputs(t))

    @property
    def accelerations(self) -> Vector:
        """The truth: the second time derivative of the ten coordinates."""
        return derivative(self.path, self.t, 2)


@dataclass(frozen=True)
class Coefficients:
    """a_ij of (A19), b_ij of (A23) and the columns of (A31) at one configuration."""

    phi1: mpf
    x_D: mpf

    @property
    def _trigonometry(self) -> dict[str, mpf]:
        theta2, theta3_psi = angles(self.phi1, self.x_D)
        pairs = {"1": self.phi1, "2": theta2, "3": theta3_psi, "g": theta3_psi - XI}
        return {
            f + name: getattr(mp, g)(angle)
            for name, angle in pairs.items()
            for f, g in (("c", "cos"), ("s", "sin"))
        }

    @property
    def a(self) -> Vector:
        """(A19)."""
        s = self._trigonometry
        determinant = s["s2"] * s["c3"] - s["s3"] * s["c2"]
        rows = [
            [-s["c3"] * s["s1"] + s["s3"] * s["c1"], -s["c3"]],
            [s["c2"] * s["s1"] - s["c1"] * s["s2"], s["c2"]],
        ]
        return array(rows) / determinant

    @property
    def b(self) -> Vector:
        """(A23)."""
        s, a = self._trigonometry, self.a
        determinant = s["s2"] * s["c3"] - s["s3"] * s["c2"]
        together = s["c3"] * s["c2"] + s["s3"] * s["s2"]
        squares = ((1, a[0, 0] ** 2, a[1, 0] ** 2), (0, 2 * a[0, 0] * a[0, 1], 2 * a[1, 0] * a[1, 1]))
        squares = (*squares, (0, a[0, 1] ** 2, a[1, 1] ** 2))
        upper = -(s["c3"] * s["c1"] + s["s3"] * s["s1"]) / L1
        lower = (s["c2"] * s["c1"] + s["s2"] * s["s1"]) / L1
        first = [crank * upper - lever * together / L2 - pendulum / H for crank, lever, pendulum in squares]
        second = [crank * lower + lever / L2 + pendulum * together / H for crank, lever, pendulum in squares]
        return array([first, second]) / determinant

    @property
    def A(self) -> Vector:
        """The columns of ε1 and ẍ_D in (A31), 10 x 2; they are the partial velocities too."""
        s, a = self._trigonometry, self.a
        lever, pendulum = array([a[0, 0] * L1, a[0, 1]]), array([a[1, 0] * L1, a[1, 1]])
        crank, slide = array([mpf(1), mpf(0)]), array([mpf(0), mpf(1)])
        return array(
            [
                -PART_1 * s["s1"] * L1 * crank,
                PART_1 * s["c1"] * L1 * crank,
                crank,
                -s["s1"] * L1 * crank - PART_2 * s["s2"] * lever,
                s["c1"] * L1 * crank + PART_2 * s["c2"] * lever,
                lever / L2,
                -s["s1"] * L1 * crank - s["s2"] * lever - s["sg"] * HG * pendulum / H,
                s["c1"] * L1 * crank + s["c2"] * lever + s["cg"] * HG * pendulum / H,
                pendulum / H,
                slide,
            ]
        )

    def B(self, *, as_printed: bool = False) -> Vector:
        """The columns of ω1², ω1ẋ_D and ẋ_D² in (A31), 10 x 3.

        Printed, b_i1 is divided by l1² and b_i2 by l1 where (A30) multiplies.
        """
        s, a = self._trigonometry, self.a
        scale = array([1 / L1**2, 1 / L1, mpf(1)]) if as_printed else array([L1**2, L1, mpf(1)])
        lever, pendulum = self.b * scale  # l2 ε2 and h ε3 without the first two columns
        crank = array([mpf(1), mpf(0), mpf(0)])
        lever_rate = array([a[0, 0] ** 2 * L1**2, 2 * a[0, 0] * a[0, 1] * L1, a[0, 1] ** 2]) / L2
        pendulum_rate = array([a[1, 0] ** 2 * L1**2, 2 * a[1, 0] * a[1, 1] * L1, a[1, 1] ** 2]) / H
        reach = HG / H
        return array(
            [
                -PART_1 * s["c1"] * L1 * crank,
                -PART_1 * s["s1"] * L1 * crank,
                0 * crank,
                -s["c1"] * L1 * crank - PART_2 * (s["s2"] * lever + s["c2"] * lever_rate),
                -s["s1"] * L1 * crank + PART_2 * (s["c2"] * lever - s["s2"] * lever_rate),
                lever / L2,
                -s["c1"] * L1 * crank
                - s["s2"] * lever
                - s["c2"] * lever_rate
                - reach * (s["sg"] * pendulum + s["cg"] * pendulum_rate),
                -s["s1"] * L1 * crank
                + s["c2"] * lever
                - s["s2"] * lever_rate
                + reach * (s["cg"] * pendulum - s["sg"] * pendulum_rate),
                pendulum / H,
                0 * crank,
            ]
        )

    def projection(self, *, as_printed: bool = False) -> Vector:
        """Q_joint of (A42) = map @ (X_A, Y_A, X_B, Y_B, X_C, Y_C, X_D, Y_D), 10 x 8.

        Printed, row 3 lacks l1 in the arm of Y_B and row 9 has -Y_C x_C.
        """
        s = self._trigonometry
        zero, one = mpf(0), mpf(1)
        near, far = PART_1 * L1, (1 - PART_1) * L1
        near_2, far_2 = PART_2 * L2, (1 - PART_2) * L2
        arm = (1 - PART_1) if as_printed else far
        x_C, y_C = -HG * s["cg"], -HG * s["sg"]  # C' and D relative to G3
        x_D, y_D = x_C + H * s["c3"], y_C + H * s["s3"]
        of_Y_C = -x_C if as_printed else x_C
        return array(
            [
                [one, zero, one, zero, zero, zero, zero, zero],
                [zero, one, zero, one, zero, zero, zero, zero],
                [near * s["s1"], -near * s["c1"], -far * s["s1"], arm * s["c1"], zero, zero, zero, zero],
                [zero, zero, -one, zero, one, zero, zero, zero],
                [zero, zero, zero, -one, zero, -one, zero, zero],
                [zero, zero, -near_2 * s["s2"], near_2 * s["c2"], -far_2 * s["s2"], -far_2 * s["c2"], zero, zero],
                [zero, zero, zero, zero, -one, zero, one, zero],
                [zero, zero, zero, zero, zero, one, zero, -one],
                [zero, zero, zero, zero, y_C, of_Y_C, -y_D, -x_D],
                [zero, zero, zero, zero, zero, zero, -one, zero],
            ]
        )


def coefficients(drive: Drive) -> Coefficients:
    """The coefficients along a drive."""
    phi1, x_D = drive.inputs(drive.t)
    return Coefficients(phi1, x_D)


def products_of_rates(rates: Any) -> Vector:
    """ω1², ω1ẋ_D, ẋ_D²."""
    return array([rates[0] ** 2, rates[0] * rates[1], rates[1] ** 2])
