"""Numbers of the sorts of conditions in the tables of compiled loops."""

ALONG, PERPENDICULAR, TURN, DISTANCE, RIM_HEIGHT, RIM_SLIP, BLADE_SLIP = range(7)
