// Winnow and the Perceptron side by side: their updates and weights, as attributes are added, and too long a step.

import { dot, random, range, sum } from "./lib/numbers.js";
import { dial, digits, frame, howMany, html } from "./lib/page.js";
import { strongestRival, wholeRun } from "./lib/perceptron.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { keeper, sampleAndSlider } from "./lib/state.js";

const DOUBLINGS = 12;
const EXAMPLES = 200;
const MOST = 300;
// Scores of weights that sum to 1: what is nearer than this is a tie that rounding has broken.
const TIE = 1e-12;

/** The rows of Sylvester's Hadamard matrix: those of half the size twice side by side, and once more with a minus. */
function hadamard(r) {
  if (r === 0) return [[1]];
  const half = hadamard(r - 1);
  return [...half.map((row) => [...row, ...row]), ...half.map((row) => [...row, ...row.map((value) => -value)])];
}

/** Two hundred examples of random signs; an attribute keeps its signs when others are added. */
function randomSigns(d) {
  const columns = range(d).map((j) => {
    const draw = random(1000 + j);
    return range(EXAMPLES).map(() => (draw() < 0.5 ? 1 : -1));
  });
  return range(EXAMPLES).map((i) => columns.map((column) => column[i]));
}

const FOUR = [
  [0, 0, -1, -1],
  [-1, -1, 1, -1],
  [-1, 1, 1, -1],
  [1, -1, 1, 1],
];

const SAMPLES = {
  rows: {
    name: "rows of Hadamard's matrix, one sign decides",
    gamma: 3 / 5,
    relevant: 1,
    least: 1,
    largest: 9,
    make(r) {
      const X = hadamard(r);
      return { X, y: X.map((x) => +(x.at(-1) < 0)), decides: [2 ** r - 1] };
    },
  },
  votes: {
    name: "random signs, three of them vote",
    gamma: 1 / 3,
    relevant: 3,
    least: 2,
    largest: DOUBLINGS,
    make(r) {
      const X = randomSigns(2 ** r);
      return { X, y: X.map((x) => +(x[0] + x[1] + x[2] < 0)), decides: [0, 1, 2] };
    },
  },
  four: {
    name: "four examples that a long step never learns",
    gamma: 1 / 3,
    relevant: 3,
    least: 2,
    largest: 6,
    make(r) {
      const X = FOUR.map((x) => range(2 ** r).map((j) => x[j] ?? 0));
      return { X, y: [1, 1, 0, 0], decides: [1, 2, 3] };
    },
  },
};

/** What an update gains at the margin gamma. */
const gain = (gamma) => ((1 + gamma) * Math.log1p(gamma) + (1 - gamma) * Math.log1p(-gamma)) / 2;

/** (ln(k d) - H(U)) / D(gamma) for a U that is even on `relevant` entries. */
const bound = ({ classes, attributes, gamma, relevant }) =>
  Math.log((classes * attributes) / relevant) / gain(gamma);

/** The multi-class Winnow from equal weights, pass after pass until one is clean or `most` updates were made. */
function winnowRun(X, y, classes, eta, most = MOST) {
  const exponents = range(classes).map(() => X[0].map(() => 0));
  const updates = [];
  let W = weightsOf(exponents, eta);
  for (let clean = 0, at = 0; clean < X.length && updates.length < most; at = (at + 1) % X.length, clean++) {
    const rival = strongestRival(W, X[at], y[at]);
    if (dot(W[y[at]], X[at]) > dot(W[rival], X[at]) + TIE) continue;
    for (const [j, value] of X[at].entries()) {
      exponents[y[at]][j] += value;
      exponents[rival][j] -= value;
    }
    updates.push([at, rival]);
    W = weightsOf(exponents, eta);
    clean = -1;
  }
  return { exponents, updates };
}

/** e^(eta E), divided by its sum. */
function weightsOf(exponents, eta) {
  const top = Math.max(...exponents.map((row) => Math.max(...row)));
  const grown = exponents.map((row) => row.map((value) => Math.exp(eta * (value - top))));
  const total = sum(grown.map(sum));
  return grown.map((row) => row.map((value) => value / total));
}

const samples = new Map();

/** A sample with 2^doublings attributes and the Perceptron's updates on it; made once, as large ones take a moment. */
function sampleOf(name, doublings) {
  const key = `${name} ${doublings}`;
  if (!samples.has(key)) {
    const sample = SAMPLES[name].make(doublings);
    samples.set(key, { ...sample, perceptron: wholeRun(sample.X, sample.y, 2, 4 * MOST).updates.length });
  }
  return samples.get(key);
}

/** The run with a step of `stretch` times artanh(gamma), against what the theorem allows the step artanh(gamma). */
function trial({ name, doublings, stretch = 1 }) {
  const { gamma, relevant } = SAMPLES[name];
  const { X, y } = sampleOf(name, doublings);
  const eta = stretch * Math.atanh(gamma);
  const run = winnowRun(X, y, 2, eta);
  const allowed = bound({ classes: 2, attributes: X[0].length, gamma, relevant });
  return { ...run, eta, allowed, broken: run.updates.length > allowed * (1 + 1e-9) };
}

