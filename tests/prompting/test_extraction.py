"""Extraction: the table of cases, round trips through every fence, and hostile text in linear time."""

import json
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.prompting.extraction import Extraction, extract
from scientific_math_critpt_env.prompting.fences import blocks
from scientific_math_critpt_env.prompting.python_source import MAX_CODE, MAX_NESTING

CASES = json.loads((Path(__file__).parent / "extraction.json").read_text(encoding="utf-8"))
SHARED = Path(__file__).resolve().parents[2].parent / "shared"
ANSWER = "def model_answer():\n    return 1"


def blocked(code: str) -> str:
    return f"```python\n{code}\n```"


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_table(case):
    options = {name: case[name] for name in ("entry_point", "which", "template") if name in case}
    found = extract(case["completion"], **options)
    assert found.code == case["code"]
    assert found.truncated == case.get("truncated", False)
    assert case.get("reason", "") in found.reason
    assert bool(found.reason) == bool(case.get("reason", ""))
    assert "\n" not in found.reason


def test_attack_completions():
    path = SHARED / "cases" / "attacks.jsonl"
    if not path.exists():
        pytest.skip(f"no shared cases beside the checkout ({path.name})")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = {row["name"]: extract(row["completion"]) for row in rows}
    assert {name for name, extraction in found.items() if extraction.code is None} == {
        "class_named_model_answer",
        "bom_coding_cookie",
    }
    assert not any(extraction.truncated for extraction in found.values())
    assert found["two_blocks"].code.endswith("return 2")
    assert found["nested_fence"].code.endswith("return 1")


NAMES = st.sampled_from(["x", "y_1", "model", "answer", "π"])
STRING_LINES = st.sampled_from(
    ["text", "```", "```python", "~~~", "    ```", "def model_answer():", "", "- item", "'"]
)
STATEMENTS = st.one_of(
    st.builds("{} = {}".format, NAMES, st.integers(0, 10**6)),
    st.builds("import {}".format, NAMES),
    st.builds("# {}'''".format, NAMES),
    st.builds("s = \"{}'''\"".format, NAMES),
    st.builds("def helper_{}(a):\n    return [a, (a, {{a: 1}})]".format, NAMES),
    st.lists(STRING_LINES, max_size=4).map(lambda lines: "s = '''{}'''".format("\n".join(lines).strip("'"))),
    st.lists(STRING_LINES, max_size=4).map(lambda lines: 's = """{}"""'.format("\n".join(lines))),
    st.just(""),
)
CODES = st.tuples(st.lists(STATEMENTS, max_size=5), st.lists(STATEMENTS, max_size=2)).map(
    lambda parts: "\n".join([*parts[0], ANSWER, *parts[1]])
)
FENCES = st.tuples(st.sampled_from("`~"), st.integers(3, 6)).map(lambda fence: fence[0] * fence[1])
INFOS = st.sampled_from(["python", "py", "Python3", "{.python}", 'python title="a"', ""])
PROSE = st.sampled_from(
    ["", "The answer:\n", "Let $y''' = 0$.\n\n", "- a list\n- of two\n\n", "```text\nnote\n```\n"]
)


@given(
    code=CODES, fence=FENCES, info=INFOS, before=PROSE, after=PROSE, newline=st.sampled_from(["\n", "\r\n"])
)
@settings(max_examples=300, deadline=None)
def test_code_comes_out_as_it_went_in(code, fence, info, before, after, newline):
    text = f"{before}{fence}{info}\n{code}\n{fence}\n{after}"
    assert extract(text.replace("\n", newline)) == Extraction(code, False, "")


@given(code=CODES, other=CODES, fence=FENCES, margin=st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_the_last_block_wins_at_any_margin(code, other, fence, margin):
    space = " " * margin
    block = "\n".join(space + line if line else "" for line in f"{fence}python\n{code}\n{fence}".split("\n"))
    strings_untouched = margin == 0 or ("'''" not in code and '"""' not in code)
    found = extract(f"```python\n{other}\n```\n\n{block}\n")
    assert found.reason == ""
    assert found.code is not None
    if strings_untouched:
        assert found.code == code


PIECES = st.sampled_from(
    [
        *("```", "~~~", "````", "```python\n", "\n", "\r\n", " ", "    ", "\t", "'''", '"""', "\\", "#"),
        *(
            "(",
            "]",
            "- ",
            "1. ",
            "def model_answer():\n",
            "    return 1\n",
            "class A:\n",
            "<think>",
            "</think>",
        ),
        *("\x00", "\ud800", "é", "text"),
    ]
)


@given(
    text=st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)),
    which=st.sampled_from(["last", "first"]),
)
@settings(max_examples=400, deadline=None)
def test_total_on_any_text(text, which):
    found = extract(text, which=which)
    assert (found.code is not None) or found.reason
    if found.code is not None and not found.reason:
        namespace = {}
        assert "def" in found.code
        compile(found.code, "<test>", "exec", dont_inherit=True, flags=0x400)  # parses: PyCF_ONLY_AST
        assert not namespace


