"""Nastran: bulk data (.bdf, .nas, .dat, .fem), punch files (.pch), OP2 and OP4."""
