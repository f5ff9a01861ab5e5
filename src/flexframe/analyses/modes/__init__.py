"""Natural frequencies and shapes of a body at a frozen instant."""
