"""Pages that ask nobody for anything."""