HOSTILE = {
    "backticks": lambda n: "`" * n,
    "fence lines": lambda n: "```\n" * (n // 4),
    "tagged fence lines": lambda n: "```python\n" * (n // 10),
    "fences and quotes": lambda n: "```\n'''\n" * (n // 8),
    "quotes and fences, both kinds": lambda n: "```python\n'''\n```\n\"\"\"\n" * (n // 22),
    "backslashes in strings": lambda n: "```python\n'''" + "\\" * n,
    "broken answers": lambda n: "```python\ndef model_answer(:\n```\n" * (n // 32),
    "long broken answers": lambda n: (
        ("```python\ndef model_answer():\n" + " x = [1]\n" * 6000 + "(\n```\n") * (n // 54000)
    ),
    "spaces after def": lambda n: "```python\ndef" + " " * n + "\n```",
    "spaces": lambda n: " " * n,
    "list markers": lambda n: "- " * (n // 2) + "```",
    "lines of list markers": lambda n: "- 1. * ```\n" * (n // 11),
    "tags": lambda n: "<think>\n</think>\n" * (n // 17),
    "open tags": lambda n: "<think>\n" * (n // 8),
    "closing tags": lambda n: "</think>" * (n // 8),
    "tabs and a fence": lambda n: "\t" * n + "```",
    "tildes": lambda n: "~~~\n" + "~" * n,
    "carriage returns": lambda n: "\r" * n,
    "one long block": lambda n: "```python\n" + "x = 1\n" * (n // 6) + ANSWER + "\n```",
    "one long string": lambda n: "```python\ns = '''\n" + "```\n" * (n // 4) + "'''\n" + ANSWER + "\n```",
}


def cpu_seconds(text: str) -> float:
    def once() -> float:
        start = time.process_time()
        extract(text)
        extract(text, which="first")
        return time.process_time() - start

    return min(once(), once())


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name):
    small, large = cpu_seconds(HOSTILE[name](1 << 16)), cpu_seconds(HOSTILE[name](1 << 18))
    # Four times the text; quadratic would be sixteen times. Below 50 ms the ratio means nothing.
    assert large < max(0.05, 8 * small)


DEEP = {
    "brackets": "(" * 150 + ")" * 150,
    "mixed brackets": "([{" * 60,
    "minus": "-" * 60_000 + "1",
    "attributes": "a" + ".b" * 30_000,
    "sum": "1" + "+1" * 30_000,
    "power": "1" + "**1" * 20_000,
    "lambda": "lambda:" * 9_000 + "1",
    "calls": "f" + "()" * 30_000,
    "conditions": "1 if 1 else " * 5_000 + "1",
    "format strings": 'f"' + "{1:" * 60 + "}" * 60 + '"',
    "digits": "9" * 60_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_code_is_refused_and_not_fatal(name):
    text = f"```python\ndef model_answer():\n    return {DEEP[name]}\n```"
    found = []
    thread = threading.Thread(target=lambda: found.append(extract(text)))
    thread.start()
    thread.join(30)
    assert found
    assert "does not parse" in found[0].reason


def test_limits_are_told():
    too_long = extract(f"```python\n{ANSWER}\n{'# comment' * MAX_CODE}\n```")
    assert too_long.code is None
    assert str(MAX_CODE) in too_long.reason
    deep = extract(f"```python\n{ANSWER}\nx = {'[' * 101}{']' * 101}\n```")
    assert deep.code is None
    assert f"more than {MAX_NESTING} deep" in deep.reason
    in_strings = f"{ANSWER}\ns = '{'(' * 500}'  # {'(' * 500}"
    assert extract(f"```python\n{in_strings}\n```").code == in_strings


def test_nothing_is_run_or_said(tmp_path):
    code = 'open("trace", "w")\ndef model_answer(_=print("run")):\n    """\\s \\d"""\n    return 1 is 1'
    script = (
        "from scientific_math_critpt_env.prompting.extraction import extract\n"
        f"assert extract({blocked(code)!r}).code"
    )
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", script],
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert not list(tmp_path.iterdir())


def test_warnings_of_code_are_not_ours():
    with warnings.catch_warnings(record=True) as caught:
        extract('```python\ndef model_answer():\n    "\\s"\n    return 1 is 1\n```')
    assert not caught


def test_blocks_know_their_lines():
    text = "a\n\n```python\nx\n```\n\n~~~ text\ny"
    assert [(block.line, block.info, block.closed, block.code) for block in blocks(text)] == [
        (3, "python", True, "x"),
        (7, "text", False, "y"),
    ]
