"""Result records made visible: documents of typed blocks, and the page that shows them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
