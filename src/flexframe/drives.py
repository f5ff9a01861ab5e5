"""Drives of a system: coordinates that follow a formula of time or a recording."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
