"""Games of every ruleset, written down as they were played: later versions of language and engine play the same ones."""
