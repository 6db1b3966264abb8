"""The engine: plays any checked ruleset, and knows no game."""
