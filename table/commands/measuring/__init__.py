"""Commands that measure a game."""
