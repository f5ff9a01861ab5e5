"""Sweeps: many cases from one file, run here or on a cluster, kept as they finish."""
