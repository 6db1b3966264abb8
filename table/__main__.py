"""`python -m ichiba.table`: the command line without an installed `ichiba`."""

import sys

from ichiba.table.cli import main

if __name__ == "__main__":  # the processes of `simulate` read this file as well
    sys.exit(main())
