"""Frequencies of a spinning body or system over its speed."""
