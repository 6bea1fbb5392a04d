"""Who plays here: accounts, sessions, and how often somebody may ask."""
