"""What the engine asks of rules before it writes them as code: simpler forms, variables, likeness, work."""
