# SPDX-License-Identifier: Apache-2.0
"""Each WebSocket command and who may use it, (type, access), as the rows beside the handlers say."""

import re
from pathlib import Path

COMMAND_ROWS = [row for source in sorted((Path(__file__).parents[2] / "src/api").rglob("*.cpp"))
                for row in re.findall(r'\{"([a-z_/]+)",\s*Access::(\w+),', source.read_text(encoding="utf-8"))]
