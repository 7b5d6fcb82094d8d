"""Texts that would run in a page which does not escape; each sets `pwned` or opens a dialogue."""

from tests.report.made_runs import Made

HOSTILE = [
    "<script>window.pwned=1</script>",
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=\"window.pwned=1\">",
    "<svg onload=window.pwned=1>",
    "$<img src=x onerror=window.pwned=1>$",
    "$\\text{<script>window.pwned=1</script>}$",
    "$$\\href{javascript:window.pwned=1}{x}$$",
    "```html\n<script>window.pwned=1</script>\n```",
    "```\"><script>window.pwned=1</script>\ncode\n```",
    "`<script>window.pwned=1</script>` **<b onmouseover=window.pwned=1>**",
    "<!--<script>window.pwned=1</script>",
    "\"><a href=\"javascript:alert(1)\">x</a><iframe srcdoc='<script>parent.pwned=1</script>'>",
    "{{ config }}{% raw %}<script>window.pwned=1</script>",
    "</style></title></textarea><script>window.pwned=1</script>",
]  # fmt: skip


def hostile_samples(payloads: list[str]) -> list[Made]:
    """Each payload wherever a model or a data set can put text."""
    made = []
    for number, payload in enumerate(payloads):
        votes = [{"judge": payload, "verdict": payload, "reply": payload, "reason": payload, "cost": 0.0}]
        verdict = {
            "candidate_text": payload,
            "normalized_prediction": payload,
            "normalized_gold": payload,
            "reason": payload,
            "error": payload,
            "method": payload,
            "votes": votes,
        }
        for index, rule in enumerate(("last_code_block", "last_complete_boxed")):
            made.append(
                Made(
                    "d",
                    f"{number}: {payload}",
                    index,
                    bool(index),
                    text=payload,
                    problem=payload,
                    gold=payload,
                    topic=f"{number} {payload}",
                    reasoning=payload,
                    verdict={**verdict, "extraction_rule": rule},
                )
            )
    return made
