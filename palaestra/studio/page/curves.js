// Curves of several runs over steps or time: returns, lengths, rates, and one's own numbers.

import uPlot from "./vendor/uPlot.esm.js";
import { createChartWindow } from "./chart_window.js";
import { brief, el, icon, setText } from "./dom.js";
import { axes, colours, positive, scale, smooth } from "./plots.js";

const AXES = [["steps", "Steps"], ["t", "Time"]];
const HEIGHT = 176;
const HIDDEN = { stroke: "transparent", points: { show: false } };
const quantile = (name, k) => (row) => row[name]?.[k] ?? null;
const rate = (row, before) => (row.t > before.t ? Math.max(0, row.steps - before.steps) / (row.t - before.t) : null);
const own = (name) => (row) => row.own?.[name] ?? null;

/** A number of the last 100 returns; older runs have only those since the record before. */
const recent = (k) => (row) => row.recent ? row.recent[k] : row.returns?.[k + 1] ?? null;

/** Each chart: its name, the line of each run, and for the run in focus a band, lowest and highest, all of the same episodes. */
const FIXED = [
  { name: "Return", y: "return", note: "mean, 10–90 % and extremes of the last 100 episodes", line: recent(0), band: [recent(2), recent(4)], ends: [recent(1), recent(5)] },
  { name: "Episode length", y: "steps", note: "mean and 10–90 % since the last point", line: quantile("lengths", 1), band: [quantile("lengths", 3), quantile("lengths", 5)], ends: [] },
  { name: "Steps per second", y: "steps/s", note: "of all environments", line: rate, band: [], ends: [] },
];

class Curve {
  constructor({ name, y, note, line, band, ends }, sync, enlarge) {
    Object.assign(this, { name, y, line, band, ends, sync });
    this.readouts = el("div", { class: "readouts" });
    this.plot = el("div", { class: "curve-plot", "aria-hidden": "true" });
    this.card = el("article", { class: "curve", "aria-label": name },
      el("header", {}, el("h3", {}, name), el("p", { class: "note", title: note }, note ?? ""), this.readouts,
        el("button", { type: "button", class: "icon quiet", "aria-label": `Enlarge ${name}`, title: "Enlarge, smooth, save", onclick: () => enlarge(this) }, icon("enlarge"))),
      this.plot);
    this.outputs = new Map();
  }

  /** Returns a run's values by a reader of its rows. */
  column(run, read) {
    return run.rows.map((row, k) => read(row, run.rows[k - 1] ?? { t: 0, steps: 0 }));
  }

  draw(runs, focus, { axis, smoothing, log }) {
    if (!this.plot.clientWidth) return;
    const tables = [];
    const series = [{}];
    const bands = [];
    const colour = colours(this.card);
    const seen = log ? positive : (values) => values;
    for (const run of runs) {
      const column = (read) => seen(this.column(run, read));
      const table = [run.rows.map((row) => row[axis])];
      const stroke = colour(run.colour);
      if (run.id === focus && this.band.length && !smoothing) {
        table.push(column(this.band[1]), column(this.band[0]));
        series.push(HIDDEN, HIDDEN);
        bands.push({ series: [series.length - 2, series.length - 1], fill: `${stroke}2e` });
        for (const end of this.ends) {
          table.push(column(end));
          series.push({ stroke, width: 0.75, dash: [2, 3], alpha: 0.7, points: { show: false } });
        }
      }
      table.push(seen(smooth(this.column(run, this.line), smoothing)));
      series.push({ stroke, width: 1.5, points: { show: run.rows.length < 3, size: 4 }, run: run.id });
      tables.push(table);
    }
    const data = tables.length ? uPlot.join(tables) : [[]];
    const form = JSON.stringify([series.map(({ stroke, run, points }) => [stroke, run, points?.show]), axis, log, this.plot.clientWidth]);
    if (this.uplot && this.form === form) this.uplot.setData(data);
    else this.make(series.map((one) => ({ ...one, spanGaps: true })), bands, data, axis, log, colour);
    this.form = form;
    this.tell(runs);
  }

