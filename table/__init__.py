"""Where people sit: the command line, the terminal and the web."""
