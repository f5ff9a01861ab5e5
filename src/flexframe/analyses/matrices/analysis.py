"""The matrices of a small body written out, part by part."""

import numpy as np

from flexframe.analyses.judging import judge
from flexframe.analyses.matrices.record import Matrices, dense
from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.coefficients import Terms
from flexframe.errors import AnalysisError
from flexframe.model.body import Body
from flexframe.motion.frame import REST, FrameMotion

LARGEST = 60


@judge
def matrices(body: Body | DiscreteBody, motion: FrameMotion = REST, *, terms: Terms | None = None) -> Matrices:
    """Mass, Coriolis and stiffness parts, load parts and inertia invariants of a body of at most 60 dofs.

    Supports are not eliminated. The Coriolis matrix is 2c, as it multiplies δ̇.

    Parameters
    ----------
    body
        A small body, described or discretised.
    motion
        Frozen motion of its frame; at rest if not given.
    terms
        Multipliers of the terms; all 1 if not given.

    Returns
    -------
    Matrices
        The matrices by name, in SI units.

    Examples
    --------
    >>> rod = ff.Body.beam("rod", length=1.0, divisions=1, section=ff.Circle(0.01), material=ff.STEEL)
    >>> ff.matrices(rod, ff.FrameMotion.spin(10.0)).matrices["mass"].shape
    (6, 6)
    """
    discrete = ensure_discrete(body)
    if discrete.dofs.count > LARGEST:
        raise AnalysisError(
            f"body {discrete.body.name} has {discrete.dofs.count} degrees of freedom; "
            f"matrices are written out up to {LARGEST}, use a single element, or call flexframe from Python",
            part=("bodies", discrete.body.name),
        )
    terms = terms or Terms()
    equations = equations_of_motion(discrete, motion, terms)
    inertia = discrete.inertia
    named = {"mass": dense(equations.mass)}
    named |= {name: dense(part) for name, part in equations.damping_parts.items()}
    named |= {f"stiffness_{name}": dense(part) for name, part in equations.stiffness_parts.items()}
    named |= {f"invariant_C{axis + 1}": dense(inertia.coriolis_invariant(axis)) for axis in range(3)}
    named["invariant_M_O"] = inertia.origin_coupling
    places = [discrete.dofs.place(equation) for equation in range(discrete.dofs.count)]
    return Matrices(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        model=discrete.body,
        dofs=tuple(f"{node + 1}.{name}" for node, name in places),
        matrices={name: matrix for name, matrix in named.items() if np.any(matrix)},
        vectors={f"load_{name}": vector for name, vector in equations.load_parts.items()},
        scalars={
            "mass_kg": inertia.mass,
            **{f"centre_{axis}_m": float(inertia.centre_of_mass[i]) for i, axis in enumerate("xyz")},
            "polar_moment_kg_m2": float(inertia.inertia_tensor[2, 2]),
        },
        frame="rotating" if motion.speed else "fixed",
        speed_rad_s=motion.speed,
        terms=terms,
    )
