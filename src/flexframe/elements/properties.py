"""What an element is made of: material, thickness or cross-section."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial
from flexframe.errors import InputError
from flexframe.maths.arrays import Array

PlaneState = Literal["stress", "strain"]


LARGEST = 1e50  # SI value of a modulus, density or size that is taken for a mistake


@dataclass(frozen=True)
class Material:
    """Isotropic linear elastic material, SI units."""

    young: float
    poisson: float
    density: float
    name: str = "material"

    def __post_init__(self) -> None:
        for field in ("young", "density"):
            value = getattr(self, field)
            if not (np.isfinite(value) and value > 0):
                raise InputError(f"material {self.name}: {field} is {value:g}; give a positive number")
            if not 1 / LARGEST < value < LARGEST:  # products of such numbers leave the range of floating point
                raise InputError(
                    f"material {self.name}: {field} is {value:g}; no material has that, check its unit"
                )
        if not -1 < self.poisson < 0.5:
            raise InputError(
                f"material {self.name}: poisson is {self.poisson:g}; give a value between -1 and 0.5 "
                "(0.5 itself, an incompressible material, needs a mixed formulation that flexframe does not have)"
            )

    @property
    def shear_modulus(self) -> float:
        """G = E / 2(1+ν)."""
        return self.young / (2 * (1 + self.poisson))

    def plane_elasticity(self, state: PlaneState) -> Array:
        """D with σ = D (ε11, ε22, γ12): (3, 3)."""
        E, nu = self.young, self.poisson
        if state == "stress":
            return E / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
        factor = E / ((1 + nu) * (1 - 2 * nu))
        return factor * np.array([[1 - nu, nu, 0], [nu, 1 - nu, 0], [0, 0, (1 - 2 * nu) / 2]])

    def solid_elasticity(self) -> Array:
        """D with σ = D (ε11, ε22, ε33, γ12, γ23, γ31): (6, 6)."""
        lame = self.young * self.poisson / ((1 + self.poisson) * (1 - 2 * self.poisson))
        D = np.zeros((6, 6))
        D[:3, :3] = lame
        D += self.shear_modulus * np.diag([2.0, 2, 2, 1, 1, 1])
        return D


STEEL = Material(young=210e9, poisson=0.3, density=7850.0, name="steel")
ALUMINIUM = Material(young=70e9, poisson=0.33, density=2700.0, name="aluminium")
TITANIUM = Material(young=114e9, poisson=0.34, density=4430.0, name="titanium")
MATERIALS = (STEEL, ALUMINIUM, TITANIUM)


class Section(Protocol):
    """Cross-section constants in its principal axes y, z through the centroid; x is the beam axis.

    `inertia_z` = ∫y² dA resists bending in the x–y plane, `inertia_y` = ∫z² dA in the x–z plane.
    `height` and `width` are the extents along y and z used for the outer-fibre stress and for drawing. Shear along
    y and z has the areas `shear_factor` × area and `shear_factor_z` × area; the shear centre is the centroid.
    """

    @property
    def area(self) -> float: ...
    @property
    def inertia_y(self) -> float: ...
    @property
    def inertia_z(self) -> float: ...
    @property
    def torsion_constant(self) -> float: ...
    @property
    def shear_factor(self) -> float: ...
    @property
    def shear_factor_z(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def width(self) -> float: ...


def _require_positive(owner: str, **values: float) -> None:
    for field, value in values.items():
        if not (np.isfinite(value) and value > 0):
            raise InputError(f"{owner}: {field} is {value:g}; give a positive number")
        if not 1 / LARGEST < value < LARGEST:
            raise InputError(f"{owner}: {field} is {value:g}; nothing is of that size, check its unit")


@dataclass(frozen=True)
class Rectangle:
    """Rectangle, `width` along z (out of the plane of a planar beam), `height` along y (in its plane)."""

    width: float
    height: float
    shear_factor: float = 5 / 6

    def __post_init__(self) -> None:
        _require_positive(
            "rectangle section", width=self.width, height=self.height, shear_factor=self.shear_factor
        )

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def shear_factor_z(self) -> float:
        return self.shear_factor

    @property
    def inertia_y(self) -> float:
        return self.height * self.width**3 / 12

    @property
    def inertia_z(self) -> float:
        return self.width * self.height**3 / 12

    @property
    def torsion_constant(self) -> float:
        """Saint-Venant's series ab³[1/3 − (64/π⁵)(b/a) Σ tanh(nπa/2b)/n⁵], n odd, a ≥ b."""
        a, b = max(self.width, self.height), min(self.width, self.height)
        n = np.arange(1, 40, 2)
        return float(a * b**3 * (1 / 3 - 64 / np.pi**5 * b / a * np.sum(np.tanh(n * np.pi * a / (2 * b)) / n**5)))


