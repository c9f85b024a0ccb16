// Exercises that answer: controls for the questions of a page, marked here, with a reason for what is wrong.
(() => {
  "use strict";

  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // The reverse of `sealed` in mcbook_exercises.py.
  function opened(name, text) {
    let state = 2166136261;
    for (const byte of new TextEncoder().encode(name)) state = Math.imul(state ^ byte, 16777619) >>> 0;
    const bytes = Uint8Array.from(atob(text), (character) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return character.charCodeAt(0) ^ (state >>> 24);
    });
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  // "3/4", "0.75", "0,75", "75%" and "7.5e-1" are numbers; everything else is none.
  function readNumber(text) {
    const plain = text.trim().replaceAll(/\s/g, "").replace("−", "-").replace(",", ".");
    const match = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\/(\d+\.?\d*|\.\d+))?(%?)$/i.exec(plain);
    if (!match) return NaN;
    return (Number(match[1]) / (match[2] === undefined ? 1 : Number(match[2]))) * (match[3] ? 0.01 : 1);
  }

  function near(given, wanted, tolerance) {
    return Math.abs(given - wanted) <= Math.max(tolerance, 1e-9 * Math.max(1, Math.abs(wanted)));
  }

  const right = { tone: "right", text: "Right." };
  const wrong = (why) => ({ tone: "wrong", text: `Not yet. ${why}` });
  const unread = (text) => ({ tone: "unread", text });

  function markNumber(key, text) {
    const given = readNumber(text);
    if (!Number.isFinite(given)) return unread("Type a number, such as 3, 0.75 or 3/4.");
    if (near(given, readNumber(key.value), key.tolerance)) return right;
    const typical = key.wrong.find((each) => near(given, readNumber(each.value), key.tolerance));
    return wrong(typical ? typical.why : "Another number. Look at the hint.");
  }

  function markChoice(key, place) {
    if (place < 0) return unread("Choose one of the answers first.");
    return key.reasons[place] ? wrong(key.reasons[place]) : right;
  }

  function markOrder(key, order) {
    const same = (other) => other.every((place, i) => place === order[i]);
    if (same(key.order)) return right;
    const typical = key.wrong.find((each) => same(each.order));
    const placed = key.order.filter((place, i) => place === order[i]).length;
    return wrong(typical ? typical.why : `${placed} of ${order.length} stand in their place.`);
  }

  function say(live, { tone, text }) {
    live.dataset.tone = tone;
    live.innerHTML = text;
    // Formulas that scroll are looked for anew.
    window.MathJax?.typesetPromise?.([live]).then(() => document.dispatchEvent(new Event("book-formulas")));
  }

  // Each kind returns its controls and a function that marks what they hold.
  const kinds = {
    number(part, key, prompt) {
      const field = make("input", { type: "text", inputMode: "text", autocomplete: "off", size: 10 });
      field.setAttribute("aria-labelledby", prompt.id);
      return { controls: [field], mark: () => markNumber(key, field.value) };
    },

    choice(part, key, prompt) {
      const list = part.querySelector("ul");
      const group = make("div", { className: "book-answer-choices" });
      group.setAttribute("role", "radiogroup");
      group.setAttribute("aria-labelledby", prompt.id);
      const buttons = [...list.children].map((item, i) => {
        const button = make("input", { type: "radio", name: part.dataset.part, value: String(i) });
        // The number is what `check` takes in a notebook, and names a choice that is a formula alone.
        const text = make("span", {}, `${i + 1}. `, ...item.querySelector("p").childNodes);
        group.append(make("label", {}, button, text));
        return button;
      });
      list.remove();
      return { controls: [group], mark: () => markChoice(key, buttons.findIndex((button) => button.checked)) };
    },

    ordering(part, key, prompt, live) {
      const list = make("ol", { className: "book-answer-order" });
      list.setAttribute("aria-labelledby", prompt.id);
      const old = part.querySelector("ul");
      [...old.children].forEach((item, i) => {
        const text = make("span", {}, ...item.querySelector("p").childNodes);
        const entry = make("li", {}, text);
        entry.dataset.place = i;
        for (const [step, sign, name] of [[-1, "↑", "up"], [1, "↓", "down"]]) {
          const button = make("button", { type: "button", textContent: sign });
          button.setAttribute("aria-label", `Move ${name}: ${text.textContent.trim()}`);
          button.addEventListener("click", () => move(entry, step, button));
          entry.append(button);
        }
        list.append(entry);
      });
      old.remove();

      function move(entry, step, button) {
        const other = step < 0 ? entry.previousElementSibling : entry.nextElementSibling;
        if (other) step < 0 ? other.before(entry) : other.after(entry);
        button.focus();
        const place = [...list.children].indexOf(entry) + 1;
        say(live, unread(`Now in place ${place} of ${list.children.length}.`));
      }

      return { controls: [list], mark: () => markOrder(key, [...list.children].map((li) => Number(li.dataset.place))) };
    },
  };

  function ask(part) {
    const key = opened(part.dataset.part, part.dataset.sealed);
    const prompt = part.querySelector("p");
    prompt.id = `ask-${part.dataset.part}`;
    const live = make("p", { className: "book-answer-mark" });
    live.setAttribute("role", "status");
    const { controls, mark } = kinds[part.dataset.kind](part, key, prompt, live);
    const button = make("button", { type: "submit", textContent: "Check" });
    button.setAttribute("aria-describedby", prompt.id);
    const form = make("form", { noValidate: true }, ...controls, button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      say(live, mark());
    });
    part.append(form, live);
    part.hidden = false;
  }

  document.querySelectorAll(".book-answer-part[data-sealed]").forEach(ask);
  document.querySelectorAll(".book-answer-static").forEach((sentence) => sentence.remove());
})();
