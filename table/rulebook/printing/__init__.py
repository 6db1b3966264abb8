"""The rulebook on a screen and on paper."""
