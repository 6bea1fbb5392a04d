"""A11 Close Combat."""
