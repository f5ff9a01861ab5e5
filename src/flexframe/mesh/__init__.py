"""Meshes: cells, named sets, checks, builders and files."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
