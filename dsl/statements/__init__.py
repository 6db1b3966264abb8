"""What each statement does, in the moves of the typed program."""
