// The list of runs: which are overlaid, and which one's environments and details are seen.

import { brief, el, setText } from "./dom.js";

const COLOURS = 8;
const MOST_SHOWN = 8;
const GROUPS = [["", "No groups"], ["env", "By environment"], ["name", "By name"]];
const STATES = { running: "running", closed: "finished", lost: "ended without closing" };

export const stateOf = ({ state }) => STATES[state] ?? state;

/** Returns seconds as text. */
export function span(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function createRuns(root, changed) {
  const known = new Map();
  const items = new Map();
  const chosen = new Set();
  const colours = new Map();
  const headings = new Map();
  let focused = null;
  let touched = false;
  const list = el("ul", { class: "lanes" });
  const place = el("span", { class: "note" });
  const nothing = el("p", { class: "note", role: "status" });
  const filter = el("input", { type: "search", id: "runs-filter", placeholder: "Name, environment or setting", "aria-label": "Find a run", oninput: () => paint() });
  const group = el("select", { id: "group", "aria-label": "Group the runs", onchange: () => paint() },
    ...GROUPS.map(([value, label]) => el("option", { value }, label)));
  root.replaceChildren(el("div", { class: "heading" }, el("h2", {}, "Runs"), place), el("div", { class: "find" }, filter, group), nothing, list);

  function choose(id, on) {
    touched = true;
    if (on && chosen.size >= MOST_SHOWN) chosen.delete(chosen.values().next().value);
    if (on) chosen.add(id);
    else chosen.delete(id);
    paint();
    changed();
  }

  function focus(id) {
    touched = true;
    focused = id;
    choose(id, true);
  }

  function item(id) {
    const box = el("input", { type: "checkbox", "aria-label": `Show the curves of ${known.get(id).name}, ${began(known.get(id))}`, onchange: () => choose(id, box.checked) });
    const name = el("span", { class: "name" });
    const facts = el("span", { class: "facts" });
    const state = el("span", { class: "note" });
    const pick = el("button", { type: "button", class: "run", onclick: () => focus(id) }, name, facts, state);
    return { row: el("li", {}, box, pick), box, name, facts, state, pick };
  }

  function began(run) {
    return new Date(1000 * (run.began ?? 0)).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
  }

  function colourOf(id) {
    if (!colours.has(id)) {
      const taken = new Set([...chosen].map((one) => colours.get(one)));
      const free = Array.from({ length: COLOURS }, (_, k) => k).find((k) => !taken.has(k));
      colours.set(id, free ?? colours.size % COLOURS);
    }
    return `--run-${colours.get(id)}`;
  }

  /** Whether a run has all words of the filter in its name, environment, program or settings. */
  function fits(run) {
    const settings = Object.entries(run.config ?? {}).map(([key, value]) => `${key}=${value}`);
    const text = [run.name, run.env, run.program, stateOf(run), ...settings].join(" ").toLowerCase();
    return filter.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  }

  /** Returns the rows, each group after a heading. */
  function grouped(runs) {
    if (!group.value) return runs.map((run) => items.get(run.id).row);
    const groups = new Map();
    for (const run of runs) groups.set(run[group.value], [...(groups.get(run[group.value]) ?? []), run]);
    return [...groups].flatMap(([name, those]) => {
      if (!headings.has(name)) headings.set(name, el("li", { class: "group-name" }));
      setText(headings.get(name), `${name} (${those.length})`);
      return [headings.get(name), ...those.map((run) => items.get(run.id).row)];
    });
  }

  function paint() {
    const sorted = [...known.values()].filter(fits).sort((a, b) => (a.id < b.id ? 1 : -1));
    nothing.hidden = sorted.length > 0;
    setText(nothing, known.size ? "No run fits." : "No run yet: a program that calls palaestra.studio.watch writes one.");
    for (const run of sorted) {
      if (!items.has(run.id)) items.set(run.id, item(run.id));
      const one = items.get(run.id);
      one.box.checked = chosen.has(run.id);
      one.box.style.accentColor = chosen.has(run.id) ? `var(${colourOf(run.id)})` : "";
      one.pick.setAttribute("aria-current", String(run.id === focused));
      one.row.dataset.state = run.id === focused ? "here" : "";
      setText(one.name, run.name);
      setText(one.facts, brief(run.mean));
      setText(one.state, `${began(run)} · ${span(run.t)} · ${stateOf(run)}`);
    }
    const rows = grouped(sorted);
    if (rows.length !== list.children.length || rows.some((row, k) => list.children[k] !== row)) list.replaceChildren(...rows);
  }

  return {
    update(news, folder) {
      for (const run of news) known.set(run.id, run);
      setText(place, folder ? `${folder}/` : "");
      const latest = [...known.keys()].sort().at(-1);
      if (!touched && latest && focused !== latest) { // a training that has just begun is what one wants to see
        chosen.clear();
        chosen.add(latest);
        focused = latest;
      }
      paint();
    },
    shown: () => [...chosen].sort(),
    focus: () => known.get(focused) ?? null,
    name: (id) => known.get(id)?.name ?? id,
    colour: colourOf,
    refresh: paint,
  };
}
