"""Elastic bodies with few coordinates: bases, projected invariants, accuracy and exchange."""
