"""Motion in time: integrators on the compiled core, what they record, and motions that repeat."""
