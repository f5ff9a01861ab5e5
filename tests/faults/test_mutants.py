"""Damaged cases and meshes: a sample of tools.mutants, and the mutants that once were not answered well."""

import numpy as np
import pytest
from tools.mutants import judge

import flexframe as ff
from flexframe.cases.examples import example_paths
from flexframe.errors import AnalysisError, InputError
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh

SEED = 2  # not the seed of the full run, whose counts are in the documentation


@pytest.mark.parametrize("numbers", [range(first, first + 10) for first in range(0, 40, 10)], ids=str)
def test_mutants_are_answered_kindly(numbers: range) -> None:
    faults = [verdict for verdict in (judge(n, SEED, None) for n in numbers) if verdict.fault]
    assert faults == []


@pytest.mark.parametrize("far", [1e308, 1e200, float("inf"), float("nan")])
def test_coordinates_whose_squares_overflow_are_refused(far: float) -> None:
    with pytest.raises(InputError, match="node 1 has coordinates"):
        Mesh(np.array([[0, 0, 0], [far, 0, 0]]), (CellBlock(LINE, np.array([[0, 1]])),))


def test_a_cycle_of_many_turns_between_two_samples_ends_with_a_reason() -> None:
    case = ff.load_case(example_paths()["four_bar"], ["analyses.kinematics.duration=1e9"])
    with pytest.raises(AnalysisError, match="moves too far between the instants"):
        ff.run_case(case)


@pytest.mark.parametrize("density", [1e-300, 1e300])
def test_densities_whose_products_overflow_are_refused(density: float) -> None:
    with pytest.raises(InputError, match="no material has that"):
        ff.Material(young=2e11, poisson=0.3, density=density)
