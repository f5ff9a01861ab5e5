"""Rigid bodies, and named points and frames on a body."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.given import Described, require_number
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.enclosed import enclosed_solid
from flexframe.mesh.mesh import Mesh
from flexframe.motion.frame import vector3

_FLAT = 1e-6  # by which rounded moments of a thin plate may miss I_x + I_y = I_z


@dataclass(frozen=True, eq=False)
class BodyFrame:
    """A point of a body [m, body axes] with axes of its own: turned by the rotation vector [rad].

    In the plane a rotation is one number, the angle about z.
    """

    point: Array
    rotation: Array = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3(self.point, "point"))
        object.__setattr__(self, "rotation", rotation_vector(self.rotation))

    @cached_property
    def axes(self) -> Array:
        """Columns are the axes of the frame in body components: (3, 3)."""
        axes = rotation_from_vector(self.rotation)
        axes.setflags(write=False)
        return axes


def rotation_vector(value: ArrayLike) -> Array:
    """Axis times angle [rad]; a single number turns about z."""
    given = np.atleast_1d(np.asarray(value, dtype=float))
    return vector3((0.0, 0.0, given[0]) if given.size == 1 else given, "rotation")


def body_frames(points: Mapping[str, ArrayLike | BodyFrame]) -> dict[str, BodyFrame]:
    """Named points as frames with the axes of the body."""
    return {
        name: value if isinstance(value, BodyFrame) else BodyFrame(vector3(value, f"point {name}"))
        for name, value in points.items()
    }


@dataclass(frozen=True, eq=False)
class RigidBody(Described):
    """A body that does not deform: mass [kg], centre of mass [m] and inertia about it [kg m²], in body axes.

    `inertia` is one number (about z, enough in the plane), three (about the body axes) or a symmetric 3×3 matrix.
    `points` names places for joints and loads. `mesh` is only drawn.
    """

    name: str
    mass: float
    inertia: Array
    centre: Array = field(default_factory=lambda: np.zeros(3))
    points: Mapping[str, ArrayLike | BodyFrame] = field(default_factory=dict)
    mesh: Mesh | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.mass) and self.mass >= 0):
            raise InputError(f"body {self.name} has the mass {self.mass:g}; give kilograms, zero or more")
        object.__setattr__(self, "centre", vector3(self.centre, f"centre of mass of {self.name}"))
        object.__setattr__(self, "inertia", _inertia_matrix(self.inertia, self.name))
        object.__setattr__(self, "points", body_frames(self.points))
        if self.mass == 0 and self.inertia.any():
            raise InputError(
                f"body {self.name} has a moment of inertia but no mass; no body is like that, give it its mass"
            )

    def require_spatial(self) -> None:
        """In space every moment of inertia counts, in the plane only that about z."""
        _require_triangle(self.inertia, self.name, "in space give all three")

    @property
    def frames(self) -> Mapping[str, BodyFrame]:
        """The named points with their axes."""
        return self.points  # type: ignore[return-value]  # made so above

    @classmethod
    def rod(
        cls, name: str, *, length: float, mass: float, points: Mapping[str, ArrayLike | BodyFrame] | None = None
    ) -> "RigidBody":
        """A thin uniform rod along x with the points "start" and "end" (and others by name).

        Parameters
        ----------
        name
            Name of the body.
        length
            Length [m].
        mass
            Mass [kg].
        points
            More markers by name: positions in body axes [m].

        Returns
        -------
        RigidBody
            The rod; its frame is at "start".

        Examples
        --------
        >>> crank = ff.RigidBody.rod("crank", length=0.3, mass=1.2)
        >>> sorted(crank.frames)
        ['end', 'start']
        """
        require_number(length, f"rod {name}: length", field="length")
        require_number(mass, f"rod {name}: mass", field="mass")
        across = mass * length**2 / 12.0
        ends = {"start": (0.0, 0.0, 0.0), "end": (length, 0.0, 0.0)}
        return cls(
            name, mass, np.diag([0.0, across, across]), np.array([length / 2, 0, 0]), {**ends, **(points or {})}
        )

    @classmethod
    def of_surface(
        cls, name: str, mesh: Mesh, *, density: float, points: Mapping[str, ArrayLike | BodyFrame] | None = None
    ) -> "RigidBody":
        """A homogeneous body inside a closed surface of triangles, such as that of an STL file.

        Mass, centre and inertia are integrated exactly over the tetrahedra between the triangles and a point. The
        frame of the body is that of the surface's coordinates; the surface is drawn. An open surface, or one that
        is inside out, is refused.

        Parameters
        ----------
        name
            Name of the body.
        mesh
            The surface [m]: three-node triangles that face outwards.
        density
            Density [kg/m³].
        points
            Markers by name: positions in the coordinates of the surface [m].

        Returns
        -------
        RigidBody
            The body with its mass properties.

        Examples
        --------
        >>> ff.mesh.write_mesh(ff.mesh.block((200.0, 20.0, 10.0), (1, 1, 1)), "lever.stl")
        >>> surface = ff.read_mesh("lever.stl").scaled(1e-3)
        >>> lever = ff.RigidBody.of_surface("lever", surface, density=7850.0)
        >>> round(lever.mass, 6), [round(x, 6) for x in lever.centre.tolist()]
        (0.314, [0.1, 0.01, 0.005])
        """
        require_number(density, f"body {name}: density", field="density")
        try:
            solid = enclosed_solid(mesh)
        except InputError as error:
            raise InputError(f"body {name}: {error}") from error
        return cls(name, density * solid.volume, density * solid.inertia, solid.centre, points or {}, mesh)


def _inertia_matrix(value: ArrayLike, name: str) -> Array:
    try:
        given = np.asarray(value, dtype=float) if not isinstance(value, str) else np.full(2, np.nan)
    except (TypeError, ValueError):
        given = np.full(2, np.nan)  # neither one number, nor three, nor a matrix
    if given.size == 1:
        matrix = np.diag([0.0, 0.0, float(given.ravel()[0])])
    elif given.shape == (3,):
        matrix = np.diag(given)
    else:
        matrix = given
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T, rtol=1e-9):
        raise InputError(
            f"inertia of {name} is not one number, three, or a symmetric 3×3 matrix; give one of them"
        )
    if np.linalg.eigvalsh(matrix).min() < -1e-12 * max(1.0, float(np.abs(matrix).max())):
        raise InputError(f"inertia of {name} is negative about some axis; give moments of inertia of zero or more")
    about_one_axis = np.linalg.eigvalsh(matrix)[1] <= 1e-12 * float(np.abs(matrix).max())  # enough in the plane
    if given.size > 1 and not about_one_axis:
        _require_triangle(matrix, name, "correct them")
    return matrix


def _require_triangle(matrix: Array, name: str, remedy: str) -> None:
    """∫ρ(y² + z²) ≤ ∫ρ(x² + z²) + ∫ρ(x² + y²): two principal moments sum to no less than the third."""
    smallest, middle, largest = np.linalg.eigvalsh(matrix)
    if smallest + middle < largest * (1 - _FLAT):
        raise InputError(
            f"inertia of {name} belongs to no body: the principal moments {smallest:.6g}, {middle:.6g} and "
            f"{largest:.6g} kg m² must each be at most the sum of the others; {remedy}",
            field="inertia",
        )


@dataclass(frozen=True, eq=False)
class Placement:
    """Roughly where a body is at the start, and how it moves where its motion is computed.

    Position of its origin [m], rotation vector or planar angle [rad], and their velocities, all in space axes.
    """

    position: Array = field(default_factory=lambda: np.zeros(3))
    rotation: Array = field(default_factory=lambda: np.zeros(3))
    velocity: Array = field(default_factory=lambda: np.zeros(3))
    angular_velocity: Array = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", vector3(self.position, "start position"))
        object.__setattr__(self, "rotation", rotation_vector(self.rotation))
        object.__setattr__(self, "velocity", vector3(self.velocity, "start velocity"))
        object.__setattr__(self, "angular_velocity", rotation_vector(self.angular_velocity))
