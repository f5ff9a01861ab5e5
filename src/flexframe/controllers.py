"""Controllers of a system: blocks of signals between sensors and motors."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
