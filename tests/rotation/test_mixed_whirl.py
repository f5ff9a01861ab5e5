"""Modes in which one end of a rotor whirls forward, the other backward; a rigid rotor in closed form."""

import numpy as np

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.elements.properties import Circle, Material
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body
from flexframe.model.supports import Fix

from .rotors import AXIS

LENGTH, DIAMETER, DENSITY = 1.0, 0.4, 8000.0
MASS = DENSITY * np.pi * DIAMETER**2 / 4 * LENGTH
POLAR, DIAMETRAL = MASS * DIAMETER**2 / 8, MASS * (DIAMETER**2 / 16 + LENGTH**2 / 12)
START, END = (1.0e6, 2.0e6), (2.2e6, 1.1e6)
SPEEDS = np.array([5.0, 20.0, 60.0, 150.0, 300.0])


def expected(speed: float) -> list[tuple[float, str]]:
    """Frequencies and words of the rigid rotor in (y, z) of its ends: M q̈ + ΩG q̇ + K q = 0."""
    # y = (y₁ + y₂)/2 and θz = (y₂ − y₁)/L; z alike with θy = −(z₂ − z₁)/L
    centre = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    turn = np.array([[0, 0, 1, -1], [-1, 1, 0, 0]]) / LENGTH  # θy, θz
    M = MASS * centre.T @ centre + DIAMETRAL * turn.T @ turn
    G = POLAR * speed * turn.T @ np.array([[0.0, 1.0], [-1.0, 0.0]]) @ turn
    K = np.diag([START[0], END[0], START[1], END[1]])
    A = np.block([[np.zeros((4, 4)), np.eye(4)], [-np.linalg.solve(M, K), -np.linalg.solve(M, G)]])
    values, vectors = np.linalg.eig(A)
    out = []
    for value, vector in zip(values, vectors.T, strict=True):
        if value.imag > 0:
            places = np.linspace(0, 1, 41)
            y = vector[0] + places * (vector[1] - vector[0])
            z = vector[2] + places * (vector[3] - vector[2])
            areas = (y * z.conj()).imag
            share = np.abs(areas[areas < 0]).sum() / np.abs(areas).sum()
            words = {"mixed": (0.03, 0.97), "forward": (-1.0, 0.003), "backward": (0.997, 2.0)}
            word = next((word for word, (low, high) in words.items() if low < share < high), "?")
            out.append((float(value.imag), word))
    return sorted(out)


def test_rigid_rotor_between_unlike_bearings() -> None:
    """Words agree where the share of area is clear of the limit of one hundredth; a notice names the branch."""
    rotor = Body.beam(
        "rotor",
        length=LENGTH,
        divisions=10,
        section=Circle(DIAMETER),
        material=Material(2e15, 0.3, DENSITY),  # rigid: bending a million times as stiff as the bearings
        supports=(Fix("all", ("ux", "rx")),),
        space="spatial",
    )
    diagram = campbell_diagram(
        rotor,
        SPEEDS,
        modes=4,
        axis=AXIS,
        bearings=[Bearing("start", stiffness=START), Bearing("end", stiffness=END)],
        frame="inertial",
        engine_orders=(),
    )
    assert diagram.inertial_whirl is not None
    seen = set()
    for speed, values, words in zip(SPEEDS, diagram.eigenvalues, diagram.inertial_whirl, strict=True):
        wanted = expected(float(speed))
        order = np.argsort(values.imag)
        # stiffness of the shaft is 1e6 times that of the bearings
        np.testing.assert_allclose(values.imag[order], [value for value, _ in wanted], rtol=1e-5)
        for word, (_, known) in zip([words[k] for k in order], wanted, strict=True):
            if known != "?":
                assert word == known, (speed, words, wanted)
                seen.add(word)
    assert seen == {"forward", "backward", "mixed"}
    assert any("mixed whirl" in notice for notice in diagram.notices)
    assert diagram.presentation().blocks("campbell")
    assert "mixed" in {word for row in diagram.summary()["inertial_whirl"] for word in row}
