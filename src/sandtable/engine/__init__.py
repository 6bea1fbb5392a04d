"""The table: hexes and masks, dice, decisions and actions, events, log, saves and the rule ledger."""
