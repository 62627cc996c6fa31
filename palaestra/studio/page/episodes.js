// The recorded episodes of a data set or a folder: a table, to be sorted, looked at, and compared side by side.

import { brief, el, setText } from "./dom.js";

const FIRST = 200; // rows before "show more"
const ENDS = ["unfinished", "terminated", "truncated", "terminated"];
const ORDERS = [["number", "Number"], ["return", "Return"], ["length", "Length"], ["end", "End"]];
const keys = { number: (k) => k, return: (_, row) => -(row[0] ?? -Infinity), length: (_, row) => -row[1], end: (_, row) => ENDS[row[3]] };
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** Returns a sentence about all episodes. */
function statistics(rows) {
  if (!rows.length) return "";
  const totals = rows.map(([total]) => total).filter((total) => total !== null);
  const lengths = rows.map(([, length]) => length);
  const ends = ENDS.slice(0, 3).map((end) => [end, rows.filter((row) => ENDS[row[3]] === end).length]).filter(([, count]) => count);
  const returns = totals.length ? `return ${brief(mean(totals))} on average (${brief(least(totals))} to ${brief(most(totals))}), ` : "";
  return `${rows.length.toLocaleString("en")} episodes: ${returns}${brief(mean(lengths))} steps (${least(lengths)} to ${most(lengths)}), ${ends.map(([end, count]) => `${count} ${end}`).join(", ")}.`;
}

export function createEpisodes(root, send) {
  const name = el("h2", { class: "set" });
  const remark = el("p", { class: "note" });
  const summary = el("p", { class: "note" });
  const order = el("select", { id: "order", "aria-label": "Order of the episodes", onchange: () => fill() }, ...ORDERS.map(([value, label]) => el("option", { value }, label)));
  const list = el("tbody", {});
  const heads = ["Episode", "Return", "Steps", "Seed", "End"].map((head) => el("th", { scope: "col" }, head));
  const table = el("table", { class: "episodes" }, el("thead", {}, el("tr", {}, ...heads, el("td", {}))), list);
  const more = el("button", { type: "button", class: "wide", onclick: () => {
    shown = Infinity;
    fill();
  } });
  root.replaceChildren(el("div", { class: "heading" }, name, el("label", { class: "check", for: "order" }, "By", order)), summary, remark, table, more);
  let rows = [];
  let items = new Map();
  let shown = FIRST;
  let extremes = [0, 0];
  let status = null;

  function item(k) {
    const [total, length, seed, flags] = rows[k];
    const bar = el("span", { class: "bar-of" });
    const low = Math.min(0, ...extremes);
    const wide = Math.max(0, ...extremes) - low || 1;
    bar.style.left = `${(100 * (Math.min(0, total ?? 0) - low)) / wide}%`;
    bar.style.width = `${(100 * Math.abs(total ?? 0)) / wide}%`;
    const pick = el("button", { type: "button", class: "quiet", "aria-label": `Episode ${k}`, onclick: () => send("episode", { number: k, compare: false }) }, String(k));
    const compare = el("button", { type: "button", class: "quiet compare", "aria-label": `Compare with episode ${k}`, title: "Show it beside this one",
      onclick: () => {
        if (compare.getAttribute("aria-pressed") === "true") send("compare", { branch: null });
        else send("episode", { number: k, compare: true });
      } }, "Compare");
    const number = el("td", { class: "return" }, el("span", {}, brief(total, 5)), el("span", { class: "lane", "aria-hidden": "true" }, bar));
    const row = el("tr", {}, el("th", { scope: "row" }, pick), number, el("td", {}, length.toLocaleString("en")),
      el("td", { class: "seed-of", title: seed === null ? "begun without a seed" : String(seed) }, seed === null ? "–" : String(seed)), el("td", { class: "end" }, ENDS[flags]), el("td", {}, compare));
    return { row, pick, compare };
  }

  function fill() {
    const key = keys[order.value];
    const by = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    const sorted = rows.map((_, k) => k).sort((a, b) => by(key(a, rows[a]), key(b, rows[b])) || a - b);
    items = new Map(sorted.slice(0, shown).map((k) => [k, items.get(k) ?? item(k)]));
    list.replaceChildren(...[...items.values()].map((one) => one.row));
    more.hidden = sorted.length <= shown;
    setText(more, `Show all ${sorted.length.toLocaleString("en")}`);
    if (status) mark();
  }

  function mark() {
    const episodes = new Map(status.branches.map((branch) => [branch[0], branch[7]]));
    const [here, other] = [episodes.get(status.branch), episodes.get(status.compared)];
    for (const [k, one] of items) {
      one.row.dataset.state = k === here ? "here" : k === other ? "compared" : "";
      one.pick.setAttribute("aria-current", String(k === here));
      one.compare.setAttribute("aria-pressed", String(k === other));
      one.compare.disabled = k === here;
    }
  }

  return {
    environment(description) {
      const found = description.episodes;
      rows = found?.rows ?? [];
      const totals = rows.map(([total]) => total ?? 0);
      extremes = [totals.reduce((a, b) => Math.min(a, b), 0), totals.reduce((a, b) => Math.max(a, b), 0)];
      items = new Map();
      shown = FIRST;
      setText(name, found ? `${found.name}` : "");
      remark.hidden = !found?.remark;
      setText(remark, found?.remark ?? "");
      setText(summary, statistics(rows));
      fill();
    },
    update(now) {
      status = now;
      mark();
    },
  };
}
