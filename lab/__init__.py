"""The laboratory: scenarios, coverage, policies and simulations, which measure a game by playing it."""
