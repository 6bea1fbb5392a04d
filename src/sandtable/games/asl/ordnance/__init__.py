"""C: ordnance. Guns, mortars, tank guns and Offboard Artillery: to hit, to kill, and what their shells do."""
