"""Natural frequencies of elastic bodies along the cycle of a mechanism."""
