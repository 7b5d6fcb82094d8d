"""What a run left on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_traces(directory: Path) -> list[dict[str, Any]]:
    with (directory / "traces.jsonl").open(encoding="utf-8") as lines:
        return [trace for line in lines for trace in json.loads(line)["traces"]]
