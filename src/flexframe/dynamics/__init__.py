"""Two-way coupled dynamics: rigid and elastic coordinates unknown together, by compiled integration."""