  make(series, bands, data, axis, log, colour) {
    this.uplot?.destroy();
    this.runOf = series.map(({ run }) => run);
    this.uplot = new uPlot({
      width: this.plot.clientWidth, height: HEIGHT, padding: [6, 20, 0, 0], legend: { show: false }, series, bands,
      cursor: { sync: { key: this.sync }, y: false, drag: { x: true, y: false, setScale: true }, points: { size: 5 } },
      scales: { x: { time: false }, y: scale(data.slice(1), log) },
      axes: axes(colour, { x: axis === "t" ? "time" : "steps", y: this.y ?? this.name, xs: axis }),
      hooks: { setCursor: [() => this.runs && this.tell(this.runs)] },
    }, data, this.plot);
  }

  /** Returns what a window shows of it. */
  source(state, axis) {
    return { name: this.name, x: axis === "t" ? "seconds" : "steps", y: this.y ?? this.name, xs: axis,
      lines: () => state().runs.map((run) => ({ name: run.name, colour: run.colour, xs: run.rows.map((row) => row[axis]), ys: this.column(run, this.line) })) };
  }

  /** Shows the value of each run under the cursor, or its last one. */
  tell(runs) {
    this.runs = runs;
    const shown = runs.map((run) => run.id).join();
    if (this.told !== shown) {
      this.told = shown;
      this.outputs = new Map(runs.map((run) => [run.id, el("output", { class: "readout", title: run.name, "aria-label": `${this.name} of ${run.name}` })]));
      this.readouts.replaceChildren(...this.outputs.values());
    }
    const at = this.uplot?.cursor.idx;
    this.runOf?.forEach((run, k) => {
      if (!this.outputs.has(run)) return;
      const values = this.uplot.data[k];
      let value = at === null || at === undefined ? null : values[at];
      for (let j = (at ?? values.length) - 1; j >= 0 && (value === null || value === undefined); j--) value = values[j];
      setText(this.outputs.get(run), brief(value, 5));
      this.outputs.get(run).style.color = `var(${runs.find((one) => one.id === run).colour})`;
    });
  }
}

export function createCurves(root) {
  const view = { axis: "steps", smoothing: 0, log: false };
  let state = null;
  const curves = new Map();
  const enlarged = createChartWindow();
  const grid = el("div", { class: "curve-grid" });
  const choice = el("fieldset", { class: "segments" }, el("legend", { class: "hidden" }, "Over"), ...AXES.map(([value, label]) =>
    el("label", {}, el("input", { type: "radio", name: "axis", value, checked: value === view.axis, onchange: () => change({ axis: value }) }), el("span", {}, label))));
  const smoothing = el("input", { type: "range", id: "smoothing", min: 0, max: 0.99, step: 0.01, value: 0, oninput: () => change({ smoothing: Number(smoothing.value) }) });
  const log = el("input", { type: "checkbox", id: "log", onchange: () => change({ log: log.checked }) });
  root.replaceChildren(el("div", { class: "heading" }, el("h2", {}, "Curves"),
    el("label", { class: "check", for: "smoothing" }, "Smoothing", smoothing), el("label", { class: "check", for: "log" }, log, "Logarithmic"), choice), grid);
  new ResizeObserver(() => draw()).observe(grid);

  function change(now) {
    Object.assign(view, now);
    draw();
  }

  function draw() {
    if (!state) return;
    const names = new Set(state.runs.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row.own ?? {}))));
    const wanted = [...FIXED, ...[...names].sort().map((name) => ({ key: `own ${name}`, name, line: own(name), band: [], ends: [] }))];
    for (const one of wanted) {
      const key = one.key ?? one.name;
      if (curves.has(key)) continue;
      curves.set(key, new Curve(one, "training", (curve) => enlarged.open(curve.source(() => state, view.axis), view)));
      grid.append(curves.get(key).card);
    }
    for (const [key, curve] of curves) {
      curve.card.hidden = !wanted.some((one) => (one.key ?? one.name) === key);
      if (!curve.card.hidden) curve.draw(state.runs, state.focus, view);
    }
    enlarged.update();
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
