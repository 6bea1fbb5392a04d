"""Works and what blows them up: mines, charges, flamethrowers, ruined entrenchments."""
