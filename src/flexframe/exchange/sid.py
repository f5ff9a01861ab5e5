"""A reduced body as a text in the manner of the standard input data (SID).

The text holds the quantities of Wallrapp's standard input data (1994) as Taylor expansions in the coordinates q:
`M0` is the value at rest and `M1` the first derivative. Its geometric terms are those of the quadratic field.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.reduction.reduced_body import ReducedBody


def write_sid(body: ReducedBody, path: str | Path) -> None:
    """Write the standard input data of a reduced body as text.

    Parameters
    ----------
    body
        The reduced body.
    path
        The text file.

    Examples
    --------
    >>> from pathlib import Path
    >>> rod = ff.Body.beam("rod", length=1.2, divisions=10, section=ff.Circle(0.01), material=ff.STEEL)
    >>> body = ff.reduction.reduce_body(rod, ff.reduction.Modal(2), reference=ff.reduction.MeanAxes())
    >>> ff.reduction.write_sid(body, "rod.sid")
    >>> "mdCM" in Path("rod.sid").read_text(encoding="utf-8")
    True
    """
    Path(path).write_text(sid_text(body), encoding="utf-8")


def sid_text(body: ReducedBody) -> str:
    """The standard input data of a reduced body as plain text."""
    return "\n".join(_sid_lines(body)) + "\n"


def _sid_lines(body: ReducedBody) -> Iterator[str]:
    m, axes = body.size, [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]
    X, d = body.position_coupling, body.euler_loads
    yield f"part {body.name}"
    yield "  new modal"
    yield "    refmod"
    yield f"      mass = {body.mass!r}"
    yield f"      nelastq = {m}"
    yield from (f"      ielastq ( {k}) = {c.label}" for k, c in enumerate(body.basis.coordinates, start=1))
    yield "    end refmod"
    yield "    frame"
    for point in (*body.interfaces, *body.sensors):
        yield f"      new node = {point.name}"
        yield from _taylor("origin", point.position[:, None], point.rows[:3].T[:, :, None])
        yield from _taylor("phi", point.rows[:3], point.quadratic[:3].transpose(2, 0, 1))
        yield from _taylor("psi", point.rows[3:], point.quadratic[3:].transpose(2, 0, 1))
        yield "      end node"
    yield "    end frame"
    yield from _taylor("mdCM", body.first_moment[:, None], body.origin_coupling.T[:, :, None])
    linear = X + X.swapaxes(0, 1)
    slopes = np.einsum("kkr->r", linear)[:, None, None] * np.eye(3) - linear.transpose(2, 0, 1)
    inertia = np.trace(body.second_moment) * np.eye(3) - body.second_moment
    yield from _taylor("J", inertia, slopes)
    yield from _taylor("Ct", body.origin_coupling.T, body.origin_quadratic.transpose(2, 1, 0))
    yield from _taylor("Cr", d.T, (body.coriolis + body.euler_quadratic).transpose(2, 1, 0))
    yield from _taylor("Me", body.elastic_mass)
    # Gr_l = −2 ∫ρ x̃ ñ_l and Ge_l = −2 ∫ρ Nᵀ ñ_l side by side, ñ_l the skew matrix of column l of N
    couple = np.einsum("kmr->rkm", X)
    Gr = [-2 * (couple[r].T - np.trace(couple[r]) * np.eye(3)) for r in range(m)]
    units = skew(np.eye(3))
    Ge = [-2 * np.einsum("bar,bac->rc", body.shape_products[:, :, :, k].swapaxes(0, 1), units) for k in range(m)]
    yield from _taylor("Gr", np.hstack(Gr))
    yield from _taylor("Ge", np.hstack(Ge))
    factors = [1.0 if a == b else 2.0 for a, b in axes]
    loads = [f * body.centrifugal_loads[a, b] for f, (a, b) in zip(factors, axes, strict=True)]
    total = body.centrifugal + body.centrifugal_quadratic
    slopes = np.array([f * total[a, b] for f, (a, b) in zip(factors, axes, strict=True)])
    yield from _taylor("Oe", np.array(loads).T, slopes.transpose(2, 1, 0))
    yield from _taylor("K", body.stiffness)
    yield from _taylor("D", body.damping)
    yield "  end modal"
    yield "end part"


def _taylor(name: str, constant: Array, slopes: Array | None = None) -> Iterator[str]:
    """M0 (rows, columns) and M1 (m, rows, columns), entries that are zero left out."""
    order = 0 if slopes is None else 1
    rows, columns = constant.shape
    yield f"    {name}"
    yield f"      order = {order}"
    yield f"      nrow = {rows}"
    yield f"      ncol = {columns}"
    yield f"      nq = {0 if slopes is None else len(slopes)}"
    for (i, j), value in np.ndenumerate(constant):
        if value:
            yield f"      m0 ( {i + 1}, {j + 1}) = {float(value)!r}"
    if slopes is not None:
        for (k, i, j), value in np.ndenumerate(slopes):
            if value:
                yield f"      m1 ( {i + 1}, {k + 1}, {j + 1}) = {float(value)!r}"
    yield f"    end {name}"
