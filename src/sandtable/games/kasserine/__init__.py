"""Kasserine: the Axis offensive in central Tunisia, 14 to 26 February 1943."""
