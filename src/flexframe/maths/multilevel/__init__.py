"""Models in substructures: multilevel Craig–Bampton, static answers and counts, each part by itself."""
