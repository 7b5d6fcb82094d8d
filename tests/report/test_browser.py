"""The report in a real browser: opened, searched, filtered, clicked, and attacked."""

import pytest

from scientific_math_critpt_env.cli import main
from tests.report.browser import Browser, chromium
from tests.report.made_runs import Made, write_run
from tests.report.payloads import HOSTILE, hostile_samples

pytestmark = [
    pytest.mark.skipif(chromium() is None, reason="no chromium on this machine (apt-get install chromium)"),
    pytest.mark.xdist_group("browser"),
]

CODE = "import sympy as sp\n\ndef model_answer():\n    return sp.Rational(1, 2)"
COUNT = "document.getElementById('count').textContent"
OPEN = "document.querySelector('li.open .detail section') !== null"


@pytest.fixture(scope="module")
def browser():
    with Browser.start() as started:
        yield started


def samples():
    votes = [{"judge": "first-judge", "verdict": "YES", "reply": "", "reason": "last line", "cost": 0.002}]
    for number in range(60):
        for index in range(2):
            correct = (number + index) % 3 == 0
            yield Made(
                "olympiad" if number < 20 else "physics",
                f"p{number:02}",
                index,
                correct,
                text=f"Since $\\int_0^1 x\\,dx = \\frac12$, we have\n```python\n{CODE}\n```",
                problem=f"Find $\\int_0^1 x^{{{number}}}\\,dx$." + (" A zebra asks." if number == 33 else ""),
                gold="1/2",
                status="" if correct or number % 2 else "timeout",
                topic=["fourier", "series", "probability"][number % 3],
                difficulty=number % 5 + 1,
                verdict={
                    "candidate_text": CODE,
                    "normalized_prediction": "x**2/2",
                    "reason": "the integral is half",
                    "votes": votes,
                },
            )


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    run = write_run(folder / "clicked", list(samples()))
    assert main(["report", str(run), "--output", str(folder / "report.html")]) == 0
    return folder / "report.html"


@pytest.fixture
def opened(browser, report):
    browser.open(report.as_uri())
    browser.wait(f"{COUNT} === '1 to 50 of 120 samples'")
    return browser


