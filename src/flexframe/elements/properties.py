"""What an element is made of: material, thickness or cross-section, and what these answer about themselves."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial, in_body_axes, plane_elasticity
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.elements.sections import LARGEST, Circle, GeneralSection, Rectangle, Section, require_positive
from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula

__all__ = [
    "ALUMINIUM",
    "MATERIALS",
    "STEEL",
    "TITANIUM",
    "BarProperty",
    "BeamProperty",
    "Circle",
    "GeneralSection",
    "Material",
    "PlaneProperty",
    "PlaneState",
    "Property",
    "Rectangle",
    "Section",
    "ShellProperty",
    "SolidProperty",
    "StrainLaw",
]

PlaneState = Literal["stress", "strain"]
StrainLaw = Literal["green", "engineering"]
_ROUND_OFF = 1e-6  # by which constants of a section from a table may exceed their bound


@dataclass(frozen=True)
class Material(Described):
    """Isotropic linear elastic material, SI units."""

    young: float
    poisson: float
    density: float
    name: str = "material"
    idealised: bool = False  # values are meant as they are (no mass, no units), its sections too: none is doubted
    strength: float | None = None  # stress that must not be exceeded, such as the yield strength [Pa]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strength is not None and not (np.isfinite(self.strength) and self.strength > 0):
            raise InputError(f"material {self.name}: strength is {self.strength:g}; give a positive number")
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


class Property:
    """What the cells of a region are made of; a new kind states its extent and overrides what differs."""

    material: Material | OrthotropicMaterial

    @property
    def extent(self) -> float:
        """Volume of a unit of the cell's own measure: area [m²] of a line, thickness [m] of a surface, or 1."""
        raise NotImplementedError

    @property
    def depth(self) -> float:
        """How far the material reaches beyond the nodes, m."""
        return 0.0

    @property
    def spatial(self) -> bool:
        """Whether a body of this property lives in space although its mesh may be flat."""
        return False

    @property
    def in_plane(self) -> bool:
        """Whether its cells deform in the plane of their mesh, so that they have one way round."""
        return False

    @property
    def revolved(self) -> bool:
        """Whether the mesh is the section of a body of revolution."""
        return False

    @property
    def layer_count(self) -> int:
        """How many layers, each of its own material, lie on each other; 0 where there is one material."""
        return 0

    @property
    def stress_remark(self) -> str:
        """What is to be known of its stress, as a predicate; empty where there is nothing."""
        return ""

    def unit_twist(self) -> tuple[float, float] | None:
        """Torque [N m] and largest shear stress [Pa] of 1 rad/m of a round section, the thinner end of a cone.

        None for any other section.
        """
        return None

    def elasticity(self) -> Array:
        """D of an interpolated element in Voigt order, in body axes: (1, 1), (3, 3) or (6, 6)."""
        raise InputError(
            f"{type(self).__name__} does not fit a bar, plane or solid element; give its own property"
        )

    def stress_across(self) -> Array | None:
        """c with σzz = c·(σxx, σyy, σxy) where a plane body carries stress across its plane: (3,)."""
        return None

    def impossible(self) -> str | None:
        """What no section of any size can have, as a sentence with the remedy; None where all is possible."""
        return None

    def proportion(self, size: float) -> tuple[str, float] | None:
        """A row of `flexframe.model.plausibility.USUAL` and its value for cells that extend over `size` [m]."""
        del size
        return None

    def section_constants(self) -> dict[str, Any] | None:
        """Constants of the cross-section by name and unit, for summary and check; None without a section."""
        return None


@dataclass(frozen=True)
class PlaneProperty(Property, Described):
    """A plate in its own plane: plane stress, or a slice of a long body in plane strain."""

    material: Material | OrthotropicMaterial
    thickness: float
    state: PlaneState = "stress"
    orientation: Orientation | None = None  # of an orthotropic material, one axis along z

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive("plane region", thickness=self.thickness)

    @property
    def extent(self) -> float:
        return self.thickness

    @property
    def depth(self) -> float:
        return self.thickness / 2

    @property
    def in_plane(self) -> bool:
        return True

    def elasticity(self) -> Array:
        if isinstance(self.material, Material):
            return self.material.plane_elasticity(self.state)
        return plane_elasticity(_solid_elasticity(self), self.state, self.material.name)

    def stress_across(self) -> Array | None:
        if self.state == "stress":
            return None
        D, plane = _solid_elasticity(self), [0, 1, 3]
        return np.asarray(np.linalg.solve(D[np.ix_(plane, plane)], D[2, plane]), dtype=float)

    def proportion(self, size: float) -> tuple[str, float] | None:
        return ("plane_thinness", size / self.thickness) if self.state == "stress" else None


