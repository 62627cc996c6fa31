// The picture that fills the space, or the text, and the one beside it that it is compared with; and what went wrong.

import { el, fill, setText } from "./dom.js";

const TEXT = 0;
const TYPES = { 1: "image/jpeg", 2: "image/png" };
const ESCAPES = /\u001b\[[0-9;]*m/g;
const UNKNOWN = "It is not known how this episode began, so it cannot be drawn again. These are its recorded values.";
const EARLIER = 10; // steps back from the end of an episode

function frame(name) {
  const canvas = el("canvas", { role: "img", "aria-label": name, width: 1, height: 1 });
  const text = el("pre", { hidden: true });
  const caption = el("figcaption", { hidden: true });
  const figure = el("figure", {}, canvas, text, caption);
  let latest = 0;

  async function show(kind, bytes) {
    const number = ++latest;
    text.hidden = kind !== TEXT;
    canvas.hidden = kind === TEXT;
    if (kind === TEXT) {
      setText(text, new TextDecoder().decode(bytes).replace(ESCAPES, ""));
      return;
    }
    const bitmap = await createImageBitmap(new Blob([bytes], { type: TYPES[kind] }));
    if (number !== latest) return; // a newer picture has overtaken this one
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    canvas.classList.toggle("small", kind === 2);
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
  }
  return { figure, canvas, caption, show };
}

/** `seek` looks at a step. */
export function createView(root, send, seek) {
  const frames = [frame("The environment"), frame("The other branch")];
  const ground = el("div", { class: "ground", hidden: true }); // where values are shown in the place of pictures
  const remark = el("p", { class: "note", hidden: true }, UNKNOWN);
  const values = el("div", { class: "large" });
  ground.append(remark, values);
  const waiting = el("div", { class: "waiting", role: "status", hidden: true });
  const problem = el("div", { class: "problem", role: "alert", hidden: true });
  const over = el("div", { class: "problem over", role: "status", hidden: true });
  let shows = "nothing";
  let step = 0;
  const pictures = el("div", { class: "pictures", hidden: true }, ...frames.map((one) => one.figure));
  frames[1].figure.hidden = true;
  root.replaceChildren(pictures, ground, waiting, problem, over);
  const button = (label, onclick) => el("button", { type: "button", onclick }, label);
  const again = () => button("New episode", () => send("reset", { seed: null }));

  /** Shows what went wrong: a problem of the status, or none. What belongs to the form of arguments is shown there. */
  function complain(found) {
    const kind = found?.kind;
    over.hidden = kind !== "over";
    problem.hidden = !kind || ["over", "arguments", "action"].includes(kind);
    if (kind === "over" && !over.children.length) {
      fill(over, el("strong", {}, "The episode is over"), el("span", {}), again(),
        button("Go on from an earlier step", () => seek(step - EARLIER)));
    }
    if (problem.hidden) return;
    const title = { failed: "The environment failed", unmade: "The environment could not be made" }[kind] ?? "That did not work";
    fill(problem, el("strong", {}, title), el("span", {}, found.text), found.place ? el("code", {}, found.place) : null,
      kind === "failed" ? again() : null);
  }

  /** Fills the space with words, in the place of an environment. */
  function wait(...children) {
    waiting.hidden = children.length === 0;
    fill(waiting, ...children);
    if (waiting.hidden) return;
    pictures.hidden = ground.hidden = true;
    complain(null);
  }

  return {
    complain,
    values,
    loading: (name, seconds = 0, word = "") => wait(el("span", { class: "spinner", "aria-hidden": "true" }),
      el("p", {}, word || `Making ${name || "the environment"} …`), seconds ? el("p", { class: "note" }, `${seconds} s so far. Some libraries take long to start.`) : null),
    missing: (text, ids) => wait(el("strong", {}, "This cannot be opened"), el("p", {}, text),
      ...ids.map((id) => el("p", {}, el("a", { href: `#${encodeURIComponent(id)}` }, `Open ${id}`))), el("p", {}, el("a", { href: "#" }, "All environments"))),
    unmade: (text, place) => wait(el("strong", {}, "The environment could not be made"), el("p", {}, text), place ? el("code", {}, place) : null),
    picture(data) {
      const [place, kind] = data;
      frames[place].show(kind, data.subarray(2)).catch(() => {}).finally(() => send("seen"));
    },
    environment(description) {
      wait();
      shows = description.shows;
      for (const one of frames) one.canvas.width = one.canvas.height = 1;
    },
    /** Returns whether the values fill the space, since there are no pictures. */
    status(status, rows) {
      step = status.step;
      complain(status.problem);
      const both = status.compared !== null;
      frames[1].figure.hidden = !both;
      for (const one of frames) one.caption.hidden = !both;
      const of = (number) => status.branches.find((branch) => branch[0] === number);
      const isDrawn = (number) => of(number)?.[8] ?? true;
      ground.hidden = shows !== "nothing" && isDrawn(status.branch);
      pictures.hidden = !ground.hidden;
      remark.hidden = isDrawn(status.branch);
      if (both && !isDrawn(status.compared)) frames[1].canvas.width = 1;
      const name = (number) => (of(number)?.[7] ?? null) === null ? `Branch ${number}` : `Episode ${of(number)[7]}`;
      setText(frames[0].caption, name(status.branch));
      const last = (rows.get(status.compared)?.length ?? 1) - 1;
      setText(frames[1].caption, `${name(status.compared)}${status.step > last ? `, over since step ${last}` : ""}`);
      const row = rows.get(status.branch)?.[status.step];
      const end = row?.[2] === 1 ? ", terminated" : row?.[2] ? ", truncated" : "";
      frames[0].canvas.setAttribute("aria-label", `The environment at step ${status.step}${end}`);
      return !ground.hidden;
    },
  };
}
