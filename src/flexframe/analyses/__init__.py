"""Questions a user asks of a model; each returns a record."""
