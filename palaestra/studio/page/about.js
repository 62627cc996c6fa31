// What the environment is: its text, its facts, and its arguments as a form that makes it again.

import { el, fill, prose, setText, short } from "./dom.js";

function field(argument) {
  const { name, kind, value, text, choices } = argument;
  const id = `argument-${name}`;
  const shared = { id, name };
  const input =
    kind === "flag" ? el("input", { ...shared, type: "checkbox", checked: value })
    : kind === "choice" ? el("select", shared, ...choices.map((one) => el("option", { value: one, selected: one === value }, one)))
    : kind === "numbers" ? el("input", { ...shared, type: "text", inputMode: "decimal", value: value.join(", "), spellcheck: false })
    : el("input", { ...shared, type: "number", step: kind === "whole" ? "1" : "any", value: String(value), required: true });
  const row = el("div", { class: `field ${kind}` }, el("label", { for: id }, name), input);
  if (text) {
    const help = el("p", { class: "note", id: `${id}-text` }, ...prose(text));
    input.setAttribute("aria-describedby", help.id);
    row.append(help);
  }
  const get = () =>
    kind === "flag" ? input.checked
    : kind === "choice" ? input.value
    : kind === "numbers" ? input.value.split(/[\s,]+/).filter(Boolean).map(Number)
    : Number(input.value);
  return { row, name, get, constant: argument.constant };
}

/** Says how the numbers of one's own environment get names, if these have none. */
function naming({ tracks }) {
  if (!tracks.length || !tracks.every(([name]) => /^[\d,]+$|^value$/.test(name))) return null;
  return el("p", { class: "note" }, ...prose("The numbers of the observation have no names. A sentence in the docstring of the class gives them some: `Observation: position (m), velocity (m/s).`"));
}

export function createAbout(root, send) {
  const wrong = el("p", { class: "wrong", role: "alert", hidden: true });
  return {
    /** Shows beside the form why its arguments were refused. */
    problem(found) {
      const text = found?.kind === "arguments" ? found.text : "";
      if (wrong.textContent === text) return;
      wrong.hidden = !text;
      setText(wrong, text);
      wrong.scrollIntoView({ block: "nearest" });
    },
    environment(description) {
      const fields = description.arguments.map(field);
      const rows = (constant) => fields.filter((one) => Boolean(one.constant) === constant).map(({ row }) => row);
      const group = (title, found) => (found.length ? [el("h2", {}, title), ...found] : []);
      const form = el(
        "form",
        { class: "form", onsubmit: (event) => {
          event.preventDefault();
          send("remake", { arguments: Object.fromEntries(fields.map(({ name, get }) => [name, get()])) });
        } },
        ...group("Arguments", rows(false)),
        ...group("Constants", rows(true)),
        wrong,
        el("button", { type: "submit", class: "primary" }, "Make it again"),
      );
      fill(root,
        el("p", { class: "lead" }, ...prose(description.text)),
        ...description.rest.map((text) => el("p", {}, ...prose(text))),
        el("dl", { class: "facts" }, ...description.facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
        naming(description.observation),
        fields.length ? form : null,
      );
    },
  };
}

/** The latest action and info as text. */
export function createInfo(root) {
  const action = el("dd", {});
  const rest = el("dl", { class: "facts" });
  const nothing = el("p", { class: "note" }, "The info of this step is empty.");
  root.replaceChildren(el("dl", { class: "facts" }, el("dt", {}, "action taken"), action), el("h2", {}, "Info"), rest, nothing);
  const plain = (value) => Array.isArray(value) && value.every((one) => typeof one !== "object");
  const written = (value) =>
    plain(value) ? `[${value.map(short).join(", ")}]` : typeof value === "object" ? JSON.stringify(value, null, 1) : String(value);
  return {
    update(row) {
      setText(action, row?.[3] === null || row?.[3] === undefined ? "none: the episode begins" : written(row[3]));
      const entries = Object.entries(row?.[5] ?? {});
      nothing.hidden = entries.length > 0;
      rest.replaceChildren(...entries.flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, written(value))]));
    },
  };
}
