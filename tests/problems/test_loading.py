"""Loading: all defects told at once with their places, unknown fields named once, filters that explain."""

import gzip
import json
import sys
import types
import warnings

import pytest

from scientific_math_critpt_env import load_problems
from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems import loading
from scientific_math_critpt_env.problems.loading import iter_problems


def row(name="a", **fields):
    return {"id": name, "topic": "optics", "prompt": f"Question {name}?", "answer_fn": "x + 1", **fields}


def write(path, *rows):
    lines = [line if isinstance(line, (str, bytes)) else json.dumps(line) for line in rows]
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines) + b"\n")
    return path


def defects(source, **arguments):
    with pytest.raises(ProblemError) as caught:
        load_problems(source, **arguments)
    return str(caught.value).splitlines()


def test_rows_come_in_order_and_know_their_place(tmp_path):
    path = write(tmp_path / "p.jsonl", b"\xef\xbb\xbf" + json.dumps(row("a")).encode(), "", "  ", row("b"))
    problems = load_problems(path)
    assert [problem.id for problem in problems] == ["a", "b"]
    assert [problem.where for problem in problems] == [f"{path}:1", f"{path}:4"]
    assert list(iter_problems(path)) == load_problems(str(path)) == problems


def test_line_endings_and_text_are_kept(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(
        "\r\n".join(json.dumps(row(n, prompt="α\u2028β"), ensure_ascii=False) for n in "ab").encode()
    )
    assert [problem.prompt for problem in load_problems(path)] == ["α\u2028β"] * 2


def test_gzip(tmp_path):
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(row()).encode()))
    assert load_problems(path)[0].where == f"{path}:1"
    path.write_bytes(path.read_bytes()[:-12])
    assert "cannot be read" in defects(path)[-1]
    path.write_bytes(b"plain text")
    assert "cannot be read" in defects(path)[0]


def test_every_defect_is_told_at_once(tmp_path):
    lines = [
        ("[1]", "a list, not a JSON object"),
        ('{"id": "a",', "bad JSON at column 12 "),
        (b'{"id": "\xff"}', "not UTF-8 at byte 9"),
        ('{"id": "n", "prompt": "p", "answer_fn": "1", "rtol": NaN}', "NaN is no JSON"),
        ('{"id": "k", "prompt": "p", "prompt": "q", "answer_fn": "1"}', "the key 'prompt' stands twice"),
        ('{"id": "s", "topic": "\\ud800", "prompt": "p", "answer_fn": "1"}', "surrogate"),
        ('{"id": "deep", "x": ' + "[" * 100_000, "nested too deeply"),
        ('{"id": "long", "x": ' + "9" * 5_000 + "}", "4300"),
        (row("ok"), ""),
        (row("ok", prompt="again"), "the id 'ok' is taken by"),
        (
            row("type", answer_type="vector"),
            "unknown answer_type 'vector'; use one of symbolic, numeric, string",
        ),
        (row("blank", prompt=" "), "prompt is blank"),
        ({"id": "missing"}, "prompt is missing; add it"),
        (row("number") | {"id": 7}, "id is no string; put it in quotes"),
        (row("points", parameters=["x"], test_points=[{"x": [1]}]), "test_points[0].x is no string"),
        (row("level", difficulty="hard"), "difficulty input should be a valid integer"),
        (row("tolerance", rtol=-1), "rtol is below 0.0"),
    ]
    path = write(tmp_path / "p.jsonl", *(line for line, _ in lines))
    told = defects(path)
    for number, (_, message) in enumerate(lines, start=1):
        mine = [line for line in told if line.startswith(f"{path}:{number}: ")]
        assert bool(mine) == bool(message), number
        assert not message or any(message in line for line in mine), (number, mine)
    assert f"{path}:9" in next(line for line in told if line.startswith(f"{path}:10"))


def test_streaming_yields_good_rows_then_tells_the_bad(tmp_path):
    path = write(tmp_path / "p.jsonl", row("a"), "{", row("b"), "[]")
    problems = iter_problems(path)
    assert [next(problems).id, next(problems).id] == ["a", "b"]
    with pytest.raises(ProblemError) as caught:
        next(problems)
    assert len(str(caught.value).splitlines()) == 2


def test_streaming_reads_no_further_than_asked(tmp_path):
    path = write(tmp_path / "p.jsonl", row("a"), row("b"), "{")
    assert next(iter_problems(path)).id == "a"


def test_a_wrong_file_is_told_in_a_bounded_message(tmp_path):
    told = defects(write(tmp_path / "p.jsonl", *["x"] * 1000))
    assert len(told) == 201
    assert told[-1] == "... and 800 more defects"


