"""How a body frame moves."""
