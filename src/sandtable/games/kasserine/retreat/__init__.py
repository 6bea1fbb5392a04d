"""8.8 Retreats: where a unit can go, when it must break through an EZOC, when it is lost."""
