"""What the names of a ruleset stand for: definitions of all its files, members, sorts, kinds that fit."""
