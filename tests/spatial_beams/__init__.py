"""Beams in space: sections, offsets, frames and shafts."""
