"""SuperLU never reads what nobody wrote: a singular matrix without diagonal entries is refused, not fatal."""

import os
import subprocess
import sys

# Multipliers of redundant joints, two of them of nothing at all: the pattern for which scipy's SuperLU ended the
# process, now and then on any machine and always where glibc fills new memory with a value that is no index.
PROGRAM = """
import numpy as np
from scipy import sparse
from flexframe.maths.factorisation import SingularMatrixError
from flexframe.maths.superlu import factorise_superlu

pairs = np.array([(5, 1), (5, 2), (6, 1), (6, 2), (7, 2), (7, 3), (8, 2), (8, 3), (9, 3), (10, 1)]).T
half = sparse.coo_array((np.ones(10), pairs), shape=(11, 11))
try:
    factorise_superlu(sparse.csr_array(half + half.T), "symmetric")
except SingularMatrixError as error:
    print(error)
"""


def test_columns_without_a_pivot_are_singular() -> None:
    environment = os.environ | {"MALLOC_PERTURB_": "85"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "singular" in done.stdout
