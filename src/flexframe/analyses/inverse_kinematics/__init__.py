"""Joint values that bring a tool to a pose."""
