"""Joints, speeds and torques of a robot whose tool is led along a path."""
