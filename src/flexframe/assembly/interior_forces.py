"""Forces per mass inside a body at many instants: weight and inertia of its frame, and of its deformation."""

from dataclasses import dataclass, replace

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.contract import ElementBatch
from flexframe.elements.integration import inertia_points, recovery_field, stiffness_points
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import skew


@dataclass(frozen=True, eq=False)
class DeformationInertia:
    """What deforms inside a moving frame: force per mass A u − 2 ω × u̇ − ü; ω times the Coriolis multiplier.

    Displacements are those of the nodes, or the coordinates of a reduced body.
    """

    displacements: Array  # (T, p)
    rates: Array  # (T, p)
    accelerations: Array  # (T, p)
    spins: Array  # ω: (T, 3)

    def at(self, instants: "IntArray | slice") -> "DeformationInertia":
        """Some of the instants."""
        return DeformationInertia(
            *(part[instants] for part in (self.displacements, self.rates, self.accelerations, self.spins))
        )


@dataclass(frozen=True, eq=False)
class InteriorForces:
    """Force per mass b + A x [m/s²] at many instants, in body axes, with that of the deformation if it is known.

    `line` turns and multiplies the line loads of the body, which are steady without it.
    """

    constant: Array  # b: (T, 3)
    gradient: Array  # A: (T, 3, 3)
    deformation: DeformationInertia | None = None
    line: Array | None = None  # (T, 3, 3)

    def at(self, instants: "IntArray | slice") -> "InteriorForces":
        """Some of the instants."""
        return replace(
            self,
            constant=self.constant[instants],
            gradient=self.gradient[instants],
            deformation=None if self.deformation is None else self.deformation.at(instants),
            line=None if self.line is None else self.line[instants],
        )


@dataclass(frozen=True, eq=False)
class ElementRows:
    """Rows for each element that multiply the displacements of its nodes, or all coordinates of a reduced body."""

    rows: Array  # (elements, rows, p)
    numbers: IntArray | None  # of the degrees of freedom of each element, None for a reduced body: (elements, p)

    @staticmethod
    def of(discrete: DiscreteBody, batch: ElementBatch, rows: Array, basis: Array | None) -> "ElementRows":
        """From rows for the nodes; `basis` (dofs, m) are the displacements of reduced coordinates."""
        numbers = discrete.dofs.of_elements(batch)
        if basis is None:
            return ElementRows(rows, numbers)
        return ElementRows(rows @ np.concatenate([basis, np.zeros((1, basis.shape[1]))])[numbers], None)

    def times(self, displacements: Array) -> Array:
        """Of displacements (T, p): (elements, rows, T)."""
        if self.numbers is not None:
            padded = np.concatenate([displacements.T, np.zeros((1, len(displacements)))])
            return np.asarray(self.rows @ padded[self.numbers])
        elements, rows, size = self.rows.shape
        return np.asarray((self.rows.reshape(-1, size) @ displacements.T).reshape(elements, rows, -1))


@dataclass(frozen=True, eq=False)
class BeamOperator:
    """How forces inside the beams of a batch make resultants at their stations; the same at all instants."""

    density: float  # kg/m³
    line: Array  # line loads as a force density, N/m³: (elements, 3)
    points: Array  # of quadrature: (elements, points, 3)
    shape: ElementRows  # displacement of the axis at the points: points · 3 rows
    load: Array  # resultants of the force density at the points: (elements, stations · 6, points · 3)
    across: Array  # resultants of the gradient A: (elements, stations · 6, 9)

    def resultants(self, forces: InteriorForces) -> Array:
        """What forces between the nodes add: (elements, stations · 6, T)."""
        gradient = np.moveaxis(forces.gradient, 0, -1).copy()  # (3, 3, T)
        return np.asarray(self.load @ self._density(forces, gradient) + self.across @ gradient.reshape(9, -1))

    def _density(self, forces: InteriorForces, gradient: Array) -> Array:
        """Force density at the points, N/m³: (elements, points · 3, T)."""
        elements, points, _ = self.points.shape
        moving, instants = forces.deformation, len(forces.constant)
        places = np.broadcast_to(self.points[..., None], (elements, points, 3, instants))
        inert = np.zeros((elements, points, 3, instants))
        if moving is not None:
            places = places + self._field(moving.displacements)
            inert -= self._field(moving.accelerations)
            turning = -2 * np.moveaxis(skew(moving.spins), 0, -1)
            _add_product(turning, self._field(moving.rates), inert)
        _add_product(gradient, places, inert)
        inert += forces.constant.T
        inert *= self.density
        if forces.line is None:
            inert += self.line[:, None, :, None]
        else:
            inert += np.einsum("tij,ej->eit", forces.line, self.line)[:, None]
        return inert.reshape(elements, 3 * points, instants)

    def _field(self, nodal: Array) -> Array:
        """Values at the points of displacements (T, p): (elements, points, 3, T)."""
        return self.shape.times(nodal).reshape(*self.points.shape, -1)


def _add_product(matrices: Array, vectors: Array, out: Array) -> None:
    """out += A v for A (3, 3, T) and v (…, 3, T), zeros left out."""
    for i in range(3):
        for j in range(3):
            if matrices[i, j].any():
                out[..., i, :] += matrices[i, j] * vectors[..., j, :]


def beam_operator(discrete: DiscreteBody, batch: ElementBatch, basis: Array | None) -> BeamOperator:
    """The operator of a batch of beams, of a reduced body where `basis` is given."""
    still, places = np.zeros((batch.count, batch.element_dofs)), stiffness_points(batch)
    points = places.shape[1]

    def make(density: Array, gradient: Array) -> Array:
        given = np.broadcast_to(density, (batch.count, points, 3))
        return recovery_field(batch, still, given, gradient).values.reshape(batch.count, -1)

    samples = inertia_points(batch).shape
    # the section's points lie about the axis and have equal masses
    shape = samples.reshape(batch.count, points, -1, *samples.shape[2:]).mean(axis=2)
    units = np.eye(3 * points).reshape(-1, points, 3)
    return BeamOperator(
        density=batch.prop.material.density,
        line=discrete.loads.line_density(batch),
        points=places,
        shape=ElementRows.of(discrete, batch, shape.reshape(batch.count, 3 * points, -1), basis),
        load=np.stack([make(unit, np.zeros((3, 3))) for unit in units], axis=-1),
        across=np.stack([make(np.zeros((points, 3)), unit) for unit in np.eye(9).reshape(9, 3, 3)], axis=-1),
    )
