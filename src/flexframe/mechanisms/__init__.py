"""Systems of rigid bodies: positions, velocities, accelerations, liaison forces, and motion under forces."""
