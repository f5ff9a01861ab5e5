"""The node pattern of small models, by array operations, against the compiled loops for large ones."""

import numpy as np
import pytest

from flexframe.assembly import pattern
from flexframe.assembly.discrete import discretise
from flexframe.assembly.pattern import NodePattern
from flexframe.elements.properties import STEEL
from flexframe.mesh.builders import block, rectangle
from flexframe.model.body import Body
from flexframe.model.supports import Clamp


@pytest.mark.parametrize("entries", [(), (2, 3)])
def test_blocks_are_added_alike(entries: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    nodes = np.array([generator.permutation(30)[:5] for _ in range(40)])
    graph = NodePattern.of(30, [nodes])
    blocks = generator.standard_normal((40, 5, 5, *entries))
    small, large = graph.zeros(*entries), graph.zeros(*entries)
    for wanted, data in ((True, small), (False, large)):
        monkeypatch.setattr(pattern, "_by_arrays", lambda _, wanted=wanted: wanted)
        graph.add(nodes, blocks, data)
    np.testing.assert_array_equal(small, large)  # the same sums in the same order


@pytest.mark.parametrize("space", ["plane", "solid"])
def test_matrices_are_alike(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if space == "plane":
        mesh = rectangle(2.0, 1.0, divisions=(4, 3), order=2)
        body = Body.plane("plate", mesh, material=STEEL, thickness=0.1, supports=(Clamp("left"),))
    else:
        mesh = block((1.0, 1.0, 1.0), (2, 2, 2), order=2)
        body = Body.solid("cube", mesh, material=STEEL, supports=(Clamp("left"),))
    found = []
    for wanted in (True, False):
        monkeypatch.setattr(pattern, "_by_arrays", lambda _, wanted=wanted: wanted)
        discrete = discretise(body)
        found.append((discrete.stiffness, discrete.mass))
    for mine, other in zip(*found, strict=True):
        np.testing.assert_array_equal(mine.toarray(), other.toarray())
        np.testing.assert_array_equal(mine.indices, other.indices)
