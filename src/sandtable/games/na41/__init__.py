"""North Africa '41: from Rommel's first offensive to Crusader."""
