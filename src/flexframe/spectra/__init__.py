"""Eigenpairs, their labels and growth, spectra over the speed of rotation and along a period."""
