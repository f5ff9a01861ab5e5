"""Mathematics that knows nothing of mechanics."""
