"""Chapters 8 and 9: combat."""
