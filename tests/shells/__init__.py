"""Shells: patch tests, plates, curved shells, discs, loads and stress."""
