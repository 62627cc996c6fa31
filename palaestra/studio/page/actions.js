// Acting: by keys, by buttons, by sliders; or leaving it to chance or to a policy.

import { createField } from "./action_fields.js";
import { el, fill, setText, short, takesKeys } from "./dom.js";

const SOURCES = [["you", "You"], ["random", "Random"], ["policy", "Policy"]];
const KEYS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "space", Enter: "↵" };
const NAMES = { ArrowLeft: "left arrow", ArrowRight: "right arrow", ArrowUp: "up arrow", ArrowDown: "down arrow", " ": "space" };

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export function createActions(root, send) {
  let description = null;
  let status = null;
  let combos = [];
  const pressed = new Set();
  let buttons = [];
  let sliders = [];
  let radios = new Map();
  let segments = null;
  const recorded = el("p", { class: "note", hidden: true }, "Recorded actions are shown. A choice here acts where you go on from a step.");
  const wrong = el("p", { class: "wrong", role: "alert", hidden: true });
  const taken = el("output", { class: "readout", "aria-label": "Action taken" });

  /** Takes over from chance or the policy. */
  function yours() {
    if (status?.source !== "you") send("source", { value: "you" });
  }

  function once(action) {
    yours();
    send("act", { action });
  }

  function hold(action) {
    yours();
    send("hold", { action });
  }

  /** The action of the keys held: of an exact combination, or else of the largest one among them; null for none. */
  function keyed() {
    const fitting = combos.filter(({ keys }) => keys.length && keys.every((key) => pressed.has(key)));
    fitting.sort((one, other) => other.keys.length - one.keys.length);
    return fitting.length ? fitting[0].action : null;
  }

  function render() {
    const { action, policy } = description;
    radios = new Map();
    const choices = SOURCES.filter(([value]) => value !== "policy" || policy).map(([value, label]) => {
      const radio = el("input", { type: "radio", name: "source", id: `source-${value}`, value,
        onchange: () => send("source", { value }) });
      radios.set(value, radio);
      return el("label", { for: radio.id, title: value === "policy" ? policy : "" }, radio, el("span", {}, label));
    });
    segments = el("fieldset", { class: "segments" }, el("legend", { class: "hidden" }, "Who acts"), ...choices);
    const group = { buttons: buttonGroup, sliders: sliderGroup, form: fieldGroup }[action.kind];
    fill(root, el("div", { class: "heading" }, el("h2", {}, "Action"), taken), segments, recorded, group(action), wrong);
  }

  /** Fields for any other space; what has none is said. */
  function fieldGroup(action) {
    const field = createField(action.field, "action", () => hold(field.get()));
    if (!field) return el("p", { class: "note" }, `Actions of ${action.space} cannot be chosen here: let Random${description.policy ? " or Policy" : ""} act.`);
    const step = () => {
      wrong.hidden = true;
      once(field.get());
    };
    return el("form", { class: "fields", onsubmit: (event) => { event.preventDefault(); step(); } }, field.element,
      el("div", { class: "row" }, el("button", { type: "submit" }, "Take one step")));
  }

  function buttonGroup(action) {
    buttons = action.values.map((value, k) => {
      const combo = combos.find((one) => same(one.action, value));
      const hint = combo?.keys.map((key) => KEYS[key] ?? key).join(" ");
      const said = combo?.keys.map((key) => NAMES[key] ?? key).join(" and ");
      const down = (event) => {
        if (event.button) return;
        if (status.playing) hold(value);
        else once(value);
      };
      const up = () => status?.playing && status.source === "you" && send("hold", { action: keyed() });
      return el(
        "button",
        { type: "button", class: "act", "aria-keyshortcuts": said ?? null, onpointerdown: down, onpointerup: up,
          onpointerleave: (event) => event.buttons && up(),
          onclick: (event) => event.detail === 0 && once(value) }, // by the keyboard
        el("span", { class: "number" }, String(value)),
        el("span", { class: "what" }, action.labels[k] ?? ""),
        hint ? el("kbd", {}, hint) : null,
      );
    });
    return el("div", { class: "buttons", role: "group", "aria-label": "Actions" }, ...buttons);
  }

  function sliderGroup(action) {
    const values = () => sliders.map(({ range }) => Number(range.value));
    sliders = action.low.map((low, k) => {
      const high = action.high[k];
      const [name, unit] = action.labels[k] ?? [String(k), ""];
      const middle = Math.min(Math.max(0, low), high);
      const range = el("input", { type: "range", id: `slider-${k}`, min: low, max: high,
        step: action.whole ? 1 : (high - low) / 200, value: middle,
        oninput: () => { setText(readout, short(Number(range.value))); hold(values()); } });
      range.value = middle;
      const readout = el("output", { class: "readout" }, short(middle));
      return { range, readout, middle,
        row: el("div", { class: "slider" }, el("label", { for: range.id }, name, unit ? el("i", {}, unit) : null), range, readout) };
    });
    const rest = () => {
      for (const { range, readout, middle } of sliders) {
        range.value = middle;
        setText(readout, short(middle));
      }
      hold(values());
    };
    return el(
      "div", { class: "sliders", role: "group", "aria-label": "Components of the action" },
      ...sliders.map(({ row }) => row),
      el("div", { class: "row" },
        el("button", { type: "button", onclick: () => once(values()) }, "Take one step"),
        el("button", { type: "button", class: "quiet", onclick: rest }, "Centre")),
    );
  }

  function onKey(event, down) {
    if (!description || event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!combos.some(({ keys }) => keys.includes(key)) || (down && takesKeys(event.target))) return false;
    if (down && event.target instanceof HTMLButtonElement && (key === " " || key === "Enter")) return false;
    if (down) pressed.add(key);
    else pressed.delete(key);
    const action = keyed();
    if (status.playing) {
      if (!event.repeat && (down || status.source === "you")) hold(action);
    } else if (down && action !== null) once(action);
    if (down) event.preventDefault();
    return true;
  }

  return {
    onKey,
    release() {
      if (pressed.size === 0) return;
      pressed.clear();
      if (status?.playing && status.source === "you") send("hold", { action: null });
    },
    environment(found) {
      description = found;
      combos = found.keys.map(({ keys, action }) => ({ keys: keys.map((key) => (key.length === 1 ? key.toLowerCase() : key)), action }));
      pressed.clear();
      buttons = [];
      sliders = [];
      render();
    },
    update(now, row) {
      const begins = now.playing && !status?.playing;
      status = now;
      if (begins && keyed() !== null) hold(keyed()); // pressed before the server told that it plays
      const isRecorded = Boolean(now.branches.find(([number]) => number === now.branch)?.[9]);
      if (radios.has(now.source)) radios.get(now.source).checked = true;
      segments.dataset.idle = String(isRecorded);
      recorded.hidden = !isRecorded;
      wrong.hidden = now.problem?.kind !== "action";
      setText(wrong, wrong.hidden ? "" : now.problem.text);
      const action = row?.[3] ?? null;
      const label = description.action.labels?.[description.action.values?.indexOf(action)];
      setText(taken, action === null || typeof action === "object" ? "" : `${isRecorded ? "recorded" : "took"} ${action}${label ? `: ${label}` : ""}`);
      buttons.forEach((button, k) => { button.dataset.taken = String(same(description.action.values[k], action)); });
      if (now.source !== "you" && Array.isArray(action)) {
        const flat = action.flat(Infinity);
        sliders.forEach(({ range, readout }, k) => { range.value = flat[k]; setText(readout, short(flat[k])); });
      }
    },
  };
}
