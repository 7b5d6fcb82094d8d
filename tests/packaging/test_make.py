"""`make eval` hands names over as they are, whatever a shell would make of them."""

import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_names_with_quotes_and_spaces_reach_the_command() -> None:
    line = ["make", "--dry-run", "eval", "MODEL=it's a $$model", "BASE_URL=http://host/v1", "API_KEY_VAR=KEY"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    words = shlex.split(done.stdout.splitlines()[-1])
    assert words[words.index("--model") :] == [
        *("--model", "it's a $model"),
        *("--base-url", "http://host/v1", "--api-key-var", "KEY"),
    ]
