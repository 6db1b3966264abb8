"""What `ichiba new` writes."""
