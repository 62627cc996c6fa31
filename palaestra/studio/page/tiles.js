// The environments of a training: many small pictures that arrive as one.

import { brief, el, setText } from "./dom.js";
import { span, stateOf } from "./runs.js";

const HEAD = 4; // bytes of the length of the layout
const NARROWEST = 112; // px of a tile
const LATELY = 5000; // ms in which pictures are counted, or the time between the last two

export function createTiles(root, changed) {
  const live = el("input", { type: "checkbox", id: "live", checked: true, onchange: changed });
  const title = el("h2", {}, "Environments");
  const rate = el("span", { class: "rate readout", title: "Pictures come less often while the training needs all processors." });
  const state = el("p", { class: "note", role: "status" });
  const remark = el("p", { class: "note" });
  const grid = el("div", { class: "grid" });
  root.replaceChildren(
    el("div", { class: "heading" }, title, rate, el("label", { class: "check", for: "live" }, live, "Live pictures")), state, remark, grid,
  );
  const frames = [];
  const arrivals = [];
  let run = null;
  let visible = true;
  let wide = 0; // pixels of a tile on the screen
  new IntersectionObserver(([entry]) => {
    if (visible !== entry.isIntersecting) {
      visible = entry.isIntersecting;
      changed();
    }
  }).observe(root);
  const leaving = new AbortController();
  document.addEventListener("visibilitychange", changed, { signal: leaving.signal });
  new ResizeObserver(() => arrange()).observe(grid);

  /** Chooses a number of columns with no gap in the last row, if there is one; tells how wide tiles are then. */
  function arrange() {
    const most = Math.max(4, Math.min(frames.length, Math.floor(grid.clientWidth / NARROWEST)));
    let columns = most;
    while (columns > most / 2 && frames.length % columns) columns--;
    grid.style.setProperty("--columns", String(frames.length % columns ? most : columns));
    const now = frames.length ? Math.ceil(frames[0].canvas.clientWidth * devicePixelRatio) : 0;
    if (now && now !== wide) {
      wide = now;
      changed();
    }
  }

  function frame(k) {
    const canvas = el("canvas", { role: "img", "aria-label": `Environment ${k}` });
    const total = el("output", { class: "readout", "aria-label": `Return of environment ${k} so far` });
    const steps = el("span", { class: "steps readout", title: "steps" });
    return { figure: el("figure", {}, canvas, el("figcaption", {}, el("span", {}, String(k)), steps, total)), canvas, total, steps };
  }

  /** Shows how many pictures came in a second lately. */
  function count() {
    const now = performance.now();
    arrivals.push(now);
    while (arrivals.length > 2 && arrivals[0] < now - LATELY) arrivals.shift();
    const seconds = (now - arrivals[0]) / 1000;
    setText(rate, seconds ? `${brief((arrivals.length - 1) / seconds, 2)} pictures/s` : "");
  }

  function clear() {
    arrivals.length = 0;
    setText(rate, "");
    frames.length = 0;
    grid.replaceChildren();
    setText(remark, "");
  }

  return {
    close: () => leaving.abort(),
    wanted: () => live.checked && visible && document.visibilityState === "visible",
    width: () => wide,
    complain: (text) => setText(remark, text),
    async picture(data) {
      const size = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
      const layout = JSON.parse(new TextDecoder().decode(data.subarray(HEAD, HEAD + size)));
      if (layout.run !== run?.id) return;
      const bitmap = await createImageBitmap(new Blob([data.subarray(HEAD + size)], { type: "image/jpeg" }));
      const { columns, width, height, returns, lengths } = layout;
      if (frames.length !== returns.length) {
        clear();
        returns.forEach((_, k) => frames.push(frame(k)));
        grid.replaceChildren(...frames.map((one) => one.figure));
        arrange();
      }
      frames.forEach(({ canvas, total, steps }, k) => {
        if (canvas.width !== width || canvas.height !== height) {
          canvas.width = width;
          canvas.height = height;
        }
        canvas.getContext("2d").drawImage(bitmap, (k % columns) * width, Math.floor(k / columns) * height, width, height, 0, 0, width, height);
        setText(total, brief(returns[k], 3));
        setText(steps, String(lengths[k]));
      });
      bitmap.close();
      count();
    },
    update(focus) {
      if (focus?.id !== run?.id) clear();
      run = focus;
      root.hidden = !focus || (!focus.tiles && focus.state === "running");
      if (!focus) return;
      setText(title, `${focus.env} × ${Number(focus.envs).toLocaleString("en")}`);
      const going = focus.state === "running";
      live.parentElement.hidden = rate.hidden = !going;
      setText(state, going ? "" : `${stateOf(focus)[0].toUpperCase()}${stateOf(focus).slice(1)} after ${span(focus.t)}. Its curves and details stay.`);
      state.hidden = going;
      remark.hidden = !going || !remark.textContent;
      if (!going) grid.dataset.over = "true";
      else delete grid.dataset.over;
    },
  };
}
