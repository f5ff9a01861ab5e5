"""Robots: arms from URDF files, inverse kinematics, motions of a tool, and commands that leave no vibration."""

from flexframe import lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, __file__)
