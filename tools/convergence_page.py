"""Write docs/verification/convergence.md and its pictures: errors on ever finer meshes against exact solutions.

python -m tools.convergence_page
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import wrap

import numpy as np
from matplotlib.figure import Figure

import flexframe as ff
from flexframe.analyses.modes.record import Modes
from flexframe.elements.properties import ShellProperty
from flexframe.mesh.builders import block, disc, rectangle
from flexframe.verification.continua import spatial_body

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "verification" / "convergence.md"
PICTURES = DOCS / "images" / "convergence"

UNIT = ff.Material(young=1.0, poisson=0.3, density=1.0)
ROUNDING = 1e-9  # errors below this are those of the references and of rounding

HEAD = """# Mesh convergence

Written by `python -m tools.convergence_page`. Each line is one family of elements on ever finer meshes. The error
is relative to an exact solution, and the slope between the two finest meshes is the order that was reached. Theory
has frequencies converge with order 2 for linear elements and with order 4 for quadratic ones and for beams with
cubic deflections; coarse meshes are not there yet.

"""


@dataclass(frozen=True)
class Line:
    """One family of elements: the cells along a side (or the like), and the errors."""

    family: str
    cells: tuple[int, ...]
    errors: tuple[float, ...]

    @property
    def order(self) -> float:
        """Slope between the two finest meshes."""
        (n, m), (e, f) = self.cells[-2:], self.errors[-2:]
        return float(np.log(e / f) / np.log(m / n))


@dataclass(frozen=True)
class Study:
    """A quantity with its exact value on the meshes of several families."""

    name: str
    title: str
    text: str
    along: str
    lines: tuple[Line, ...]


def line(family: str, exact: float, cells: Sequence[int], compute: Callable[[int], float]) -> Line:
    """Compute a quantity on every mesh and compare."""
    return Line(family, tuple(cells), tuple(abs(compute(n) / exact - 1) for n in cells))


# ---------------------------------------------------------------------- bodies


def disc_frequency(shape: str, order: int, cells: int) -> float:
    """ω R/c_p of the lowest mode with two nodal diameters of the free disc in plane stress."""
    body = ff.Body.plane("disc", disc(1.0, cells, order=order, shape=shape), material=UNIT, thickness=0.01)
    record = ff.modes(ff.discretise(body), count=5)  # three rigid motions, then the pair
    return angular(record, 3) * float(np.sqrt(1 - UNIT.poisson**2))


def cube_frequency(shape: str, order: int, cells: int) -> float:
    """ω of Lamé's modes of the free unit cube: the mean of the three that are most alike them in shape."""
    mesh = block((1.0, 1.0, 1.0), (cells, cells, cells), order=order, shape=shape)
    record = ff.modes(ff.discretise(ff.Body.solid("cube", mesh, material=UNIT)), count=36)
    shapes = record.shapes[:, :, :3].real
    shapes = shapes / np.linalg.norm(shapes, axis=(1, 2))[:, None, None]
    angles = np.pi * mesh.points
    likeness = np.zeros(len(shapes))
    for i, j in ((0, 1), (1, 2), (2, 0)):
        exact = np.zeros_like(mesh.points)
        exact[:, i] = np.cos(angles[:, i]) * np.sin(angles[:, j])
        exact[:, j] = -np.sin(angles[:, i]) * np.cos(angles[:, j])
        likeness += np.einsum("kna,na->k", shapes, exact / np.linalg.norm(exact)) ** 2
    return float(np.mean([angular(record, int(k)) for k in np.argsort(likeness)[-3:]]))


def plate_frequency(shape: str, cells: int) -> float:
    """ω of the lowest mode of a simply supported square plate, by a quarter of it with symmetry."""
    in_plane = ff.Fix("all", ("ux", "uy", "rz"))
    edges = (ff.Fix("left", ("uz", "rx")), ff.Fix("bottom", ("uz", "ry")))
    middle = (ff.Fix("right", ("ry",)), ff.Fix("top", ("rx",)))
    mesh = rectangle(0.5, 0.5, (cells, cells), order=1, shape=shape)
    discrete = spatial_body(mesh, ShellProperty(UNIT, PLATE), [in_plane, *edges, *middle], [])
    return angular(ff.modes(discrete, count=1), 0)


def blade_frequency(speed: float, cells: int) -> float:
    """ω L²√(ρA/EI) of the first flap of a thin cantilever that turns at γ = speed."""
    side = float(np.sqrt(12)) / 1e5
    section = ff.Rectangle(side, side)
    blade = ff.Body.beam(
        "blade",
        length=1.0,
        divisions=cells,
        section=section,
        material=UNIT,
        theory="euler_bernoulli",
        rotary_inertia=0.0,
        supports=(ff.Clamp("start"), ff.Fix("all", ("uy", "rx", "rz"))),
        space="spatial",
    )
    scale = float(np.sqrt(UNIT.young * section.inertia_z / (UNIT.density * section.area)))
    return angular(ff.modes(ff.discretise(blade), ff.FrameMotion.spin(speed * scale), count=1), 0) / scale


def angular(record: Modes, number: int) -> float:
    """ω of a mode."""
    return float(abs(record.eigenvalues[number].imag))


