"""Two-way coupled motion of rigid and elastic bodies: reduction, sensors, recovery."""
