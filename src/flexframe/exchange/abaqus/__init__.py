"""Abaqus input files (.inp), which CalculiX reads as well."""
