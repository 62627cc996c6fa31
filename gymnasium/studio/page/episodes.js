// The recorded episodes of a data set or a folder: sorted, looked at, and compared side by side.

import { brief, el, icon, setText } from "./dom.js";

const FIRST = 200; // rows before "show more"
const ENDS = ["", "terminated", "truncated", "terminated"];
const ORDERS = [["number", "Number"], ["return", "Return"], ["length", "Length"]];
const keys = { number: (k) => k, return: (_, row) => -(row[0] ?? -Infinity), length: (_, row) => -row[1] };

export function createEpisodes(root, send) {
  const name = el("h2", { class: "set" });
  const remark = el("p", { class: "note" });
  const order = el("select", { id: "order", "aria-label": "Order of the episodes", onchange: () => fill() }, ...ORDERS.map(([value, label]) => el("option", { value }, label)));
  const list = el("ol", { class: "episodes" });
  const more = el("button", { type: "button", class: "wide", onclick: () => {
    most = Infinity;
    fill();
  } });
  root.replaceChildren(el("div", { class: "heading" }, name, el("label", { class: "check", for: "order" }, "By", order)), remark, list, more);
  let rows = [];
  let items = new Map();
  let most = FIRST;

  function item(k) {
    const [total, length, seed, flags] = rows[k];
    const bar = el("span", { class: "bar-of" });
    const low = Math.min(0, ...extremes);
    const wide = Math.max(0, ...extremes) - low || 1;
    bar.style.left = `${(100 * (Math.min(0, total ?? 0) - low)) / wide}%`;
    bar.style.width = `${(100 * Math.abs(total ?? 0)) / wide}%`;
    const pick = el("button", { type: "button", class: "pick", title: seed === null ? "begun without a seed" : `seed ${seed}`,
      onclick: () => send("episode", { number: k, compare: false }) },
    el("span", { class: "name" }, `Episode ${k}`), el("span", { class: "lane" }, bar),
    el("span", { class: "facts" }, `${brief(total, 5)} · ${length}`), el("span", { class: "hidden" }, `return, steps, ${ENDS[flags]}`));
    const compare = el("button", { type: "button", class: "icon quiet", "aria-label": `Compare with episode ${k}`, title: "Compare",
      onclick: () => {
        if (compare.getAttribute("aria-pressed") === "true") send("compare", { branch: null });
        else send("episode", { number: k, compare: true });
      } }, icon("compare"));
    return { item: el("li", {}, pick, compare), pick, compare };
  }

  let extremes = [0, 0];

  function fill() {
    const key = keys[order.value];
    const sorted = rows.map((_, k) => k).sort((a, b) => key(a, rows[a]) - key(b, rows[b]) || a - b);
    items = new Map(sorted.slice(0, most).map((k) => [k, items.get(k) ?? item(k)]));
    list.replaceChildren(...[...items.values()].map((one) => one.item));
    more.hidden = sorted.length <= most;
    setText(more, `Show all ${sorted.length.toLocaleString("en")}`);
    if (status) mark();
  }

  let status = null;

  function mark() {
    const episodes = new Map(status.branches.map((branch) => [branch[0], branch[7]]));
    const [here, other] = [episodes.get(status.branch), episodes.get(status.compared)];
    for (const [k, one] of items) {
      one.item.dataset.state = k === here ? "here" : k === other ? "compared" : "";
      one.pick.setAttribute("aria-current", String(k === here));
      one.compare.setAttribute("aria-pressed", String(k === other));
      one.compare.disabled = k === here;
    }
  }

  return {
    environment(description) {
      const found = description?.episodes;
      rows = found?.rows ?? [];
      const totals = rows.map(([total]) => total ?? 0);
      extremes = [totals.reduce((a, b) => Math.min(a, b), 0), totals.reduce((a, b) => Math.max(a, b), 0)];
      items = new Map();
      most = FIRST;
      setText(name, found ? `${found.name}` : "");
      remark.hidden = !found?.remark;
      setText(remark, found?.remark ?? "");
      fill();
    },
    update(now) {
      status = now;
      mark();
    },
  };
}
