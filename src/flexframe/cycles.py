"""Periodic coefficients whose stability Floquet's theory judges: of a body, a mechanism, a rotor."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
