"""Files of other programs, in and out: one file a format."""
