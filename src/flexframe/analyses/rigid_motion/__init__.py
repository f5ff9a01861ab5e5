"""Motion of a mechanism from its forces."""
