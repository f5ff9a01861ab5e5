"""Tables of the command line, drawn from the presentation of a result."""

from dataclasses import replace

import numpy as np

import flexframe as ff
from flexframe.commands.tables import record_tables
from flexframe.mesh.builders import block


def test_modes_show_no_noise_and_no_gaps_as_words() -> None:
    """A rigid motion at 5e-8 of the highest frequency is a zero; an elastic one of that size, 0.0008 Hz, stays."""
    found = ff.modes(ff.Body.solid("block", block((1, 0.1, 0.05), (2, 1, 1)), material=ff.STEEL), count=3)
    record = replace(
        found,
        eigenvalues=2j * np.pi * np.array([8.3e-4, 8.3e-4, 1.6e4]),
        inertial_frequencies_hz=np.array([1e-13, 8.3e-4, np.nan]),
        labels=("rigid rotation", "", ""),
    )
    (table,) = record_tables(record)
    columns = {str(column.header): list(column.cells) for column in table.columns}
    assert columns["frequency [Hz]"] == ["0", "0.00083", "16000"]
    assert columns["inertial frame [Hz]"] == ["0", "0.00083", ""]
