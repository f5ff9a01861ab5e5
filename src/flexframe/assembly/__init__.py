"""From the description of a body to its matrices, invariants and equations of motion."""
