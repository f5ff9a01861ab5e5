"""Critical speeds where the stiffness of a table is negative in one direction, as that of oil films may be."""

import numpy as np
import pytest

import flexframe as ff


def test_only_the_positive_direction_is_critical() -> None:
    """A stiff rod on [k a; a k] at both ends: k + a along one diagonal, k − a < 0 along the other.

    It moves sideways at √(2(k + a)/m); bending of the rod, 1e-6 of that stiffness, is left out.
    """
    rigid = ff.Material(1e17, 0.3, 7850.0)
    k, a, mass = 1e6, 1.5e6, 7850.0 * np.pi / 4 * 0.05**2
    matrix = np.array([[k, a], [a, k]])
    table = ff.rotors.BearingTable(np.array([matrix, matrix]), speeds=[10.0, 1000.0])
    rotor = ff.rotors.rotor_body(
        "rod",
        [ff.rotors.ShaftPiece(1.0, (ff.rotors.ShaftLayer(0.05),), 4)],
        material=rigid,
        bearings=[ff.rotors.Bearing((x, 0, 0), table=table) for x in (0.0, 1.0)],
    )
    expected = np.sqrt(2 * (k + a) / mass)
    diagram = ff.campbell_diagram(
        rotor, np.linspace(0.5 * expected, 1.4 * expected, 5), modes=2, frame="inertial", engine_orders=(1,)
    )
    assert diagram.critical_speeds_rad_s == pytest.approx([expected], rel=1e-5)
