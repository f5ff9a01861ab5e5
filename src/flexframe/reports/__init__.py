"""Result records made visible: documents of typed blocks, and the page that shows them."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
