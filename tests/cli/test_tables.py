"""Tables of the command line, made from summaries."""

from flexframe.commands.tables import analysis_table


def test_modes_show_no_noise_and_no_gaps_as_words() -> None:
    """A rigid motion at 5e-8 of the highest frequency is a zero; an elastic one of that size, 0.0008 Hz, stays."""
    table = analysis_table(
        {
            "kind": "modes",
            "frequencies_hz": [8.3e-4, 8.3e-4, 1.6e4],
            "eigenvalues": [[0.0, 5.2e-3], [0.0, 5.2e-3], [0.0, 1e5]],
            "inertial_frequencies_hz": [1e-13, 8.3e-4, None],
            "labels": ["rigid rotation", "", ""],
        }
    )
    columns = {str(column.header): list(column.cells) for column in table.columns}
    assert columns["frequency [Hz]"] == ["0", "0.00083", "16000"]
    assert columns["inertial [Hz]"] == ["0", "0.00083", ""]
