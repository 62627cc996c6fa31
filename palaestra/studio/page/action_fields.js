// Fields for actions of every space: one for each part, and JSON for what has no better one.

import { el, setText, short } from "./dom.js";

const CREATE = { choice, whole, sliders, text, group, one, json };

/** Returns the element of a field and a function that reads it; null if the space has none. `changed` is called on input. */
export function createField(field, id, changed) {
  return CREATE[field.kind]?.(field, id, changed) ?? null;
}

function choice({ values }, id, changed) {
  const select = el("select", { id, onchange: changed }, ...values.map((value) => el("option", { value }, String(value))));
  return { element: select, get: () => Number(select.value) };
}

function whole({ low, high }, id, changed) {
  const input = el("input", { type: "number", id, min: low, max: high, step: 1, value: low, required: true, onchange: changed });
  return { element: input, get: () => Number(input.value), hint: `${low} to ${high}` };
}

function text({ least, most, letters }, id, changed) {
  const start = (letters[0] ?? "").repeat(least);
  const input = el("input", { type: "text", id, minLength: least, maxLength: most, value: start, spellcheck: false, onchange: changed });
  return { element: input, get: () => input.value, hint: `${least} to ${most} of ${letters.length > 12 ? `${letters.slice(0, 11)}…` : letters}` };
}

function json({ example }, id, changed) {
  const area = el("textarea", { id, rows: 3, value: example, spellcheck: false, onchange: changed });
  const get = () => {
    try {
      return JSON.parse(area.value);
    } catch {
      return area.value; // refused with a reason by whoever knows the space
    }
  };
  return { element: area, get, hint: "as JSON" };
}

function sliders({ low, high, labels, whole: isWhole }, id, changed) {
  const ranges = low.map((least, k) => {
    const middle = Math.min(Math.max(0, least), high[k]);
    const range = el("input", { type: "range", id: `${id}-${k}`, min: least, max: high[k], step: isWhole ? 1 : (high[k] - least) / 200, value: middle,
      "aria-label": labels.length > 1 ? `${id} ${labels[k][0]}` : id, oninput: () => { setText(readout, short(Number(range.value))); changed(); } });
    const readout = el("output", { class: "readout" }, short(middle));
    return { range, row: el("div", { class: "slider" }, el("span", {}, labels.length > 1 ? labels[k][0] : ""), range, readout) };
  });
  return { element: el("div", { class: "sliders" }, ...ranges.map(({ row }) => row)), get: () => ranges.map(({ range }) => Number(range.value)), many: true };
}

/** Parts that are all given, each under its name. */
function group({ names, parts }, id, changed) {
  const fields = parts.map((part, k) => createField(part, `${id}.${names ? names[k] : k}`, changed));
  if (fields.includes(null)) return null;
  const rows = fields.map((field, k) => labelled(names ? names[k] : String(k), `${id}.${names ? names[k] : k}`, field));
  const values = () => fields.map((field) => field.get());
  return { element: el("div", { class: "group-of" }, ...rows), get: () => (names ? Object.fromEntries(names.map((name, k) => [name, values()[k]])) : values()), many: true };
}

function labelled(name, id, { element, hint, many }) {
  const note = hint ? el("span", { class: "note" }, hint) : null;
  if (!many) return el("div", { class: "field" }, el("label", { for: id }, name), element, note);
  return el("fieldset", { class: "part" }, el("legend", {}, name), element);
}

/** Parts of which one is given: its number, and its value. */
function one({ names, parts }, id, changed) {
  const fields = parts.map((part, k) => createField(part, `${id}.${k}`, changed));
  if (fields.includes(null)) return null;
  const shown = () => fields.forEach(({ element }, k) => (element.hidden = k !== Number(select.value)));
  const select = el("select", { id, "aria-label": "Which part", onchange: () => { shown(); changed(); } }, ...names.map((name, k) => el("option", { value: k }, name)));
  for (const [k, { element }] of fields.entries()) element.setAttribute("aria-label", names[k]);
  shown();
  return { element: el("div", { class: "group-of" }, select, ...fields.map(({ element }) => element)), get: () => [Number(select.value), fields[Number(select.value)].get()], many: true };
}
