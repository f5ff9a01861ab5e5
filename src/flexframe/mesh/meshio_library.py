"""meshio, loaded when first needed and completed where version 5.3 has a gap."""

from typing import Any


def meshio_library() -> Any:
    """The meshio package; its table of dimensions lacks wedge15, which it otherwise reads and writes."""
    import meshio
    from meshio._mesh import topological_dimension

    topological_dimension.setdefault("wedge15", 3)
    return meshio
