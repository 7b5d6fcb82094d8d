"""Each public set's format, read from a small file of our own: what is taken, and why the rest is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sympy import expand, sympify

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.importers import IMPORTERS, importer
from scientific_math_critpt_env.problems.importers.draft import Imported, LeftOut
from scientific_math_critpt_env.problems.importers.importing import problems
from scientific_math_critpt_env.problems.importers.theoremqa import tolerance
from scientific_math_critpt_env.problems.latex import LatexReader
from scientific_math_critpt_env.problems.schema import Problem
from tests.importers import sets


@pytest.fixture(scope="module")
def reader() -> Iterator[LatexReader]:
    with LatexReader(workers=2) as made:
        yield made


def imported(name: str, path: Path, reader: LatexReader) -> tuple[dict[str, Problem], dict[str, str]]:
    """Problems by the end of their id, and reasons by the end of the ids that are left out."""
    rows = problems(importer(name).read(path), reader, 2)
    kept = {row.problem.id.split(".")[-1]: row.problem for row in rows if isinstance(row, Imported)}
    left = {row.id.split(".")[-1]: row.reason for row in rows if isinstance(row, LeftOut)}
    for row in rows:
        where = row.problem.where if isinstance(row, Imported) else row.where
        assert where.startswith(str(path)), where
    for problem in kept.values():
        assert problem.source
    return kept, left


def test_hardmath2(tmp_path: Path, reader: LatexReader) -> None:
    sets.write(tmp_path / "layers.yaml", sets.HARDMATH2)
    kept, left = imported("hardmath2", tmp_path, reader)
    assert kept["0"].answer_fn == "exp(-x/epsilon)"
    assert kept["0"].symbols == {"x": {"positive": True}, "epsilon": {"positive": True}}
    assert "in the symbols x (positive), epsilon (positive)" in kept["0"].prompt
    assert (kept["0"].topic, kept["0"].license) == ("boundary layers", "MIT")
    gold = sympify(kept["1"].answer_fn) - sympify("3*(1 - x/2)*exp(-x)/10", rational=True)
    assert expand(gold) == 0
    assert list(kept["1"].symbols) == ["x"]
    assert left == {"2": "several relations", "3": "rounded number", "4": "undeclared symbol"}


def test_theoremqa(tmp_path: Path, reader: LatexReader) -> None:
    path = sets.write(tmp_path / "t.json", sets.THEOREMQA)
    kept, left = imported("theoremqa", path, reader)
    assert {name.removeprefix("a/"): row.answer_fn for name, row in kept.items()} == {
        "one": "12", "two": "0.143", "three": "True", "four": "'(b)'", "five": "[0, 1]", "eight": "0",
    }  # fmt: skip
    assert [kept[f"a/{n}"].answer_type for n in ("one", "two", "three", "four", "five")] == [
        "numeric", "numeric", "boolean", "string", "list",
    ]  # fmt: skip
    assert (kept["a/one"].rtol, kept["a/two"].rtol, kept["a/eight"].atol) == (None, 0.007, 1e-6)
    assert "at most 0.007 is accepted" in kept["a/two"].prompt
    assert kept["a/three"].prompt.endswith("Return True or False.")
    assert left == {"a/six": "order not said", "a/seven": "picture"}


@pytest.mark.parametrize(
    ("written", "subject", "rtol"),
    [
        ("3.14159", "Math", 1e-3),
        ("0.34", "Physics", 0.029),
        ("0.1", "Math", 0.04),
        ("1.0", "Math", 1e-3),
        ("4600.0", "Physics", 0.022),
        ("9.8123", "Physics", 5e-3),
        ("-1.047", "Math", 1e-3),
        ("4e-05", "Physics", 0.04),
    ],
)
def test_tolerance_of_a_rounded_decimal(written: str, subject: str, rtol: float) -> None:
    assert tolerance(written, subject) == rtol


def test_hardmath_golds_have_the_values_the_set_states(tmp_path: Path, reader: LatexReader) -> None:
    kept, left = imported("hardmath", sets.write(tmp_path / "h.json", sets.HARDMATH), reader)
    assert kept["0"].answer_fn == "a_1*a_3/a_2**2"
    assert kept["0"].symbols["a_1"] == {"positive": True}
    assert "\\\\epsilon" not in kept["0"].prompt
    assert kept["1"].answer_fn == "2/9"
    assert kept["3"].answer_fn.startswith("({-1/epsilon, 1}, {")
    assert kept["5"].answer_fn == "1/x"
    wrong = "not the value the set states"
    assert left == {"2": wrong, "4": wrong, "6": "constants fitted to numbers"}


def test_phybench_never_guesses_at_e(tmp_path: Path, reader: LatexReader) -> None:
    kept, left = imported("phybench", sets.write(tmp_path / "p.json", sets.PHYBENCH), reader)
    assert kept["1"].answer_fn == "sqrt(2)*sqrt(g)*sqrt(h)"
    assert (kept["2"].answer_fn, "e" in kept["2"].symbols) == ("e**2*k/r**2", True)
    assert (kept["3"].answer_fn, "e" in kept["3"].symbols) == ("A*exp(-t/tau)", False)
    assert all(given == {"positive": True} for given in kept["3"].symbols.values())
    assert left == {
        "4": "constant or symbol", "5": "cross or product", "6": "no gold", "7": "several answers",
    }  # fmt: skip


def test_olympiadbench(tmp_path: Path, reader: LatexReader) -> None:
    kept, left = imported("olympiadbench", sets.write(tmp_path / "o.json", sets.OLYMPIADBENCH), reader)
    assert {name: (row.answer_type, row.answer_fn) for name, row in kept.items()} == {
        "1": ("numeric", "1/2"),
        "2": ("numeric", "5/2"),
        "3": ("set", "{2, -2}"),
        "4": ("interval", "Interval(1, oo)"),
        "5": ("tuple", "(1, 2)"),
        "6": ("equation", "Eq(x**2 + y**2, 1)"),
    }
    assert kept["2"].atol == 0.1
    assert "units of m" in kept["2"].prompt
    assert left == {
        "7": "picture", "8": "no gold", "9": "base of the logarithm", "10": "parts of different kinds",
    }  # fmt: skip


def test_math_vault(tmp_path: Path, reader: LatexReader) -> None:
    path = sets.write_lines(tmp_path / "v.jsonl", sets.MATH_VAULT)
    kept, left = imported("math-vault", path, reader)
    assert {name: (row.answer_type, row.answer_fn) for name, row in kept.items()} == {
        "v1": ("numeric", "70000"),
        "v2": ("symbolic", "x/2 + 1/2"),
        "v4": ("interval", "Union(Interval.Ropen(0, 1), Interval.open(2, 3))"),
        "v8": ("tuple", "(1, 2, pi)"),
        "v7": ("numeric", "1/2"),
    }
    assert kept["v1"].license == "MIT"
    assert left == {"v3": "point or interval", "v5": "text or unit", "v6": "set or list"}


def test_critpt_files_and_notebooks(tmp_path: Path, reader: LatexReader) -> None:
    kept, left = imported("critpt", sets.write(tmp_path / "sums.json", sets.CRITPT), reader)
    assert kept["sums_main"].answer_fn == "q / (1 - Rational(1, 2) * q)"
    assert kept["sums_main"].template == sets.TEMPLATE
    assert (kept["sums_main"].entry_point, kept["sums_main"].topic) == ("answer", "Series")
    assert kept["sums_main"].symbols == {"q": {"positive": True}}
    assert left == {"sums_sub_0": "text of another checkpoint", "sums_sub_1": "no gold"}

    kept, left = imported("critpt", sets.write(tmp_path / "my sums.ipynb", sets.NOTEBOOK), reader)
    assert kept["my_sums_main"].answer_fn == "q / (1 - q)"
    assert [point["q"] for point in kept["my_sums_main"].test_points] == ["0.25", "0.5"]
    assert "q/(1-q)" not in kept["my_sums_main"].prompt
    assert "We sum powers" in kept["my_sums_sub_0"].prompt
    assert (kept["my_sums_sub_0"].answer_fn, left) == ("q", {})


def test_tpbench_compares_at_points(tmp_path: Path, reader: LatexReader) -> None:
    kept, left = imported("tpbench", sets.write(tmp_path / "tp.json", sets.TPBENCH), reader)
    energy = kept["a-kinetic-energy"]
    assert energy.answer_fn == "Rational(1, 2) * m * Pow(v, 2)"
    assert (energy.parameters, energy.entry_point, energy.difficulty) == (["m", "v"], "energy", 2)
    assert len(energy.test_points) == 4
    assert "def energy" not in energy.prompt
    assert left == {"a-loop": "gold is no formula"}


def test_one_question_with_two_golds_is_kept_out(tmp_path: Path, reader: LatexReader) -> None:
    rows = [{"id": str(n), "problem": "Same?", "answer": str(n // 2)} for n in range(3)]
    rows += [{"id": str(n), "problem": "Twice.", "answer": "5"} for n in (7, 8)]
    kept, left = imported("math-vault", sets.write_lines(tmp_path / "v.jsonl", rows), reader)
    assert list(kept) == ["7"]
    assert left == {**dict.fromkeys("012", "one question, several golds"), "8": "duplicate"}


@pytest.mark.parametrize(
    ("name", "file", "text", "place"),
    [
        ("theoremqa", "t.json", '[{"Question": 1}]', "t.json: item 0: `Question` is int"),
        ("theoremqa", "t.json", '[\n{"a": }]', "t.json:2: bad JSON at column 7"),
        ("theoremqa", "t.json", "3", "t.json:1: holds int"),
        (
            "theoremqa",
            "t.json",
            '[{"Question": "?", "Answer_type": "integer", "id": "x", "Answer": "no"}]',
            "t.json: item 0: `Answer` is 'no'",
        ),
        ("hardmath2", "h.yaml", "problems:\n- a: [", "h.yaml:2: bad YAML"),
        ("hardmath2", "h.yaml", "other: 1", "h.yaml:1: no list `problems`"),
        ("hardmath2", "h.yaml", "problems:\n- prompt: x", "h.yaml: problems[0]: `solution` is missing"),
        ("hardmath", "h.json", '{"0": {"question_type": "ODE"}}', "item '0': `question` is missing"),
        (
            "math-vault",
            "v.jsonl",
            '{"id": "a", "problem": "?", "answer": " "}',
            "v.jsonl:1: `answer` is empty",
        ),
        ("critpt", "c.json", "{}", "c.json:1: no list `problems`"),
        ("critpt", "c.ipynb", "{}", "c.ipynb:1: no list `cells`"),
        ("phybench", "p.json", '[{"id": 1, "content": "?"}]', "p.json: item 0: `answer` is missing"),
        ("tpbench", "t.jsonl", "{}\n", "t.jsonl:1: `problem_id` is missing"),
        ("olympiadbench", "o.json", "[1]", "o.json: item 0: is int"),
    ],
)
def test_bad_files_are_told_by_place(tmp_path: Path, name: str, file: str, text: str, place: str) -> None:
    path = sets.write(tmp_path / file, text)
    with pytest.raises(ProblemError) as raised:
        list(importer(name).read(path))
    assert place in str(raised.value)
    assert "\n" not in str(raised.value)


def test_every_set_says_what_it_reads_and_whose_it_is() -> None:
    for name in IMPORTERS:
        module = importer(name)
        assert module.HELP
        assert module.__doc__
        assert isinstance(module.SOURCE, str)
        assert name == "jsonl" or json.dumps(module.SOURCE) != '""'
