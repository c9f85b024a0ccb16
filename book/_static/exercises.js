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
    const plain = text.replaceAll(/\s/g, "").replace(",", ".");
    const match = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,2})?)(?:\/(\d+\.?\d*|\.\d+))?(%?)$/i.exec(plain);
    if (!match) return NaN;
    return (Number(match[1]) / (match[2] === undefined ? 1 : Number(match[2]))) * (match[3] ? 0.01 : 1);
  }

  // Everything about numbers is as in mcbook/exercises/reading.py.
  const SIGNS = [["½", "1/2"], ["⅓", "1/3"], ["⅔", "2/3"], ["¼", "1/4"], ["¾", "3/4"], ["⅛", "1/8"], ["⅜", "3/8"]];
  const FRACTIONS = Object.fromEntries([...SIGNS, ["⅝", "5/8"], ["⅞", "7/8"]]);

  function plainText(text) {
    const plain = text.replaceAll(/[−–]/g, "-").replaceAll(/[½⅓⅔¼¾⅛⅜⅝⅞]/g, (sign) => ` ${FRACTIONS[sign]}`);
    return plain.trim().replace(/^[=≈~]\s*/, "");
  }

  // What a reader may mean: "1 1/2" is a mixed number, and "14,979" is a decimal fraction or has a comma for thousands.
  function readings(text) {
    const plain = plainText(text);
    const mixed = /^([-+]?)(\d+)\s+(\d+)\s*\/\s*(\d+)$/.exec(plain);
    if (mixed) return [(mixed[1] === "-" ? -1 : 1) * (Number(mixed[2]) + Number(mixed[3]) / Number(mixed[4]))];
    const grouped = /^[-+]?[1-9]\d{0,2}(?:([.,\s'’])\d{3})(?:\1\d{3})*$/.test(plain);
    const whole = grouped ? [Number(plain.replaceAll(/[.,\s'’]/g, ""))] : [];
    const plainly = /\d\s+[\d.,]/.test(plain) ? NaN : readNumber(plain);
    return [plainly, ...whole].filter(Number.isFinite);
  }

  // A decimal fraction of so many digits or more, or a percentage, stands for each number that it is the rounding of;
  // one with more than twelve digits was computed.
  function roundsTo(text, given, wanted, fewest = 3) {
    const digits = /^[-+]?0*(\d*)(?:[.,](\d+))?\s*(%?)$/.exec(plainText(text));
    if (!digits || !(digits[2] || digits[3])) return false;
    const decimals = digits[2] ?? "";
    const count = (digits[1] + decimals).replace(/^0+/, "").length;
    if (count < fewest || count > 12) return false;
    return Math.abs(given - wanted) <= 0.5000001 * 10 ** -(decimals.length + (digits[3] ? 2 : 0));
  }

  function expectedOf(text) {
    if (/^[-+]?\s*(?:inf|infinity|∞)$/i.test(plainText(text))) return "a finite number";
    const expression = /ln|log|exp|sqrt|tanh|\bpi\b|[√π^*·×!()]|\d\s*\+\s*\d/i.test(text);
    return expression ? "the value of the expression, a number such as 1.0986" : "a number, such as 3, 0.75 or 3/4";
  }

  function near(given, wanted, tolerance) {
    return Math.abs(given - wanted) <= Math.max(tolerance, 1e-9 * Math.max(1, Math.abs(wanted)));
  }

  const right = { tone: "right", text: "Right." };
  const wrong = (why) => ({ tone: "wrong", text: `Not yet. ${why}` });
  const unread = (text) => ({ tone: "unread", text });

  function markNumber(key, text) {
    const given = readings(text);
    if (!given.length) return unread(`Type ${expectedOf(text)}.`);
    const means = (wanted, tolerance) => given.some((each) => near(each, wanted, tolerance));
    if (means(readNumber(key.value), key.tolerance)) return right;
    const typical = key.wrong.find((each) => means(readNumber(each.value), key.tolerance));
    if (typical) return wrong(typical.why);
    const before = key.unrounded ? readNumber(key.unrounded.value) : NaN;
    if (means(before, key.tolerance) || roundsTo(text, given[0], before, 2)) return wrong(key.unrounded.why);
    if (roundsTo(text, given[0], readNumber(key.value))) return right;
    const rounded = key.wrong.find((each) => roundsTo(text, given[0], readNumber(each.value)));
    if (rounded) return wrong(rounded.why);
    const roughly = roundsTo(text, given[0], readNumber(key.value), 1);
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
    const key = opened(part.dataset.part, part.dataset.sealed);
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
