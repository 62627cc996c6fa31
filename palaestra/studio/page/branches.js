// The branches of all episodes, as bars on one scale: each begins where it left its parent.

import { el, icon, setText, short } from "./dom.js";

const ENDS = ["", "terminated", "truncated", "terminated"];

/** Returns the name of a branch. */
function named([number, seed, parent, fork, , , , episode, , record]) {
  if (episode !== null) return `Episode ${episode}`;
  if (record) return "Recorded episode";
  return parent === null ? `Branch ${number} · seed ${seed}` : `Branch ${number} · from ${parent}, step ${fork}`;
}

export function createBranches(root, send) {
  const list = el("ol", { class: "lanes" });
  const note = el("p", { class: "note", hidden: true }, "The environment did not repeat itself exactly: its seed does not decide everything.");
  root.replaceChildren(note, list);
  const lanes = new Map();

  function lane(number) {
    const name = el("span", { class: "name" });
    const bar = el("span", { class: "bar-of" });
    const facts = el("span", { class: "facts" });
    const pick = el(
      "button", { type: "button", class: "pick", onclick: () => send("choose", { branch: number, step: null }) },
      name, el("span", { class: "lane" }, bar), facts,
    );
    const compare = el(
      "button",
      { type: "button", class: "quiet compare", "aria-label": `Compare with branch ${number}`, title: "Show it beside this one",
        onclick: () => send("compare", { branch: compare.getAttribute("aria-pressed") === "true" ? null : number }) },
      icon("compare"), "Compare",
    );
    return { item: el("li", {}, pick, compare), pick, compare, name, bar, facts };
  }

  return {
    update(status) {
      note.hidden = !status.drifted;
      const longest = Math.max(1, ...status.branches.map((branch) => branch[4]));
      const shown = new Set(status.branches.map(([number]) => number));
      for (const [number, one] of lanes) {
        if (!shown.has(number)) {
          one.item.remove();
          lanes.delete(number);
        }
      }
      for (const branch of status.branches) {
        const [number, , , fork, last, total, flags] = branch;
        let one = lanes.get(number);
        if (!one) {
          one = lane(number);
          lanes.set(number, one);
          list.append(one.item);
          list.scrollTop = list.scrollHeight;
        }
        const here = number === status.branch;
        one.item.dataset.state = here ? "here" : number === status.compared ? "compared" : "";
        one.pick.setAttribute("aria-current", String(here));
        one.compare.setAttribute("aria-pressed", String(number === status.compared));
        one.compare.disabled = here;
        setText(one.name, named(branch));
        one.bar.style.left = `${(100 * fork) / longest}%`;
        one.bar.style.width = `${(100 * Math.max(last - fork, 0)) / longest}%`;
        setText(one.facts, `${last.toLocaleString("en")} ${last === 1 ? "step" : "steps"}, return ${short(total)}${flags ? `, ${ENDS[flags]}` : ""}`);
      }
    },
  };
}
