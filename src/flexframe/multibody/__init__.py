"""Systems of rigid and elastic bodies: joints, kinematics, joint forces, equilibria, motion in time."""
