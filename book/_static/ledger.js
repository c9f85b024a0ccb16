// Filters and sorts the ledger.  The table is whole and in the order of the book without this script.
(() => {
  "use strict";

  const table = document.querySelector("table.book-ledger");
  if (!table) return;
  const groups = [...table.tBodies];
  const rows = groups.flatMap((group) => [...group.querySelectorAll("tr:not(.is-chapter)")]);
  const headings = groups.map((group) => group.querySelector(".is-chapter"));
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const home = new Map(rows.map((row) => [row, row.parentElement]));
  const sorted = document.createElement("tbody");

  const number = (name, missing) => (row) => (name in row.dataset ? Number(row.dataset[name]) : missing);
  const ORDERS = {
    "in the order of the book": null,
    "attained first": number("tightest", -1),
    "strongest tier first": number("rank", 0),
    "most controls first": number("controls", -1),
  };

  function labelled(text, control) {
    const pair = document.createElement("span");
    const label = document.createElement("label");
    label.textContent = text;
    label.htmlFor = control.id = `book-ledger-${text.toLowerCase()}`;
    pair.append(label, control);
    return pair;
  }

  function select(options) {
    const control = document.createElement("select");
    for (const [value, text] of options) control.append(new Option(text, value));
    return control;
  }

  function update() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter((row) => {
      const inChapter = !chapter.value || home.get(row).id === chapter.value;
      const ofTier = !tier.value || row.dataset.tier === tier.value;
      return inChapter && ofTier && words.every((word) => texts.get(row).includes(word));
    });
    for (const row of rows) row.hidden = !shown.includes(row);
    arrange(ORDERS[order.value]);
    const of = shown.length === rows.length ? "" : ` of ${rows.length}`;
    said.textContent = `${shown.length}${of} results, ${order.value}.`;
  }

  function arrange(key) {
    if (key) {
      sorted.append(...[...rows].sort((a, b) => key(b) - key(a)));
      table.append(sorted);
    } else {
      for (const row of rows) home.get(row).append(row);
      sorted.remove();
    }
    groups.forEach((group, place) => {
      const empty = ![...group.rows].some((row) => row !== headings[place] && !row.hidden);
      group.hidden = empty;
    });
  }

  const filter = document.createElement("input");
  filter.type = "search";
  const chapter = select([["", "all"], ...groups.map((group, place) => [group.id, headings[place].textContent.replace(/: \d+ of \d+$/, "")])]);
  const tiers = [...new Set([...rows].sort((a, b) => ORDERS["strongest tier first"](b) - ORDERS["strongest tier first"](a)).map((row) => row.dataset.tier))];
  const tier = select([["", "all"], ...tiers.filter(Boolean).map((word) => [word, word])]);
  const order = select(Object.keys(ORDERS).map((words) => [words, words]));
  const said = document.createElement("p");
  said.setAttribute("role", "status");

  const bar = document.createElement("div");
  bar.className = "book-ledger-controls";
  bar.setAttribute("role", "search");
  bar.setAttribute("aria-label", "Filter and sort the ledger");
  bar.append(labelled("Words", filter), labelled("Chapter", chapter), labelled("Tier", tier), labelled("Sort", order), said);
  (table.closest(".pst-scrollable-table-container") ?? table).before(bar);
  for (const control of [filter, chapter, tier, order]) control.addEventListener("input", update);
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    filter.value = "";
    update();
  });
  update();
})();
