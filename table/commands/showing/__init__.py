"""Commands that show a game: pictures, the rulebook, what a variant changes."""
