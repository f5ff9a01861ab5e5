"""Drawings of records with matplotlib: what `.plot()` of each record shows."""
