"""What is known while a plan is written, what things are called, and fixed tables."""
