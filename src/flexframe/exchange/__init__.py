"""Files of other programs: parts read, described, converted and written."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
