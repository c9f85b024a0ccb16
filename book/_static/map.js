// Points out what a row of a map uses and what uses it, while the pointer or the focus is on the row.
(() => {
  "use strict";

  function lookAt(map, row) {
    const rows = [...map.querySelectorAll(":scope > ol > li")];
    const at = rows.indexOf(row);
    const near = new Set();
    for (const arc of map.querySelectorAll(".book-map-arc")) {
      const ends = [Number(arc.dataset.used), Number(arc.dataset.user)];
      const touches = at >= 0 && ends.includes(at);
      arc.classList.toggle("is-near", touches);
      if (touches) for (const end of ends) near.add(end);
    }
    rows.forEach((one, place) => one.classList.toggle("is-near", near.has(place)));
    map.toggleAttribute("data-looked-at", near.size > 0);
  }

  for (const map of document.querySelectorAll(".book-map")) {
    for (const kind of ["pointerover", "focusin"]) {
      map.addEventListener(kind, (event) => lookAt(map, event.target.closest(".book-map > ol > li")));
    }
    for (const kind of ["pointerleave", "focusout"]) map.addEventListener(kind, () => lookAt(map, null));
  }
})();
