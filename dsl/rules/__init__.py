"""The typed program: its moves, what they read and write, and how large values can become."""
