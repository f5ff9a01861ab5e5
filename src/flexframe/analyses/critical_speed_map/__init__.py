"""Undamped critical speeds of a shaft over the stiffness of its bearings."""
