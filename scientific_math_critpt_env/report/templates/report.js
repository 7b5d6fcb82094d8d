"use strict";
(() => {
  const PAGE = 50; // rows drawn at a time: a page of 5,000 samples stays quick
  const CHUNK = JSON_CHUNK;
  const byId = (id) => document.getElementById(id);
  const index = JSON.parse(byId("index").textContent);
  const chunks = [...document.querySelectorAll("script.chunk")];
  const [PROBLEM, SAMPLE, STATUS, ANSWER, REASON, TOKENS, TRUNCATED] = [0, 1, 2, 3, 4, 5, 6];
  const texts = index.samples.map((row) => {
    const problem = index.problems[row[PROBLEM]];
    return [problem.uid, problem.topic, problem.text, row[ANSWER], row[REASON]].join("\n").toLowerCase();
  });
  const list = byId("list");
  let shown = [];
  let page = 0;

  // One way to make elements; text is only ever set as text.
  const make = (tag, properties = {}, children = []) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  const unpacked = new Map();
  const chunk = (number) => {
    if (!unpacked.has(number)) {
      const bytes = Uint8Array.from(atob(chunks[number].textContent.trim()), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      unpacked.set(number, new Response(stream).json());
    }
    return unpacked.get(number);
  };

  const difficulty = (problem) => (problem.difficulty === null ? "" : String(problem.difficulty));
  const rate = (problem) => (problem.graded ? problem.correct / problem.graded : 0);
  const hashOf = (number) => {
    const row = index.samples[number];
    return "#" + encodeURIComponent(index.problems[row[PROBLEM]].uid + "/" + row[SAMPLE]);
  };

  const ORDERS = {
    run: () => 0,
    hard: (a, b) => rate(index.problems[a[PROBLEM]]) - rate(index.problems[b[PROBLEM]]),
    easy: (a, b) => rate(index.problems[b[PROBLEM]]) - rate(index.problems[a[PROBLEM]]),
    long: (a, b) => (b[TOKENS] ?? -1) - (a[TOKENS] ?? -1),
  };

  const filter = () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [status, dataset, topic, level] = ["status", "dataset", "topic", "difficulty"].map((id) => byId(id).value);
    shown = [];
    index.samples.forEach((row, number) => {
      const problem = index.problems[row[PROBLEM]];
      if (status === "truncated!" ? !row[TRUNCATED] : status && row[STATUS] !== status) return;
      if (dataset && problem.dataset !== dataset) return;
      if (topic && problem.topic !== topic) return;
      if (level && difficulty(problem) !== level) return;
      if (words.every((word) => texts[number].includes(word))) shown.push(number);
    });
    const order = ORDERS[byId("order").value];
    shown.sort((a, b) => order(index.samples[a], index.samples[b]) || a - b);
    page = 0;
    draw();
  };

  const draw = () => {
    const start = page * PAGE;
    const end = Math.min(start + PAGE, shown.length);
    list.replaceChildren(...shown.slice(start, end).map(item));
    list.start = start + 1;
    byId("count").textContent = shown.length
      ? `${(start + 1).toLocaleString("en")} to ${end.toLocaleString("en")} of ${shown.length.toLocaleString("en")} samples`
      : "No sample matches";
    byId("previous").disabled = page === 0;
    byId("next").disabled = end >= shown.length;
  };

  const item = (number) => {
    const row = index.samples[number];
    const problem = index.problems[row[PROBLEM]];
    const pill = make("span", { className: "pill", textContent: row[STATUS].replaceAll("_", " ") });
    pill.classList.add("s-" + row[STATUS].replace(/[^a-z_]/g, ""));
    const about = [problem.topic, `sample ${row[SAMPLE]}`].filter(Boolean).join(" · ");
    const button = make("button", { type: "button", className: "open-sample" }, [
      make("span", {}, [pill]),
      make("span", { className: "id", textContent: problem.uid }, [make("small", { textContent: about })]),
      make("span", { className: "what", textContent: row[REASON] || row[ANSWER] || problem.text }),
      make("span", { className: "rate", textContent: `${problem.correct}/${problem.graded} solved` }),
    ]);
    button.setAttribute("aria-expanded", "false");
    button.dataset.number = number;
    const li = make("li", {}, [button]);
    button.addEventListener("click", () => toggle(li, number));
    return li;
  };

  const toggle = async (li, number) => {
    const button = li.querySelector("button");
    const open = li.querySelector(".detail");
    if (open) {
      open.remove();
      li.classList.remove("open");
      button.setAttribute("aria-expanded", "false");
      return;
    }
    const detail = make("div", { className: "detail" }, [make("p", { className: "loading", textContent: "…" })]);
    li.append(detail);
    li.classList.add("open");
    button.setAttribute("aria-expanded", "true");
    history.replaceState(null, "", hashOf(number));
    try {
      const found = await chunk(Math.floor(number / CHUNK));
      // Written and escaped when the report was made; scripts in it could not run under the page's policy.
      detail.innerHTML = found.problems[index.samples[number][PROBLEM]] + found.samples[number % CHUNK];
    } catch (error) {
      detail.textContent = `This sample could not be read: ${error}`;
    }
  };

  const options = (id, values) => {
    const sorted = [...new Set(values)].filter(Boolean).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    byId(id).append(...sorted.map((value) => make("option", { value, textContent: value.replaceAll("_", " ") })));
    byId(id).parentElement.hidden = sorted.length < 2;
  };
  options("status", index.samples.map((row) => row[STATUS]));
  if (index.samples.some((row) => row[TRUNCATED])) {
    byId("status").append(make("option", { value: "truncated!", textContent: "truncated" }));
    byId("status").parentElement.hidden = false;
  }
  options("dataset", index.problems.map((problem) => problem.dataset));
  options("topic", index.problems.map((problem) => problem.topic));
  options("difficulty", index.problems.map(difficulty));

  let waiting;
  byId("filters").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  const turn = (by) => () => {
    page += by;
    draw();
    byId("samples").scrollIntoView();
  };
  byId("previous").addEventListener("click", turn(-1));
  byId("next").addEventListener("click", turn(1));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing) {
      event.preventDefault();
      byId("search").focus();
    } else if (event.key === "Escape") {
      if (typing) document.activeElement.blur();
      const open = document.activeElement.closest("li.open") ?? list.querySelector("li.open");
      if (open) {
        toggle(open);
        open.querySelector("button").focus();
      }
    } else if ((event.key === "j" || event.key === "k") && !typing) {
      const buttons = [...list.querySelectorAll(".open-sample")];
      const at = buttons.indexOf(document.activeElement.closest("li")?.querySelector(".open-sample"));
      buttons[Math.max(0, Math.min(buttons.length - 1, at + (event.key === "j" ? 1 : -1)))]?.focus();
    }
  });

  const theme = byId("theme");
  const dark = () => document.documentElement.dataset.theme === "dark";
  const setTheme = (name) => {
    document.documentElement.dataset.theme = name;
    theme.textContent = dark() ? "Light" : "Dark";
    theme.setAttribute("aria-pressed", String(dark()));
  };
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  theme.addEventListener("click", () => setTheme(dark() ? "light" : "dark"));

  filter();
  const wanted = index.samples.findIndex((_, number) => hashOf(number) === location.hash);
  if (wanted >= 0) {
    page = Math.floor(shown.indexOf(wanted) / PAGE);
    draw();
    const button = list.querySelector(`[data-number="${wanted}"]`);
    toggle(button.closest("li"), wanted);
    button.scrollIntoView({ block: "center" });
  }
})();