/** The weights for the first class less those for the second, all of them 1 together in size. */
function shares([up, down]) {
  const apart = up.map((value, j) => value - down[j]);
  const size = sum(apart.map(Math.abs)) || 1;
  return apart.map((value) => value / size);
}

/** Both runs, and the shares of their weights after as many updates as the shorter run made. */
function sideBySide(settings) {
  const { name, doublings } = settings;
  const { X, y, decides, perceptron } = sampleOf(name, doublings);
  const found = trial(settings);
  const same = Math.min(found.updates.length, perceptron);
  const { exponents } = same < found.updates.length ? winnowRun(X, y, 2, found.eta, same) : found;
  const pair = [shares(weightsOf(exponents, found.eta)), shares(wholeRun(X, y, 2, same).W)];
  const deciding = pair.map((values) => sum(decides.map((j) => Math.abs(values[j]))));
  return { ...found, perceptron, same, pair, decides, deciding };
}

function start(root) {
  const page = frame(root, {
    title: "Winnow beside the Perceptron",
    hint: "Add attributes by the first slider: each step doubles them. Thick bars are the attributes that decide. Both pictures have the same scale and show the weights after the same number of updates.",
  });
  const state = { name: "votes", doublings: 8, stretch: 1 };
  const columns = ["Winnow", "Perceptron"].map(() => html("div", { class: "explorer-column" }));
  page.stage.append(...columns);

  /** One bar for each attribute; the others are one path, because there may be thousands of them. */
  const paint = (learner, values, decides, [low, high], same) => {
    const label = `${learner}'s weights after ${howMany(same, "update")}, one bar for each attribute`;
    const axes = { x: [0.8, values.length * 1.1], y: [1.05 * low, 1.05 * high], logX: true, width: 400, height: 310 };
    const picture = plot({ label, ...axes, xLabel: "attribute", yLabel: `${learner}: share` });
    const bar = (j) => [
      [j + 1, 0],
      [j + 1, values[j]],
      [j + 1, NaN],
    ];
    const others = range(values.length).filter((j) => !decides.includes(j));
    picture.line(others.flatMap(bar), { class: "explorer-line explorer-quiet" });
    const series = learner === "Winnow" ? 1 : 2;
    for (const j of decides) {
      picture.line(bar(j), { class: `explorer-line explorer-series-${series}`, style: "stroke-width: 5" });
    }
    return picture.root;
  };
  const show = () => {
    const found = sideBySide(state);
    const all = found.pair.flat();
    const heights = [Math.min(0, ...all), Math.max(0, ...all)];
    columns[0].replaceChildren(paint("Winnow", found.pair[0], found.decides, heights, found.same));
    columns[1].replaceChildren(paint("Perceptron", found.pair[1], found.decides, heights, found.same));
    page.facts({
      attributes: String(found.pair[0].length),
      "updates of Winnow": [counted(found.updates.length), "series-1"],
      "updates of the Perceptron": [String(found.perceptron), "series-2"],
      "Winnow's bound": digits(found.allowed, 3),
      "weights shown after": howMany(found.same, "update"),
      "Winnow's weight on what decides": [percent(found.deciding[0]), "series-1"],
      "the Perceptron's weight on it": [percent(found.deciding[1]), "series-2"],
      "factor α of Winnow": digits(Math.exp(found.eta), 3),
    });
    page.say(...verdict(found, found.perceptron));
  };
  const counted = (made) => (made < MOST ? String(made) : `${MOST}, where we stop`);
  const percent = (share) => `${Math.round(100 * share)}%`;
  const verdict = (found, perceptron) => {
    const made = found.updates.length;
    const pair = `Winnow makes ${made < MOST ? "" : "at least "}${howMany(made, "update")}, the Perceptron ${perceptron}.`;
    if (state.stretch === 1) return [`${pair} The bound ${digits(found.allowed, 3)} holds on every sample.`, "true"];
    const long = `With a step ${digits(state.stretch, 2)} times as long as the margin asks for`;
    if (found.broken) {
      return [
        `${long} the bound is false: ${made < MOST ? "" : "at least "}${howMany(made, "update")} here, where ${digits(found.allowed, 3)} are allowed.`,
        "false",
      ];
    }
    const four = trial({ name: "four", doublings: 2, stretch: state.stretch });
    if (four.broken) {
      return [
        `${long} the bound is false: not this sample shows it, but the four examples, which are never learnt.`,
        "false",
      ];
    }
    return [`${pair} ${long} the theorem promises a larger bound or none; no sample here passes this one.`];
  };

  const within = (doublings, { least, largest }) => Math.min(Math.max(doublings, least), largest);
  const attributes = { key: "doublings", label: "attributes", min: 1, max: DOUBLINGS, step: 1, within };
  const keep = keeper(state, show);
  page.controls.append(
    ...sampleAndSlider({ state, samples: SAMPLES, show, ...attributes, text: (r) => String(2 ** r) }),
    dial({
      label: "length of the step",
      min: 1,
      max: 4,
      step: 0.05,
      value: 1,
      show: (v) => `${digits(v, 3)} artanh γ`,
      sentence: "The theorem has 1: the step that fits the margin. Turn it up.",
      change: keep("stretch"),
    }).element,
  );
  show();
}

explorer("winnow", { math: { hadamard, randomSigns, winnowRun, weightsOf, bound, gain, trial, sideBySide }, start });
