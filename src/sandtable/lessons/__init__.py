"""Lessons: a prepared position and a few coached decisions on the real rules, written as data beside each game."""
