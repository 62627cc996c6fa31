// Trainings: the runs of a folder, the environments of one of them, and the curves of all that are chosen.

import { connect } from "./connection.js";
import { createCurves } from "./curves.js";
import { el } from "./dom.js";
import { createPanels } from "./panels.js";
import { createRuns } from "./runs.js";
import { createTiles } from "./tiles.js";

export function createTraining(root, note) {
  const records = new Map();
  let waiting = false;
  const connection = connect("training", {
    onText: (message) => {
      arrive[message.kind](message);
      change();
    },
    onPicture: (data) => tiles.picture(data).finally(() => connection.send("seen")),
    onState: (text) => {
      note(text);
      if (text) return;
      for (const rows of records.values()) rows.length = 0; // a new server tells all again
      ask();
    },
  });

  const sections = Object.fromEntries([
    ["runs", "Runs"], ["tiles", "Environments"], ["curves", "Curves"], ["panels", "Details"],
  ].map(([name, label]) => [name, el("section", { class: name, "aria-label": label })]));
  root.replaceChildren(
    el("aside", { class: "side", "aria-label": "Runs and details" }, sections.runs, sections.panels),
    el("div", { class: "sheet", tabIndex: 0, role: "region", "aria-label": "Environments and curves" }, sections.tiles, sections.curves),
  );
  const runs = createRuns(sections.runs, () => {
    ask();
    change();
  });
  const tiles = createTiles(sections.tiles, () => look());
  const curves = createCurves(sections.curves);
  const panels = createPanels(sections.panels);

  function ask() {
    connection.send("show", { runs: runs.shown() });
    look();
  }

  function look() {
    const focus = runs.focus();
    connection.send("look", { run: focus?.state === "running" && tiles.wanted() ? focus.id : null });
    if (tiles.width()) connection.send("width", { value: tiles.width() });
  }

  const arrive = {
    runs({ changed, folder }) {
      const before = `${runs.shown()}/${runs.focus()?.id}/${runs.focus()?.state}`;
      runs.update(changed, folder);
      if (`${runs.shown()}/${runs.focus()?.id}/${runs.focus()?.state}` !== before) ask();
    },
    records({ run, begin, records: found }) {
      const known = records.get(run) ?? [];
      known.splice(begin, known.length - begin, ...found);
      records.set(run, known);
    },
    tiles: ({ run, problem }) => run === runs.focus()?.id && tiles.complain(problem),
    refused: ({ text }) => note(text, 4000),
    unavailable: ({ text }) => note(text),
  };

  function change() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(update);
  }

  function update() {
    waiting = false;
    const focus = runs.focus();
    const shown = runs.shown().map((id) => ({ id, name: runs.name(id), colour: runs.colour(id), rows: records.get(id) ?? [] }));
    tiles.update(focus);
    curves.update(shown, focus?.id);
    panels.update(focus, records.get(focus?.id) ?? []);
  }

  return { refresh: () => { curves.refresh(); runs.refresh(); change(); }, close: () => { connection.close(); tiles.close(); } };
}
