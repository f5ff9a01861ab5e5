"""Numbers of the types of constraints in the tables of compiled loops."""

ALONG, PERPENDICULAR, ROTATION, DISTANCE, RIM_HEIGHT, RIM_SLIP, BLADE_SLIP = range(7)
