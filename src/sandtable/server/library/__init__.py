"""The games that can be played, their maps and rulebooks."""
