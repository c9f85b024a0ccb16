"""``python -m mcbook``: the command line where the script ``mcbook`` is not on the path."""

import sys

from mcbook.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
