"""The program in docs/statistics.md runs and says what the page says."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


def test_the_example():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict = {}
    exec(compile(code, str(PAGE), "exec"), names)
    assert names["figures"]["k"]["2"]["pass_at_k"] == 0.8333333333333334
    assert set(names["figures"]["k"]["2"]["intervals"]["pass_at_k"]) == {"low", "high", "method"}
