"""Bodies and systems: what they are made of, their damping, and their matrices."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
