"""Lets `python -m pytest` run in a checkout that has not been installed, its subprocesses included."""

import importlib.util
import os
import sys
from pathlib import Path

if importlib.util.find_spec("ichiba") is None:
    shim = str(Path(__file__).parent / "tests" / "_checkout")
    sys.path.insert(0, shim)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [shim, os.environ.get("PYTHONPATH")]))
