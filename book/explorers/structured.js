// A trellis whose weights the reader moves: the best path, the label distribution, the best path with its loss added.

import { range, sum } from "./lib/numbers.js";
import { choice, dial, digits, frame, howMany, html, slider } from "./lib/page.js";
import { mark, movable, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { svg } from "./lib/svg.js";

const LABELS = 3;
const FAR = 60;

const TRUTHS = { "0 1 2 0": "a b c a", "0 0 1 1": "a a b b", "2 2 2 2": "c c c c" };
const BEGINNING = [
  [2, 0, 1],
  [0, 2, 1.5],
  [0, 1.5, 1],
  [1, 0.5, 0],
];

/** ln of the sum of e^x, the largest taken out. */
function logSumExp(values) {
  const top = Math.max(...values);
  return top + Math.log(sum(values.map((value) => Math.exp(value - top))));
}

/** The best labelling of a chain and its score; of equally good ones the first in dictionary order. */
function viterbi(E, T) {
  const V = E.map((row) => [...row]);
  for (let t = E.length - 2; t >= 0; t--) {
    V[t] = V[t].map((value, i) => value + Math.max(...V[t + 1].map((below, j) => T[i][j] + below)));
  }
  const first = (values) => values.indexOf(Math.max(...values));
  const labels = [first(V[0])];
  for (const row of V.slice(1)) labels.push(first(row.map((below, j) => T[labels.at(-1)][j] + below)));
  return { labels, score: Math.max(...V[0]) };
}

/** ln Z and the distribution of the label at every position. */
function forwardBackward(E, T) {
  const B = E.map((row) => [...row]);
  const onward = (t, i) => logSumExp(B[t + 1].map((below, j) => T[i][j] + below));
  for (let t = E.length - 2; t >= 0; t--) B[t] = B[t].map((value, i) => value + onward(t, i));
  const logPartition = logSumExp(B[0]);
  const P = [B[0].map((value) => Math.exp(value - logPartition))];
  for (const t of range(E.length - 1)) {
    const here = P[t];
    P.push(B[t + 1].map((below, j) => sum(here.map((p, i) => p * Math.exp(T[i][j] + below - onward(t, i))))));
  }
  return { logPartition, P };
}

/** The score of a labelling. */
const scoreOf = (E, T, y) => sum(y.map((label, t) => E[t][label] + (t ? T[y[t - 1]][label] : 0)));

/** Scores with `weight` added at every label that is not the truth. */
const withLosses = (E, y, weight) => E.map((row, t) => row.map((value, i) => value + (i === y[t] ? 0 : weight)));

/** ln of the sum of e^(weight H(y, z) - gap): the softmax-margin for weight 1, -ln p(y) for weight 0. */
const objective = (E, T, y, weight) => forwardBackward(withLosses(E, y, weight), T).logPartition - scoreOf(E, T, y);

const hamming = (y, z) => sum(y.map((label, t) => +(label !== z[t])));

/** Two labellings of n places that differ in all of them and are tied, all others far below: scores and the truth. */
function tie(n) {
  const T = range(LABELS).map((i) => range(LABELS).map((j) => (i === j ? 0 : -FAR)));
  // The third label is out of the question, and the wrong one of the two is a little ahead.
  const E = range(n).map((t) => [0, t ? 0 : 1e-6, -FAR]);
  return { E, T, y: new Array(n).fill(0) };
}

/** Whether the objective with this weight of the loss lies below the loss of the prediction. */
function broken({ E, T, y, weight }) {
  const loss = hamming(y, viterbi(E, T).labels);
  const value = objective(E, T, y, weight);
  return { loss, value, broken: value < loss - 1e-9 };
}

function pairs(same, up) {
  return range(LABELS).map((i) => range(LABELS).map((j) => (i === j ? same : j === i + 1 ? up : 0)));
}

function start(root) {
  const page = frame(root, {
    title: "A trellis",
    hint: "Drag the scores on the left (● a, ■ b, ▲ c) up and down, or give one the focus and use the arrow keys. On the right discs are probabilities, and small marks the truth.",
  });
  const state = { E: BEGINNING.map((row) => [...row]), same: -1, up: 1, truth: "0 1 2 0", weight: 1 };
  const axes = { x: [0.4, 4.6], width: 400, height: 330, xLabel: "position" };
  const left = plot({ label: "The score of each label at each position", y: [-4, 4], yLabel: "score", ...axes });
  const right = plot({
    label: "The trellis: labels a, b, c from below; discs as large as the label is probable; paths",
    y: [0.5, 3.5],
    yLabel: "label: 1 is a, 2 is b, 3 is c",
    ...axes,
  });
  for (const picture of [left, right]) page.stage.append(html("div", { class: "explorer-column" }, picture.root));

  const drawPath = (labels, series, shift) => {
    const points = labels.map((label, t) => [t + 1, label + 1 + shift]);
    right.line(points, { class: `explorer-line ${series}` });
  };
  const show = () => {
    const { E, weight } = state;
    const y = state.truth.split(" ").map(Number);
    const T = pairs(state.same, state.up);
    const best = viterbi(E, T);
    const worst = viterbi(withLosses(E, y, 1), T);
    const { P, logPartition } = forwardBackward(E, T);
    right.clear();
    for (const [t, i] of range(E.length * LABELS).map((cell) => [Math.floor(cell / LABELS), cell % LABELS])) {
      right.place(t + 1, i + 1, svg("circle", { r: 3 + 20 * Math.sqrt(P[t][i]), class: "explorer-area explorer-class-1" }));
      if (y[t] === i) right.place(t + 1, i + 1, mark(i, 5));
    }
    drawPath(best.labels, "explorer-series-1", 0.04);
    drawPath(worst.labels, "explorer-series-2", -0.04);
    const found = broken({ E, T, y, weight });
    page.facts({
      "best path": [named(best.labels), "series-1"],
      "best with its loss": [named(worst.labels), "series-2"],
      "probability of the best path": digits(Math.exp(best.score - logPartition), 3),
      "wrong labels of the best path": String(found.loss),
      objective: digits(found.value, 3),
    });
    page.say(...verdict(found, named(best.labels)));
  };
  const verdict = (found, best) => {
    const pair = `The best path is ${best}, with ${howMany(found.loss, "wrong label")}; the objective is ${digits(found.value, 3)}.`;
    if (state.weight >= 1) return [`${pair} With the whole loss in the exponent it bounds the loss, whatever the scores.`, "true"];
    const part = `With ${digits(state.weight, 2)} of the loss in the exponent`;
    if (found.broken) return [`${pair} ${part} that it bounds the loss is false.`, "false"];
    for (const n of [4, 12]) {
      const far = broken({ ...tie(n), weight: state.weight });
      if (far.broken) {
        return [
          `${pair} ${part} that it bounds the loss is false: not these scores show it, but two tied labellings of ${n} places, with ${far.loss} wrong labels and the objective ${digits(far.value, 3)}.`,
          "false",
        ];
      }
    }
    return [`${pair} ${part} no sequence of up to twelve places shows more.`];
  };
  const handle = (t, i) =>
    movable({
      picture: left,
      name: `score of ${"abc"[i]} at position ${t + 1}`,
      at: [t + 1 + 0.16 * (i - 1), state.E[t][i]],
      shape: mark(i),
      step: 0.25,
      vertical: true,
      moved: ([, value]) => {
        state.E[t][i] = value;
        show();
      },
    });
  left.hold(...range(state.E.length * LABELS).map((cell) => handle(Math.floor(cell / LABELS), cell % LABELS)));

  const pairSlider = (label, key) =>
    slider({
      label,
      min: -3,
      max: 3,
      step: 0.25,
      value: state[key],
      show: (v) => digits(v, 3),
      change: (v) => {
        state[key] = v;
        show();
      },
    }).element;
  page.controls.append(
    choice({
      label: "the truth",
      options: TRUTHS,
      value: state.truth,
      change: (key) => {
        state.truth = key;
        show();
      },
    }).element,
    pairSlider("weight of equal neighbours", "same"),
    pairSlider("weight of the next letter", "up"),
    dial({
      label: "share of the loss in the exponent",
      min: 0,
      max: 1.2,
      step: 0.05,
      value: 1,
      show: (v) => digits(v, 2),
      sentence: "1 is the softmax-margin, 0 the conditional random field. Turn it down.",
      change: (v) => {
        state.weight = v;
        show();
      },
    }).element,
  );
  show();
}

const named = (labels) => labels.map((label) => "abc"[label]).join(" ");

explorer("structured", { math: { viterbi, forwardBackward, withLosses, objective, tie, broken }, start });
