"""Forces in the joints of a mechanism along a known motion."""
