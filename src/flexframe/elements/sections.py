"""Cross-sections of beams: constants in principal axes, shear factors, and the fibres where stress is largest.

Shear along y and z has the areas κ_y A and κ_z A. Where the factor depends on the material it is resolved with
Poisson's ratio, where section and material meet. Sections do not warp.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexframe.errors import InputError
from flexframe.given import require_number
from flexframe.maths.arrays import Array, BoolArray

LARGEST = 1e50  # SI value of a modulus, density or size that is taken for a mistake


class Section(Protocol):
    """Cross-section constants in its principal axes y, z through the centroid; x is the beam axis.

    `inertia_z` = ∫y² dA resists bending in the x–y plane, `inertia_y` = ∫z² dA in the x–z plane.
    `height` and `width` are the extents along y and z used for drawing. The principal axes are turned from those
    in which the section is described by `principal_angle` [rad], from y to z. Shear forces act through the
    `shear_centre` (y, z) [m], seen from the centroid in principal axes, and torsion turns the section about it.
    """

    @property
    def area(self) -> float:
        """Area of the section [m²]."""
        ...

    @property
    def inertia_y(self) -> float:
        """Second moment of area about the principal axis y, ∫z² dA [m⁴]."""
        ...

    @property
    def inertia_z(self) -> float:
        """Second moment of area about the principal axis z, ∫y² dA [m⁴]."""
        ...

    @property
    def torsion_constant(self) -> float:
        """Saint-Venant's torsion constant J [m⁴]: the torque is GJ times the twist per length."""
        ...

    @property
    def height(self) -> float:
        """Extent along the principal axis y [m]."""
        ...

    @property
    def width(self) -> float:
        """Extent along the principal axis z [m]."""
        ...

    @property
    def principal_angle(self) -> float:
        """Angle [rad] from the axes of the description to the principal axes, from y to z."""
        ...

    @property
    def shear_centre(self) -> tuple[float, float]:
        """Shear centre (y, z) [m] from the centroid in principal axes."""
        ...

    def shear_factors(self, poisson: float) -> tuple[float, float]:
        """κ of shear along y and along z, in a material with this Poisson's ratio."""
        ...

    @property
    def stress_points(self) -> tuple[tuple[float, float], ...]:
        """Places (y, z) [m] where normal stress can be largest, none where the section is round."""
        ...


def require_positive(owner: str, **values: float) -> None:
    """Reject what is not a positive number of a size that things have."""
    for field, value in values.items():
        require_number(value, f"{owner}: {field}", field=field)
        if not (np.isfinite(value) and value > 0):
            raise InputError(f"{owner}: {field} is {value:g}; give a positive number")
        if not 1 / LARGEST < value < LARGEST:
            raise InputError(f"{owner}: {field} is {value:g}; nothing is of that size, check its unit")


def corners(height: float, width: float) -> tuple[tuple[float, float], ...]:
    """(y, z) of the corners of a rectangle about its middle."""
    y, z = height / 2, width / 2
    return (y, z), (y, -z), (-y, z), (-y, -z)


@dataclass(frozen=True)
class Rectangle:
    """Rectangle, `width` along z (out of the plane of a planar beam), `height` along y (in its plane)."""

    width: float
    height: float
    shear_factor: float = 5 / 6

    def __post_init__(self) -> None:
        require_positive("rectangle section", width=self.width, height=self.height, shear_factor=self.shear_factor)

    @property
    def area(self) -> float:
        """Area of the section [m²]."""
        return self.width * self.height

    @property
    def inertia_y(self) -> float:
        """Second moment of area about the principal axis y, ∫z² dA [m⁴]."""
        return self.height * self.width**3 / 12

    @property
    def inertia_z(self) -> float:
        """Second moment of area about the principal axis z, ∫y² dA [m⁴]."""
        return self.width * self.height**3 / 12

    @property
    def torsion_constant(self) -> float:
        """Saint-Venant's series ab³[1/3 − (64/π⁵)(b/a) Σ tanh(nπa/2b)/n⁵], n odd, a ≥ b."""
        a, b = max(self.width, self.height), min(self.width, self.height)
        n = np.arange(1, 40, 2)
        return float(a * b**3 * (1 / 3 - 64 / np.pi**5 * b / a * np.sum(np.tanh(n * np.pi * a / (2 * b)) / n**5)))

    def shear_factors(self, poisson: float) -> tuple[float, float]:  # noqa: ARG002 - 5/6 in every material
        """κ of shear along y and along z, equal and the same in every material."""
        return self.shear_factor, self.shear_factor

    @property
    def principal_angle(self) -> float:
        """Zero [rad]: the given axes are principal axes."""
        return 0.0

    @property
    def shear_centre(self) -> tuple[float, float]:
        """The centroid, (0, 0) [m]: the section has two axes of symmetry."""
        return 0.0, 0.0

    @property
    def stress_points(self) -> tuple[tuple[float, float], ...]:
        """Corners (y, z) [m] from the centroid."""
        return corners(self.height, self.width)


