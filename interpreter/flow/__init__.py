"""The program cut at its questions, and how far a dry run must look."""
