// All environments, by family. A picture is drawn by the server when it comes into sight.

import { breakable, el, setText } from "./dom.js";

export function createGallery(root, families) {
  const count = families.reduce((sum, { ids }) => sum + ids.length, 0);
  const filter = el("input", { type: "search", id: "filter", placeholder: "Find", autocomplete: "off", spellcheck: false, oninput: sift });
  const found = el("p", { class: "note", role: "status" }, `${count} environments`);
  const sections = families.map((family) => {
    const cards = family.ids.map((id) => ({ id, item: el("li", {}, family.ready ? card(id) : missing(id)) }));
    const section = el("section", { "aria-label": family.name },
      el("h2", {}, family.name.replaceAll("_", " "), family.ready ? null : el("span", { class: "note" }, family.condition)),
      el("ul", { class: "cards" }, ...cards.map(({ item }) => item)));
    return { section, cards };
  });
  root.replaceChildren(
    el("div", { class: "find" }, el("label", { for: "filter", class: "hidden" }, "Find an environment"), filter, found),
    ...sections.map(({ section }) => section),
  );

  const pictures = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      pictures.unobserve(target);
      const image = el("img", { alt: "", src: `picture/${target.dataset.id.split("/").map(encodeURIComponent).join("/")}` });
      image.onload = () => target.replaceChildren(image);
    }
  }, { rootMargin: "100px" });
  for (const frame of root.querySelectorAll(".thumb")) pictures.observe(frame);

  function card(id) {
    return el("a", { class: "card", href: `#${encodeURIComponent(id)}` }, el("span", { class: "thumb", "data-id": id }), el("span", {}, ...breakable(id)));
  }

  function missing(id) {
    return el("span", { class: "card missing" }, el("span", {}, ...breakable(id)));
  }

  function sift() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { section, cards } of sections) {
      let some = false;
      for (const { id, item } of cards) {
        item.hidden = !words.every((word) => id.toLowerCase().includes(word));
        some ||= !item.hidden;
        shown += Number(!item.hidden);
      }
      section.hidden = !some;
    }
    setText(found, `${shown} ${shown === 1 ? "environment" : "environments"}`);
  }
}
