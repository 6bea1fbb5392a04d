"""The browser table's server: accounts, seats, games, moves, clocks, notifications, storage.

It holds no rules and names no game: games come from the registry, and what anybody is shown comes
from a game's own views. `table.looks` is the only door from a table to a payload.

From the ground up, each using those before it: `wire` (what travels), `storage` (the database), `library` (games, maps,
rulebooks), `people`, `table` (a game in memory, and who may see what of it), `house` (what all requests share),
`notices` and `computers`, `play` (what people do), `door` (around every request), `routes` (the HTTP API by subject).
`settings`, `metrics` and `refusals` serve all of them; `app` puts them together, `run` is the process.
"""
