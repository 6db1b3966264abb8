"""What each expression means: names, kinds and units checked, worked out to the typed program."""
