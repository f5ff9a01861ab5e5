"""Computed against references: what `flexframe verify` shows."""