@dataclass(frozen=True)
class Circle:
    """Solid circle, or a tube when `inner_diameter` is given; Cowper's shear factor unless one is given."""

    diameter: float
    inner_diameter: float = 0.0
    shear_factor: float | None = None

    def __post_init__(self) -> None:
        require_positive("circle section", diameter=self.diameter)
        if self.shear_factor is not None:
            require_positive("circle section", shear_factor=self.shear_factor)
        if not 0 <= self.inner_diameter < self.diameter:
            raise InputError(
                f"circle section: inner_diameter is {self.inner_diameter:g}; "
                f"give a value from 0 to below the diameter {self.diameter:g}"
            )

    @property
    def area(self) -> float:
        """Area of the section without the bore [m²]."""
        return float(np.pi * (self.diameter**2 - self.inner_diameter**2) / 4)

    @property
    def inertia_y(self) -> float:
        """Second moment of area about any diameter [m⁴]."""
        return float(np.pi * (self.diameter**4 - self.inner_diameter**4) / 64)

    @property
    def inertia_z(self) -> float:
        """Second moment of area about any diameter [m⁴]."""
        return self.inertia_y

    @property
    def torsion_constant(self) -> float:
        """Torsion constant J [m⁴], which is the polar second moment of area."""
        return 2 * self.inertia_y

    @property
    def height(self) -> float:
        """Outer diameter [m]."""
        return self.diameter

    @property
    def width(self) -> float:
        """Outer diameter [m]."""
        return self.diameter

    def shear_factors(self, poisson: float) -> tuple[float, float]:
        """Cowper's κ = 6(1+ν)(1+m²)² / [(7+6ν)(1+m²)² + (20+12ν)m²], m = d/D (J. Appl. Mech. 33, 1966)."""
        if self.shear_factor is not None:
            return self.shear_factor, self.shear_factor
        bore = (self.inner_diameter / self.diameter) ** 2
        whole = (1 + bore) ** 2
        factor = 6 * (1 + poisson) * whole / ((7 + 6 * poisson) * whole + (20 + 12 * poisson) * bore)
        return factor, factor

    def towards(self, other: "Circle", share: float) -> "Circle":
        """The circle at a share of the way to another one along a cone; the shear factor is that of this one."""
        return Circle(
            self.diameter + share * (other.diameter - self.diameter),
            self.inner_diameter + share * (other.inner_diameter - self.inner_diameter),
            self.shear_factor,
        )

    @property
    def principal_angle(self) -> float:
        """Zero [rad]: every axis through the centre is principal."""
        return 0.0

    @property
    def shear_centre(self) -> tuple[float, float]:
        """The centre, (0, 0) [m]."""
        return 0.0, 0.0

    @property
    def stress_points(self) -> tuple[tuple[float, float], ...]:
        """None: the largest normal stress of a round section follows from its diameter."""
        return ()


