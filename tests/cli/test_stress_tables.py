"""Tables of statics and comparisons: no round-off shown as if it were a result, and the error of the stress."""

import io

from rich.console import Console

import flexframe as ff
from flexframe.analyses.mode_comparison.analysis import mode_comparison
from flexframe.commands.tables import record_tables
from flexframe.mesh.builders import block, disc
from flexframe.presentation.blocks import KeyValues, Table
from flexframe.presentation.scenes import Scene
from flexframe.reports.build import report_document


def printed(record) -> str:
    stream = io.StringIO()
    for table in record_tables(record):
        Console(file=stream, width=140).print(table)
    return stream.getvalue()


def spinning_disc():
    region = ff.Region(ff.materials.ShellProperty(ff.STEEL, 0.002))
    return ff.Body("disc", disc(0.2, 4, order=1), (region,), space="spatial")


def test_flat_disc_has_no_moments() -> None:
    """Moments of a flat spinning disc are 1e-17 N of round-off beside forces of 1e4 N/m: not shown."""
    record = ff.statics(spinning_disc(), ff.FrameMotion.spin(300.0))
    moments = [m for m in record.maxima if m.measure.startswith("M")]
    assert len(moments) == 3
    assert all(m.value == 0.0 for m in moments)
    text = printed(record)
    assert "Mxx" not in text
    assert "e-1" not in text.replace("e-10", "")  # nothing of the order of round-off
    assert "error of stress" in text
    assert "% (estimate)" in text


def test_report_of_statics() -> None:
    """The error stands among the figures and as a colour; the table leaves round-off out."""
    record = ff.statics(spinning_disc(), ff.FrameMotion.spin(300.0))
    document = report_document("", description="", case_name="", case_text="", records={"stress": record})
    blocks = document.sections[0].blocks
    (figures,) = (b for b in blocks if isinstance(b, KeyValues))
    shown = {item.label: item.value for item in figures.items}
    assert shown["Error of the stress"] == 100 * record.error.relative
    (scene,) = (b for b in blocks if isinstance(b, Scene))
    colours = {field.name: field.unit for field in scene.fields}
    assert colours["stress error"] == "MPa"
    assert colours["Nxx"] == "N/m"
    (table,) = (b for b in blocks if isinstance(b, Table))
    assert not any(row[0].startswith("M") for row in table.rows)
    assert all(row[5] == 0 for row in table.rows)  # z of the flat disc


def test_table_of_a_comparison() -> None:
    """A line for each mode with the difference in percent; rigid motions are zero."""
    bodies = {
        name: ff.Body.solid(name, block((1, 0.1, 0.05), cells), material=ff.STEEL)
        for name, cells in (("coarse", (4, 1, 1)), ("fine", (8, 1, 1)))
    }
    text = printed(mode_comparison(bodies, count=8))
    lines = text.splitlines()
    assert "coarse [Hz]" in text and "fine beside coarse [%]" in text
    assert sum("rigid" in line for line in lines) == 6
    rigid = next(line for line in lines if "rigid" in line)
    assert [cell.strip() for cell in rigid.split("│")[1:-1]] == ["rigid", "1", "0", "0", ""]
