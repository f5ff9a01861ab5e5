"""The equations of motion of elements in a moving frame by six routes of analytical mechanics, as numbers."""
