// Curves of several runs over steps or time: returns, lengths, rates, and one's own numbers.

import uPlot from "./vendor/uPlot.esm.js";
import { brief, el, setText } from "./dom.js";

const AXES = [["steps", "Steps"], ["t", "Time"]];
const HEIGHT = 168;
const quantile = (name, k) => (row) => row[name]?.[k] ?? null;
const rate = (row, before) => (row.t > before.t ? Math.max(0, row.steps - before.steps) / (row.t - before.t) : null);
const own = (name) => (row) => row.own?.[name] ?? null;

/** Each chart: its name, the line of each run, and for the run in focus a band, best and worst. */
const FIXED = [
  { name: "Return", note: "last 100 · 10–90 % · extremes", line: (row) => row.mean ?? null,
    band: [quantile("returns", 3), quantile("returns", 5)], ends: [quantile("returns", 2), quantile("returns", 6)] },
  { name: "Episode length", note: "mean · 10–90 %", line: quantile("lengths", 1), band: [quantile("lengths", 3), quantile("lengths", 5)], ends: [] },
  { name: "Steps per second", note: "all environments", line: rate, band: [], ends: [] },
];

class Curve {
  constructor({ name, note, line, band, ends }, sync) {
    Object.assign(this, { name, line, band, ends, sync });
    this.readouts = el("div", { class: "readouts" });
    this.plot = el("div", { class: "curve-plot", "aria-hidden": "true" });
    this.card = el("article", { class: "curve", "aria-label": name },
      el("header", {}, el("h3", {}, name), el("p", { class: "note" }, note ?? ""), this.readouts), this.plot);
    this.outputs = new Map();
  }

  draw(runs, focus, axis) {
    if (!this.plot.clientWidth) return;
    const tables = [];
    const series = [{}];
    const bands = [];
    const colour = (name) => getComputedStyle(this.card).getPropertyValue(name).trim();
    for (const run of runs) {
      const rows = run.rows;
      const column = (read) => rows.map((row, k) => read(row, rows[k - 1] ?? { t: 0, steps: 0 }));
      const table = [rows.map((row) => row[axis])];
      const stroke = colour(run.colour);
      if (run.id === focus && this.band.length) {
        table.push(column(this.band[1]), column(this.band[0]));
        series.push({ stroke: "transparent", points: { show: false } }, { stroke: "transparent", points: { show: false } });
        bands.push({ series: [series.length - 2, series.length - 1], fill: `${stroke}2e` });
        for (const end of this.ends) {
          table.push(column(end));
          series.push({ stroke, width: 0.75, dash: [2, 3], alpha: 0.7, points: { show: false } });
        }
      }
      table.push(column(this.line));
      series.push({ stroke, width: 1.5, points: { show: rows.length < 3, size: 4 }, run: run.id });
      tables.push(table);
    }
    for (const one of series) one.spanGaps = true;
    const data = tables.length ? uPlot.join(tables) : [[]];
    const form = JSON.stringify([series.map(({ stroke, run, points }) => [stroke, run, points?.show]), axis, this.plot.clientWidth]);
    if (this.uplot && this.form === form) this.uplot.setData(data);
    else this.make(series, bands, data, axis, colour);
    this.form = form;
    this.tell(runs);
  }

  make(series, bands, data, axis, colour) {
    this.uplot?.destroy();
    const style = { stroke: colour("--muted"), font: "11px system-ui, sans-serif", grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
    const units = (value) => (Math.abs(value) >= 1e9 ? `${value / 1e9}G` : Math.abs(value) >= 1e6 ? `${value / 1e6}M` : Math.abs(value) >= 1e4 ? `${value / 1e3}k` : brief(value));
    const label = (_, values) => values.map((value) => (value === null ? "" : axis === "t" ? clock(value) : units(value)));
    this.uplot = new uPlot({
      width: this.plot.clientWidth, height: HEIGHT, padding: [6, 20, 0, 0], legend: { show: false }, series, bands,
      cursor: { sync: { key: this.sync }, y: false, drag: { x: true, y: false, setScale: true }, points: { size: 5 } },
      scales: { x: { time: false }, y: { range: (_, low, high) => (low === null ? [0, 1] : low === high ? [low - 1, high + 1] : uPlot.rangeNum(low, high, 0.06, false)) } },
      axes: [{ ...style, values: label, size: 22, gap: 2, space: 64 }, { ...style, values: (_, values) => values.map((value) => (value === null ? "" : units(value))), size: 46, gap: 4, space: 30 }],
      hooks: { setCursor: [() => this.runs && this.tell(this.runs)] },
    }, data, this.plot);
  }

  /** Shows the value of each run under the cursor, or its last one. */
  tell(runs) {
    this.runs = runs;
    const shown = runs.map((run) => run.id).join();
    if (this.told !== shown) {
      this.told = shown;
      this.outputs = new Map(runs.map((run) => [run.id, el("output", { class: "readout", "aria-label": `${this.name} of ${run.name}` })]));
      this.readouts.replaceChildren(...this.outputs.values());
    }
    const at = this.uplot?.cursor.idx;
    this.uplot?.series.forEach(({ run }, k) => {
      if (!this.outputs.has(run)) return;
      const values = this.uplot.data[k];
      let value = at === null || at === undefined ? null : values[at];
      for (let j = (at ?? values.length) - 1; j >= 0 && (value === null || value === undefined); j--) value = values[j];
      setText(this.outputs.get(run), brief(value, 5));
      this.outputs.get(run).style.color = `var(${runs.find((one) => one.id === run).colour})`;
    });
  }
}

const clock = (seconds) => (seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Number((seconds / 60).toFixed(1))} min` : `${Number((seconds / 3600).toFixed(1))} h`);

export function createCurves(root) {
  let axis = "steps";
  let state = null;
  const curves = new Map();
  const grid = el("div", { class: "curve-grid" });
  const choice = el("fieldset", { class: "segments" }, el("legend", { class: "hidden" }, "Over"), ...AXES.map(([value, label]) =>
    el("label", {}, el("input", { type: "radio", name: "axis", value, checked: value === axis, onchange: () => {
      axis = value;
      draw();
    } }), el("span", {}, label))));
  root.replaceChildren(el("div", { class: "heading" }, el("h2", {}, "Curves"), choice), grid);
  new ResizeObserver(() => draw()).observe(grid);

  function draw() {
    if (!state) return;
    const names = new Set(state.runs.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row.own ?? {}))));
    const wanted = [...FIXED, ...[...names].sort().map((name) => ({ key: `own ${name}`, name, line: own(name), band: [], ends: [] }))];
    for (const one of wanted) {
      const key = one.key ?? one.name;
      if (curves.has(key)) continue;
      curves.set(key, new Curve(one, "training"));
      grid.append(curves.get(key).card);
    }
    for (const [key, curve] of curves) {
      curve.card.hidden = !wanted.some((one) => (one.key ?? one.name) === key);
      if (!curve.card.hidden) curve.draw(state.runs, state.focus, axis);
    }
  }

  return {
    update(runs, focus) {
      state = { runs, focus };
      draw();
    },
    refresh() {
      for (const curve of curves.values()) curve.form = null;
      draw();
    },
  };
}
