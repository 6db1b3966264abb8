"""What many games say about a game, as a page."""
