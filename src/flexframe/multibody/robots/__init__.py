"""Robots: links in a tree of joints, and the system that they make."""
