// What all charts share: axes, scales, smoothing, and tables for other programs.

import uPlot from "./vendor/uPlot.esm.js";
import { brief } from "./dom.js";

const clock = (seconds) => (seconds < 120 ? `${brief(seconds, 3)} s` : seconds < 7200 ? `${Number((seconds / 60).toFixed(1))} min` : `${Number((seconds / 3600).toFixed(1))} h`);
const size = (value) => (Math.abs(value) >= 1e9 ? `${value / 1e9}G` : Math.abs(value) >= 1e6 ? `${value / 1e6}M` : Math.abs(value) >= 1e4 ? `${value / 1e3}k` : brief(value));
const LETTER = 6.5; // px
const longest = (values) => (values ?? []).reduce((most, text) => Math.max(most, text.length), 0);
const labels = (write) => (_, values) => values.map((value) => (value === null ? "" : write(value)));

/** Returns a reader of the colours at an element. */
export function colours(element) {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(name).trim();
}

/** Returns the two axes of a plot, with these names; `xs` is "t" for times. */
export function axes(colour, { x = "", y = "", xs = "" } = {}) {
  const style = { stroke: colour("--muted"), font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif",
    labelSize: 16, labelGap: 0, grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  return [
    { ...style, label: x || null, values: labels(xs === "t" ? clock : size), size: 22, gap: 2, space: 64 },
    { ...style, label: y || null, values: labels(size), size: (_, values) => Math.max(40, 8 + LETTER * longest(values)), gap: 4, space: 30 },
  ];
}

/** Returns the scale of the values: logarithmic if asked for, and if some of them are positive. */
export function scale(tables, log) {
  if (log && tables.some((values) => values.some((value) => value > 0))) return { distr: 3, log: 10 };
  return { range: (_, low, high) => (low === null ? [0, 1] : low === high ? around(low) : uPlot.rangeNum(low, high, 0.06, false)) };
}

/** Returns a range in which a constant is seen. */
export function around(value) {
  const room = Math.abs(value) / 2 || 1;
  return [value - room, value + room];
}

/** Returns values without those that a logarithm cannot show. */
export const positive = (values) => values.map((value) => (value > 0 ? value : null));

/** Returns the moving mean, whose weights fall by this factor from each point to the one before. */
export function smooth(values, factor) {
  if (!factor) return values;
  let sum = 0;
  let weight = 0;
  return values.map((value) => {
    if (value === null || value === undefined) return value;
    sum = sum * factor + value;
    weight = weight * factor + 1;
    return sum / weight;
  });
}

/** Returns columns of numbers as the text of a table. */
export function csv(names, columns) {
  const quoted = (name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const rows = columns[0].map((_, k) => columns.map((column) => column[k] ?? "").join(","));
  return `${[names.map(quoted).join(","), ...rows].join("\n")}\n`;
}
