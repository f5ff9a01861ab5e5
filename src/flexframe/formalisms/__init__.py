"""The equations of motion of elements, bodies and systems by routes of analytical mechanics, as numbers."""
