"""Rotors: bearings, unbalance, whirling forces, and the speed of a run-up."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
