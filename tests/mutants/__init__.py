"""Random breakages of a game's rules: which of them no test notices.

    python -m tests.mutants caucasus --count 300 --seed 1
    python -m tests.mutants caucasus --again build/mutants-caucasus.json --tests tests/rules/caucasus/test_ch08_*.py

Each breakage changes one thing in one rule module: a comparison, an operator, a number, an `and`, a `not` (`points`).
All that are chosen are laid into the code at once, asleep, when the game is imported (`switches`). One run of the
game's rule tests shows for each breakage which tests ever came to a place where it would have made a difference
(`session`). Then for each a fork wakes it and runs these tests alone, the quickest first, until one fails; a fork that
dies or hangs has noticed it too. A breakage that was met while the game was imported, before any test, is tried in a
process of its own.

A breakage that survives is either no breakage at all, and stands with the reason in `equivalent/<game>.toml`, or a test
that is missing.
"""