@dataclass(frozen=True)
class Circle:
    """Solid circle, or a tube when `inner_diameter` is given."""

    diameter: float
    inner_diameter: float = 0.0
    shear_factor: float = 0.9

    def __post_init__(self) -> None:
        _require_positive("circle section", diameter=self.diameter, shear_factor=self.shear_factor)
        if not 0 <= self.inner_diameter < self.diameter:
            raise InputError(
                f"circle section: inner_diameter is {self.inner_diameter:g}; "
                f"give a value from 0 to below the diameter {self.diameter:g}"
            )

    @property
    def shear_factor_z(self) -> float:
        return self.shear_factor

    @property
    def area(self) -> float:
        return float(np.pi * (self.diameter**2 - self.inner_diameter**2) / 4)

    @property
    def inertia_y(self) -> float:
        return float(np.pi * (self.diameter**4 - self.inner_diameter**4) / 64)

    @property
    def inertia_z(self) -> float:
        return self.inertia_y

    @property
    def torsion_constant(self) -> float:
        return 2 * self.inertia_y

    @property
    def height(self) -> float:
        return self.diameter

    @property
    def width(self) -> float:
        return self.diameter


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
        _require_positive(
            "section",
            shear_factor_across=self.shear_factor_z,
            area=self.area,
            inertia_z=self.inertia_z,
            inertia_y=self.inertia_y,
            torsion_constant=self.torsion_constant,
            shear_factor=self.shear_factor,
        )

    @property
    def shear_factor_z(self) -> float:
        return self.shear_factor if self.shear_factor_across is None else self.shear_factor_across

    @property
    def height(self) -> float:
        return self.fibre_height or float(np.sqrt(12 * self.inertia_z / self.area))

    @property
    def width(self) -> float:
        return self.fibre_width or float(np.sqrt(12 * self.inertia_y / self.area))


@dataclass(frozen=True)
class PlaneProperty:
    """A plate in its own plane: plane stress, or a slice of a long body in plane strain."""

    material: Material | OrthotropicMaterial
    thickness: float
    state: PlaneState = "stress"
    orientation: Orientation | None = None  # of an orthotropic material, one axis along z

    def __post_init__(self) -> None:
        _require_positive("plane region", thickness=self.thickness)


@dataclass(frozen=True)
class ShellProperty:
    """A flat or folded shell: thickness, and multipliers of what has no unique value in a shell theory.

    `drilling` multiplies the stiffness that ties rotations about the normal to those of the mean surface,
    `shear_factor` corrects transverse shear, and `rotary_inertia` multiplies the inertia of turning fibres.
    Axis 3 of an orthotropic material is the normal, axis 1 the projection of the first axis of the orientation.
    """

    material: Material | OrthotropicMaterial
    thickness: float
    drilling: float = 1.0
    shear_factor: float = 5 / 6
    rotary_inertia: float = 1.0
    orientation: Orientation | None = None  # of an orthotropic material

    def __post_init__(self) -> None:
        _require_positive(
            "shell", thickness=self.thickness, drilling=self.drilling, shear_factor=self.shear_factor
        )
        if self.rotary_inertia < 0:
            raise InputError(f"shell: rotary_inertia is {self.rotary_inertia:g}; give a multiplier ≥ 0")


@dataclass(frozen=True)
class SolidProperty:
    """A solid."""

    material: Material | OrthotropicMaterial
    orientation: Orientation | None = None  # of an orthotropic material


@dataclass(frozen=True)
class BarProperty:
    """A straight bar that resists stretching only."""

    material: Material
    area: float

    def __post_init__(self) -> None:
        _require_positive("bar", area=self.area)


@dataclass(frozen=True)
class BeamProperty:
    """A beam: its section, how the section is turned, and a multiplier of the rotary inertia of bending.

    `up` is a direction in body axes that lies in the local x–y plane with positive y component; by default
    local z is the body's z, so that a beam in the body's x–y plane bends in that plane with `inertia_z`.
    The principal axes of the section are turned from local y, z by `angle` [rad] about x, and its centroid lies
    `offset` = (y, z) [m] beside the line of the nodes, to which rigid arms join it.
    """

    material: Material
    section: Section
    up: tuple[float, float, float] | None = None
    rotary_inertia: float = 1.0
    angle: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.rotary_inertia < 0:
            raise InputError(f"beam: rotary_inertia is {self.rotary_inertia:g}; give a multiplier ≥ 0")


Property = PlaneProperty | SolidProperty | BarProperty | BeamProperty | ShellProperty
