"""How much cross-coupling a rotor bears before it whirls by itself."""
