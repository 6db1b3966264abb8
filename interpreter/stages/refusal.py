"""What is said where a rule is asked for that is not there."""


class NoSuchRule(LookupError):
    """No rule has this name, or several have; the message says what there is."""
