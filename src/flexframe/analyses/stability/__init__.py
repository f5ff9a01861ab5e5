"""Stability of periodic motions by Floquet's theory."""
