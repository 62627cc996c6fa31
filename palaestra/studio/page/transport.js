// Playing, stepping, and the timeline of rewards that is dragged to any step.

import { el, icon, setText, short } from "./dom.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 0];
const ROOM = 0.7; // of the height, for the rewards
const RECORDS = {
  verified: ["recorded · verified", "These steps were recorded. Repeated here, each came out the same."],
  differs: ["recorded · differs", "These steps were recorded. Repeated here, some came out otherwise."],
  values: ["recorded", "These steps were recorded. They cannot be repeated here, and so are not verified."],
};
const ENDS = ["", "terminated", "truncated", "terminated, truncated"];

const SECOND = { k: [" ", "space"], j: ["ArrowLeft", "←"], l: ["ArrowRight", "→"] }; // keys, where they are no actions

const button = (name, label, key, onclick) =>
  el("button", { type: "button", class: "icon quiet", "aria-label": label, title: `${label} (${key})`, "data-key": key, onclick }, icon(name));

export function createTransport(root, send) {
  let state = { status: null, rows: [] };
  let dragging = false;
  let taken = new Set(); // keys that act in the environment
  const seek = (step) => send("seek", { step: Math.max(0, step) });
  const toggle = () => send(state.status?.playing ? "pause" : "play");
  const play = button("play", "Play", "k", toggle);
  play.classList.add("primary");
  play.classList.remove("quiet");
  const speed = el(
    "select",
    { "aria-label": "Speed", onchange: () => send("speed", { value: Number(speed.value) }) },
    ...SPEEDS.map((value) => el("option", { value }, value ? `${value}×` : "fastest")),
  );
  const loop = el("input", { type: "checkbox", id: "loop", onchange: () => send("loop", { value: loop.checked }) });
  const fork = el("button", { type: "button", class: "fork", onclick: () => send("fork") }, icon("fork"), "Go on from here");
  const step = el("output", { class: "readout", "aria-label": "Step" });
  const total = el("output", { class: "readout", "aria-label": "Return" });
  const end = el("span", { class: "chip", role: "status", hidden: true });
  const record = el("span", { class: "chip record", hidden: true });
  const cursor = el("input", {
    type: "range", min: 0, max: 1, value: 0, class: "cursor", "aria-label": "Step of the episode",
    oninput: () => seek(Number(cursor.value)),
    onpointerdown: () => (dragging = true),
    onpointerup: () => (dragging = false),
    onblur: () => (dragging = false),
  });
  const strip = el("canvas", { class: "strip", "aria-hidden": "true" });
  root.replaceChildren(
    el("div", { class: "timeline" }, strip, cursor),
    el(
      "div", { class: "controls" },
      el(
        "div", { class: "group" },
        button("first", "To the beginning", "Home", () => seek(0)),
        button("back", "One step back", "j", () => seek(state.status.step - 1)),
        play,
        button("next", "One step", "l", () => send("next")),
        button("last", "To the end", "End", () => seek(1e9)),
      ),
      speed,
      el("label", { class: "check", for: "loop", title: "Begin another episode where one ends" }, loop, "Loop"),
      el("span", { class: "pair" }, el("span", {}, "step"), step),
      el("span", { class: "pair" }, el("span", {}, "return"), total),
      end,
      record,
      fork,
    ),
  );

  new ResizeObserver(() => draw()).observe(strip);

  function draw() {
    const ratio = devicePixelRatio || 1;
    const width = Math.round(strip.clientWidth * ratio);
    const height = Math.round(strip.clientHeight * ratio);
    if (!width) return;
    strip.width = width;
    strip.height = height;
    const context = strip.getContext("2d");
    const style = getComputedStyle(strip);
    const { rows } = state;
    const at = state.status?.step ?? 0;
    const last = Math.max(1, rows.length - 1);
    let low = 0, high = 0;
    for (const row of rows) if (row[0] !== null) [low, high] = [Math.min(low, row[0]), Math.max(high, row[0])];
    const scale = (height * ROOM) / (high - low || 1);
    const zero = (height * (1 + ROOM)) / 2 + low * scale;
    const gap = width / last > 6 * ratio ? ratio : 0;
    const colours = [style.getPropertyValue("--accent"), style.getPropertyValue("--faint")];
    for (let t = 1; t < rows.length; t++) {
      const x = ((t - 1) / last) * width;
      const wide = Math.max(ratio, width / last - gap);
      const tip = zero - (rows[t][0] ?? 0) * scale;
      context.fillStyle = colours[Number(t > at)];
      context.globalAlpha = 0.2;
      context.fillRect(x, Math.min(tip, zero), wide, Math.abs(tip - zero));
      context.globalAlpha = 1;
      context.fillRect(x, tip - ratio, wide, 2 * ratio);
    }
  }

  /** Shows in the title the keys of a button: one that is an action here is left out. */
  function hint(one) {
    const [key, name] = SECOND[one.dataset.key] ?? [];
    const keys = key && !taken.has(key) ? `${one.dataset.key} or ${name}` : one.dataset.key;
    one.title = `${one.getAttribute("aria-label")} (${keys})`;
  }

  return {
    toggle,
    environment({ keys }) {
      taken = new Set(keys.flatMap((combination) => combination.keys));
      for (const one of root.querySelectorAll("[data-key]")) hint(one);
    },
    seek,
    refresh: draw,
    update(status, rows) {
      state = { status, rows };
      const last = Math.max(0, rows.length - 1);
      cursor.max = Math.max(1, last);
      if (!dragging) cursor.value = status.step;
      cursor.setAttribute("aria-valuetext", `step ${status.step} of ${last}`);
      root.style.setProperty("--at", String(last ? Math.min(1, status.step / last) : 0));
      const name = status.playing ? "Pause" : "Play";
      if (play.getAttribute("aria-label") !== name) {
        play.setAttribute("aria-label", name);
        hint(play);
        play.replaceChildren(icon(name.toLowerCase()));
      }
      speed.value = String(status.speed);
      loop.checked = status.loop;
      setText(step, `${status.step.toLocaleString("en")} / ${last.toLocaleString("en")}`);
      const row = rows[status.step];
      setText(total, short(row?.[1]));
      end.hidden = !row?.[2];
      setText(end, ENDS[row?.[2] ?? 0]);
      const [words, meaning] = RECORDS[status.branches.find(([number]) => number === status.branch)?.[9]] ?? ["", ""];
      record.hidden = !words;
      setText(record, words);
      record.title = meaning;
      fork.hidden = status.step >= last || status.playing;
      draw();
    },
  };
}
