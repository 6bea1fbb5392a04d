"""How the planner of Rommel in the Desert thinks: what things are worth, battles, moves, the month."""
