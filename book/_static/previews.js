// Shows what a link leads to while the pointer or the keyboard's focus rests on it.  The page's own table of previews has
// been loaded before.  A touch follows the link, as it always did.
(() => {
  "use strict";

  const previews = globalThis.mcbookPreviews ?? {};
  const article = document.querySelector(".bd-article");
  if (!article || !Object.keys(previews).length) return;

  const WAIT = 250; // Milliseconds before a preview opens, and before it closes behind the pointer.
  const EDGE = 8;
  const made = new Map();
  let timer = 0;
  let wanted = null;

  const box = document.createElement("div");
  box.className = "book-preview";
  box.id = "book-preview";
  box.setAttribute("role", "tooltip");
  box.hidden = true;
  article.append(box);

  const linkAt = (target) => {
    const link = target.closest?.("a[href]");
    return link && Object.hasOwn(previews, link.getAttribute("href")) ? link : null;
  };

  // The preview with its formulas set; null where the page has nothing to set them with.
  async function content(address) {
    if (!made.has(address)) {
      const inside = document.createElement("div");
      inside.innerHTML = previews[address];
      if (inside.querySelector(".math")) {
        if (!globalThis.MathJax?.typesetPromise) return null;
        await MathJax.startup.promise;
        await MathJax.typesetPromise([inside]);
      }
      made.set(address, inside);
    }
    return made.get(address);
  }

  async function show(link) {
    wanted = link;
    const inside = await content(link.getAttribute("href"));
    if (wanted !== link || !inside) return;
    box.replaceChildren(inside);
    box.hidden = false;
    link.setAttribute("aria-describedby", box.id);
    place(link);
  }

  // Below the link, or above it where there is more room.
  function place(link) {
    const [line, frame] = [link.getClientRects()[0], box.offsetParent.getBoundingClientRect()];
    const left = Math.max(EDGE, Math.min(line.left, innerWidth - box.offsetWidth - EDGE));
    const below = innerHeight - line.bottom > box.offsetHeight + EDGE || line.top < innerHeight / 2;
    const top = below ? line.bottom + EDGE / 2 : line.top - box.offsetHeight - EDGE / 2;
    box.style.left = `${left - frame.left + box.offsetParent.scrollLeft}px`;
    box.style.top = `${top - frame.top + box.offsetParent.scrollTop}px`;
    box.classList.toggle("is-long", box.scrollHeight > box.clientHeight + 1);
  }

  function hide() {
    clearTimeout(timer);
    wanted?.removeAttribute("aria-describedby");
    wanted = null;
    box.hidden = true;
  }

  function later(action) {
    clearTimeout(timer);
    timer = setTimeout(action, WAIT);
  }

  article.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const link = linkAt(event.target);
    if (link && link !== wanted) {
      later(() => {
        hide();
        show(link);
      });
    } else if (link || box.contains(event.target)) clearTimeout(timer);
    else if (wanted) later(hide);
  });
  article.addEventListener("pointerleave", () => later(hide));
  article.addEventListener("focusin", (event) => {
    const link = linkAt(event.target);
    if (!link?.matches(":focus-visible")) return;
    hide();
    show(link);
  });
  article.addEventListener("focusout", hide);
  article.addEventListener("click", (event) => {
    if (linkAt(event.target)) hide();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
})();
