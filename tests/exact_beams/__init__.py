"""Geometrically exact beams: references, what must hold of them, motions, and small deflections."""
