"""Torsional vibration of shafts that engine orders excite."""
