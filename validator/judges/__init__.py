"""What is judged of a program before it is whole: whether it can be written to its end at all."""
