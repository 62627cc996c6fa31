// All environments, by family. Picture and description are made by the server when a card comes into sight.

import { breakable, el, fill, setText } from "./dom.js";

const MANY = 24; // environments, from which on a family is folded up at first

const command = (text) => el("code", {}, text);

/** Says how an environment of one's own is opened. */
function own() {
  return el("p", { class: "note" }, "To open your own environment: ", command("palaestra studio module:ID"),
    ", where importing ", command("module"), " registers ", command("ID"), ".");
}

function links(sets, trainings) {
  const runs = trainings && el("a", { href: "#!trainings" }, `Trainings in ${trainings.folder}/ (${trainings.count})`);
  const data = sets.map((name) => el("li", {}, el("a", { href: `#${encodeURIComponent(`!data/${name}`)}` }, name)));
  if (!runs && !data.length) return null;
  return el("div", { class: "links" }, runs || null,
    data.length ? el("details", {}, el("summary", {}, `Data sets (${data.length})`), el("ul", {}, ...data)) : null);
}

export function createGallery(root, { families, sets, trainings }) {
  const count = families.reduce((sum, { ids }) => sum + ids.length, 0);
  const filter = el("input", { type: "search", id: "filter", placeholder: "Name or family", autocomplete: "off", spellcheck: false, oninput: sift });
  const found = el("p", { class: "note", role: "status" });
  const nothing = el("div", { class: "empty", hidden: true });
  const sections = families.map((family) => {
    const cards = family.ids.map((id) => ({ id, words: `${id} ${family.name} ${family.title}`.toLowerCase(), item: el("li", {}, family.ready ? card(id) : missing(id)) }));
    const details = el("details", { class: "family", open: cards.length < MANY },
      el("summary", {}, el("h2", {}, family.title), el("span", { class: "note" }, `${cards.length}${family.ready ? "" : ` · ${family.condition}`}`)),
      el("ul", { class: "cards" }, ...cards.map(({ item }) => item)));
    return { details, cards, title: family.title };
  });
  fill(root,
    el("div", { class: "find" }, el("label", { for: "filter", class: "hidden" }, "Find an environment"), filter, found, own()),
    links(sets, trainings), nothing, ...sections.map(({ details }) => details));
  sift();

  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      look(target);
    }
  }, { rootMargin: "100px" });
  for (const frame of root.querySelectorAll(".thumb")) sight.observe(frame);

  /** Loads picture and description of a card. */
  function look(frame) {
    const path = frame.dataset.id.split("/").map(encodeURIComponent).join("/");
    const image = el("img", { alt: "", src: `picture/${path}` });
    const show = (...children) => {
      delete frame.dataset.loading;
      fill(frame, ...children);
      describe(frame, path);
    };
    image.onload = () => show(image);
    image.onerror = () => show(el("span", { class: "note" }, "no picture"));
  }

  async function describe(frame, path) {
    try {
      const { text, actions } = await (await fetch(`about/${path}`)).json();
      fill(frame.nextSibling.nextSibling, el("span", { class: "what", title: text }, text), el("span", { class: "kind" }, actions));
    } catch {
      // the studio has gone: the card keeps its name
    }
  }

  function card(id) {
    return el("a", { class: "card", href: `#${encodeURIComponent(id)}` }, el("span", { class: "thumb", "data-id": id, "data-loading": "" }),
      el("span", { class: "name" }, ...breakable(id)), el("span", { class: "about note" }));
  }

  function missing(id) {
    return el("span", { class: "card missing" }, el("span", { class: "name" }, ...breakable(id)));
  }

  function sift() {
    const text = filter.value.trim();
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { details, cards } of sections) {
      let some = 0;
      for (const { words: known, item } of cards) {
        item.hidden = !words.every((word) => known.includes(word));
        some += Number(!item.hidden);
      }
      details.hidden = !some;
      details.open = some > 0 && (cards.length < MANY || (words.length > 0 && some < MANY));
      shown += some;
    }
    setText(found, `${shown} ${shown === 1 ? "environment" : "environments"}`);
    nothing.hidden = shown > 0;
    if (shown) return;
    fill(nothing, el("strong", {}, count ? `Nothing here is called “${text}”.` : "No environment is registered."),
      text && !/\s/.test(text) ? el("p", {}, el("a", { href: `#${encodeURIComponent(text)}` }, `Open ${text}`), " if it is the id of an older version.") : null,
      own());
  }
}
