// Each number as a chart over the episode: reward, return, the observation, and numbers in info.

import uPlot from "./vendor/uPlot.esm.js";
import { createChartWindow } from "./chart_window.js";
import { breakable, el, icon, setText, short } from "./dom.js";
import { around, axes, colours } from "./plots.js";

const FIRST = 32; // charts before "show all"
const FEW = 9; // charts, up to which each may be taller
const FEWEST = 20; // steps that the width stands for at least

const read = {
  reward: (row) => row[0],
  return: (row) => row[1],
  observation: (k) => (row) => row[4]?.[k] ?? null,
  info: (key) => (row) => (typeof row[5]?.[key] === "number" ? row[5][key] : null),
};

class Chart {
  /** `words` are the name without what needs no room beside a chart. */
  constructor(name, unit, value, { seek, enlarge }, words = name) {
    Object.assign(this, { name, unit, value });
    this.readout = el("output", { class: "readout", "aria-label": `${name} now` });
    this.other = el("output", { class: "readout other", "aria-label": `${name} of the other branch`, hidden: true });
    this.range = el("span", { class: "range", title: "lowest and highest value" });
    this.plot = el("div", { class: "plot", "aria-hidden": "true" });
    this.plot.onclick = (event) => this.uplot && seek(Math.round(this.uplot.posToVal(event.clientX - this.uplot.over.getBoundingClientRect().left, "x")));
    this.row = el("div", { class: "chart", role: "listitem" },
      el("div", { class: "label" }, el("span", { title: name }, ...breakable(words)), unit ? el("i", {}, unit) : null, this.range),
      el("div", { class: "now" }, this.readout, this.other), this.plot,
      el("button", { type: "button", class: "icon quiet", "aria-label": `Enlarge ${name}`, title: "Enlarge", onclick: () => enlarge(this) }, icon("enlarge")));
    this.row.chart = this;
    this.visible = false;
    this.at = 0;
  }

  draw({ status, rows, others }, large) {
    this.at = status.step;
    setText(this.readout, short(rows[status.step] ? this.value(rows[status.step]) : null));
    this.other.hidden = !others;
    if (others) setText(this.other, short(this.value(others[Math.min(status.step, others.length - 1)] ?? []) ?? null));
    if (!this.visible || !this.plot.clientWidth) return;
    const length = Math.max(rows.length, others?.length ?? 0, FEWEST + 1);
    const x = Array.from({ length }, (_, t) => t);
    const pad = (found) => x.map((t) => (t < found.length ? this.value(found[t]) : null));
    const data = others ? [x, pad(rows), pad(others)] : [x, pad(rows)];
    this.tellRange(data.slice(1));
    if (this.uplot && this.uplot.series.length !== data.length) this.forget();
    if (!this.uplot) this.uplot = new uPlot(this.options(data.length === 3, large), data, this.plot);
    else this.uplot.setData(data);
  }

  tellRange(lines) {
    let low = Infinity, high = -Infinity;
    for (const line of lines) for (const value of line) if (value !== null) [low, high] = [Math.min(low, value), Math.max(high, value)];
    setText(this.range, low < high ? `${short(low)} … ${short(high)}` : "");
  }

  options(both, large) {
    const colour = colours(this.row);
    const line = (name, dash) => ({ stroke: colour(name), width: 1.25, dash, points: { show: false }, spanGaps: false });
    const fit = (low, high) => (low === null ? [0, 1] : low === high ? around(low) : [low, high]);
    return {
      width: this.plot.clientWidth, height: this.plot.clientHeight, padding: large ? [6, 12, 0, 0] : [4, 2, 4, 2],
      legend: { show: false }, cursor: { show: false }, axes: large ? axes(colour) : [{ show: false }, { show: false }],
      scales: { x: { time: false }, y: { range: (_, low, high) => fit(low, high) } },
      series: [{}, line("--accent"), ...(both ? [line("--other", [3, 2])] : [])],
      hooks: { draw: [(u) => this.mark(u, colour("--text"))] },
    };
  }

  /** Marks the step looked at. */
  mark(u, colour) {
    const x = Math.round(u.valToPos(this.at, "x", true));
    u.ctx.save();
    u.ctx.globalAlpha = 0.5;
    u.ctx.fillStyle = colour;
    u.ctx.fillRect(x, u.bbox.top - 4, devicePixelRatio, u.bbox.height + 8);
    u.ctx.restore();
  }

