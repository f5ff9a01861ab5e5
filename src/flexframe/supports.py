"""Supports of a body, springs to its frame, and couplings of its nodes."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
