"""What can be said of an option before it is taken."""
