"""What lies on the table as one seat sees it, for any screen."""
