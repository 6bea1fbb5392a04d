"""What players see: the ground drawn, the pieces on it, and the words for both."""
