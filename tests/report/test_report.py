"""The report as a file: whole in itself, everything of a model escaped, the command's refusals."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from scientific_math_critpt_env.cli import main
from tests.report.made_runs import Made, from_flags, write_run
from tests.report.payloads import HOSTILE, hostile_samples


class Page(HTMLParser):
    """Elements with their attributes, and the content of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self._inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag == "script":
            self._inside = (dict(attributes), [])

    def handle_data(self, data):
        if self._inside:
            self._inside[1].append(data)

    def handle_endtag(self, tag):
        if tag == "script" and self._inside:
            self.scripts.append((self._inside[0], "".join(self._inside[1])))
            self._inside = None


def written(tmp_path, made, *options):
    run = write_run(tmp_path / "run", made)
    output = tmp_path / "report.html"
    assert main(["report", str(run), "--output", str(output), *options]) == 0
    return output.read_text(encoding="utf-8")


def chunks(page):
    found = [text for attributes, text in page.scripts if attributes.get("class") == "chunk"]
    return [json.loads(gzip.decompress(base64.b64decode(text))) for text in found]


def test_it_is_whole_in_itself(tmp_path):
    text = written(tmp_path, from_flags({"A": [1, 0], "B": [1, 1]}, topic="series"))
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base")
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("src", "href", "action"):
            assert attributes.get(name, "#").startswith("#")
    assert "url(" not in text
    assert "@import" not in text
    (policy,) = [a["content"] for t, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    (script,) = [body for attributes, body in page.scripts if not attributes]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "'unsafe-eval'" not in policy


def test_what_it_says(tmp_path, capsys):
    text = written(tmp_path, from_flags({"A": [1, 0], "B": [1, 1]}, topic="series"), "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["samples"], told["problems"], told["accuracy"]) == (4, 2, 0.75)
    assert told["bytes"] == len(text.encode())
    assert "<h1>run</h1>" in text
    assert "75.0%" in text
    page = Page(text)
    (index,) = [json.loads(body) for attributes, body in page.scripts if attributes.get("id") == "index"]
    assert [row[2] for row in index["samples"]] == ["correct", "incorrect", "correct", "correct"]
    assert index["problems"][0]["graded"] == 2
    (chunk,) = chunks(page)
    assert len(chunk["samples"]) == 4
    assert "<math" in chunk["problems"]["0"]


def test_samples_go_into_chunks_with_their_problems(tmp_path):
    page = Page(written(tmp_path, from_flags({f"P{i:03}": [1, 0, 0] for i in range(40)})))
    found = chunks(page)
    assert [len(chunk["samples"]) for chunk in found] == [40, 40, 40]
    assert "13" in found[0]["problems"]
    assert "13" in found[1]["problems"]  # its samples are in both


@pytest.mark.parametrize("payload", HOSTILE, ids=range(len(HOSTILE)))
def test_model_text_is_never_markup(tmp_path, payload):
    text = written(tmp_path, hostile_samples([payload]))
    page = Page(text)
    assert len([1 for attributes, _ in page.scripts if not attributes]) == 1
    for chunk in chunks(page):
        for html in [*chunk["problems"].values(), *chunk["samples"]]:
            inside = Page(html)
            tags = {tag for tag, _ in inside.elements}
            assert not tags & {"script", "img", "iframe", "svg", "style", "a", "form", "meta", "link"}
            for _, attributes in inside.elements:
                assert not [name for name in attributes if name.startswith("on") or name in ("src", "href")]
    visible = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert payload not in visible


def test_a_failure_of_the_machinery_and_no_candidate(tmp_path):
    made = [
        Made(
            "d", "A", 0, None, verdict={"candidate_text": None, "normalized_prediction": None, "score": None}
        ),
        Made("d", "A", 1, False, status="no_candidate", verdict={"candidate_text": None, "method": ""}),
        Made("d", "A", 2, False, text="half a pair \ud800", verdict={"output_tokens": None}),
    ]
    text = written(tmp_path, made)
    assert "1 without a verdict" in text
    assert "no answer was found" in chunks(Page(text))[0]["samples"][0]


def test_soft_verdicts_and_votes_are_shown(tmp_path):
    votes = [{"judge": "one", "verdict": "YES", "reply": "$x$ is right", "reason": "last line", "cost": 0.01}]
    soft = {"status": "correct", "is_correct": True, "normalized_prediction": "7"}
    made = [Made("d", "A", 0, False, verdict={"soft": soft, "votes": votes})]
    made.append(Made("d", "A", 1, True, metadata={"ballot": {"votes": votes, "decision": "YES"}}))
    judges = {"judge_correct": {"decision": "UNDECIDED", "votes": votes}, "broken": {"votes": "no list"}}
    made.append(Made("d", "A", 2, True, metadata={"judges": judges, "stages": {"removed": [1]}}))
    text = written(tmp_path, made)
    first, second, third = chunks(Page(text))[0]["samples"]
    assert "judge correct" in third
    assert "UNDECIDED" in third
    for sample in (first, second, third):
        assert "v-YES" in sample
        assert "0.0100" in sample
    assert "Read leniently" in first
    assert "Lenient accuracy" in text


def test_refusals(tmp_path, capsys):
    made = from_flags({"A": [1, 0]})
    run = write_run(tmp_path / "run", made)
    output = tmp_path / "report.html"
    output.write_text("mine")
    command = ["report", str(run), "--output", str(output)]
    assert main(command) == 1
    assert "exists; add --overwrite" in capsys.readouterr().err
    assert output.read_text() == "mine"
    rows = run / "parsed/scientific-v1/rows.jsonl"
    lines = rows.read_text().splitlines(keepends=True)
    rows.write_text(lines[0])
    assert main([*command, "--overwrite"]) == 1
    assert "no verdict under scientific-v1 on ('d', 'A', 1)" in capsys.readouterr().err
    rows.write_text("".join([*lines, lines[0].replace('"sample_idx": 0', '"sample_idx": 7')]))
    assert main([*command, "--overwrite"]) == 1
    assert "which is no sample" in capsys.readouterr().err
    rows.write_text("".join(lines))
    (rows.parent / "contract.json").write_text("[]")
    assert main([*command, "--overwrite"]) == 1
    assert "contract.json: no JSON object; replay the run again" in capsys.readouterr().err
    assert main([*command, "--overwrite", "--contract", "critpt-v1"]) == 1
    assert "no verdicts under critpt-v1" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "nowhere"), "--output", str(output), "--overwrite"]) == 1
    assert output.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")] == []
