"""Reduced bodies in files."""

from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from tests.reduction.samples import clamped, frame

from flexframe.errors import InputError
from flexframe.exchange.reduced import read_reduced_body, to_arrays, write_reduced_body
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.kinetics import mass_matrix
from flexframe.reduction.reduced_body import ReducedBody, reduce_body
from flexframe.reduction.strategies import CraigBampton


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


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1",
        "{'descr': '<f8', 'fortran_order': False, 'shape': 1K}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999, 999)}",
        "{'descr': 7, 'fortran_order': False, 'shape': (1,)}",
    ],
)
def test_damaged_headers_are_refused(header: str, tmp_path: Path) -> None:
    """numpy reads them as Python, and raises what Python does."""
    text = header.ljust(117).encode() + b"\n"
    with ZipFile(tmp_path / "odd.npz", "w") as archive:
        archive.writestr("version.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(8))
    with pytest.raises(InputError, match="is damaged or holds no reduced body"):
        read_reduced_body(tmp_path / "odd.npz")
