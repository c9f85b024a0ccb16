// What every explorer is made of: its frame on the page, its controls, and the words that screen readers hear.

import { powerOfTen } from "./numbers.js";
import { svg } from "./svg.js";

let serial = 0;

// Screen readers hear what is so once the reader has stopped moving for as long as this, in milliseconds.
const PAUSE = 500;
const SIGNS = { true: "✓", false: "✗" };

/** An HTML element with attributes (functions become listeners) and children. */
export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** The parts of an explorer below its root: controls, a stage for pictures and numbers, and a line of words. */
export function frame(root, { title, hint }) {
  const id = newId();
  const controls = html("div", { class: "explorer-controls" });
  const stage = html("div", { class: "explorer-stage" });
  const numbers = html("dl", { class: "explorer-facts" });
  const words = html("p", { class: "explorer-words" });
  const announced = html("p", { class: "explorer-announced", "aria-live": "polite" });
  const heading = html("p", { class: "explorer-title", id }, title);
  const section = html("div", { class: "explorer-frame", role: "group", "aria-labelledby": id }, heading);
  section.append(html("p", { class: "explorer-hint" }, hint), controls, stage, words, announced);
  root.replaceChildren(section);
  let waiting = 0;
  // What stands there when the page opens is read in its place and not shouted.
  let touched = false;
  for (const event of ["input", "change", "click", "keydown", "pointerdown"]) {
    section.addEventListener(event, () => (touched = true), { capture: true });
  }
  return {
    controls,
    stage,
    /** Live numbers beside the pictures, by name; [value, series] shows the line that belongs to the number. */
    facts(values) {
      const rows = Object.entries(values).map(([name, value]) => {
        const [text, series] = [value].flat();
        return html("div", {}, html("dt", {}, ...(series ? [swatch(series)] : []), name), html("dd", {}, text));
      });
      numbers.replaceChildren(...rows);
      if (!numbers.isConnected) stage.append(numbers);
    },
    /** What is so now: shown at once, announced when the reader pauses; the tone is "true", "false" or nothing. */
    say(text, tone = "") {
      words.dataset.tone = tone;
      const sign = tone ? [html("span", { "aria-hidden": "true" }, `${SIGNS[tone]} `)] : [];
      words.replaceChildren(...sign, text);
      clearTimeout(waiting);
      if (!touched) return;
      waiting = setTimeout(() => {
        announced.textContent = text;
      }, PAUSE);
    },
  };
}

/** A piece of a line as the pictures have it: its class without the common beginning. */
function swatch(series) {
  const piece = svg("path", { d: "M1 5H21", class: `explorer-line explorer-${series}` });
  return svg("svg", { viewBox: "0 0 22 10", class: "explorer-swatch", "aria-hidden": "true" }, piece);
}

function newId() {
  serial += 1;
  return `explorer-part-${serial}`;
}

/** A slider with its label and its value in words; `show` turns the value into them. */
export function slider({ label, min, max, step, value, show = String, change }) {
  const id = newId();
  const output = html("output", { for: id }, show(value));
  const input = html("input", {
    type: "range",
    id,
    min,
    max,
    step,
    value,
    "aria-valuetext": show(value),
    input: () => {
      tell();
      change(Number(input.value));
    },
  });
  const tell = () => {
    output.textContent = show(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  const element = html("div", { class: "explorer-control" }, html("label", { for: id }, label), input, output);
  return {
    element,
    set(next) {
      input.value = next;
      tell();
    },
  };
}

/** The dial that makes a theorem false: a slider in a frame of its own, with a sentence on what it does. */
export function dial({ sentence, ...options }) {
  const made = slider(options);
  made.element.classList.add("explorer-dial");
  made.element.append(html("span", { class: "explorer-dial-sentence" }, sentence));
  return made;
}

export function button(label, press) {
  return html("button", { type: "button", class: "explorer-button", click: press }, label);
}

/** A choice among words. */
export function choice({ label, options, value, change }) {
  const id = newId();
  const select = html("select", { id, change: () => change(select.value) });
  for (const [key, text] of Object.entries(options)) {
    select.append(html("option", { value: key, selected: key === value }, text));
  }
  const element = html("div", { class: "explorer-control" }, html("label", { for: id }, label), select);
  return {
    element,
    set(next) {
      select.value = next;
    },
  };
}

/** A box to tick. */
export function tick({ label, value, change }) {
  const id = newId();
  const box = html("input", { type: "checkbox", id, checked: value, change: () => change(box.checked) });
  return html("div", { class: "explorer-control" }, box, html("label", { for: id }, label));
}

/** "1 round", "2 rounds". */
export const howMany = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** A number for reading: few digits, a power of ten only where one is needed. */
export function digits(value, places = 3) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "–";
  const size = Math.abs(value);
  if (size >= 1e6 || (size && size < 1e-3)) {
    const [leading, exponent] = value.toExponential(places - 1).split("e");
    return `${leading.replace("-", "−")}·${powerOfTen(+exponent)}`;
  }
  return String(+value.toPrecision(places)).replace("-", "−");
}
