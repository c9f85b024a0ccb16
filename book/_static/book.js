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
