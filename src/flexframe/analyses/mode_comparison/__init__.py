"""Modes of several models side by side."""
