// The margin bound against the number of examples: where it begins to say something, and constants that are too small.

import { range } from "./lib/numbers.js";
import { choice, dial, digits, frame, slider } from "./lib/page.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

const SIZES = [10, 1e9];

/** empirical loss + (factor k / rho) complexity + sqrt(ln(1/delta) / (2m)); the theorem has the factor 4. */
function marginBound({ loss, complexity, rho, classes, delta, samples, factor = 4 }) {
  return loss + (factor * classes * complexity) / rho + Math.sqrt(-Math.log(delta) / (2 * samples));
}

/** sqrt(r^2 Lambda^2 / m): the complexity of the scores of each class for a kernel. */
function kernelComplexity({ squaredRadius, squaredNorm, samples }) {
  return Math.sqrt((squaredRadius * squaredNorm) / samples);
}

function kernelBound({ squaredRadius, squaredNorm, samples, ...others }) {
  return marginBound({ ...others, samples, complexity: kernelComplexity({ squaredRadius, squaredNorm, samples }) });
}

/** The first number of examples at which the bound is below 1. */
function firstInformative(settings) {
  if (settings.loss >= 1) return Infinity;
  return firstBelowOne((m) => kernelBound({ ...settings, samples: m }));
}

/**
 * A number that the complexity of the block class is proved not to exceed, for margin 1: exact for two classes, else
 * (ln k + m ln M(s)) / (s m), which holds for every s > 0.
 */
function blockComplexity(classes, samples) {
  if (classes === 2) return 1 / 4 + centralShare(samples) / 2;
  const s = Math.sqrt((4 * Math.log(classes) * classes) / (3 * samples));
  const moment = Math.log1p((2 * Math.expm1(s) + Math.expm1(-s)) / (2 * classes));
  return (Math.log(classes) + samples * moment) / (s * samples);
}

/** binom(2m, m) / 4^m: as a product, or for large m by the first terms of its series, good to 12 digits. */
function centralShare(m) {
  if (m <= 2000) return range(m).reduce((product, i) => (product * (2 * i + 1)) / (2 * i + 2), 1);
  return (1 - 1 / (8 * m) + 1 / (128 * m ** 2)) / Math.sqrt(Math.PI * m);
}

/** What the statement with this factor says about the block class at most; its margin loss is 0 and its risk 1. */
function blockBound({ classes, delta, samples, factor }) {
  const complexity = blockComplexity(classes, samples);
  return marginBound({ loss: 0, complexity, rho: 1, classes, delta, samples, factor });
}

/** The first number of examples at which that is below the risk, so that the statement is false; none from 2 on. */
function firstFalse({ classes, delta, factor }) {
  if (factor >= 2) return Infinity;
  return firstBelowOne((m) => blockBound({ classes, delta, samples: m, factor }));
}

/** The first m at which a function of m that falls is below 1. */
function firstBelowOne(bound) {
  let high = 1;
  while (bound(high) >= 1) {
    if (high > 1e15) return Infinity;
    high *= 2;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (bound(middle) < 1) high = middle;
    else low = middle;
  }
  return high;
}

/** The theorem's constant is 4; with the complexity of every label it is 2 (2 - 2^-n), n halvings of the labels. */
function labelsFactor(classes) {
  let halvings = 0;
  while (classes > 3 * 2 ** halvings) halvings += 1;
  return 2 - 2 ** -halvings;
}

/** What is known about a factor before k: the theorem has 4, and 2 labelsFactor is enough; below 2 it is false. */
function standing(factor, classes) {
  if (factor < 2) return "false";
  return factor >= 2 * labelsFactor(classes) ? "theorem" : "open";
}

