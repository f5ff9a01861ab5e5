"""Commands of elastic machines that leave little vibration: shaped ones, and ones that invert the dynamics."""
