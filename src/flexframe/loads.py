"""Loads on bodies and systems: forces, pressures, gravity, springs, friction, motors."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
