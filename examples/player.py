"""A player that is a program of its own: it reads a line of JSON and answers with one.

    rulesdsl play ostia --bot B="program:python examples/player.py"

It needs nothing of rulesdsl. This one takes the first move that is offered, and where a number is
to be chosen one from the middle. A real one would look at what it sees: message["view"]["state"]
has everything on the table by its name, message["log"] what has happened since it was asked last.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def move_of(option: dict[str, Any]) -> str:
    """The text of a move; `bid 10..90` stands for all with a number from 10 to 90."""
    text = str(option["move"])
    if "number" in option:
        middle = (int(option["from"]) + int(option["to"])) // 2
        text = text.replace(f"{option['from']}..{option['to']}", str(middle))
    return text


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "legal" in message:
            print(json.dumps({"move": move_of(message["legal"][0])}), flush=True)
        elif "rulesdsl" in message:
            print(f"playing {message['game']} as {message['player']}", file=sys.stderr)
        elif "over" in message:
            print(f"over: {message['over']['ranking']}", file=sys.stderr)


main()
