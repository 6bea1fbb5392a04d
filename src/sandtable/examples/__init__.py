"""The worked examples of the rulebooks as diagrams: read from the games' data, set on the map, cut out of it."""
