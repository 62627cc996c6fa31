// The page: which view is open, what arrives from the server, and the keys.

import { createAbout, createInfo } from "./about.js";
import { createActions } from "./actions.js";
import { createBranches } from "./branches.js";
import { createCharts } from "./charts.js";
import { connect } from "./connection.js";
import { el, setText, takesKeys } from "./dom.js";
import { createEpisodes } from "./episodes.js";
import { createGallery } from "./gallery.js";
import { createTheme, createTools } from "./tools.js";
import { createTraining } from "./training.js";
import { createTransport } from "./transport.js";
import { createView } from "./view.js";

const at = (id) => document.getElementById(id);
const TABS = [["episodes", "Episodes"], ["values", "Values"], ["info", "Info"], ["about", "Environment"]];

let close = () => {};
let stage = null;
let training = null;

function note(text, during = 0) {
  const chip = at("connection");
  chip.hidden = !text;
  setText(chip, text);
  if (during) setTimeout(() => chip.textContent === text && (chip.hidden = true), during);
}

function openStage(id) {
  at("stage").hidden = false;
  at("gallery").hidden = true;
  at("gallery").replaceChildren(); // what it still loads would keep others waiting
  const rows = new Map();
  let status = null;
  let waiting = false;
  const connection = connect(`live?env=${encodeURIComponent(id)}`, { onText, onPicture: (data) => view.picture(data), onState: note });
  const send = connection.send;
  const view = createView(at("view"), send);
  const transport = createTransport(at("transport"), send);
  const branches = createBranches(at("branches"), send);
  const actions = createActions(at("actions"), send);
  const charts = createCharts(at("values"), transport.seek);
  const info = createInfo(at("info"));
  const about = createAbout(at("about"), send);
  const episodes = createEpisodes(at("episodes"), send);
  const tools = createTools(at("tools"), id, { send, complain: view.complain, note });

  const arrive = {
    environment({ description }) {
      rows.clear();
      status = null;
      setText(at("title"), description?.id ?? id);
      document.title = `${description?.id ?? id} – Studio`;
      for (const part of [view, actions, charts, about, episodes]) part.environment(description);
      chooseTabs(Boolean(description?.episodes));
    },
    steps({ branch, begin, rows: found }) {
      const known = rows.get(branch) ?? [];
      known.splice(begin, known.length - begin, ...found);
      rows.set(branch, known);
    },
    status(message) {
      status = message;
      note("");
    },
    refused: ({ text }) => view.complain(text),
    stalled: ({ seconds }) => note(`The environment has been busy for ${seconds} s`),
  };

  function onText(message) {
    arrive[message.kind](message);
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(update);
    }
  }

  function update() {
    waiting = false;
    if (!status || status.branch === undefined) return;
    view.status(status, rows);
    if (status.branch === null) return;
    const here = rows.get(status.branch) ?? [];
    const row = here[status.step];
    transport.update(status, here);
    branches.update(status);
    actions.update(status, row);
    info.update(row);
    episodes.update(status);
    tools.update(status);
    charts.update(status, here, status.compared === null ? null : rows.get(status.compared) ?? []);
  }

  stage = { status: () => status, transport, actions, charts, send };
  close = () => {
    connection.close();
    stage = null;
    at("tools").replaceChildren();
  };
}

async function openGallery(families) {
  at("stage").hidden = true;
  at("gallery").hidden = false;
  setText(at("title"), "Environments");
  document.title = "Studio";
  createGallery(at("gallery"), families);
}

function openTraining() {
  at("training").hidden = false;
  setText(at("title"), "Trainings");
  document.title = "Trainings – Studio";
  training = createTraining(at("training"), note);
}

function onKey(event) {
  if (!stage || stage.actions.onKey(event, true)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return;
  if (event.target.getAttribute?.("role") === "tab") return;
  const step = stage.status()?.step ?? 0;
  const does = {
    k: stage.transport.toggle,
    j: () => stage.transport.seek(step - 1),
    l: () => stage.send("next"),
    Home: () => stage.transport.seek(0),
    End: () => stage.transport.seek(1e9),
  }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
}

let tabs = [];

function chooseTab(chosen, focus = false) {
  tabs.forEach((tab, k) => {
    tab.setAttribute("aria-selected", String(k === chosen));
    tab.tabIndex = k === chosen ? 0 : -1;
    at(TABS[k][0]).hidden = k !== chosen;
  });
  if (focus) tabs[chosen].focus();
  stage?.charts.refresh();
}

/** Shows the tab of episodes if there are any, and then first. */
function chooseTabs(recorded) {
  if (tabs[0].hidden === !recorded) return;
  tabs[0].hidden = !recorded;
  chooseTab(recorded ? 0 : 1);
}

function createTabs() {
  tabs = TABS.map(([id, label], k) =>
    el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": id, onclick: () => chooseTab(k),
      onkeydown: (event) => {
        const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!move) return;
        event.preventDefault();
        event.stopPropagation();
        const seen = tabs.map((_, j) => j).filter((j) => !tabs[j].hidden);
        chooseTab(seen[(seen.indexOf(k) + move + seen.length) % seen.length], true);
      } }, label));
  tabs[0].hidden = true;
  at("tabs").replaceChildren(...tabs);
  chooseTab(1);
}

async function main() {
  createTabs();
  createTheme(at("theme"), () => {
    stage?.charts.refresh();
    training?.refresh();
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("keyup", (event) => stage?.actions.onKey(event, false));
  addEventListener("blur", () => stage?.actions.release());
  const { alone, training: watched, families } = await (await fetch("gallery")).json();
  at("home").toggleAttribute("inert", alone || watched);
  if (watched) {
    openTraining();
    return;
  }
  if (!alone) at("home").title = "All environments";
  const route = () => {
    close();
    close = () => {};
    const id = decodeURIComponent(location.hash.slice(1));
    if (alone || id) openStage(alone ? "" : id);
    else openGallery(families);
  };
  addEventListener("hashchange", route);
  route();
}

main();