PLATE = 1e-4  # thickness over side: shear and rotary inertia change the frequency by 1e-8


def studies() -> list[Study]:
    """All of them, some seconds each."""
    kirchhoff = 2 * np.pi**2 * PLATE / float(np.sqrt(12 * (1 - UNIT.poisson**2)))
    lame = np.pi * float(np.sqrt(2 / (2 * (1 + UNIT.poisson))))
    plane = [
        line(name, 1.387653, cells, partial(disc_frequency, shape, order))
        for name, shape, order, cells in (
            ("triangles, linear", "triangle", 1, (2, 4, 8, 16)),
            ("quadrilaterals, linear", "quad", 1, (2, 4, 8, 16)),
            ("triangles, quadratic", "triangle", 2, (1, 2, 4, 8)),
            ("quadrilaterals, quadratic", "quad", 2, (1, 2, 4, 8)),
        )
    ]
    solid = [
        line(name, lame, cells, partial(cube_frequency, shape, order))
        for name, shape, order, cells in (
            ("tetrahedra, linear", "tetra", 1, (4, 8, 12)),
            ("hexahedra, linear", "hexahedron", 1, (4, 8, 12)),
            ("tetrahedra, quadratic", "tetra", 2, (2, 4, 6)),
            ("hexahedra, quadratic", "hexahedron", 2, (2, 4, 6)),
        )
    ]
    plate = [
        line(name, kirchhoff, (2, 4, 8, 16), partial(plate_frequency, shape))
        for name, shape in (("triangles", "triangle"), ("quadrilaterals", "quad"))
    ]
    blade = [
        line(f"γ = {speed:g}", exact, (1, 2, 4, 8), partial(blade_frequency, speed))
        for speed, exact in ((0.0, 3.5160152685), (4.0, 5.585001), (12.0, 13.170151))
    ]
    return [
        Study(
            "disc",
            "Disc in its plane",
            "Lowest mode with two nodal diameters of a free disc in plane stress, ν = 0.3; the exact series gives "
            "ω R/c_p = 1.387653, seven digits. Elements of first order also approximate the circle by a polygon.",
            "cells from the centre to the side of the core",
            tuple(plane),
        ),
        Study(
            "cube",
            "Solid cube",
            "Lamé's modes of a free cube, u = cos πx sin πy, v = −sin πx cos πy, w = 0 and the two that turn the "
            "axes, with ω = π√(2G/ρ)/a: exact solutions of elasticity in space without stress on the sides.",
            "cells along a side",
            tuple(solid),
        ),
        Study(
            "plate",
            "Thin plate of shell elements",
            "Lowest frequency of a simply supported square plate, a quarter with symmetry, thickness 1/10000 of "
            "the side: locking by shear would show here. Exact is Kirchhoff's ω = 2π²√(D/ρt)/a².",
            "cells along half a side",
            tuple(plate),
        ),
        Study(
            "blade",
            "Turning blade",
            "First flap of an Euler–Bernoulli cantilever at three speeds, with the stress of rotation. The "
            "reference at rest is the exact 3.5160153, turning the series of Wright (1982) with seven digits.",
            "elements along the blade",
            tuple(blade),
        ),
    ]


# ---------------------------------------------------------------------- page


def draw(study: Study, path: Path) -> None:
    """Errors over the number of cells, both logarithmic, with slopes 2 and 4 to compare."""
    figure = Figure(figsize=(7.0, 3.4), dpi=90, layout="constrained")
    axes = figure.add_subplot()
    for one, marker in zip(study.lines, "os^D", strict=False):
        axes.loglog(one.cells, np.maximum(one.errors, ROUNDING), marker=marker, label=one.family)
    ends = np.array([min(one.cells[0] for one in study.lines), max(one.cells[-1] for one in study.lines)])
    top = max(one.errors[0] for one in study.lines)
    for slope, style in ((2, "--"), (4, ":")):
        axes.loglog(ends, top * (ends / ends[0]) ** -float(slope), style, color="0.6", label=f"order {slope}")
    axes.set(xlabel=study.along, ylabel="relative error")
    ticks = sorted({n for one in study.lines for n in one.cells})
    axes.set_xticks(ticks, [str(n) for n in ticks])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(path, metadata={"Software": None})


def section(study: Study) -> str:
    """Heading, picture and table."""
    rows = [
        f"| {one.family} | "
        + ", ".join(f"{error:.1e} ({n})" for n, error in zip(one.cells, one.errors, strict=True))
        + f" | {one.order:.1f} |\n"
        for one in study.lines
    ]
    picture = f"![Errors of {study.title.lower()}](../images/convergence/{study.name}.png)"
    table = f"| elements | error ({study.along}) | order reached |\n|---|---|---:|\n" + "".join(rows)
    text = "\n".join(wrap(study.text, 115))
    return f"## {study.title}\n\n{text}\n\n{picture}\n\n{table}"


def main() -> None:
    """Compute, draw, write."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    parts = []
    for study in studies():
        draw(study, PICTURES / f"{study.name}.png")
        parts.append(section(study))
    PAGE.write_text(HEAD + "\n".join(parts), encoding="utf-8")
    print(f"wrote {PAGE.name} and {len(parts)} pictures")


if __name__ == "__main__":
    main()
