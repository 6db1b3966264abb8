"""What can be wrong with a ruleset: codes, places in texts, and how a fault is told."""
