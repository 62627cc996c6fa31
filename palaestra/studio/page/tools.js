// The tools of the bar: the seed, what to save, and the code of the moment.

import { download, el, icon } from "./dom.js";

const FILES = [
  ["mp4", "Video (MP4)"],
  ["gif", "Animation (GIF)"],
  ["replay", "Replay"],
  ["snapshot", "Snapshot of this step"],
];
const TELLING = 4000; // ms

export function createTools(root, id, { send, complain, note }) {
  const seed = el("input", { type: "number", id: "seed", min: 0, max: 4294967295, step: 1, value: 0 });
  const begin = el("form", { class: "seed", onsubmit: (event) => {
    event.preventDefault();
    send("reset", { seed: seed.value === "" ? null : Number(seed.value) });
  } }, el("label", { for: "seed" }, "Seed"), seed, el("button", { type: "submit" }, "New episode"));

  async function fetched(kind) {
    const answer = await fetch(`save/${kind}?env=${encodeURIComponent(id)}`);
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  }

  async function save(kind, label) {
    menu.open = false;
    note(`Saving: ${label} …`);
    try {
      const answer = await fetched(kind);
      const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("content-disposition"))[1]);
      download(name, await answer.blob());
      note(`Saved ${name}`, TELLING);
    } catch (error) {
      note("");
      complain({ kind: "refused", text: error.message });
    }
  }

  async function copy() {
    try {
      const text = await (await fetched("code")).text();
      await navigator.clipboard.writeText(text);
      note("Copied", TELLING);
    } catch (error) {
      complain({ kind: "refused", text: error.message });
    }
  }

  const menu = el("details", { class: "menu" }, el("summary", {}, "Save"),
    el("div", { class: "items" }, ...FILES.map(([kind, label]) =>
      el("button", { type: "button", class: "quiet", onclick: () => save(kind, label) }, label))));
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  root.replaceChildren(begin, menu, el("button", { type: "button", onclick: copy, title: "The program that comes to this step" }, "Copy as code"));
  return {
    update(status) {
      const branch = status.branches.find(([number]) => number === status.branch);
      if (branch && document.activeElement !== seed) seed.value = branch[1];
    },
  };
}

/** Returns the colours of this tab, and keeps new ones; a frame in a notebook may not keep anything. */
function remembered(theme) {
  try {
    if (theme) sessionStorage.setItem("theme", theme);
    return sessionStorage.getItem("theme");
  } catch {
    return theme;
  }
}

/** Lets the colours be those of the system, or the others. */
export function createTheme(button, changed) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = remembered();
  if (kept) document.documentElement.dataset.theme = kept;
  button.replaceChildren(icon("theme"));
  button.onclick = () => {
    const now = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
    remembered(document.documentElement.dataset.theme);
    changed();
  };
  dark.addEventListener("change", changed);
}
