"""Linear models with inputs and outputs: of a body, of a rotor, of a system at a point or along a cycle."""
