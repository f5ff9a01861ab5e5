"""Symbolic derivations: one element in a moving frame by every formalism, as formulas or as code.

Names are loaded on first use, because SymPy is slow to import.
"""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
