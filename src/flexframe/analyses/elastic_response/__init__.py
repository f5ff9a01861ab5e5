"""Elastic motion of bodies about the rigid motion of their mechanism."""