def test_unknown_fields_are_kept_and_named_once(tmp_path):
    path = write(tmp_path / "p.jsonl", *(row(str(n), anwser_type="tuple", author="x") for n in range(5)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        problems = load_problems(path)
    assert len(caught) == 1
    message = str(caught[0].message)
    assert f"{path}:1" in message
    assert "'anwser_type' (did you mean 'answer_type'?)" in message
    assert "'author'" in message
    assert problems[4].unknown["author"] == "x"


def test_folders_are_read_in_the_order_of_names(tmp_path):
    write(tmp_path / "b.jsonl", row("b"))
    write(tmp_path / "a.jsonl", row("a"))
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(json.dumps(row("c")).encode()))
    (tmp_path / "notes.md").write_text("no problems here")
    assert [problem.id for problem in load_problems(tmp_path)] == ["a", "b", "c"]
    write(tmp_path / "d.jsonl", row("a"))
    assert defects(tmp_path) == [
        f"{tmp_path}/d.jsonl:1: the id 'a' is taken by {tmp_path}/a.jsonl:1; give every problem its own"
    ]


def test_nothing_there(tmp_path):
    assert "no such file or folder" in defects(tmp_path / "none.jsonl")[0]
    assert "holds no .jsonl file" in defects(tmp_path)[0]
    assert "holds no problems" in defects(write(tmp_path / "p.jsonl"))[0]


def test_builtin_is_the_data_of_the_package_or_of_the_checkout(tmp_path, monkeypatch):
    package = tmp_path / "package"
    (tmp_path / "data").mkdir()
    package.mkdir()
    monkeypatch.setattr(loading, "_PACKAGE", package)
    assert "holds no problem files" in defects("builtin")[0]
    write(tmp_path / "data" / "p.jsonl", row("checkout"))
    assert load_problems()[0].id == "checkout"
    (package / "_data").mkdir()
    write(package / "_data" / "p.jsonl", row("wheel"))
    assert load_problems("builtin")[0].id == "wheel"


def test_gold_defects_are_told_along_with_the_others(tmp_path):
    path = write(tmp_path / "p.jsonl", row("a", answer_fn="1/0"), "{", row("b"))

    def check(problems):
        return [(problem, "gold is zoo") for problem in problems if problem.answer_fn == "1/0"]

    assert defects(path, check_golds=check) == [
        f"{path}:2: bad JSON at column 2 (Expecting property name enclosed in double quotes); "
        "write one JSON object a line",
        f"{path}:1: gold is zoo",
    ]
    good = write(tmp_path / "good.jsonl", row("b"))
    assert load_problems(good, check_golds=check)[0].id == "b"


@pytest.fixture
def three(tmp_path):
    return write(
        tmp_path / "p.jsonl",
        row("a", difficulty=1),
        row("b", topic="Fluids", answer_type="tuple", difficulty=3),
        row("c", topic="fluids", answer_type="numeric"),
    )


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({}, "abc"),
        ({"topics": "fluids"}, "bc"),
        ({"topics": ["OPTICS ", "fluids"]}, "abc"),
        ({"answer_types": ["tuple", "numeric"]}, "bc"),
        ({"topics": "fluids", "answer_types": "numeric"}, "c"),
        ({"difficulty": 1}, "a"),
        ({"difficulty": "3"}, "b"),
        ({"difficulty": (1, 3)}, "ab"),
        ({"difficulty": "2:4"}, "b"),
        ({"difficulty": ":2"}, "a"),
        ({"difficulty": "1:"}, "ab"),
    ],
)
def test_filters(three, filters, ids):
    assert "".join(problem.id for problem in load_problems(three, **filters)) == ids


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        (
            {"topics": ["optics", "optiks"]},
            "no problem has the topic 'optiks'; there are 'Fluids', 'fluids', 'optics'",
        ),
        (
            {"answer_types": "dict"},
            "no problem has the answer type 'dict'; there are 'numeric', 'symbolic', 'tuple'",
        ),
        ({"difficulty": "4:5"}, "no problem has a difficulty of 4 to 5; there are 1, 3"),
        ({"topics": "fluids", "answer_types": "numeric", "difficulty": 1}, "no problem here states one"),
    ],
)
def test_filters_that_match_nothing_say_what_there_is(three, filters, message):
    (told,) = defects(three, **filters)
    assert message in told


@pytest.mark.parametrize(
    "filters",
    [
        {"difficulty": "hard"},
        {"difficulty": ":"},
        {"difficulty": (4, 2)},
        {"answer_types": "vector"},
        {"topics": []},
    ],
)
def test_malformed_filters_are_wrong_usage(three, filters):
    with pytest.raises(ValueError):
        load_problems(three, **filters)


def hub(monkeypatch, splits):
    """A stand-in for the `datasets` package, which holds one data set."""
    module = types.ModuleType("datasets")

    def load_dataset(name, split=None):
        if name != "org/name":
            raise FileNotFoundError(f"no data set {name}")
        if split is not None and split not in splits:
            raise ValueError(f"Unknown split {split!r}")
        return splits if split is None else splits[split]

    module.load_dataset = load_dataset
    monkeypatch.setitem(sys.modules, "datasets", module)


def test_hub_rows(monkeypatch):
    padded = row(
        "a",
        symbols={"x": {"positive": True, "real": None}, "y": None, "z": {"positive": None, "real": None}},
        parameters=["x"],
        test_points=[{"x": "1", "y": None}],
        difficulty=None,
    )
    hub(monkeypatch, {"test": [padded]})
    (problem,) = load_problems("hf:org/name:test")
    assert problem.symbols == {"x": {"positive": True}, "z": {}}
    assert problem.test_points == [{"x": "1"}]
    assert problem.where == "hf:org/name:test:0"
    assert load_problems("hf:org/name") == [problem]


def test_hub_errors(monkeypatch):
    hub(monkeypatch, {"train": [row("a")], "test": [row("b"), row("b")]})
    assert "name one of hf:org/name:train, hf:org/name:test" in defects("hf:org/name")[0]
    assert "cannot be loaded" in defects("hf:org/name:dev")[0]
    assert "cannot be loaded" in defects("hf:other/name")[0]
    assert defects("hf:org/name:test") == [
        "hf:org/name:test:1: the id 'b' is taken by hf:org/name:test:0; give every problem its own"
    ]
    monkeypatch.setitem(sys.modules, "datasets", None)
    assert "pip install 'scientific-math-critpt[datasets]'" in defects("hf:org/name")[0]
