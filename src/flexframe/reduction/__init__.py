"""Elastic bodies with few coordinates: bases, projected invariants, accuracy and exchange."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
