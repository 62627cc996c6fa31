// The picture that fills the space, or the text, and the one beside it that it is compared with.

import { el, setText } from "./dom.js";

const TEXT = 0;
const NOTHING = "This environment draws no pictures; its values are shown beside.";
const UNKNOWN = "It is not known how this episode began, so that it cannot be drawn again; its values are shown beside.";
const TYPES = { 1: "image/jpeg", 2: "image/png" };
const ESCAPES = /\u001b\[[0-9;]*m/g;

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

export function createView(root, send) {
  const frames = [frame("The environment"), frame("The other branch")];
  const nothing = el("p", { class: "nothing", hidden: true }, NOTHING);
  const problem = el("div", { class: "problem", role: "alert", hidden: true });
  let shows = "nothing";
  const pictures = el("div", { class: "pictures" }, ...frames.map((one) => one.figure));
  frames[1].figure.hidden = true;
  root.replaceChildren(pictures, nothing, problem);

  function complain(text, place = "", failed = false) {
    problem.hidden = !text;
    problem.replaceChildren(
      el("strong", {}, failed ? "The environment failed" : "That did not work"),
      el("span", {}, text || ""),
      place ? el("code", {}, place) : null,
      failed ? el("button", { type: "button", onclick: () => send("reset", { seed: null }) }, "New episode") : null,
    );
  }

  return {
    complain,
    picture(data) {
      const [place, kind] = data;
      frames[place].show(kind, data.subarray(2)).catch(() => {}).finally(() => send("seen"));
    },
    environment(description) {
      shows = description?.shows ?? "";
      nothing.hidden = shows !== "nothing";
      pictures.hidden = !shows || shows === "nothing";
      for (const one of frames) one.canvas.width = one.canvas.height = 1;
    },
    status(status, rows) {
      complain(status.problem?.text, status.problem?.place, status.problem?.failed);
      const both = status.compared !== null;
      frames[1].figure.hidden = !both;
      for (const one of frames) one.caption.hidden = !both;
      const isDrawn = (number) => status.branches.find((branch) => branch[0] === number)?.[8] ?? true;
      setText(nothing, isDrawn(status.branch) ? NOTHING : UNKNOWN);
      nothing.hidden = shows !== "nothing" && isDrawn(status.branch);
      pictures.hidden = !shows || !nothing.hidden;
      if (both && !isDrawn(status.compared)) frames[1].canvas.width = 1;
      const name = (number) => {
        const episode = status.branches.find((branch) => branch[0] === number)?.[7] ?? null;
        return episode === null ? `Branch ${number}` : `Episode ${episode}`;
      };
      setText(frames[0].caption, name(status.branch));
      const last = (rows.get(status.compared)?.length ?? 1) - 1;
      setText(frames[1].caption, `${name(status.compared)}${status.step > last ? `, over since step ${last}` : ""}`);
      const row = rows.get(status.branch)?.[status.step];
      const end = row?.[2] === 1 ? ", terminated" : row?.[2] ? ", truncated" : "";
      frames[0].canvas.setAttribute("aria-label", `The environment at step ${status.step}${end}`);
    },
  };
}
