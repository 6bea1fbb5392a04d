"""The movement phases: units and stacks (6), overruns (6.6), reinforcements and exit (14)."""
