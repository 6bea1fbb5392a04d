"""How the computer thinks about The Caucasus Campaign."""
