"""flexframe: finite-element elastodynamics of flexible multibody systems.

The public names are listed in `__init__.pyi` and loaded when first used, so that `import flexframe` costs nothing.
`flexframe.joints`, `flexframe.mesh`, `flexframe.results` and the other public modules do the same.
"""

from flexframe import lazy

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
