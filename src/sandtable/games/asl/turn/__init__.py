"""The other phases of a Player Turn."""
