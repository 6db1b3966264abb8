"""What is known of a plan before it is said in C: its functions, kinds and ranges."""
