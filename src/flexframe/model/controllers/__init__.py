"""Controllers: blocks that turn signals into signals, which loads and other blocks read by name."""
