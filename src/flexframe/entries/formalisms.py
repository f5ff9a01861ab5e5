"""The choice of a formalism in a case."""

from typing import Literal

FormalismName = Literal["lagrange", "gibbs_appell", "hamilton", "maggi", "kane", "whittaker"]
