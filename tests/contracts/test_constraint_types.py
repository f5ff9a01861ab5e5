"""Every type of constraint of the core keeps its contract: ṡ = J · (v, ω) = ds/dt and β = dṡ/dt along a motion.

A type that is new needs a line in SAMPLES; without it the tests fail.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe import _core
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector
from flexframe.multibody.constraints import ConstraintTable
from flexframe.multibody.states import Configuration, Rates, array_poses

H = 2e-3
"""Step [s] of differences of sixth order: they err by h⁶/140 of a seventh derivative and by rounding over h."""
DIFFERENCES = 1e-9  # 5e-19 of a derivative that may be 1e7 beside a disc that lies nearly flat, and 1e-14/h


@dataclass(frozen=True)
class Sample:
    """What is known of a type: whether it has a value, and which frames may carry x."""

    on_velocities: bool = False
    carriers: tuple[int, ...] = (0,)


SAMPLES = {
    "along": Sample(carriers=(0, 2)),
    "perpendicular": Sample(),
    "rotation": Sample(),
    "distance": Sample(),
    "rim_height": Sample(),
    "rim_slip": Sample(on_velocities=True),
    "blade_slip": Sample(on_velocities=True),
    "displacement": Sample(),
    "mesh_angle": Sample(),
}

CASES = [(name, carrier) for name in _core.constraint_types() for carrier in SAMPLES.get(name, Sample()).carriers]
every_type = pytest.mark.parametrize(("name", "carrier"), CASES)
SEEDS = range(5)


def test_every_type_has_a_sample() -> None:
    assert sorted(_core.constraint_types()) == sorted(SAMPLES)


@dataclass(frozen=True, eq=False)
class Motion:
    """Two bodies and the ground; the bodies move with constant velocities and spins in space axes."""

    positions: Array  # (3, 3)
    rotations: Array  # (3, 3, 3)
    velocities: Array  # (3, 3)
    spins: Array  # (3, 3)

    @staticmethod
    def random(seed: int) -> "Motion":
        random = np.random.default_rng(seed)
        r, v, w = random.normal(size=(3, 3, 3)) * np.array([1.0, 1.0, 0.0])[:, None]
        R = np.concatenate([rotation_from_vector(0.5 * random.normal(size=(2, 3))), np.eye(3)[None]])
        return Motion(r, R, v, w)

    def table_values(self, table: ConstraintTable, times: Array) -> tuple[Array, Array]:
        """s (T,) and J (T, 3, 6)."""
        s, J = table.values(self._at(times))
        return s[:, 0], J[:, 0]

    def table_rates(self, table: ConstraintTable, times: Array) -> tuple[Array, Array]:
        """ṡ and β: (T,) each."""
        shape = (len(times), 3, 3)
        rate, bias = table.rates(
            self._at(times), Rates(np.broadcast_to(self.velocities, shape), np.broadcast_to(self.spins, shape))
        )
        return rate[:, 0], bias[:, 0]

    def _at(self, times: Array) -> Configuration:
        turned = rotation_from_vector(times[:, None, None] * self.spins) @ self.rotations
        moved = self.positions + times[:, None, None] * self.velocities
        return array_poses(moved[:, :2], turned[:, :2], None)

    def velocity(self) -> Array:
        """(v, ω) of all: (3, 6)."""
        return np.concatenate([self.velocities, self.spins], axis=1)


def table_of(name: str, carrier: int, seed: int) -> ConstraintTable:
    random = np.random.default_rng(100 + seed)
    x, y, z = random.normal(size=(3, 3))
    z = np.cross(z, x)
    directions = np.array([v / np.linalg.norm(v) for v in (x, y, z)])
    return ConstraintTable(
        types=np.array([_core.constraint_types().index(name)], dtype=np.int64),
        frames=np.array([[0, 1, carrier]], dtype=np.int64),
        places=random.normal(size=(1, 2, 3)),
        directions=directions[None],
        radii=np.array([0.4]),
    )


def slope(values: Array) -> float:
    """df/dt at 0 from values at −3h … 3h."""
    return float(values @ np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / (60 * H))


TIMES = H * np.arange(-3.0, 4.0)
NOW = 3


def differences(values: Array, *, angle: bool) -> float:
    return slope(np.unwrap(values) if angle else values)


@every_type
@pytest.mark.parametrize("seed", SEEDS)
def test_rates_are_those_of_the_jacobian(name: str, carrier: int, seed: int) -> None:
    """ṡ = J · (v, ω): sums of eighteen products."""
    motion, table = Motion.random(seed), table_of(name, carrier, seed)
    J = motion.table_values(table, TIMES)[1][NOW]
    terms = J * motion.velocity()
    rate = motion.table_rates(table, TIMES)[0][NOW]
    assert rate == pytest.approx(terms.sum(), rel=0, abs=rounding(100) * max(1.0, np.abs(terms).max()))


@every_type
@pytest.mark.parametrize("seed", SEEDS)
def test_jacobian_against_differences_of_the_value(name: str, carrier: int, seed: int) -> None:
    """Each body moved and turned about each axis by itself; what has no value has a linear rate."""
    motion, table = Motion.random(seed), table_of(name, carrier, seed)
    still = np.zeros((3, 3))
    J = motion.table_values(table, TIMES)[1][NOW]
    found = np.zeros((2, 6))
    for body in range(2):
        for k in range(6):
            velocities, spins = still.copy(), still.copy()
            (velocities if k < 3 else spins)[body, k % 3] = 1.0
            alone = Motion(motion.positions, motion.rotations, velocities, spins)
            if SAMPLES[name].on_velocities:
                found[body, k] = alone.table_rates(table, TIMES)[0][NOW]
            else:
                found[body, k] = differences(
                    alone.table_values(table, TIMES)[0], angle=name in ("rotation", "mesh_angle")
                )
    np.testing.assert_allclose(J[:2], found, rtol=0, atol=DIFFERENCES * max(1.0, np.abs(J).max()))


@every_type
@pytest.mark.parametrize("seed", SEEDS)
def test_bias_against_differences_of_the_rate(name: str, carrier: int, seed: int) -> None:
    motion, table = Motion.random(seed), table_of(name, carrier, seed)
    rates, biases = motion.table_rates(table, TIMES)
    size = max(1.0, np.abs(rates).max(), np.abs(biases).max())
    assert biases[NOW] == pytest.approx(slope(rates), rel=0, abs=DIFFERENCES * size)
    if SAMPLES[name].on_velocities:
        assert motion.table_values(table, TIMES)[0] == pytest.approx(0.0, abs=0.0)
