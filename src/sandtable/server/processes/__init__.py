"""Processes beside this one, for work that would hold up every request: they are asked, and answer."""
