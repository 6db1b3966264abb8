"""The whole ruleset as one program: definitions merged, triggers placed, texts found."""
