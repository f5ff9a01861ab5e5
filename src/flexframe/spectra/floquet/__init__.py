"""Stability of equations with periodic coefficients (Floquet)."""
