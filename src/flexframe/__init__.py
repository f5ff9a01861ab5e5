"""flexframe: finite-element elastodynamics of flexible multibody systems."""

__version__ = "0.1.0"
