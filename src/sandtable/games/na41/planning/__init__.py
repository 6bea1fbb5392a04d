"""What the computer player thinks with."""
