"""The commands of `ichiba`, one file for each; what a file holds is said in `table/cli.py`."""
