"""`python -m rulesdsl`: the command line."""

from __future__ import annotations

from rulesdsl.cli.main import main

if __name__ == "__main__":
    main()
