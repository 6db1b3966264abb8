"""What many games say, with honest intervals."""
