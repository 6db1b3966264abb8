"""What generated code leans on while a game is played."""
