"""Systems of rigid bodies: positions, velocities, accelerations, joint forces, and motion under forces."""
