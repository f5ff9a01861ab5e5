"""Motion of a mechanism from its drives."""
