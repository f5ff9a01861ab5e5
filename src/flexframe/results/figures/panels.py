"""What the drawings share: axes, and curves in one panel for each unit."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from flexframe.maths.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 7.0, 3.2  # inches of one panel


def panels(rows: int, columns: int = 1, *, height: float = HEIGHT, share: bool = True) -> list["Axes"]:
    """New axes one below the other, row by row."""
    from matplotlib import pyplot

    _, axes = pyplot.subplots(
        rows,
        columns,
        figsize=(WIDTH, height * rows),
        sharex="col" if share else False,
        squeeze=False,
        layout="constrained",
    )
    return list(axes.ravel())


def one_panel(axes: "Axes | None") -> "Axes":
    """The given axes, or new ones."""
    return panels(1)[0] if axes is None else axes


def curves_by_unit(
    abscissa: Array, curves: Mapping[str, tuple[str, Array]], *, label: str, quantity: str = ""
) -> list["Axes"]:
    """Named curves (unit, values) over one abscissa: a panel for each unit, since units do not share an axis."""
    units = list(dict.fromkeys(unit for unit, _ in curves.values())) or [""]
    drawn = panels(len(units), height=HEIGHT if len(units) < 3 else 2.2)
    for axes, unit in zip(drawn, units, strict=True):
        for name, (own, values) in curves.items():
            if own == unit:
                axes.plot(abscissa, values, label=name, linewidth=1.2)
        text = f"{quantity} " if quantity else ""
        axes.set_ylabel(f"{text}[{unit}]" if unit else quantity or "value")
        axes.grid(alpha=0.25)
        if any(own == unit for own, _ in curves.values()):
            axes.legend(fontsize="small")
    drawn[-1].set_xlabel(label)
    return drawn


def sizes(vectors: Array) -> Array:
    """Lengths of vectors: (…, 3) → (…,)."""
    return np.linalg.norm(vectors, axis=-1)
