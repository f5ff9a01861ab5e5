"""A body reduced to few coordinates, and how good they are."""
