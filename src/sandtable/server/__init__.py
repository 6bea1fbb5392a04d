"""The browser table's server: accounts, seats, games, moves, clocks, notifications, storage.

It holds no rules and names no game: games come from the registry, and what anybody is shown comes
from a game's own views. `looks` is the only door from a table to a payload.
"""
