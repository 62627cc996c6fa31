// Details of the run in focus: its sums, where the time goes, the distribution of returns, and what wrappers count.

import { brief, el, fill, setText } from "./dom.js";
import { span, stateOf } from "./runs.js";

const PARTS = ["environments", "policy", "environments and policy, as one program", "learning"];
const LATEST = 20; // records of the bar

function facts(entries) {
  return entries.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]);
}

function written(value) {
  return Array.isArray(value) ? value.map((one) => brief(one, 3)).join("  ") : brief(value);
}

export function createPanels(root) {
  const sums = el("dl", { class: "facts" });
  const bar = el("div", { class: "parts", "aria-hidden": "true" }, ...PARTS.map((_, k) => el("span", { class: `part-${k}` })));
  const shares = PARTS.map(() => el("output", { class: "readout" }));
  const legend = el("ul", { class: "legend" }, ...PARTS.map((name, k) => el("li", {}, el("i", { class: `part-${k}` }), el("span", {}, name), shares[k])));
  const bins = el("div", { class: "bins", role: "img" });
  const edges = el("div", { class: "edges" }, el("span", { class: "readout" }), el("span", { class: "readout" }));
  const wrappers = el("div", {});
  const config = el("dl", { class: "facts" });
  const parts = {
    config: el("div", {}, el("h2", {}, "Settings"), config),
    time: el("div", {}, el("h2", {}, "Where the time goes"), bar, legend),
    returns: el("div", {}, el("h2", {}, "The last 100 returns"), bins, edges),
    wrappers: el("div", {}, el("h2", {}, "Wrappers"), wrappers),
  };
  root.replaceChildren(sums, ...Object.values(parts));

  function total(rows, from) {
    return PARTS.map((_, k) => rows.slice(from).reduce((sum, row) => sum + (row.spent?.[k] ?? 0), 0));
  }

  function showTime(rows) {
    const spent = total(rows, -LATEST);
    const all = spent.reduce((a, b) => a + b, 0);
    parts.time.hidden = !all;
    spent.forEach((seconds, k) => {
      bar.children[k].style.width = `${(100 * seconds) / (all || 1)}%`;
      legend.children[k].hidden = !seconds;
      setText(shares[k], `${Math.round((100 * seconds) / (all || 1))} %`);
    });
  }

  function showReturns(histogram) {
    parts.returns.hidden = !histogram;
    if (!histogram) return;
    const [low, high, counts] = histogram[0] === histogram[1] ? [histogram[0], histogram[1], [1]] : histogram;
    const most = Math.max(...counts);
    if (bins.children.length !== counts.length) bins.replaceChildren(...counts.map(() => el("span", {})));
    counts.forEach((count, k) => (bins.children[k].style.height = `${(100 * count) / most}%`));
    bins.setAttribute("aria-label", `Histogram of returns from ${brief(low)} to ${brief(high)}`);
    setText(edges.firstChild, low === high ? `all ${brief(low)}` : brief(low));
    setText(edges.lastChild, low === high ? "" : brief(high));
  }

  return {
    update(focus, rows) {
      root.hidden = !focus;
      if (!focus) return;
      const last = rows.at(-1) ?? {};
      const returns = rows.map((row) => row.returns).filter(Boolean);
      const best = Math.max(...returns.map((one) => one[6] ?? -Infinity));
      const worst = Math.min(...returns.map((one) => one[2] ?? Infinity));
      sums.replaceChildren(...facts([
        ["run", focus.name],
        ["state", stateOf(focus)],
        ["time", span(last.t)],
        ["steps", (last.steps ?? 0).toLocaleString("en")],
        ["episodes", (last.episodes ?? 0).toLocaleString("en")],
        ["best return", Number.isFinite(best) ? brief(best) : "–"],
        ["worst return", Number.isFinite(worst) ? brief(worst) : "–"],
        ["made of", focus.made_of ?? ""],
        ["program", focus.program ?? ""],
      ]));
      const settings = Object.entries(focus.config ?? {});
      parts.config.hidden = settings.length === 0;
      fill(config, ...facts(settings.map(([name, value]) => [name, String(value)])));
      showTime(rows);
      showReturns(last.histogram);
      const counted = Object.entries(last.wrappers ?? {});
      parts.wrappers.hidden = counted.length === 0;
      wrappers.replaceChildren(...counted.flatMap(([name, numbers]) =>
        [el("h3", {}, name), el("dl", { class: "facts" }, ...facts(Object.entries(numbers).map(([key, value]) => [key, written(value)])))]));
    },
  };
}
