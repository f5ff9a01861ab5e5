"""Fluid films of journal bearings: pads, the pressure on them, where the journal runs, and what holds it there."""