  /** Returns what a window shows of it. */
  source(state) {
    const line = (name, colour, rows, dash) => ({ name, colour, dash, xs: rows.map((_, t) => t), ys: rows.map(this.value) });
    return { name: this.name, x: "step", y: this.unit || this.name, lines: () => {
      const { rows, others } = state();
      return [line(this.name, "--accent", rows), ...(others ? [line(`${this.name}, other branch`, "--other", others, [5, 3])] : [])];
    } };
  }

  forget() {
    this.uplot?.destroy();
    this.uplot = null;
  }
}

/** Returns a name without a remark in brackets at its end, which its tooltip shows. */
function bare(name) {
  return name.replace(/\s*\([^()]*\)$/, "") || name;
}

/** The charts stand in `side`, or fill `ground` where an environment draws no pictures. */
export function createCharts(side, ground, seek) {
  let charts = [];
  let known = "";
  let every = false;
  let tracks = [];
  let state = null;
  let large = false;
  const list = el("div", { class: "charts", role: "list" });
  const more = el("button", { type: "button", class: "quiet wide", hidden: true, onclick: () => { every = true; known = ""; build(); paint(); } });
  const remark = el("p", { class: "note", hidden: true });
  const elsewhere = el("p", { class: "note", hidden: true }, "There are no pictures, so the values fill the space for them.");
  const parts = [remark, list, more];
  side.replaceChildren(elsewhere, ...parts);
  const enlarged = createChartWindow();
  const does = { seek, enlarge: (chart) => enlarged.open(chart.source(() => state)) };
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      target.chart.visible = isIntersecting;
      if (isIntersecting && state) target.chart.draw(state, large);
    }
  }, { rootMargin: "100px" });
  for (const place of [side, ground]) new ResizeObserver(() => refresh()).observe(place);

  function refresh() {
    for (const chart of charts) chart.forget();
    paint();
  }

  function build() {
    const infos = state ? Object.entries(state.rows.at(-1)?.[5] ?? {}).filter(([, value]) => typeof value === "number") : [];
    const names = infos.map(([key]) => key).join();
    if (known === `${tracks.length}/${names}/${every}` && charts.length) return;
    known = `${tracks.length}/${names}/${every}`;
    for (const chart of charts) chart.forget();
    seen.disconnect();
    const few = every ? tracks : tracks.slice(0, FIRST);
    const counts = new Map();
    for (const [name] of tracks) counts.set(bare(name), (counts.get(bare(name)) ?? 0) + 1);
    const isAlone = (name) => counts.get(name) === 1;
    charts = [
      new Chart("reward", "", read.reward, does),
      new Chart("return", "", read.return, does),
      ...few.map(([name, unit], k) => (/^[\d,]+$/.test(name)
        ? new Chart(`observation ${name}`, unit, read.observation(k), does)
        : new Chart(name, unit, read.observation(k), does, isAlone(bare(name)) ? bare(name) : name))),
      ...infos.map(([key]) => new Chart(`${key} (info)`, "", read.info(key), does, `${key} (info)`)),
    ];
    list.classList.toggle("roomy", charts.length <= FEW);
    list.replaceChildren(...charts.map((chart) => chart.row));
    for (const chart of charts) seen.observe(chart.row);
    more.hidden = few.length === tracks.length;
    setText(more, `Show all ${tracks.length} components`);
  }

  function paint() {
    if (!state) return;
    for (const chart of charts) chart.draw(state, large);
    enlarged.update();
  }

  return {
    refresh,
    /** Whether the charts fill the ground. */
    fill(now) {
      if (now === large) return;
      large = now;
      elsewhere.hidden = !large;
      (large ? ground : side).append(...parts);
      refresh();
    },
    environment(description) {
      tracks = description.observation.tracks;
      known = "";
      every = false;
      state = null;
      remark.hidden = tracks.length > 0;
      setText(remark, `The observation, ${description.observation.space}, is no short list of numbers.`);
    },
    update(status, rows, others) {
      state = { status, rows, others };
      build();
      paint();
    },
  };
}
