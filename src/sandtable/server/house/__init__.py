"""What the requests of one process share, and who looks at which game right now."""
