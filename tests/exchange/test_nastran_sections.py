"""Sections of bars by type and dimensions: areas and second moments of the rectangles that they are made of."""

from pathlib import Path

import pytest

import flexframe as ff

LENGTH = 1.0
Pieces = tuple[tuple[float, float, float, float], ...]  # width along z, height along y, centre z, centre y

SHAPES: dict[str, tuple[tuple[float, ...], Pieces]] = {
    "BAR": ((0.02, 0.03), ((0.02, 0.03, 0.0, 0.0),)),
    "I1": (
        (0.08, 0.01, 0.16, 0.2),
        ((0.09, 0.02, 0.0, 0.09), (0.09, 0.02, 0.0, -0.09), (0.01, 0.16, 0.0, 0.0)),
    ),
    "T1": ((0.2, 0.15, 0.02, 0.01), ((0.02, 0.2, 0.01, 0.0), (0.15, 0.01, 0.095, 0.0))),
    "T2": ((0.1, 0.2, 0.02, 0.01), ((0.1, 0.02, 0.0, 0.01), (0.01, 0.18, 0.0, 0.11))),
    "CHAN1": (
        (0.08, 0.01, 0.16, 0.2),
        ((0.01, 0.2, 0.005, 0.0), (0.08, 0.02, 0.05, 0.09), (0.08, 0.02, 0.05, -0.09)),
    ),
    "HAT": (
        (0.1, 0.005, 0.08, 0.03),
        (
            (0.08, 0.005, 0.0, 0.0975),
            *((0.005, 0.095, side * 0.0375, 0.0475) for side in (-1, 1)),
            *((0.03, 0.005, side * 0.055, 0.0025) for side in (-1, 1)),
        ),
    ),
}


def moments(pieces: Pieces) -> tuple[float, float, float]:
    """A, ∫y² and ∫z² about the centre."""
    A = sum(w * h for w, h, _, _ in pieces)
    y0, z0 = (sum(w * h * place[k] for w, h, *place in pieces) / A for k in (1, 0))
    Iz = sum(w * h**3 / 12 + w * h * (y - y0) ** 2 for w, h, _, y in pieces)
    Iy = sum(h * w**3 / 12 + w * h * (z - z0) ** 2 for w, h, z, _ in pieces)
    return A, Iz, Iy


@pytest.mark.parametrize("kind", SHAPES)
def test_sections_of_types(kind: str, tmp_path: Path) -> None:
    sizes, pieces = SHAPES[kind]
    lines = ["BEGIN BULK", "MAT1,1,2.1+11,,.3,7850.", f"PBARL,1,1,,{kind},,,,", "," + ",".join(map(str, sizes))]
    lines += ["GRID,1,,0.,0.,0.", f"GRID,2,,{LENGTH},0.,0.", "CBAR,1,1,1,2,0.,1.,0.", "ENDDATA", ""]
    (tmp_path / "bar.bdf").write_text("\n".join(lines), encoding="ascii")
    part = ff.exchange.read_part(tmp_path / "bar.bdf")
    (region,) = part.regions
    assert region.prop is not None, region.lacks
    section = region.prop.section  # type: ignore[attr-defined]
    found = (section.area, section.inertia_z, section.inertia_y)
    assert found == pytest.approx(moments(pieces), rel=1e-9)  # sums of a few products