def choose(browser, name, value):
    browser.run(
        f"(() => {{ const e = document.getElementById('{name}'); e.value = '{value}'; "
        "e.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def complaints(browser):
    browser.run("1")  # takes in what is still under way
    return [e for e in browser.events if e["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]


def test_it_opens_without_network_or_complaint(opened):
    assert opened.run("document.title").startswith("clicked")
    assert opened.run("document.querySelectorAll('.card').length") >= 6
    assert opened.run("document.querySelectorAll('svg').length") >= 5
    requests = [
        e["params"]["request"]["url"] for e in opened.events if e["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in requests if not url.startswith(("file:", "about:", "data:"))] == []
    assert complaints(opened) == []


def test_filters_and_search(opened):
    choose(opened, "status", "correct")
    opened.wait(f"{COUNT} === '1 to 40 of 40 samples'")
    assert set(opened.run("[...document.querySelectorAll('.pill')].slice(-40).map(e => e.textContent)")) == {
        "correct"
    }
    choose(opened, "dataset", "olympiad")
    opened.wait(f"{COUNT}.endsWith('of 13 samples')")
    choose(opened, "status", "")
    choose(opened, "topic", "series")
    opened.wait(f"{COUNT}.endsWith('of 14 samples')")
    choose(opened, "dataset", "")
    opened.click("#search")
    opened.type("zebra p33")
    opened.wait(f"{COUNT} === 'No sample matches'")
    choose(opened, "topic", "")
    opened.wait(f"{COUNT} === '1 to 2 of 2 samples'")
    assert complaints(opened) == []


def test_pages_and_orders(opened):
    opened.click("#next")
    opened.wait(f"{COUNT} === '51 to 100 of 120 samples'")
    opened.click("#next")
    opened.wait(f"{COUNT} === '101 to 120 of 120 samples'")
    assert opened.run("document.getElementById('next').disabled")
    choose(opened, "order", "hard")
    opened.wait(f"{COUNT}.startsWith('1 to 50')")
    assert opened.run("document.querySelector('.rate').textContent") == "0/2 solved"
    choose(opened, "order", "long")
    opened.wait("document.querySelector('.id small').textContent.endsWith('sample 1')")


def test_a_sample_opens_with_its_mathematics(opened):
    opened.click(".samples li:nth-child(3) .open-sample")
    opened.wait(OPEN)
    boxes = opened.run(
        "[...document.querySelectorAll('.detail math')].map(e => e.getBoundingClientRect().width)"
    )
    assert len(boxes) >= 4
    assert min(boxes) > 5
    taller = "document.querySelector('.value mfrac').getBoundingClientRect().height"
    assert opened.run(taller) > 18  # a fraction is drawn as one
    text = opened.run("document.querySelector('.detail').innerText")
    for expected in ("the integral is half", "first-judge", "YES", "def model_answer():", "x**2/2"):
        assert expected in text
    assert opened.run("document.querySelectorAll('.detail pre .k').length") > 0
    assert opened.run("location.hash") == "#olympiad%3Ap01%2F0"
    assert opened.run("document.querySelector('li.open button').getAttribute('aria-expanded')") == "true"
    opened.click("li.open .open-sample")
    opened.wait("document.querySelector('.detail') === null")
    assert complaints(opened) == []


def test_a_link_opens_its_sample(browser, report):
    browser.open(report.as_uri() + "#physics%3Ap45%2F1")
    browser.wait(OPEN)
    assert browser.run("document.querySelector('li.open .id').firstChild.textContent") == "physics:p45"


def test_the_keyboard_is_enough(opened):
    opened.press("/")
    opened.type("p07")
    opened.wait(f"{COUNT} === '1 to 2 of 2 samples'")
    opened.press("Escape")
    opened.press("j")
    opened.press("j")
    opened.press("k")
    opened.press("j")
    opened.press("Enter")
    opened.wait(OPEN)
    assert opened.run("document.querySelector('li.open .id').textContent").endswith("sample 1")
    opened.press("Escape")
    opened.wait("document.querySelector('.detail') === null")


def test_light_and_dark(opened):
    background = "getComputedStyle(document.body).backgroundColor"
    before = opened.run(background)
    opened.click("#theme")
    assert opened.run(background) != before
    opened.click("#theme")
    assert opened.run(background) == before


def test_hostile_text_does_not_run(browser, tmp_path):
    run = write_run(tmp_path / "hostile", hostile_samples(HOSTILE))
    assert main(["report", str(run), "--output", str(tmp_path / "report.html"), "--title", HOSTILE[0]]) == 0
    browser.open((tmp_path / "report.html").as_uri())
    browser.wait(f"{COUNT} === '1 to {2 * len(HOSTILE)} of {2 * len(HOSTILE)} samples'")
    browser.run("document.querySelectorAll('.open-sample').forEach(button => button.click())")
    browser.wait(f"document.querySelectorAll('.detail section.verdict').length === {2 * len(HOSTILE)}")
    browser.run("new Promise(done => setTimeout(done, 300))")
    assert browser.run("typeof window.pwned") == "undefined"
    assert browser.run("document.querySelectorAll('.detail script, .detail img, .detail iframe').length") == 0
    assert [e for e in browser.events if e["method"] == "Page.javascriptDialogOpening"] == []
    assert complaints(browser) == []


def test_the_policy_holds_where_escaping_would_fail(opened):
    """The second wall: markup put into the page by force runs nothing and fetches nothing."""
    opened.run(
        "document.body.insertAdjacentHTML('beforeend', "
        '\'<img src=x onerror="window.pwned=1"><svg onload="window.pwned=2"></svg>\')'
    )
    opened.run(
        "(() => { const script = document.createElement('script'); script.textContent = 'window.pwned=3'; "
        "document.body.append(script); })()"
    )
    opened.run("new Promise(done => setTimeout(done, 300))")
    assert opened.run("typeof window.pwned") == "undefined"
    assert opened.run("fetch('data:text/plain,x').then(() => 'fetched', () => 'refused')") == "refused"


@pytest.mark.slow
def test_five_thousand_samples(browser, tmp_path):
    made = [Made("d", f"p{n // 4:04}", n % 4, n % 3 == 0, text=f"So $x_{{{n}}} = {n}$.") for n in range(5000)]
    run = write_run(tmp_path / "big", made)
    assert main(["report", str(run), "--output", str(tmp_path / "report.html")]) == 0
    assert (tmp_path / "report.html").stat().st_size < 10_000_000
    browser.open((tmp_path / "report.html").as_uri())
    browser.wait(f"{COUNT} === '1 to 50 of 5,000 samples'")
    assert browser.run("document.querySelectorAll('*').length") < 5000
    spent = browser.run(
        "(() => { const start = performance.now(); document.getElementById('order').value = 'hard'; "
        "document.getElementById('next').click(); return performance.now() - start; })()"
    )
    assert spent < 1000
    choose(browser, "order", "run")
    browser.click("#search")
    browser.type("p1249")
    browser.wait(f"{COUNT} === '1 to 4 of 4 samples'")
    browser.click(".samples li:nth-child(4) .open-sample")
    browser.wait(OPEN)
    assert "4999" in browser.run("document.querySelector('.detail').textContent")
