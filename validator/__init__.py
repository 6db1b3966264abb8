"""The judge: says what is wrong with a ruleset by reading it, never by running it."""
