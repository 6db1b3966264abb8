"""What there is once the modules are merged and the seats are known: kinds, sorts, things, members, numbers."""
