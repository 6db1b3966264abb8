"""A game and its tables: questions, answers, endings."""
