"""For researchers: observation arrays, factored actions, and the games as environments of other libraries.

Needs the extra `research` (numpy, Gymnasium, PettingZoo); the games themselves need the standard library alone.
"""
