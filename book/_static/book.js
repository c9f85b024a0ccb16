// Search results quote their page by fetching it, which browsers refuse for files opened from disk: there the texts that
// were written when the book was built are quoted.
if (window.location.protocol === "file:" && globalThis.mcbookPageTexts) {
  const fromWeb = window.fetch;
  window.fetch = (address, ...others) => {
    const url = new URL(address, window.location);
    const name = Object.keys(globalThis.mcbookPageTexts).find((page) => decodeURIComponent(url.pathname).endsWith(`/${page}`));
    if (!name) return fromWeb(address, ...others);
    const main = document.createElement("div");
    main.setAttribute("role", "main");
    main.textContent = globalThis.mcbookPageTexts[name];
    return Promise.resolve(new Response(main.outerHTML));
  };
}

// What scrolls is reached by keyboard: code, tables and formulas that are wider than their boxes, when they are unfolded too.
const reach = new ResizeObserver((entries) => {
  for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});
const observeScrolling = () => {
  const boxes = ".bd-article :is(pre, .output, .pst-scrollable-table-container, mjx-container[display='true'])";
  for (const box of document.querySelectorAll(boxes)) reach.observe(box);
};
window.addEventListener("load", () => {
  observeScrolling();
  globalThis.MathJax?.startup?.promise?.then(observeScrolling);
});
