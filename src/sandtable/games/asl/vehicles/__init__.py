"""D Vehicles: how they move, and what happens to them on the way."""
