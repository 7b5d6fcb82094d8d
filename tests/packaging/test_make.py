"""`make eval` hands names over as they are, whatever a shell would make of them."""

import os
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_names_with_quotes_and_spaces_reach_the_command() -> None:
    line = ["make", "--dry-run", "eval", "MODEL=it's a $$model", "BASE_URL=http://host/v1", "API_KEY_VAR=KEY"]
    # The suite itself may run under make, whose variables would make this one report its folders.
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    done = subprocess.run(
        line, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    (command,) = [shown for shown in done.stdout.splitlines() if "scientific-math evaluate" in shown]
    words = shlex.split(command)
    assert words[words.index("--model") :] == [
        *("--model", "it's a $model"),
        *("--base-url", "http://host/v1", "--api-key-var", "KEY"),
    ]
