"""Contacts between shapes on the bodies of a system: pairs of shapes, normal forces and friction."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
