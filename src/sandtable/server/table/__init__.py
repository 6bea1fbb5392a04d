"""A game at its table: what lies on it, who has noticed what, and what a seat may be shown."""
