"""A spinning solid disc with prestress and Coriolis forces against CalculiX on the same mesh.

CalculiX: nonlinear static step under centrifugal load, frequencies of the stressed disc, complex frequencies with
Coriolis forces on those modes. Prints both lists and their largest relative difference.
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np

import flexframe as ff
from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.exchange.meshes import write_mesh
from flexframe.mesh.builders import tube
from flexframe.mesh.mesh import Mesh

SPEED = 2 * np.pi * 300.0  # rad/s
MODES = 16
_BASIS = 60  # modes of the stressed disc on which CalculiX projects

_STEPS = """
*MATERIAL, NAME=STEEL
*ELASTIC
{young}, {poisson}
*DENSITY
{density}
*SOLID SECTION, ELSET=EVERY, MATERIAL=STEEL
*BOUNDARY
{held}, 1, 3
*STEP, NLGEOM
*STATIC
*DLOAD
EVERY, CENTRIF, {square}, 0., 0., 0., 0., 0., 1.
*END STEP
*STEP, PERTURBATION
*FREQUENCY, STORAGE=YES
{basis},
*END STEP
*STEP, PERTURBATION
*COMPLEX FREQUENCY, CORIOLIS
{modes},
*DLOAD
EVERY, CENTRIF, {square}, 0., 0., 0., 0., 0., 1.
*END STEP
"""


def disc_mesh(divisions: tuple[int, int, int] = (4, 24, 2)) -> Mesh:
    """A disc of 200 mm with a bore of 40 mm, 20 mm thick, elements of second order."""
    return tube(0.02, 0.1, 0.02, divisions, order=2)


def disc(mesh: Mesh) -> ff.Body:
    """Steel, clamped at the bore."""
    return ff.Body.solid("disc", mesh, material=ff.STEEL, supports=(ff.Clamp("inner"),))


def calculix_frequencies(mesh: Mesh, speed: float, modes: int, folder: Path) -> list[float]:
    """Frequencies [Hz] in the turning frame, ascending; `ccx` must be there."""
    write_mesh(mesh, folder / "mesh.inp")
    nodes = mesh.nodes_of("inner") + 1
    lines = [(folder / "mesh.inp").read_text(encoding="utf-8")]
    lines += ["*NSET, NSET=HELD", *(f"{node}," for node in nodes)]
    lines += ["*ELSET, ELSET=EVERY, GENERATE", f"1, {mesh.cell_count}, 1"]
    steps = _STEPS.format(
        young=ff.STEEL.young,
        poisson=ff.STEEL.poisson,
        density=ff.STEEL.density,
        held="HELD",
        square=repr(speed**2),
        basis=_BASIS,
        modes=modes,
    )
    (folder / "disc.inp").write_text("\n".join(lines) + steps, encoding="utf-8")
    subprocess.run(["ccx", "disc"], cwd=folder, check=True, capture_output=True)
    return _read(folder / "disc.dat")


def _read(path: Path) -> list[float]:
    """The last table of eigenvalues: mode number, real part [rad/s], the same [Hz], imaginary part."""
    rows: list[float] = []
    reading = False
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if "E I G E N V A L U E   O U T P U T" in line:
            rows, reading = [], True
        elif reading and len(words) >= 4 and words[0] == str(len(rows) + 1):
            rows.append(float(words[2]))
        elif rows:
            reading = False
    return sorted(rows)


def flexframe_frequencies(mesh: Mesh, speed: float, modes: int) -> list[float]:
    """The same by flexframe."""
    diagram = campbell_diagram(disc(mesh), [speed], modes=modes, engine_orders=())
    return sorted(float(f) for f in diagram.frequencies_hz[0])


def main() -> None:
    mesh = disc_mesh()
    with tempfile.TemporaryDirectory() as folder:
        theirs = np.array(calculix_frequencies(mesh, SPEED, MODES + 4, Path(folder)))
    worst = 0.0
    for mine in flexframe_frequencies(mesh, SPEED, MODES):
        place = int(np.argmin(np.abs(theirs - mine)))
        difference = mine / theirs[place] - 1
        if abs(difference) > 5e-3:
            print(f"{mine:12.4f}              not among those of CalculiX")
            continue
        print(f"{mine:12.4f} {theirs[place]:12.4f} Hz  {100 * difference:+.4f} %")
        worst = max(worst, abs(difference))
        theirs[place] = np.inf
    print(f"largest difference {100 * worst:.4f} %")


if __name__ == "__main__":
    main()
