"""The course of a game as the rules tell it, and what is known on the way; nothing is judged here."""
