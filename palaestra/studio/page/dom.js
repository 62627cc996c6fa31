// Elements, icons and numbers.

/** Returns an element with properties, listeners (`onclick`), attributes (`aria-…`, `data-…`) and children. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || name === "role" || name === "for" || name === "list") element.setAttribute(name, value);
    else if (name === "class") element.className = value;
    else element[name] = value;
  }
  element.append(...children.filter(isThere));
  return element;
}

/** Gives an element other children, without those that are null: the DOM would write "null". */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter(isThere));
}

const isThere = (child) => child !== null && child !== undefined;

/** Returns a name as text that may be broken between its words, and not before the version at its end. */
export function breakable(name) {
  const parts = name.split(/(?<=[_/])|(?<=-)(?!v\d+$)|(?<=[a-z0-9])(?=[A-Z])/);
  return parts.flatMap((part, k) => [k ? el("wbr") : null, el("span", { class: "whole" }, part)]).filter(isThere);
}

/** Returns text with its `code` marked as such. */
export function prose(text) {
  return text.split(/`([^`]+)`/).map((part, k) => (k % 2 ? el("code", {}, part) : part));
}

/** Offers a file with this content to the user. */
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

const PATHS = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
  next: "M8.7 4.7L7.3 6.1l5.9 5.9-5.9 5.9 1.4 1.4L16 12z",
  back: "M15.3 4.7l1.4 1.4-5.9 5.9 5.9 5.9-1.4 1.4L8 12z",
  first: "M19 5L9 12l10 7zM5 5h2.5v14H5z",
  last: "M5 5l10 7-10 7zM16.5 5H19v14h-2.5z",
  fork: "M6 3h2v6c0 2 1 3 3 3h4.2l-2.6-2.6L14 8l5 5-5 5-1.4-1.4 2.6-2.6H11c-1.2 0-2.200-.3-3-.8V21H6z",
  compare: "M4 5h7v14H4zm9 0h7v14h-7zm1.800 1.800v10.400h3.400V6.800z",
  enlarge: "M4 4h7v2H7.400l4.300 4.300-1.400 1.400L6 7.400V11H4zm16 16h-7v-2h3.600l-4.300-4.300 1.400-1.400 4.300 4.300V13h2z",
  theme: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zm0 2a7 7 0 0 1 0 14z",
};

/** Returns an icon, hidden from screen readers: what holds it has a label. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute("d", PATHS[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** Returns a number as short text of a steady width. */
export function short(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return minus(String(value));
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return minus(value.toExponential(2));
  if (size >= 1000) return minus(value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
  return minus(value.toFixed(size >= 100 ? 2 : 3));
}

/** Returns a number with so many digits at most, and no more than it needs. */
export function brief(value, digits = 4) {
  if (typeof value !== "number") return short(value);
  const size = Math.abs(value);
  const plain = size >= 10 ** digits ? Math.round(value) : Number(value.toPrecision(digits));
  if (size < 1e7 && (size >= 1000 || Number.isInteger(plain))) return minus(plain.toLocaleString("en", { maximumFractionDigits: digits }));
  return size !== 0 && (size >= 1e7 || size < 1e-3) ? minus(plain.toExponential(2)) : minus(String(plain));
}

const minus = (text) => text.replace("-", "−");

/** Sets text only where it changes, so that screen readers and the layout stay calm. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Whether keys pressed here are meant for a field, and not for the environment. */
export function takesKeys(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}
