"""docs/publish.md names the arguments that there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_has_every_argument_of_load_environment() -> None:
    # Read, not imported: there is nothing to import it with under verifiers 0.4.
    source = (ROOT / "environments" / "scientific_math_critpt" / "v0.py").read_text()
    (loading,) = [
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name == "load_environment"
    ]
    page = (ROOT / "docs" / "publish.md").read_text()
    table = page[page.index("| argument |") :].split("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(named) == sorted(argument.arg for argument in loading.args.kwonlyargs)
