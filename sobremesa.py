"""`python -m sobremesa`: the wheel has this file beside the packages."""

from __future__ import annotations

import sys

from client.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
