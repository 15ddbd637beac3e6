#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A made hub (tests/functional/bridge/made_hub.py) for a page's test, which tells it on its input what to do: each line is
["METHOD", [ARGUMENTS], {NAMED}], or ["put", ["TABLE", {KEY: VALUE}]] for its tables such as areas. Each is answered on its output by
a line: what the method has returned, if that is a text or number. First comes a line with its url and token. It ends with its input."""

import json
import pathlib
import sys

FUNCTIONAL = pathlib.Path(__file__).resolve().parent.parent / "functional"
sys.path[:0] = [str(FUNCTIONAL), str(FUNCTIONAL / "bridge")]

from made_hub import MadeHub  # noqa: E402: from the folder above


def tell(answer):
    print(json.dumps(answer if isinstance(answer, (str, int)) else None), flush=True)


def main():
    hub = MadeHub().start()
    print(json.dumps({"url": hub.url, "token": hub.token}), flush=True)
    methods = {"put": lambda table, entries: getattr(hub, table).update(entries), "value": lambda entity: hub.states[entity].value}
    for line in sys.stdin:
        name, arguments, *named = json.loads(line)
        tell((methods.get(name) or getattr(hub, name))(*arguments, **(named[0] if named else {})))
    hub.stop()


if __name__ == "__main__":
    main()
