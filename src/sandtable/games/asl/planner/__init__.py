"""How the computer plays ASL."""
