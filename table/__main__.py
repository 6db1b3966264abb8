"""`python -m ichiba.table`: the command line without an installed `ichiba`."""

import sys

from ichiba.table.cli import main

sys.exit(main())
