"""Six bodies in which every pair of features occurs in all four ways: both, either, neither.

| feature | without | with |
|---|---|---|
| springs | none | spring and damper to the frame, along and about axes |
| couplings | none | a reference point that carries the tip rigidly, and one on the mean of two nodes |
| point masses | none | a particle, and a mass with rotary inertia |
| offsets | beam on the edge of the shell | beam beside it, on rigid arms |
| orthotropy | isotropic | an orthotropic shell, turned by 0.4 rad |
| damping | none | α m + β k |
| prestress loads | none | forces and gravity that keep their direction in the body |
| term multipliers | 1 | 0.7, 0.5, 0.9 and 0.6 of Coriolis, Euler, centrifugal and geometric terms |
| supports | free | clamped root and an oblique roller |
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

import flexframe as ff
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE, QUAD
from flexframe.mesh.mesh import Mesh

FEATURES = (
    "springs",
    "couplings",
    "point masses",
    "offsets",
    "orthotropy",
    "damping",
    "prestress loads",
    "term multipliers",
    "supports",
)
# columns of five rows with three ones each: no one contains another, any two meet; a row of zeros before them
_ROWS = [()] + [
    tuple(name for name, ones in zip(FEATURES, combinations(range(5), 3), strict=False) if row in ones)
    for row in range(5)
]
DESIGN: tuple[frozenset[str], ...] = tuple(frozenset(row) for row in _ROWS)
"""Features of each body."""

POLYMER = ff.Material(young=2e9, poisson=0.35, density=1200.0)
PLY = ff.materials.OrthotropicMaterial(
    young=(6e9, 4e8, 4e8), poisson=(0.3, 0.4, 0.3), shear=(3e8, 2e8, 3e8), density=1600.0
)


@dataclass(frozen=True)
class Sample:
    """A body with the multipliers under which its routes are compared."""

    features: frozenset[str]
    body: ff.Body
    terms: ff.Terms

    @property
    def title(self) -> str:
        """The features in words."""
        return ", ".join(name for name in FEATURES if name in self.features) or "plain"


def sample(features: frozenset[str]) -> Sample:
    """A strip of three shells, 0.3 m by 0.08 m, with a beam along one edge."""
    x = np.linspace(0.05, 0.35, 4)
    points = np.concatenate([[(a, 0.0, 0.0) for a in x], [(a, 0.08, 0.01) for a in x]])
    quads = [[i, i + 1, i + 5, i + 4] for i in range(3)]
    lines = [[i, i + 1] for i in range(3)]
    mesh = Mesh(
        points,
        (CellBlock(QUAD, np.array(quads)), CellBlock(LINE, np.array(lines))),
        node_sets={"root": np.array([0, 4]), "tip": np.array([3, 7]), "middle": np.array([1, 5])},
        cell_sets={"skin": np.arange(3), "stiffener": np.arange(3, 6)},
    )
    turned = "orthotropy" in features
    skin = ff.materials.ShellProperty(
        PLY if turned else POLYMER,
        0.004,
        orientation=ff.materials.Orientation.of_rotation(0.4) if turned else None,
    )
    offset = (0.003, -0.006) if "offsets" in features else (0.0, 0.0)
    stiffener = ff.materials.BeamProperty(POLYMER, ff.Rectangle(0.006, 0.01), up=(0.0, 0.2, 1.0), offset=offset)
    couplings: tuple[ff.supports.RigidCoupling | ff.supports.MeanCoupling, ...] = ()
    if "couplings" in features:
        mesh = ff.mesh.with_points(mesh, {"head": (0.38, 0.04, 0.02), "eye": (0.15, 0.04, 0.005)})
        couplings = (
            ff.supports.RigidCoupling("head", "tip"),
            ff.supports.MeanCoupling("eye", "middle", ("ux", "uy", "uz")),
        )
    end = "head" if couplings else "tip"
    has = features.__contains__
    body = ff.Body(
        "plate",
        mesh,
        (ff.Region(skin, "skin"), ff.Region(stiffener, "stiffener")),
        space="spatial",
        couplings=couplings,
        springs=(
            ff.supports.FrameSpring(end, (2e3, 3e3, 1e3), (40.0, 30.0, 20.0), (3.0, 2.0, 4.0), (0.02, 0.01, 0.03)),
            ff.supports.FrameSpring("eye" if couplings else 1, (400.0, 300.0, 200.0), damping=(1.0, 2.0, 3.0)),
            ff.supports.FrameSpring(1, (4e3, 5e3, 2e3), (10.0, 20.0, 15.0)),
        )
        if has("springs")
        else (),
        point_masses=(ff.PointMass(end, 0.15), ff.PointMass(2, 0.1, (3e-4, 2e-4, 4e-4, 2e-5, 0.0, 1e-5)))
        if has("point masses")
        else (),
        damping=ff.Damping(mass=6.0, stiffness=2e-5) if has("damping") else ff.Damping(),
        loads=(
            ff.NodeForce(end, (60.0, -8.0, 5.0)),
            ff.NodeForce("eye" if couplings else "middle", (3.0, 9.0, -5.0)),
            ff.Gravity((1.0, -9.0, 3.0)),
        )
        if has("prestress loads")
        else (),
        supports=(ff.Clamp("root"), ff.supports.Roller(6, (0.0, 0.6, 0.8))) if has("supports") else (),
    )
    terms = ff.Terms(0.7, 0.5, 0.9, 0.6) if has("term multipliers") else ff.Terms()
    return Sample(features, body, terms)
