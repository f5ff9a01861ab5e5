"""Sensors: what is measured, on which marker, body or joint, in which axes; the same ones in every analysis."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
