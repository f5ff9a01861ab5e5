"""Bodies in steady rotation, with the speed as a parameter."""
