"""The rules of a game for people to read."""
