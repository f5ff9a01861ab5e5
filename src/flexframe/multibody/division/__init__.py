"""Bodies that are computed as several: pieces with frames of their own, bonds between them, and the way back."""