@dataclass(frozen=True)
class GeneralSection:
    """A section given by its constants; outer fibres at ±height/2 and ±width/2.

    Without `height` and `width` those of the rectangle with the same area and moments are taken for stress.
    `shear_factor_across` is the factor of shear along z where it differs from that along y.
    """

    area: float
    inertia_z: float
    inertia_y: float
    torsion_constant: float
    shear_factor: float = 5 / 6
    fibre_height: float | None = None
    fibre_width: float | None = None
    shear_factor_across: float | None = None

    def __post_init__(self) -> None:
        across = self.shear_factor if self.shear_factor_across is None else self.shear_factor_across
        require_positive(
            "section",
            shear_factor_across=across,
            area=self.area,
            inertia_z=self.inertia_z,
            inertia_y=self.inertia_y,
            torsion_constant=self.torsion_constant,
            shear_factor=self.shear_factor,
        )

    @property
    def height(self) -> float:
        """Extent along y [m]: `fibre_height`, or that of the rectangle with the same area and moments."""
        return self.fibre_height or float(np.sqrt(12 * self.inertia_z / self.area))

    @property
    def width(self) -> float:
        """Extent along z [m]: `fibre_width`, or that of the rectangle with the same area and moments."""
        return self.fibre_width or float(np.sqrt(12 * self.inertia_y / self.area))

    def shear_factors(self, poisson: float) -> tuple[float, float]:  # noqa: ARG002 - as given
        """κ of shear along y and along z, as given for every material."""
        across = self.shear_factor_across
        return self.shear_factor, self.shear_factor if across is None else across

    @property
    def principal_angle(self) -> float:
        """Zero [rad]: constants are given in principal axes."""
        return 0.0

    @property
    def shear_centre(self) -> tuple[float, float]:
        """The centroid, (0, 0) [m]: the constants given contain no offset."""
        return 0.0, 0.0

    @property
    def stress_points(self) -> tuple[tuple[float, float], ...]:
        """Outer fibres (y, z) [m] from the centroid, at ±height/2 and ±width/2."""
        return corners(self.height, self.width)


@dataclass(frozen=True, eq=False)
class SectionPoints:
    """Points with shares of the area, and whether they follow the bending and the torsion of their section."""

    shares: Array  # of the area, their sum is 1: (points,)
    places: Array  # (x, y, z) from the centroid: (points, 3)
    bends: BoolArray  # whether the rotations about y and z move the point: (points,)
    twists: BoolArray  # whether the rotation about x moves it: (points,)


def section_points(section: Section, rotary: float) -> SectionPoints:
    """Points with ∫1, ∫y², ∫z² of the section; its inertia of turning about y and z is multiplied by `rotary`.

    A share `rotary` of the four corners (±√(Iz/A), ±√(Iy/A)) moves with the section. The rest only twists with
    it, and points that do not turn take its moments about y and z out of the rigid inertia: (0, −Iy, −Iz) has the
    second moments ∫xx = −(Iy + Iz)/2, ∫yy = (Iy − Iz)/2, ∫zz = (Iz − Iy)/2. So the section has the inertia
    (Iy + Iz, rotary Iy, rotary Iz) in the rigid motion of the beam and in that of its own.
    """
    y, z = np.sqrt(section.inertia_z / section.area), np.sqrt(section.inertia_y / section.area)
    corners = np.array([[0, y, z], [0, -y, z], [0, -y, -z], [0, y, -z]])
    quarter, yes = np.full(4, 0.25), np.ones(4, dtype=bool)
    if rotary == 1.0:
        return SectionPoints(quarter, corners, yes, yes)
    Iy, Iz = section.inertia_y, section.inertia_z
    moments = np.array([-(Iy + Iz), Iy - Iz, Iz - Iy]) / 2
    # pairs at ± the polar radius of gyration, Σ share × radius² × area = moments; one point more, so that no mass
    # is added
    pairs = np.repeat(moments / (2 * (Iy + Iz)), 2)
    radius = np.sqrt(y**2 + z**2)
    still = radius * np.concatenate([np.kron(np.eye(3), [[1.0], [-1.0]]), np.zeros((1, 3))])
    shares = (1 - rotary) * np.concatenate([quarter, pairs, [-pairs.sum()]])
    none = np.zeros(7, dtype=bool)
    return SectionPoints(
        np.concatenate([rotary * quarter, shares]),
        np.concatenate([corners, corners, still]),
        np.concatenate([yes, ~yes, none]),
        np.concatenate([yes, yes, none]),
    )
