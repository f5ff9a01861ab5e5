"""Tests of the meshes."""
