"""Element families and their integrals."""
