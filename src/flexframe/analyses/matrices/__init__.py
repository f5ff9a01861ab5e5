"""The matrices of a small body, part by part."""
