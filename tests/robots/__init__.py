"""Robots: URDF files, inverse kinematics, paths, feed-forward."""
