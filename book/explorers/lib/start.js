// Finding the explorers of a page and starting them; tests reach their mathematics here too.

import { button } from "./page.js";

/** Register an explorer: `math`, pure functions that the tests compare with the package, and `start(root)`. */
export function explorer(name, { math, start }) {
  globalThis.mcbookExplorers ??= {};
  globalThis.mcbookExplorers[name] = { math, start };
  const begin = () => {
    for (const root of document.querySelectorAll(`[data-explorer="${name}"]`)) startOrLeave(root, start);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin, { once: true });
  else begin();
}

/** An explorer that cannot start leaves its place as it was, with the picture for readers without scripts. */
function startOrLeave(root, start) {
  const before = [...root.childNodes];
  try {
    start(root);
    offerReset(root, start);
  } catch (error) {
    root.replaceChildren(...before);
    throw error;
  }
}

/** A button that puts everything back as it was when the page opened, and says how things stand then. */
function offerReset(root, start) {
  const reset = button("reset", () => {
    start(root);
    offerReset(root, start).focus();
    const [words, announced] = ["words", "announced"].map((part) => root.querySelector(`.explorer-${part}`));
    announced.textContent = words.lastChild.textContent;
  });
  reset.classList.add("explorer-reset");
  root.querySelector(".explorer-title").after(reset);
  return reset;
}
