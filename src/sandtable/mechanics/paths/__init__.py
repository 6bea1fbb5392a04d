"""Movement: charts of what steps cost, legs of moves as the rules have them, and kernels that answer for any leg."""
