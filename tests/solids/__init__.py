"""Solids: elements, materials, couplings and import."""
