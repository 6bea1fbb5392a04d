"""The phases of the sequence of play besides movement and combat."""
