// One chart in a window of its own: with axes, zoom, smoothing, a logarithmic scale, and files to take away.

import uPlot from "./vendor/uPlot.esm.js";
import { download, el, fill, setText, short } from "./dom.js";
import { axes, colours, csv, positive, scale, smooth } from "./plots.js";

const LINE = { points: { show: false }, spanGaps: true };

/** A dialog; `open` takes `{ name, x, y, xs, lines }`, where `lines()` returns `[{ name, colour, xs, ys, dash }]`. */
export function createChartWindow() {
  let source = null;
  let plot = null;
  let form = "";
  const title = el("h2", { id: "chart-title" });
  const legend = el("div", { class: "readouts" });
  const ground = el("div", { class: "chart-ground", role: "img", "aria-labelledby": "chart-title" });
  const factor = el("input", { type: "range", id: "window-smooth", min: 0, max: 0.99, step: 0.01, value: 0, oninput: () => draw() });
  const log = el("input", { type: "checkbox", id: "window-log", onchange: () => draw() });
  const button = (label, onclick) => el("button", { type: "button", onclick }, label);
  const dialog = el("dialog", { class: "chart-window", "aria-labelledby": "chart-title", onclose: () => { forget(); dialog.remove(); } },
    el("header", {}, title, legend),
    ground,
    el("footer", {},
      el("label", { class: "check", for: "window-smooth" }, "Smoothing", factor),
      el("label", { class: "check", for: "window-log" }, log, "Logarithmic"),
      el("span", { class: "note" }, "Drag to zoom, double-click to see all."),
      button("CSV", () => download(`${file()}.csv`, new Blob([table()], { type: "text/csv" }))),
      button("PNG", () => picture((blob) => download(`${file()}.png`, blob))),
      button("Close", () => dialog.close())));
  new ResizeObserver(() => draw()).observe(ground);

  const file = () => source.name.replace(/[^\w.-]+/g, "_");
  const joined = (lines) => uPlot.join(lines.map(({ xs, ys }) => [xs, ys]));

  function table() {
    const lines = source.lines();
    return csv([source.x, ...lines.map(({ name }) => name)], joined(lines));
  }

  /** Draws ground and plot into one picture. */
  function picture(then) {
    const drawn = plot.root.querySelector("canvas");
    const canvas = el("canvas", { width: drawn.width, height: drawn.height });
    const context = canvas.getContext("2d");
    context.fillStyle = colours(dialog)("--panel");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(drawn, 0, 0);
    canvas.toBlob(then);
  }

  function forget() {
    plot?.destroy();
    plot = null;
    form = "";
  }

  function draw() {
    if (!dialog.open || !ground.clientWidth) return;
    const lines = source.lines().filter(({ xs }) => xs.length);
    const weight = Number(factor.value);
    const shown = log.checked ? positive : (values) => values;
    const raw = weight ? lines.map((one) => ({ ...one, ys: shown(one.ys), faint: true })) : [];
    const all = [...raw, ...lines.map((one) => ({ ...one, ys: shown(smooth(one.ys, weight)) }))];
    const data = all.length ? joined(all) : [[]];
    const colour = colours(dialog);
    const now = JSON.stringify([all.map((one) => [one.name, one.colour, one.faint]), log.checked, ground.clientWidth, ground.clientHeight]);
    if (plot && form === now) {
      plot.setData(data, plot.scales.x.min === plot.data[0][0] && plot.scales.x.max === plot.data[0].at(-1)); // a zoom stays
      return tell(lines);
    }
    forget();
    form = now;
    const series = all.map(({ colour: name, dash, faint }) => ({ ...LINE, stroke: colour(name), dash, width: faint ? 1 : 2, alpha: faint ? 0.35 : 1 }));
    plot = new uPlot({
      width: ground.clientWidth, height: ground.clientHeight, padding: [8, 20, 0, 0], legend: { show: false },
      series: [{}, ...series], axes: axes(colour, source), scales: { x: { time: false }, y: scale(data.slice(1), log.checked) },
      cursor: { y: false, drag: { x: true, y: false, setScale: true } }, hooks: { setCursor: [() => tell(source.lines())] },
    }, data, ground);
    tell(lines);
  }

  /** Shows the value of each line under the cursor, or its last one. */
  function tell(lines) {
    const at = plot?.cursor.idx;
    const x = at === null || at === undefined ? null : plot.data[0][at];
    if (legend.children.length !== lines.length) fill(legend, ...lines.map(() => el("output", { class: "readout" })));
    lines.forEach(({ name, colour, xs, ys }, k) => {
      const place = x === null ? xs.length - 1 : xs.findLastIndex((one) => one <= x);
      setText(legend.children[k], `${name} ${short(ys[place])}`);
      legend.children[k].style.color = `var(${colour})`;
    });
  }

  return {
    open(found, options = {}) {
      source = found;
      setText(title, `${found.name}${found.y.toLowerCase() === found.name.toLowerCase() ? "" : ` (${found.y})`}`);
      factor.value = options.smoothing ?? 0;
      log.checked = options.log ?? false;
      if (!dialog.isConnected) document.body.append(dialog);
      dialog.showModal();
      draw();
    },
    update: draw,
  };
}
