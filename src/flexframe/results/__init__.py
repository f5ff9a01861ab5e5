"""What an analysis returns, and how it is kept."""
