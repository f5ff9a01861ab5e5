"""Equilibrium of a body or a system."""
