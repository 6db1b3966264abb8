"""Games as data: YAML and rules, no Python."""
