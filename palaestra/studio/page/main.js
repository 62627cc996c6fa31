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

const TRAININGS = "!trainings"; // in the place of an id

let close = () => {};
let stage = null;
let training = null;
let ids = []; // of the catalogue

function note(text, during = 0) {
  const chip = at("connection");
  chip.hidden = !text;
  setText(chip, text);
  if (during) setTimeout(() => chip.textContent === text && (chip.hidden = true), during);
}

/** Shows one of the views, which are all of the page. */
function show(name) {
  for (const one of ["stage", "gallery", "training"]) at(one).hidden = one !== name;
  at("gallery").replaceChildren(); // what it still loads would keep others waiting
  at("tools").replaceChildren();
  note("");
}

function title(text, page = "Studio") {
  setText(at("title"), text);
  document.title = text === page ? page : `${text} – ${page}`;
}

function openStage(id) {
  show("stage");
  const name = id.replace(/^!data\//, "");
  if (name) title(name);
  const rows = new Map();
  let status = null;
  let waiting = false;
  let since = performance.now();
  let word = ""; // on the connection
  const connection = connect(`live?env=${encodeURIComponent(id)}`, { onText, onPicture: (data) => view.picture(data), onState });
  const send = connection.send;
  const transport = createTransport(at("transport"), send);
  const view = createView(at("view"), send, transport.seek);
  const branches = createBranches(at("branches"), send);
  const actions = createActions(at("actions"), send);
  const charts = createCharts(at("values"), view.values, transport.seek);
  const info = createInfo(at("info"));
  const about = createAbout(at("about"), send);
  const episodes = createEpisodes(at("episodes"), send);
  const tools = createTools(at("tools"), id, { send, complain: view.complain, note });

  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - since) / 1000);
    if (at("stage").dataset.state === "loading" && !word && seconds > 1) view.loading(name, seconds);
  }, 1000);

  /** What cannot be used has no controls: only when it is ready are there some. */
  function state(now) {
    at("stage").dataset.state = now;
    at("tools").hidden = now !== "ready";
  }

  function onState(text) {
    note(text);
    word = text;
    since = performance.now();
    if (at("stage").dataset.state === "loading") view.loading(name, 0, text);
  }

  const arrive = {
    environment({ description }) {
      rows.clear();
      status = null;
      if (!description) return;
      title(description.id);
      for (const part of [view, transport, actions, charts, about, episodes]) part.environment(description);
      chooseTabs(Boolean(description.episodes));
      state("ready");
    },
    unavailable({ text }) {
      state("missing");
      view.missing(text, ids.filter((one) => text.includes(one)));
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
    refused: ({ text }) => view.complain({ kind: "refused", text }),
    stalled: ({ seconds }) => at("stage").dataset.state === "ready" && note(`The environment has been busy for ${seconds} s`),
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
    about.problem(status.problem);
    if (status.branch === null) {
      state("missing");
      view.unmade(status.problem?.text ?? "", status.problem?.place ?? "");
      return;
    }
    charts.fill(view.status(status, rows));
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
    clearInterval(timer);
    at("tools").hidden = false;
    stage = null;
  };
  state("loading");
  view.loading(name);
}

function openGallery(contents) {
  show("gallery");
  title("Environments");
  document.title = "Studio";
  createGallery(at("gallery"), contents);
}

function openTraining() {
  show("training");
  title("Trainings");
  training = createTraining(at("training"), note);
  close = () => {
    training.close();
    training = null;
  };
}

function onKey(event) {
  if (!stage || at("stage").dataset.state !== "ready" || stage.actions.onKey(event, true)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return;
  if (event.target.getAttribute?.("role") === "tab") return;
  if (document.querySelector("dialog[open]")) return;
  const onButton = event.target.matches?.("button, summary"); // which the space bar presses
  const back = () => stage.transport.seek((stage.status()?.step ?? 0) - 1);
  const next = () => stage.send("next");
  const does = {
    k: stage.transport.toggle,
    " ": onButton ? null : stage.transport.toggle,
    j: back,
    ArrowLeft: back,
    l: next,
    ArrowRight: next,
    Home: () => stage.transport.seek(0),
    End: () => stage.transport.seek(1e9),
  }[event.key];
  if (!does) return;
  event.preventDefault();
  if (!event.repeat || does !== stage.transport.toggle) does(); // held, it would flicker
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
    stage?.transport.refresh();
    training?.refresh();
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("keyup", (event) => stage?.actions.onKey(event, false));
  addEventListener("blur", () => stage?.actions.release());
  const contents = await (await fetch("gallery")).json();
  const { alone, training: watched } = contents;
  ids = contents.families.flatMap((family) => family.ids);
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
    if (!alone && id === TRAININGS && contents.trainings) openTraining();
    else if (alone || id) openStage(alone ? "" : id);
    else openGallery(contents);
  };
  addEventListener("hashchange", route);
  route();
}

main();
