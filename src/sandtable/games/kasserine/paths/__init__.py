"""Chapter 6: what a step costs, and where a unit's move can lead."""
