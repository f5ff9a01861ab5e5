"""Small sweeps for tests."""

from pathlib import Path

CASE = """title: Cheap beam
materials:
  steel-ish: {young: 200 GPa, poisson: 0.3, density: 8000 kg/m^3}
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 4}}
    material: steel-ish
    section: {rectangle: {width: 20 mm, height: 10 mm}}
    theory: euler_bernoulli
    rotary_inertia: 0
    supports: [{clamp: start}]
analyses:
  modes: {kind: modes, count: 2}
"""

LENGTH = "bodies.beam.mesh.line.length"
HEIGHT = "bodies.beam.section.rectangle.height"


def cheap_case(folder: Path) -> Path:
    """The case in a file of its own."""
    path = folder / "cheap.yaml"
    path.write_text(CASE, encoding="utf-8")
    return path
