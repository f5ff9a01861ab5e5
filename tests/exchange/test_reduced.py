"""Reduced bodies in files."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.reduction.samples import clamped, frame

from flexframe.errors import InputError
from flexframe.exchange.reduced import read_reduced_body, to_arrays, write_reduced_body
from flexframe.exchange.sid import sid_text, write_sid
from flexframe.reduction.craig_bampton import CraigBampton
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.kinetics import mass_matrix
from flexframe.reduction.reduced_body import ReducedBody, reduce_body


@pytest.fixture(scope="module")
def body() -> ReducedBody:
    points = [Interface("tip", "end")]
    return reduce_body(
        clamped(frame()), CraigBampton(3), interfaces=points, sensors=[Interface("knee", "corner1")]
    )


def test_round_trip(body: ReducedBody, tmp_path: Path) -> None:
    """Every number and every text comes back as it was."""
    write_reduced_body(body, tmp_path / "frame.npz")
    again = read_reduced_body(tmp_path / "frame.npz")
    before, after = to_arrays(body), to_arrays(again)
    assert before.keys() == after.keys()
    for name, values in before.items():
        np.testing.assert_array_equal(values, after[name], err_msg=name)
    assert [p.name for p in again.interfaces] == ["tip"] and [p.name for p in again.sensors] == ["knee"]
    assert again.basis.coordinates == body.basis.coordinates
    delta = np.full(body.size, 1e-3)
    np.testing.assert_array_equal(mass_matrix(again, delta), mass_matrix(body, delta))
    assert [path.name for path in tmp_path.iterdir()] == ["frame.npz"]


def test_refused_files(body: ReducedBody, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.npz"):
        write_reduced_body(body, tmp_path / "frame.txt")
    with pytest.raises(InputError, match="there is no such file"):
        read_reduced_body(tmp_path / "missing.npz")
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(InputError, match="damaged"):
        read_reduced_body(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(InputError, match="no reduced body"):
        read_reduced_body(tmp_path / "other.npz")
    np.savez(tmp_path / "newer.npz", **(to_arrays(body) | {"version": np.array(99)}))
    with pytest.raises(InputError, match="version 99"):
        read_reduced_body(tmp_path / "newer.npz")
    incomplete = {name: values for name, values in to_arrays(body).items() if name != "stiffness"}
    np.savez(tmp_path / "incomplete.npz", **incomplete)
    with pytest.raises(InputError, match="stiffness"):
        read_reduced_body(tmp_path / "incomplete.npz")


def parsed(text: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    """M0 and M1 of the first object of that name."""
    part = re.search(rf"^ +{name}\n(.*?)^ +end {name}$", text, re.MULTILINE | re.DOTALL).group(1)
    sizes = {key: int(value) for key, value in re.findall(r"(nrow|ncol|nq) = (\d+)", part)}
    constant = np.zeros((sizes["nrow"], sizes["ncol"]))
    slopes = np.zeros((sizes["nq"], sizes["nrow"], sizes["ncol"]))
    for i, j, value in re.findall(r"m0 \( (\d+), (\d+)\) = (\S+)", part):
        constant[int(i) - 1, int(j) - 1] = float(value)
    for i, k, j, value in re.findall(r"m1 \( (\d+), (\d+), (\d+)\) = (\S+)", part):
        slopes[int(k) - 1, int(i) - 1, int(j) - 1] = float(value)
    return constant, slopes


def test_standard_input_data(body: ReducedBody, tmp_path: Path) -> None:
    """The text gives back the equations of motion: inertia at a deformation, Coriolis and centrifugal terms.

    Numbers are written in full, so that only rounding is left (1e-13).
    """
    write_sid(body, tmp_path / "frame.sid")
    text = (tmp_path / "frame.sid").read_text(encoding="utf-8")
    assert text == sid_text(body)
    rng = np.random.default_rng(1)
    omega = rng.standard_normal(3)
    q, rates = rng.standard_normal((2, body.size))

    def value(name: str) -> np.ndarray:
        constant, slopes = parsed(text, name)
        return constant + np.einsum("kij,k->ij", slopes, q) if len(slopes) else constant

    rows = ["mdCM", "J", "Ct", "Cr", "Me", "K", "D"]
    s, J, Ct, Cr, Me, K, _ = (value(name) for name in rows)
    scale = max(np.abs(M).max() for M in (J, Cr, Ct, Me))
    first = body.position_coupling @ q
    X = body.position_coupling
    np.testing.assert_allclose(s[:, 0], body.first_moment + body.origin_coupling @ q, atol=1e-13 * scale)
    moments = body.second_moment + first + first.T
    np.testing.assert_allclose(J, np.trace(moments) * np.eye(3) - moments, atol=1e-13 * scale)
    np.testing.assert_allclose(Ct.T, body.origin_coupling + body.origin_quadratic @ q, atol=1e-13 * scale)
    coupling = body.euler_loads + (body.coriolis + body.euler_quadratic) @ q
    np.testing.assert_allclose(Cr.T, coupling, atol=1e-13 * scale)
    np.testing.assert_array_equal(K, body.stiffness)
    # 2 ∫ρ Nᵀ(ω × N q̇) = 2 Σ ω_a C_a q̇, and the moment 2(tr G 1 − Gᵀ)ω with G = X q̇
    Ge, Gr = parsed(text, "Ge")[0], parsed(text, "Gr")[0]
    elastic = sum(rates[k] * Ge[:, 3 * k : 3 * k + 3] @ omega for k in range(body.size))
    expected = 2 * np.einsum("a,art,t->r", omega, body.coriolis, rates)
    np.testing.assert_allclose(elastic, expected, atol=1e-12 * np.abs(expected).max())
    G = X @ rates
    turning = sum(rates[k] * Gr[:, 3 * k : 3 * k + 3] @ omega for k in range(body.size))
    expected = 2 * (np.trace(G) * np.eye(3) - G.T) @ omega
    np.testing.assert_allclose(turning, expected, atol=1e-12 * np.abs(expected).max())
    a, b, c = omega
    quadratic = value("Oe") @ np.array([a * a, b * b, c * c, a * b, b * c, a * c])
    squares = np.outer(omega, omega)
    stiff = body.centrifugal + body.centrifugal_quadratic
    expected = np.einsum("ab,abr->r", squares, body.centrifugal_loads) + np.einsum(
        "ab,abrt,t->r", squares, stiff, q
    )
    np.testing.assert_allclose(quadratic, expected, atol=1e-12 * np.abs(expected).max())
