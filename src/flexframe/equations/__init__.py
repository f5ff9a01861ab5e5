"""The equations of a body in a moving frame as one affine sum, its damping and its projections."""
