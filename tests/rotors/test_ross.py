"""Rotors of ROSS against its own eigenvalues, decrements and unbalance responses."""

import numpy as np
import pytest
from tests.rotors.ross_references import NAMES, complex_array, content, reference

import flexframe as ff
from flexframe.equations.coefficients import OperatingPoint
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.rotor_model import rotor_model


@pytest.mark.parametrize("name", NAMES)
def test_eigenvalues_of_the_full_equations(name: str) -> None:
    """Fourteen lowest eigenvalues at each speed, by one dense solver in both programs.

    The equations are the same; both are rounded. An eigenvalue of A = [0 1; −M⁻¹K −M⁻¹C] is known to about
    ε‖A‖ over its own size times its condition, and the largest one is up to 1e4 times these: 1e-8 leaves room.
    """
    stored = reference(name)
    equations = inertial_equations(rotor_model(ff.rotors.ross_rotor(content(name)).rotor))
    for speed, values in zip(stored["speeds"], stored["eigenvalues"], strict=True):
        found = equations.at(OperatingPoint.at_speed(speed)).eigenvalues()
        wanted = complex_array(values)
        apart = np.abs(wanted[:, None] - found).min(axis=1)
        assert (apart / np.abs(wanted)).max() < 1e-8, speed
        # decrements δ = −2πσ/ω are compared as the eigenvalues are, beside 2π
        nearest = found[np.abs(wanted[:, None] - found).argmin(axis=1)]
        decrements = [-2 * np.pi * each.real / each.imag for each in (wanted, nearest)]
        scale = 2 * np.pi * np.abs(wanted) / wanted.imag
        assert (np.abs(decrements[0] - decrements[1]) / scale).max() < 1e-8


def test_torque_acts_on_the_sections_of_a_beam_with_shear() -> None:
    """ROSS has the torque of a beam without shear in one with shear; the difference is the shear, of order
    φ/(1+φ).

    Without shear both agree (`torque_eb`); with φ = 0.16 and a torque that lowers the frequencies by a tenth they
    differ by 1e-3, and by less than that part of the change.
    """
    stored = reference("torque")
    equations = inertial_equations(rotor_model(ff.rotors.ross_rotor(content("torque")).rotor))
    found = equations.at(OperatingPoint.at_speed(stored["speeds"][0])).eigenvalues()
    wanted = complex_array(stored["eigenvalues"][0])[:6]
    apart = np.abs(wanted[:, None] - found).min(axis=1) / np.abs(wanted)
    assert 1e-4 < apart.max() < 2e-3


@pytest.mark.parametrize("name", NAMES)
def test_unbalance_response(name: str) -> None:
    """x and y at the first, the last and the unbalanced node; rounding as above, of the largest value."""
    stored = reference(name)
    given, imported = stored["unbalance"], ff.rotors.ross_rotor(content(name))
    sensors = {f"n{n}": ff.sensors.DofSensor(imported.nodes[n]) for n in given["nodes"]}
    found = ff.unbalance_response(
        imported.rotor,
        given["speeds"],
        [ff.rotors.Unbalance(imported.nodes[given["node"]], given["moment"], given["phase"])],
        sensors,
        method="direct",
    )
    wanted = complex_array(given["response"])  # speeds, nodes, x and y
    for k, sensor in enumerate(sensors):
        if sensor in found.curves:  # a circular orbit
            radius = found.curves[sensor].values
            seen = np.stack([radius, -1j * radius], axis=1)
        else:
            seen = np.stack([found.curves[f"{sensor} along e{axis}"].values for axis in (1, 2)], axis=1)
        assert np.abs(seen - wanted[:, k]).max() < 1e-8 * np.abs(wanted).max()


def test_campbell_diagram_of_the_compressor() -> None:
    """The projected diagram at the speeds of the reference: modes complete and within the tolerance asked for.

    The estimate of the error is below 1e-8 of |λ| with the tolerance 1e-9; the references are rounded by less.
    """
    stored = reference("compressor")
    imported = ff.rotors.ross_rotor(content("compressor"))
    speeds = np.array([450.0, 575.0, 700.0, 850.0, 1000.0])
    diagram = ff.campbell_diagram(imported.rotor, speeds, modes=8, engine_orders=[1], tolerance=1e-9)
    assert diagram.confirmed and diagram.frame == "inertial"
    for k, speed in enumerate(speeds):
        if speed not in stored["speeds"]:
            continue
        # ROSS lists oscillating modes; overdamped ones have real eigenvalues
        wanted = complex_array(stored["eigenvalues"][stored["speeds"].index(speed)])
        here = diagram.eigenvalues[k][np.isfinite(diagram.eigenvalues[k])]
        moving = here[np.abs(here.imag) > 1e-6 * np.abs(here)]
        assert len(moving) >= 4  # beside overdamped ones
        for value in moving:
            assert np.abs(wanted - value).min() < 1e-8 * abs(value)


def test_files_and_objects_are_the_same(tmp_path) -> None:
    """Elements by attributes (objects) and by keys (files) give the same body."""

    class Element:
        def __init__(self, **fields: object) -> None:
            self.__dict__.update(fields)

    stored = content("rotor4")

    def made(kind: str) -> list[Element]:
        return [
            Element(**{**table, **({"material": Element(**table["material"])} if "material" in table else {})})
            for key, table in stored.items()
            if key.startswith(kind)
        ]

    rotor = Element(
        shaft_elements=made("ShaftElement"), disk_elements=made("DiskElement"), bearing_elements=made("Bearing")
    )
    first, second = (ff.rotors.ross_rotor(source).rotor for source in (rotor, stored))
    assert isinstance(first, ff.Body) and isinstance(second, ff.Body)
    assert first.bearings == second.bearings and first.point_masses == second.point_masses
    assert first.regions == second.regions and (first.mesh.points == second.mesh.points).all()
