"""Kinds of analysis that a case can ask for, one file each."""
