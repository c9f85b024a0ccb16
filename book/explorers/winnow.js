// Winnow and the Perceptron side by side: their weights after a run, as attributes are added, and too long a step.

import { dot, random, range, sum } from "./lib/numbers.js";
import { dial, digits, frame, howMany, html } from "./lib/page.js";
import { strongestRival, wholeRun } from "./lib/perceptron.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { keeper, sampleAndSlider } from "./lib/state.js";

const DOUBLINGS = 6;
const MOST = 300;
// Scores of weights that sum to 1: what is nearer than this is a tie that rounding has broken.
const TIE = 1e-12;

/** The rows of Sylvester's Hadamard matrix: the sign of row i in column j counts the bits they share. */
function hadamard(r) {
  const bits = (n) => (n ? (n & 1) + bits(n >> 1) : 0);
  return range(2 ** r).map((i) => range(2 ** r).map((j) => 1 - 2 * (bits(i & j) % 2)));
}

/** Forty examples of random signs; an attribute keeps its signs when others are added. */
function randomSigns(d) {
  const columns = range(d).map((j) => {
    const draw = random(1000 + j);
    return range(40).map(() => (draw() < 0.5 ? 1 : -1));
  });
  return range(40).map((i) => columns.map((column) => column[i]));
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
  for (let clean = 0, at = 0; clean < X.length && updates.length < most; at = (at + 1) % X.length, clean++) {
    const W = weightsOf(exponents, eta);
    const rival = strongestRival(W, X[at], y[at]);
    if (dot(W[y[at]], X[at]) > dot(W[rival], X[at]) + TIE) continue;
    for (const [j, value] of X[at].entries()) {
      exponents[y[at]][j] += value;
      exponents[rival][j] -= value;
    }
    updates.push([at, rival]);
    clean = -1;
  }
  return { exponents, updates };
}

/** e^(eta E), divided by its sum. */
function weightsOf(exponents, eta) {
  const top = Math.max(...exponents.flat());
  const grown = exponents.map((row) => row.map((value) => Math.exp(eta * (value - top))));
  const total = sum(grown.flat());
  return grown.map((row) => row.map((value) => value / total));
}

/** The run with a step of `stretch` times artanh(gamma), against what the theorem allows the step artanh(gamma). */
function trial({ name, doublings, stretch = 1 }) {
  const { gamma, relevant, make } = SAMPLES[name];
  const { X, y } = make(doublings);
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

function start(root) {
  const page = frame(root, {
    title: "Winnow beside the Perceptron",
    hint: "Add attributes by the first slider: each step doubles them. Coloured bars are the attributes that decide.",
  });
  const state = { name: "votes", doublings: 5, stretch: 1 };
  const pictures = ["Winnow", "Perceptron"].map((machine) => {
    const label = `${machine}'s weights, one bar for each attribute`;
    const axes = { x: [0, 2 ** DOUBLINGS + 1], y: [-0.55, 1.05], width: 400, height: 310 };
    const picture = plot({ label, ...axes, xLabel: "attribute", yLabel: `${machine}: share` });
    page.stage.append(html("div", { class: "explorer-column" }, picture.root));
    return picture;
  });

  const paint = (picture, values, decides, series) => {
    picture.clear();
    for (const [j, value] of values.entries()) {
      const kind = decides.includes(j) ? `explorer-series-${series}` : "explorer-quiet";
      picture.line(
        [
          [j + 1, 0],
          [j + 1, value],
        ],
        { class: `explorer-line ${kind}` },
      );
    }
  };
  const show = () => {
    const { X, y, decides } = SAMPLES[state.name].make(state.doublings);
    const found = trial(state);
    const perceptron = wholeRun(X, y, 2, 4 * MOST);
    paint(pictures[0], shares(weightsOf(found.exponents, found.eta)), decides, 1);
    paint(pictures[1], shares(perceptron.W), decides, 2);
    const made = found.updates.length;
    page.facts({
      attributes: String(X[0].length),
      "updates of Winnow": [made < MOST ? String(made) : `${MOST} and no end`, "series-1"],
      "Winnow's bound": digits(found.allowed, 3),
      "updates of the Perceptron": [String(perceptron.updates.length), "series-2"],
      "factor α of Winnow": digits(Math.exp(found.eta), 3),
    });
    page.say(...verdict(found, perceptron.updates.length));
  };
  const verdict = (found, perceptron) => {
    const made = found.updates.length;
    const pair = `Winnow makes ${howMany(made, "update")}, the Perceptron ${perceptron}.`;
    if (state.stretch === 1) return [`${pair} The bound ${digits(found.allowed, 3)} holds on every sample.`, "true"];
    const long = `With a step ${digits(state.stretch, 2)} times as long as the margin asks for`;
    if (found.broken) {
      return [
        `${long} the bound is false: ${howMany(made, "update")} here${made < MOST ? "" : ", and no end"}, where ${digits(found.allowed, 3)} are allowed.`,
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

  const within = (doublings, { least }) => Math.max(doublings, least);
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

explorer("winnow", { math: { hadamard, randomSigns, winnowRun, weightsOf, bound, gain, trial }, start });