@dataclass(frozen=True)
class ShellProperty(Property, Described):
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
        super().__post_init__()
        require_positive("shell", thickness=self.thickness, drilling=self.drilling, shear_factor=self.shear_factor)
        if self.rotary_inertia < 0:
            raise InputError(f"shell: rotary_inertia is {self.rotary_inertia:g}; give a multiplier ≥ 0")

    @property
    def extent(self) -> float:
        return self.thickness

    @property
    def depth(self) -> float:
        return self.thickness / 2

    @property
    def lift(self) -> float:
        """How far the plane of the elements lies above the nodes, along the normal, m."""
        return 0.0

    @property
    def faces(self) -> tuple[float, float]:
        """Bottom and top over the plane of the elements, m."""
        return -self.thickness / 2, self.thickness / 2

    @property
    def gyration(self) -> float:
        """Radius of inertia of a fibre across the shell, m."""
        return float(self.thickness / np.sqrt(12))

    @property
    def spatial(self) -> bool:
        return True

    def impossible(self) -> str | None:
        return _impossible_shear_factor(self.shear_factor)

    def proportion(self, size: float) -> tuple[str, float] | None:
        return "shell_thinness", size / self.thickness


@dataclass(frozen=True)
class SolidProperty(Property, Described):
    """A solid."""

    material: Material | OrthotropicMaterial
    orientation: Orientation | None = None  # of an orthotropic material

    @property
    def extent(self) -> float:
        return 1.0

    def elasticity(self) -> Array:
        return _solid_elasticity(self)


_IN_SECTION, _ACROSS_SECTION = (0, 1, 2, 3), (4, 5)  # strains in Voigt's order: xx, yy, zz, xy, and yz, zx


@dataclass(frozen=True)
class AxisymmetricProperty(Property, Described):
    """A body of revolution about its y axis: the mesh is its section in x ≥ 0, with x the radius.

    Axes of an orthotropic material are those of the section: x radial, y axial and z against the direction of the
    angle about y.
    """

    material: Material | OrthotropicMaterial
    orientation: Orientation | None = None  # of an orthotropic material, one axis along z

    def __post_init__(self) -> None:
        super().__post_init__()
        D = self.elasticity()
        if np.abs(D[np.ix_(_IN_SECTION, _ACROSS_SECTION)]).max() > _ROUND_OFF * np.abs(D).max():
            raise InputError(
                f"material {self.material.name} has no axis along the circumference, so that a body of revolution "
                "would twist when it is stretched; turn its orientation so that one axis lies along z",
                field="orientation",
            )

    @property
    def extent(self) -> float:
        raise AssertionError("the circumference 2πr stands in its place")

    @property
    def spatial(self) -> bool:
        return True

    @property
    def in_plane(self) -> bool:
        return True

    @property
    def revolved(self) -> bool:
        return True

    def elasticity(self) -> Array:
        return _solid_elasticity(self)


def _solid_elasticity(prop: PlaneProperty | SolidProperty | AxisymmetricProperty) -> Array:
    """D of the material in body axes: (6, 6)."""
    D = prop.material.solid_elasticity()
    return D if isinstance(prop.material, Material) else in_body_axes(D, prop.orientation)


@dataclass(frozen=True)
class BarProperty(Property, Described):
    """A straight bar that resists stretching only."""

    material: Material
    area: float

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive("bar", area=self.area)

    @property
    def extent(self) -> float:
        return self.area

    def elasticity(self) -> Array:
        return np.array([[self.material.young]])


