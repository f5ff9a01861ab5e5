"""Description of bodies: what there is, not how it is solved."""
