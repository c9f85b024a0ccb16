// Signs of Rademacher: toss them, watch the supremum over a class and its running mean; the maximum of two classes.

import { dot, largest, random, range, sum } from "./lib/numbers.js";
import { button, choice, dial, digits, frame, html } from "./lib/page.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

const MOST = 400;

/** sup over the functions, given by their values on the sample, of (1/m) sum_i sigma_i f(x_i), and who attains it. */
function supremum(values, signs) {
  const sums = values.map((row) => dot(row, signs));
  return { value: Math.max(...sums) / signs.length, attained: largest(sums)[0] };
}

/** All 2^m vectors of signs. */
function allSigns(m) {
  return range(2 ** m).map((code) => range(m).map((i) => ((code >> i) & 1 ? -1 : 1)));
}

/** The mean of the supremum over all signs. */
function complexity(values) {
  const signs = allSigns(values[0].length);
  return sum(signs.map((sigma) => supremum(values, sigma).value)) / signs.length;
}

/** All max(f, g), f and g chosen independently. */
function maxima(first, second) {
  return first.flatMap((f) => second.map((g) => f.map((value, i) => Math.max(value, g[i]))));
}

/** Family j of the block class: every pattern of signs on its own block of the sample, -1 on the others. */
function blockFamilies(families, block) {
  return range(families).map((j) =>
    allSigns(block).map((pattern) =>
      range(families * block).map((i) => (Math.floor(i / block) === j ? pattern[i - j * block] : -1)),
    ),
  );
}

const INSTANCES = {
  lines: {
    name: "half-lines and their mirror images",
    families: [
      range(7).map((cut) => range(6).map((i) => +(i >= cut))),
      range(7).map((cut) => range(6).map((i) => +(i < cut))),
    ],
  },
  numbers: {
    name: "three functions each",
    families: [
      [
        [2, -1, 0, 1, -2, 1],
        [-1, 1, 1, 0, 2, -1],
        [0, 2, -2, 1, 1, 0],
      ],
      [
        [0, 1, -2, 2, 0, 1],
        [1, -2, 2, -1, 1, 0],
        [-1, 0, 1, 1, -1, 2],
      ],
    ],
  },
  blocks: { name: "two blocks: equality", families: blockFamilies(2, 3) },
};

/** The complexities of an instance: of both families, of their maxima, and what the lemma with `factor` allows. */
function lemma({ families, factor = 1 }) {
  const [first, second] = families.map(complexity);
  const whole = complexity(maxima(...families));
  return {
    first,
    second,
    whole,
    allowed: factor * (first + second),
    broken: whole > factor * (first + second) + 1e-12,
  };
}

