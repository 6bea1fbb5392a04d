"""Fights by odds, determined defence and retreats."""
