"""Rotors of ROSS 1.6.1, its examples and those of its tests, with eigenvalues and responses that it gives.

`data/ross.json` holds for every rotor the measures of its elements by column and

- `eigenvalues`: those of `rotor.A(speed)` with Im λ > 0, the fourteen lowest at each speed (numpy.linalg.eigvals);
- `unbalance.response`: x and y of some nodes by solving K − Ω²M + iΩ(C + ΩG) of `rotor.K(Ω)`, `M`, `C`, `G` with
  `rotor._unbalance_force(node, 1e-3, 0.3, [Ω])`; the sum over modes of `run_unbalance_response` differs from it by
  up to 8e-11 of the largest value.

`compressor` is `ross.compressor_example()`: 91 elements in layers, 7 discs, two tilting-pad bearings and twelve
seals with tables (Timbó and Ritto, J. Braz. Soc. Mech. Sci. Eng. 41, 2019, 165); `coaxial` is
`coaxrotor_example()`; `rotor4` to `rotor8`, `conical`, `axial_force` and `torque` are those of its
test_rotor_assembly.py, `conical` in bearings of 1e8 N/m in place of 1e20; `cross_coupled` and `proportional` are
`rotor4` with full matrices of both bearings, and with alpha = 1/s and beta = 1e-5 s.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

NAMES = (
    "rotor_example",
    "compressor",
    "rotor2_bearing_mass",
    "rotor4",
    "rotor6",
    "rotor7",
    "rotor8",
    "cross_coupled",
    "proportional",
    "axial_force",
    "torque_eb",
    "conical",
    "coaxial",
)


@cache
def _data() -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "data" / "ross.json").read_text())


def reference(name: str) -> dict[str, Any]:
    """Everything that is stored of a rotor."""
    return _data()[name]


def content(name: str) -> dict[str, Any]:
    """The rotor as a save file of ROSS has it."""
    stored = reference(name)
    columns = stored["shaft"]
    count = max(len(column) for column in columns.values() if isinstance(column, list))
    out: dict[str, Any] = {"parameters": {}}
    for k in range(count):
        e = {key: column[k] if isinstance(column, list) else column for key, column in columns.items()}
        out[f"ShaftElement_{k}"] = {
            **{key: e[key] for key in ("n", "L", "idl", "odl", "idr", "odr", "axial_force", "torque")},
            "material": {"name": "material", "E": e["E"], "G_s": e["G"], "rho": e["rho"]},
            "shear_effects": e["shear"],
            "rotary_inertia": e["rotary"],
            "gyroscopic": e["gyro"],
            "shear_method_calc": e["method"],
            "alpha": e["alpha"],
            "beta": e["beta"],
        }
    out |= {f"DiskElement_{k}": disc for k, disc in enumerate(stored["discs"])}
    out |= {f"BearingElement_{k}": {"kxx": 0.0, "cxx": 0.0, **b} for k, b in enumerate(stored["bearings"])}
    out |= {f"PointMass_{k}": mass for k, mass in enumerate(stored["masses"])}
    return out


def complex_array(pairs: Any) -> np.ndarray:
    """Pairs [re, im] as complex numbers."""
    both = np.asarray(pairs, dtype=float)
    return both[..., 0] + 1j * both[..., 1]
