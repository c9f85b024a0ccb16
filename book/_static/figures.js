// A figure that is wider than a phone scrolls in its box; a button below it shows the whole figure, and its letters again.
(() => {
  "use strict";

  const WHOLE = "book-figure-whole";
  const SAYS = { false: "See the whole figure", true: "Make the letters larger" };

  function makeSwitch(box) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "book-figure-switch";
    button.textContent = SAYS.false;
    button.addEventListener("click", () => {
      button.textContent = SAYS[box.classList.toggle(WHOLE)];
      fit(box, button);
    });
    box.after(button);
    return button;
  }

  // What scrolls has to be within reach of the keyboard, and what does not needs neither that nor a button.
  function fit(box, button) {
    if (!box.checkVisibility()) return;
    const scrolls = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX === "auto";
    button.hidden = !scrolls && !box.classList.contains(WHOLE);
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }

  const switches = [...document.querySelectorAll(".bd-article .book-figure-box")].map((box) => [box, makeSwitch(box)]);
  const fitAll = () => {
    for (const [box, button] of switches) fit(box, button);
  };
  addEventListener("load", fitAll);
  addEventListener("resize", fitAll);
  document.addEventListener("toggle", fitAll, true);
})();
