"""Motion in time of a body on a known frame, or of a system, all coupled."""
