"""The studio behind its page: workspace, runs, checks, and who may talk to it."""
