"""A7 to A10: fire and what it does."""