function start(root) {
  const settings = { loss: 0.05, rho: 0.5, classes: 3, delta: 0.05, squaredRadius: 1, squaredNorm: 1, factor: 4 };
  const page = frame(root, {
    title: "What the margin bound promises, and when it would be false",
    hint: "Above the line at 1 a bound says nothing. The block class has margin loss 0 and risk 1 whatever the sample: what is promised to it must not fall below 1.",
  });
  const picture = plot({
    label: "Bounds on the risk against the number of examples",
    x: SIZES,
    y: [0, 2.5],
    logX: true,
    xLabel: "number of examples m",
    yLabel: "bound on the risk",
  });
  page.stage.append(picture.root);

  const draw = () => {
    picture.clear();
    const [left, right] = SIZES;
    const places = range(200).map((i) => left * (right / left) ** (i / 199));
    const { factor, classes, loss } = settings;
    const broken = firstFalse(settings);
    const block = places.map((m) => [m, blockBound({ ...settings, samples: m })]);
    if (broken < right) {
      const below = block.filter(([m]) => m >= broken);
      const corners = [[broken, 1], ...below, [right, 1]];
      picture.area(corners, { class: "explorer-area explorer-void" });
    }
    picture.line(
      [
        [left, 1],
        [right, 1],
      ],
      { class: "explorer-line explorer-limit" },
    );
    picture.line(cropped(block), { class: "explorer-line explorer-series-2" });
    const kernel = places.map((m) => [m, kernelBound({ ...settings, samples: m })]);
    picture.line(cropped(kernel), { class: "explorer-line explorer-series-1" });
    const first = firstInformative(settings);
    page.facts({
      "kernel class: below 1 from m": [count(first), "series-1"],
      "its margin loss": digits(loss),
      "block class: tends to": [digits(factor / 2), "series-2"],
      "its risk": "1",
      "block class: below 1 from m": broken === Infinity ? "never" : count(broken),
    });
    page.say(...verdict(factor, classes, broken));
  };

  const verdict = (factor, classes, broken) => {
    const kind = standing(factor, classes);
    const name = `${digits(factor, 2)}k`;
    const enough = `${digits(2 * labelsFactor(classes), 4)}k`;
    if (kind === "false") {
      const where = `on the block class, from m = ${count(broken)} on, every sample has a classifier of margin loss 0 and risk 1`;
      return [`With ${name} the statement is false: ${where}, and less than 1 is promised.`, "false"];
    }
    if (kind === "open")
      return [`Whether ${name} is enough for ${classes} classes is not known: ${enough} is, and 2k is needed.`];
    if (factor === 4) return ["With 4k this is the theorem.", "true"];
    if (factor > 4) return [`With ${name} it is true, and says less than the theorem.`, "true"];
    if (classes > 3) return [`With ${name} it is true: for ${classes} classes ${enough} is enough.`, "true"];
    return [`With ${name} it is true: up to three classes 2k is enough, and the block class uses all of it.`, "true"];
  };

  const control = (name, options) => {
    const change = (value) => {
      settings[name] = options.map ? options.map(value) : value;
      draw();
    };
    page.controls.append(slider({ ...options, value: options.value ?? settings[name], change }).element);
  };
  control("classes", { label: "classes k", min: 2, max: 100, step: 1 });
  control("rho", { label: "margin ρ", min: 0.05, max: 2, step: 0.05, show: (v) => digits(v) });
  control("loss", { label: "margin loss", min: 0, max: 0.9, step: 0.01, show: (v) => digits(v) });
  const delta = { min: -6, max: -0.3, step: 0.1, value: Math.log10(settings.delta), map: (v) => 10 ** v };
  control("delta", { label: "allowed failures δ", ...delta, show: (v) => digits(10 ** v) });
  const lengths = choice({
    label: "weights at most",
    options: { 1: "1 long", 4: "2 long", 100: "10 long" },
    value: "1",
    change: (value) => {
      settings.squaredNorm = Number(value);
      draw();
    },
  });
  page.controls.append(lengths.element);
  page.controls.append(
    dial({
      label: "constant before k",
      min: 1,
      max: 6,
      step: 0.1,
      value: 4,
      show: (v) => digits(v, 2),
      sentence: "The theorem has 4. Turn it down: to 1.9, say.",
      change: (v) => {
        settings.factor = v;
        draw();
      },
    }).element,
  );
  draw();
}

/** The part of a curve that the picture has room for. */
const cropped = (points) => points.map(([x, y]) => [x, y <= 2.5 ? y : NaN]);

const count = (m) => (m < 1e7 ? m.toLocaleString("en") : digits(m));

const math = {
  marginBound,
  kernelComplexity,
  kernelBound,
  firstInformative,
  blockComplexity,
  blockBound,
  firstFalse,
  labelsFactor,
};
explorer("margin-bound", { math, start });
