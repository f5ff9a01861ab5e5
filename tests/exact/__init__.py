"""Exact solutions and published figures that elements and assembly reproduce."""