function start(root) {
  const page = frame(root, {
    title: "Signs of Rademacher",
    hint: "Toss the signs, or turn single ones. How well can the class of maxima follow them?",
  });
  let draw = random(1);
  let instance = INSTANCES.lines;
  let factor = 1;
  let signs = range(6).map((i) => (i % 2 ? -1 : 1));
  let means = [];
  let total = 0;

  const turning = html("div", { class: "explorer-controls", role: "group", "aria-label": "the signs" });
  const buttons = signs.map((_, i) => {
    const turn = () => {
      signs[i] = -signs[i];
      show();
    };
    const cell = html("button", { type: "button", class: "explorer-cell", click: turn });
    turning.append(cell);
    return cell;
  });
  const picture = plot({
    label: "The running mean of the supremum over the tosses, and the exact complexity",
    x: [0, MOST],
    y: [0, 1.5],
    xLabel: "tosses",
    yLabel: "mean of the supremum",
  });
  const bars = plot({
    label: "The values of the best function at the points",
    x: [0.4, 6.6],
    y: [-2.2, 2.2],
    xLabel: "point",
    height: 200,
  });
  const table = html("div", { class: "explorer-column" }, turning, bars.root);
  page.stage.append(table, picture.root);

  const whole = () => maxima(...instance.families);
  const toss = (times) => {
    for (let i = 0; i < times && means.length < MOST; i++) {
      signs = range(6).map(() => (draw() < 0.5 ? 1 : -1));
      total += supremum(whole(), signs).value;
      means.push(total / (means.length + 1));
    }
    show();
  };
  const again = () => {
    draw = random(1);
    [means, total] = [[], 0];
    show();
  };
  const show = () => {
    const best = supremum(whole(), signs);
    const values = whole()[best.attained];
    const found = lemma({ ...instance, factor });
    for (const [i, cell] of buttons.entries()) {
      cell.textContent = signs[i] > 0 ? "+" : "−";
      cell.dataset.sign = signs[i];
      cell.setAttribute("aria-label", `sign ${i + 1}: ${signs[i] > 0 ? "plus" : "minus"}`);
    }
    bars.clear();
    for (const i of range(6)) {
      const side = signs[i] > 0 ? 1 : 2;
      const corners = [
        [i + 0.75, 0],
        [i + 1.25, 0],
        [i + 1.25, values[i]],
        [i + 0.75, values[i]],
      ];
      bars.area(corners, { class: `explorer-area explorer-bar explorer-class-${side}` });
      bars.line(
        [
          [i + 0.7, values[i]],
          [i + 1.3, values[i]],
        ],
        { class: `explorer-line explorer-series-${side}` },
      );
    }
    picture.clear();
    picture.line(
      [
        [0, found.whole],
        [MOST, found.whole],
      ],
      { class: "explorer-line explorer-quiet" },
    );
    picture.line(
      [
        [0, found.allowed],
        [MOST, found.allowed],
      ],
      { class: "explorer-line explorer-limit" },
    );
    picture.line(
      means.map((mean, i) => [i + 1, mean]),
      { class: "explorer-line explorer-series-1" },
    );
    page.facts({
      "supremum for these signs": digits(best.value),
      [`mean of ${means.length} tosses`]: [means.length ? digits(means.at(-1), 4) : "–", "series-1"],
      "R(max), exactly": [digits(found.whole, 5), "quiet"],
      "R of each class": `${digits(found.first, 4)} and ${digits(found.second, 4)}`,
      [factor === 1 ? "R₁ + R₂" : `${digits(factor, 3)} (R₁ + R₂)`]: [digits(found.allowed, 5), "limit"],
    });
    page.say(...verdict(found));
  };
  const verdict = (found) => {
    const claim = `R(max) ≤ ${factor === 1 ? "R₁ + R₂" : `${digits(factor, 3)} (R₁ + R₂)`}`;
    if (factor >= 1) {
      const equal = Math.abs(found.whole - found.allowed) < 1e-12 ? ", with equality here" : "";
      return [
        `${claim} holds for all classes${equal}: ${digits(found.whole, 5)} and ${digits(found.allowed, 5)}.`,
        "true",
      ];
    }
    if (found.broken) {
      return [
        `${claim} is false: on this instance the left side is ${digits(found.whole, 5)} and the right side ${digits(found.allowed, 5)}.`,
        "false",
      ];
    }
    return [`${claim} is false, though not on this instance: the two blocks have R(max) = 1 = R₁ + R₂.`, "false"];
  };

  const options = Object.fromEntries(Object.entries(INSTANCES).map(([key, { name }]) => [key, name]));
  page.controls.append(
    choice({
      label: "classes",
      options,
      value: "lines",
      change: (key) => {
        instance = INSTANCES[key];
        again();
      },
    }).element,
    button("toss once", () => toss(1)),
    button("toss 50 times", () => toss(50)),
    button("start again", again),
    dial({
      label: "factor before R₁ + R₂",
      min: 0.5,
      max: 1.2,
      step: 0.01,
      value: 1,
      show: (v) => digits(v, 3),
      sentence: "The lemma has 1. Turn it down, and try the two blocks.",
      change: (v) => {
        factor = v;
        show();
      },
    }).element,
  );
  toss(50);
}

explorer("signs", { math: { supremum, complexity, maxima, blockFamilies, lemma }, start });
