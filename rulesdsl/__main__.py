"""The command line: `python -m rulesdsl`, and the script `rulesdsl`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it quietly even while it is still read, with 130."""
    try:
        # imported here since this is what Ctrl-C comes into
        from rulesdsl.cli.main import main as command

        command()
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
