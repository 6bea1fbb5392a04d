"""ASL, Chapter F (desert): squads, guns and tanks at forty metres a hex."""
