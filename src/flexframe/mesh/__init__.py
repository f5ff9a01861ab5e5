"""Meshes: cells, named sets, checks, builders and files."""