@dataclass(frozen=True)
class BeamProperty(Property, Described):
    """A beam: its section, how the section is turned, and a multiplier of the rotary inertia of bending.

    The multiplier acts on the inertia of the sections against turning about y and z, in vibration and in the rigid
    motion of the whole beam; the inertia about the beam's own axis stays.

    `up` is a direction in body axes that lies in the local x–y plane with positive y component; by default
    local z is the body's z, so that a beam in the body's x–y plane bends in that plane with `inertia_z`.
    The principal axes of the section are turned from local y, z by `angle` [rad] about x, and its centroid lies
    `offset` = (y, z) [m] beside the line of the nodes, to which rigid arms join it. `strain_law` is the axial
    strain whose square terms meet the axial force in the geometric stiffness: Green's, u' + ½(u'²+v'²+w'²), or
    engineering strain, which has no u'²; they differ by the strain itself, of the stretching only.

    `twist` turns the section on along the line of the region's cells: two angles [rad] at its beginning and its
    end, evenly between them, or a formula of s, which goes from 0 to 1. They are added to `angle`. Exact beams are
    twisted as it says, other beams stepwise, each by the mean of its ends.

    With an `end_section` a circle becomes a cone along that line: both diameters change evenly from `section` at
    its beginning. Stiffness and mass are integrated over the cone, with the shapes of a beam of its middle
    section.
    """

    material: Material
    section: Section
    up: tuple[float, float, float] | None = None
    rotary_inertia: float = 1.0
    angle: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)
    strain_law: StrainLaw = "green"
    twist: tuple[float, float] | Formula | None = None
    end_section: Circle | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.end_section is not None and not isinstance(self.section, Circle):
            raise InputError(
                "beam: a section that changes along the beam is a circle at both ends; give circles, or a "
                "region of its own for each piece",
                field="end_section",
            )
        if self.strain_law not in get_args(StrainLaw):
            raise InputError(f"beam: strain_law is {self.strain_law!r}; choose 'green' or 'engineering'")
        if self.rotary_inertia < 0:
            raise InputError(f"beam: rotary_inertia is {self.rotary_inertia:g}; give a multiplier ≥ 0")
        if isinstance(self.section, SectionMatrices) and self.rotary_inertia != 1.0:
            raise InputError(
                "beam: the mass matrix of its section holds the inertia of turning; leave rotary_inertia out",
                field="rotary_inertia",
            )

    def unit_twist(self) -> tuple[float, float] | None:
        if not isinstance(self.section, Circle):
            return None
        thin = min(self.section, self.end_section or self.section, key=lambda section: section.diameter)
        shear = self.material.young / (2 * (1 + self.material.poisson))
        polar = np.pi * (thin.diameter**4 - thin.inner_diameter**4) / 32
        return float(shear * polar), shear * thin.diameter / 2

    def twists_at(self, shares: Array) -> Array:
        """Angles by which the section is turned beyond `angle` at shares of the way along the line [rad]."""
        if isinstance(self.twist, Formula):
            found = self.twist(shares)
            if not np.isfinite(found).all():
                share = float(shares[~np.isfinite(found)][0])
                raise InputError(
                    f"twist is {self.twist.text} and has no value at s = {share:g}; give angles [rad]"
                )
            return found
        first, last = self.twist or (0.0, 0.0)
        return np.asarray(first + (last - first) * shares)

    def section_at(self, share: float) -> Section:
        """The section at a share of the way along the line."""
        return self.section if self.end_section is None else self.cone_at(share)

    def cone_at(self, share: float) -> Circle:
        """The circle of a cone at a share of the way along the line."""
        assert isinstance(self.section, Circle) and self.end_section is not None
        return self.section.towards(self.end_section, share)

    @property
    def shear_factors(self) -> tuple[float, float]:
        """κ of shear along y and z: of the middle section in this material, or as the section states them."""
        return self.section_at(0.5).shear_factors(self.material.poisson)

    @property
    def extent(self) -> float:
        if isinstance(self.section, SectionMatrices):  # so much of the material has the mass of the section
            return float(self.section.mass_matrix[0, 0]) / self.material.density
        # the volume of a cone by its ends and its middle is that of Simpson's rule
        return (self.section.area + 4 * self.section_at(0.5).area + self.section_at(1.0).area) / 6

    @property
    def depth(self) -> float:
        size = max(float(np.hypot(at.height, at.width)) for at in (self.section, self.section_at(1.0)))
        return size / 2 + float(np.hypot(*self.offset))

    def impossible(self) -> str | None:
        section = self.section
        polar = section.inertia_y + section.inertia_z
        if section.torsion_constant > polar * (1 + _ROUND_OFF):
            return (
                f"the torsion constant of its section is {section.torsion_constant:.4g} m^4; no section "
                f"has more than its polar moment, {polar:.4g} m^4 (inertia_y + inertia_z): a circle has just that"
            )
        found = (_impossible_shear_factor(factor) for factor in self.shear_factors)
        return next((text for text in found if text is not None), None)

    def proportion(self, size: float) -> tuple[str, float] | None:
        middle = self.section_at(0.5)
        return "slenderness", size / max(middle.height, middle.width)

    def section_constants(self) -> dict[str, Any] | None:
        section = self.section_at(0.5)
        if isinstance(section, SectionMatrices):
            return {
                "stiffness": section.stiffness_matrix.tolist(),
                "mass": section.mass_matrix.tolist(),
                "centre_of_mass_m": section.centre[1:].tolist(),
            }
        # a section that was computed on a mesh estimates its errors
        errors = {n: getattr(section, n) for n in ("torsion_error", "shear_error") if hasattr(section, n)}
        return {
            "area_m2": section.area,
            "inertia_z_m4": section.inertia_z,
            "inertia_y_m4": section.inertia_y,
            "torsion_constant_m4": section.torsion_constant,
            "shear_factors": list(self.shear_factors),
            "shear_centre_m": list(section.shear_centre),
            "principal_angle_rad": section.principal_angle,
            **errors,
        }


def _impossible_shear_factor(factor: float) -> str | None:
    if factor <= 1 + _ROUND_OFF:
        return None
    reciprocal = f"; was its reciprocal {1 / factor:.4g} meant?" if factor < 10 else ""
    return (
        f"the shear factor is {factor:.4g}; shear cannot use more than the whole area, give 1 "
        f"or less (5/6 for a rectangle), or theory: euler_bernoulli for a beam without shear{reciprocal}"
    )
