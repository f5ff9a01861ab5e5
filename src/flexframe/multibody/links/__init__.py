"""Elastic bodies in a mechanism whose rigid motion is known: one-way coupling."""
