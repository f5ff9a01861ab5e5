"""Paper 004, Table 1: numbers of differentiations by the paper's own rule."""

from flexframe.symbolic.counts import published_counts
from flexframe.verification.contract import Check, Reference

# number of elements: Lagrange, Gibbs–Appell, Kane, as printed
_TABLE = {
    5: (288, 120, 10),
    10: (528, 220, 20),
    15: (768, 320, 30),
    20: (1008, 420, 40),
    25: (1248, 520, 50),
    30: (1488, 620, 60),
    40: (1968, 820, 80),
}


def _counted(refinement: int) -> list[float]:  # noqa: ARG001 - a count has no mesh
    rows = [published_counts(elements) for elements in _TABLE]
    return [float(count) for row in rows for count in (row.lagrange, row.gibbs_appell, row.kane)]


CHECKS: tuple[Check, ...] = (
    Check(
        "paper-004-table-1",
        "paper 004, Table 1",
        "differentiations by the paper's rule, which is not like for like (honest: flexframe derive --counts)",
        tuple(
            Reference(f"{formalism}, {elements} elements", float(count), 0.0)
            for elements, counts in _TABLE.items()
            for formalism, count in zip(("Lagrange", "Gibbs–Appell", "Kane"), counts, strict=True)
        ),
        _counted,
    ),
)
