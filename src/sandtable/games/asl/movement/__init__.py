"""A4, A8: movement, and the fire into it."""
