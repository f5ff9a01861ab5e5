"""A rotor whose speed changes."""
