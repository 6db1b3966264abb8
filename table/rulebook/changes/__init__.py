"""What changes between two settings or versions of a game, in the sentences of its rulebook."""
