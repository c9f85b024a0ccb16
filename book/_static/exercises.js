// Exercises that answer: controls for the questions of a page, marked here, with a reason for what is wrong.
(() => {
  "use strict";

  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // Everything about numbers is as in mcbook/exercises/parse_number.py: "3/4", "0.75", "0,75", "75%" and "7.5e-1" are
  // numbers; "14,979" may be two, and everything else is none.
  const NUMBER = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,2})?)(?:\s*\/\s*(\d+\.?\d*|\.\d+))?\s*(%?)$/i;

  function readNumber(text) {
    const match = NUMBER.exec(plainText(text));
    return match ? (Number(match[1]) / Number(match[2] ?? 1)) * (match[3] ? 0.01 : 1) : NaN;
  }

  function plainText(text) {
    const plain = text.trim().replaceAll("−", "-");
    return /^[-+]?[1-9]\d{0,2}(,\d{3})+$/.test(plain) ? "" : plain.replaceAll(",", ".");
  }

  // A decimal fraction of so many digits or more, or a percentage, stands for each number that it is the rounding of;
  // one with more than twelve digits was computed.
  function roundsTo(text, given, wanted, fewest = 3) {
    const digits = /^[-+]?0*(\d*)(?:\.(\d+))?\s*(%?)$/.exec(plainText(text));
    if (!digits || !(digits[2] || digits[3])) return false;
    const decimals = digits[2] ?? "";
    const count = (digits[1] + decimals).replace(/^0+/, "").length;
    if (count < fewest || count > 12) return false;
    return Math.abs(given - wanted) <= 0.5000001 * 10 ** -(decimals.length + (digits[3] ? 2 : 0));
  }

  function near(given, wanted, tolerance) {
    return Math.abs(given - wanted) <= Math.max(tolerance, 1e-9 * Math.max(1, Math.abs(wanted)));
  }

  const right = { tone: "right", text: "Right." };
  const wrong = (why) => ({ tone: "wrong", text: `Not yet. ${why}` });
  const unread = (text) => ({ tone: "unread", text });

  function markNumber(key, text) {
    const given = readNumber(text);
    if (!Number.isFinite(given)) return unread("Type a number, such as 3000, 0.75 or 3/4.");
    const means = (wanted, tolerance) => near(given, wanted, tolerance);
    if (means(readNumber(key.value), key.tolerance)) return right;
    const typical = key.wrong.find((each) => means(readNumber(each.value), key.tolerance));
    if (typical) return wrong(typical.why);
    const before = key.unrounded ? readNumber(key.unrounded.value) : NaN;
    if (means(before, key.tolerance) || roundsTo(text, given, before, 2)) return wrong(key.unrounded.why);
    if (roundsTo(text, given, readNumber(key.value))) return right;
    const rounded = key.wrong.find((each) => roundsTo(text, given, readNumber(each.value)));
    if (rounded) return wrong(rounded.why);
    const roughly = roundsTo(text, given, readNumber(key.value), 1);
    return wrong(roughly ? "That may be it, rounded: give a fraction, or three digits." : "Another number. Look at the hint.");
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
        text.id = `item-${part.dataset.part}-${i}`;
        const entry = make("li", {}, text);
        entry.dataset.place = i;
        for (const [step, sign, name] of [[-1, "↑", "up"], [1, "↓", "down"]]) {
          const button = make("button", { type: "button", textContent: sign });
          // The item names the button together with its own words: formulas are read as they are set.
          button.id = `${text.id}-${name}`;
          button.setAttribute("aria-label", `Move ${name}:`);
          button.setAttribute("aria-labelledby", `${button.id} ${text.id}`);
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
    const key = JSON.parse(atob(part.dataset.sealed));
    const prompt = part.querySelector("p");
    prompt.id = `ask-${part.dataset.part}`;
    const live = make("p", { className: "book-answer-mark" });
    live.setAttribute("role", "status");
    const { controls, mark } = kinds[part.dataset.kind](part, key, prompt, live);
    const button = make("button", { type: "submit", textContent: "Check" });
    button.setAttribute("aria-describedby", prompt.id);
    const form = make("form", { noValidate: true }, ...controls, button, part.querySelector(".book-answer-id"));
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
