"""Those who play: random and planner players, single matches and long series of them."""
