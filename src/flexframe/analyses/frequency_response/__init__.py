"""Response to harmonic loads and unbalance."""
