// The switch between the story of a page and everything on it. Without this script each fold opens by a click.
(() => {
  "use strict";

  const FOLDS = "details.book-detail, details.hide, details.mcbook-trial";
  const STORED = "mcbook-layer";
  const LAYERS = { story: "Story", everything: "Everything" };

  const folds = () => [...document.querySelectorAll(FOLDS)];

  function remembered() {
    try {
      return localStorage.getItem(STORED) in LAYERS ? localStorage.getItem(STORED) : "story";
    } catch {
      return "story"; // A browser that keeps nothing shows the story.
    }
  }

  function remember(layer) {
    try {
      localStorage.setItem(STORED, layer);
    } catch {
      // The choice then lasts for this page alone.
    }
  }

  function show(layer, buttons) {
    for (const fold of folds()) fold.open = layer === "everything";
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === layer));
  }

  function makeSwitch() {
    const group = document.createElement("div");
    group.className = "book-layers";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "How much of this page to show");
    const buttons = Object.entries(LAYERS).map(([layer, label]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.value = layer;
      button.textContent = label;
      button.addEventListener("click", () => {
        remember(layer);
        show(layer, buttons);
      });
      group.append(button);
      return button;
    });
    document.querySelector(".bd-article h1")?.after(group);
    show(remembered(), buttons);
  }

  // What a link or a search leads to must not stay folded.
  function openAround(element) {
    for (let fold = element?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }

  function openTarget() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id ? document.getElementById(id) : null;
    if (!target?.closest("details")) return;
    openAround(target);
    target.scrollIntoView();
  }

  function openFound() {
    for (const found of document.querySelectorAll(".bd-article span.highlighted")) openAround(found);
  }

  // In pixels of the paper: how wide a formula may be beside its number, and the size of its letters.
  const PAPER_ROOM = 600;
  const PAPER_LETTERS = 14.7;

  // On paper a formula cannot scroll: one that is too wide is set smaller.
  function fitFormulas() {
    for (const box of document.querySelectorAll('.bd-article mjx-container[display="true"]')) {
      const drawn = box.querySelector("mjx-math");
      const letters = drawn ? drawn.getBoundingClientRect().width / parseFloat(getComputedStyle(drawn).fontSize) : 0;
      if (letters) box.style.setProperty("--book-paper-share", Math.min(1, PAPER_ROOM / (PAPER_LETTERS * letters)));
    }
  }

  // A hint stays closed, as a solution does, unless the reader has opened it.
  function openForPrint() {
    const closed = [...document.querySelectorAll("details:not([open], .book-answer-hint)")];
    for (const fold of closed) fold.open = true;
    fitFormulas();
    addEventListener("afterprint", () => closed.forEach((fold) => (fold.open = false)), { once: true });
  }

  // The theme leaves the title of the book outside of all landmarks.
  const title = document.querySelector(".bd-sidebar-primary .sidebar-primary-item:has(> .navbar-brand)");
  title?.setAttribute("role", "navigation");
  title?.setAttribute("aria-label", "Start of the book");

  // The button of a solution is called what is written on it.
  function nameSwitches() {
    for (const button of document.querySelectorAll("button.toggle-button")) {
      button.setAttribute("aria-label", button.dataset.toggleHint);
    }
  }
  addEventListener("load", nameSwitches);
  document.addEventListener("click", () => setTimeout(nameSwitches));

  // A formula that scrolls has to be within reach of the keyboard; what is folded is measured when it opens.
  function reachScrolling() {
    for (const box of document.querySelectorAll(".bd-article :is(span.math, div.math mjx-container)")) {
      // A formula's width is a fraction of pixels, which browsers round: one pixel more is no reason to scroll.
      const scrolls = box.scrollWidth > box.clientWidth + 1;
      if (scrolls) box.tabIndex = 0;
      else if (box.checkVisibility()) box.removeAttribute("tabindex");
      if (box.matches("span.math")) box.classList.toggle("book-fits", !scrolls && box.checkVisibility());
    }
  }

  let waiting = 0;
  function reachSoon() {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(reachScrolling);
  }

  // The script of MathJax, deferred like this one, has run by then.
  addEventListener("load", () => {
    const set = window.MathJax?.startup?.promise ?? Promise.resolve();
    // Formulas change their width once more when their fonts are there.
    set.then(reachScrolling).then(() => document.fonts.ready).then(reachScrolling);
  });
  addEventListener("resize", reachSoon);
  document.addEventListener("toggle", reachSoon, true);
  document.addEventListener("book-formulas", reachScrolling);

  if (folds().length) makeSwitch();
  openTarget();
  addEventListener("hashchange", openTarget);
  addEventListener("beforeprint", openForPrint);
  // Sphinx marks the words of a search some time after it starts.
  addEventListener("load", () => {
    openFound();
    const marking = new MutationObserver(openFound);
    marking.observe(document.querySelector(".bd-article") ?? document.body, { childList: true, subtree: true });
    setTimeout(() => marking.disconnect(), 3000);
  });
})();
