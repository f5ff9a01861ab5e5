"""Bodies in steady rotation: Campbell diagrams, critical speeds, harmonic response."""
