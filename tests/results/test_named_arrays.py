"""Arrays in a netCDF file without xarray: what xarray reads is what it would have written."""

from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray

from flexframe.errors import InputError
from flexframe.results.netcdf import COMPRESSED_FROM, write_arrays, write_groups
from flexframe.results.record import NamedArrays

RNG = np.random.default_rng(3)
SMALL = NamedArrays(
    {
        "frequency": ("mode", np.array([1.5, np.nan, -0.0]), {"units": "Hz"}),
        "shape": (("mode", "node", "part"), RNG.random((3, 4, 2))),
        "count": ("mode", np.array([3, 1, 2])),
        "critical": ("found", []),
        "stress_time": ("stress_time", np.linspace(0, 1, 5), {"units": "s"}),
        "stress": ("stress_time", RNG.random(5)),
        "word": ("node", ["", "ä", "long word", "∞"]),
    },
    coords={
        "part": ["re", "im"],
        "label": ("mode", ["flap", "", "torsion ½"]),
        "mode": ("mode", np.array([1, 2, 3]), {"remark": "from the lowest"}),
    },
    attrs={"kind": "sample", "speed_rad_s": 2.5, "seed": 7, "body": "the body"},
)
LARGE = NamedArrays({"signal": ("time", RNG.random(COMPRESSED_FROM))}, {"time": np.arange(COMPRESSED_FROM) * 0.1})


def test_file_is_read_as_the_same_dataset(tmp_path: Path) -> None:
    """Bit for bit, with units, texts, coordinates and attributes."""
    write_arrays(tmp_path / "out.nc", {"small": SMALL, "large one": LARGE})
    for name, arrays in (("small", SMALL), ("large one", LARGE)):
        with xarray.open_dataset(tmp_path / "out.nc", group=name, engine="h5netcdf") as opened:
            xarray.testing.assert_identical(opened.load(), arrays.to_xarray())


def test_file_is_laid_out_as_xarray_does_it(tmp_path: Path) -> None:
    """Types, shapes, compression, fill values and attributes of everything in the file."""
    write_arrays(tmp_path / "ours.nc", {"small": SMALL, "large": LARGE})
    write_groups(tmp_path / "theirs.nc", {"small": SMALL.to_xarray(), "large": LARGE.to_xarray()})
    assert _layout(tmp_path / "ours.nc") == _layout(tmp_path / "theirs.nc")


def _layout(path: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    own = {"_Netcdf4Dimid", "_Netcdf4Coordinates", "DIMENSION_LIST", "REFERENCE_LIST"}  # numbers and references

    def look(name: str, thing: h5py.Group | h5py.Dataset) -> None:
        attributes = {key: repr(thing.attrs[key]) for key in thing.attrs if key not in own}
        if isinstance(thing, h5py.Dataset):
            details = (thing.shape, thing.maxshape, thing.dtype, thing.compression, thing.compression_opts)
            scales = [[scale.name for scale in dim.values()] for dim in thing.dims]
            found[name] = (details, repr(thing.fillvalue), scales, attributes)
        else:
            found[name] = attributes

    with h5py.File(path) as file:
        file.visititems(look)
    return found


def test_dimensions_have_numbers_of_their_own(tmp_path: Path) -> None:
    """netCDF counts the dimensions of all groups of a file together."""
    write_arrays(tmp_path / "out.nc", {"a": SMALL, "b": LARGE})
    numbers: list[int] = []
    with h5py.File(tmp_path / "out.nc") as file:
        file.visititems(lambda _, thing: numbers.extend(thing.attrs.get("_Netcdf4Dimid", np.empty(0)).ravel()))
    assert sorted(numbers) == list(range(6))  # mode, node, part, found, stress_time; time


def test_name_given_twice_is_refused() -> None:
    """A sensor called like a coordinate would be lost."""
    twice = NamedArrays({"time": ("time", [0.0, 1.0])}, {"time": [0.0, 1.0]})
    with pytest.raises(InputError, match="'time' is the name of a coordinate of the results; rename"):
        twice.all_variables()
