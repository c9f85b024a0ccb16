// AdaBoost.MH on pairs of an example and a label, round by round, and a constant that the theorem does not have.

import { dot, random, range, sum } from "./lib/numbers.js";
import { choice, dial, digits, frame, howMany, html, slider } from "./lib/page.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { keeper } from "./lib/state.js";

const ROUNDS = 60;
// Edges of weights that sum to 1: what is nearer than this to another is equal, and so is what is nearer to 0.
const SAME = 1e-12;

/** Points of the unit square in three groups that overlap, from a seed. */
function groups() {
  const draw = random(7);
  const centres = [
    [0.3, 0.3],
    [0.7, 0.4],
    [0.45, 0.75],
  ];
  const spread = () => (draw() + draw() - 1) * 0.38;
  const y = range(18).map((i) => i % 3);
  return { X: y.map((label) => centres[label].map((c) => c + spread())), y, classes: 3 };
}

/** +1 for the label and -1 for every other. */
const signsOf = (y, classes) => y.map((label) => range(classes).map((l) => (l === label ? 1 : -1)));

/** The weights at the start: the share `a` of every example's weight on its own label. */
const startWeights = (y, classes, a) =>
  y.map((label) => range(classes).map((l) => (l === label ? a : (1 - a) / (classes - 1)) / y.length));

/** The sums over the examples of each label's signed weights. */
const columnSums = (rows, classes) => range(classes).map((l) => sum(rows.map((row) => row[l])));

/** The best stump with an answer for every label on each side: its outputs on the sample; of equals the first. */
function bestStump(X, signed) {
  const classes = signed[0].length;
  const total = columnSums(signed, classes);
  const size = (sums) => sum(sums.map(Math.abs));
  const whole = { worth: size(total), feature: 0, threshold: -Infinity, left: total, right: total };
  let found = whole;
  for (const feature of range(X[0].length)) {
    let own = { ...whole, feature };
    const order = range(X.length).sort((a, b) => X[a][feature] - X[b][feature]);
    const left = total.map(() => 0);
    for (const [place, i] of order.entries()) {
      for (const l of range(classes)) left[l] += signed[i][l];
      const next = order[place + 1];
      if (next === undefined || X[next][feature] === X[i][feature]) continue;
      const right = total.map((value, l) => value - left[l]);
      const worth = size(left) + size(right);
      if (worth > own.worth + SAME) {
        own = { worth, feature, threshold: (X[i][feature] + X[next][feature]) / 2, left: [...left], right };
      }
    }
    if (own.worth > found.worth + SAME) found = own;
  }
  const answer = (sums) => sums.map((value) => (value >= 0 ? 1 : -1));
  const [left, right] = [answer(found.left), answer(found.right)];
  return { ...found, outputs: X.map((x) => (x[found.feature] <= found.threshold ? left : right)) };
}

/** The member of a pool, as outputs on the pairs, with the largest edge; of equals the first. */
function bestOfPool(pool, signed) {
  const worth = (h) => sum(h.map((row, i) => dot(row, signed[i])));
  const worths = pool.map(worth);
  const most = Math.max(...worths);
  return { outputs: pool[worths.findIndex((value) => value >= most - SAME)] };
}

/** AdaBoost.MH: the state before the first round and after each; it ends where no edge is left. */
function boost(learn, y, classes, a, rounds) {
  const signs = signsOf(y, classes);
  let weights = startWeights(y, classes, a);
  let scores = weights.map((row) => row.map(() => 0));
  let product = 1;
  const states = [{ weights, scores, product, error: null, outputs: null }];
  while (states.length <= rounds) {
    const { outputs } = learn(weights.map((row, i) => row.map((w, l) => w * signs[i][l])));
    const wrong = outputs.map((row, i) => row.map((h, l) => h !== signs[i][l]));
    const error = sum(weights.map((row, i) => sum(row.filter((_, l) => wrong[i][l]))));
    if (error < SAME || 1 - 2 * error < SAME) break;
    const alpha = Math.log((1 - error) / error) / 2;
    scores = scores.map((row, i) => row.map((f, l) => f + alpha * outputs[i][l]));
    weights = weights.map((row, i) => row.map((w, l) => w / (2 * (wrong[i][l] ? error : 1 - error))));
    product *= 2 * Math.sqrt(error * (1 - error));
    states.push({ weights, scores, product, error, outputs });
  }
  return states;
}

/** The share of examples whose label does not stand above every rival, ties being mistakes. */
function argmaxError(scores, y) {
  const lost = (row, label) => row.some((f, l) => l !== label && f >= row[label] - SAME);
  return scores.filter((row, i) => lost(row, y[i])).length / y.length;
}

/** sqrt((k - 1) / (a (1 - a))) / 2, what the theorem has in front of the product. */
const constant = (classes, a) => Math.sqrt((classes - 1) / (a * (1 - a))) / 2;

/** "Yes to the first two labels", "no to all", and their negatives: the label never beats its rival. */
function tiedPool(classes) {
  const two = [range(classes).map((l) => (l < 2 ? 1 : -1))];
  const none = [range(classes).map(() => -1)];
  const negative = (h) => h.map((row) => row.map((v) => -v));
  return [two, none, negative(two), negative(none)];
}

/** The square of the product after T rounds on that pool from one half. */
const halfStartSquare = (classes, T) => ((classes - 2) * (T + 1) + 1) / ((classes - 1) * ((classes - 2) * T + 1));

/** The first round after which `factor` times the bound is below the error 1 on the tied pool, or Infinity. */
function firstBroken(classes, factor, most = 20000) {
  for (let T = 1; T <= most; T++) if (factor * factor * (classes - 1) * halfStartSquare(classes, T) < 1) return T;
  return Infinity;
}

const SAMPLES = {
  points: "eighteen points, three labels, stumps",
  tied: "one example, ten labels, two answers that never part the first two",
};

/** The states of a run of the explorer. */
function runOf(name, a, rounds = ROUNDS) {
  if (name === "tied") {
    const pool = tiedPool(10);
    return { y: [0], classes: 10, states: boost((signed) => bestOfPool(pool, signed), [0], 10, a, rounds) };
  }
  const { X, y, classes } = groups();
  return { X, y, classes, states: boost((signed) => bestStump(X, signed), y, classes, a, rounds) };
}

function start(root) {
  const page = frame(root, {
    title: "Weights of the pairs",
    hint: "Move the rounds. Every box is a pair of an example and a label, and its area the weight; the example's own label has the second colour.",
  });
  const state = { name: "points", rounds: 6, share: 0.35, factor: 1 };
  const cells = html("div", { class: "explorer-column" });
  const curve = html("div", { class: "explorer-column" });
  page.stage.append(cells, curve);
  let run = runOf(state.name, state.share);

  const paintPairs = (now) => {
    const examples = run.y.length;
    const axes = { x: [0, run.classes + 1], y: [0, examples + 1], width: 400, height: 340 };
    const picture = plot({ label: "weights of the pairs", ...axes, xLabel: "label", yLabel: "example" });
    const most = Math.max(...now.weights.flat());
    for (const [i, row] of now.weights.entries()) {
      for (const [l, weight] of row.entries()) {
        const [x, y] = [l + 1, i + 1];
        const half = 0.46 * Math.sqrt(weight / most);
        const corners = [
          [x - half, y - half],
          [x + half, y - half],
          [x + half, y + half],
          [x - half, y + half],
        ];
        picture.area(corners, { class: `explorer-area explorer-bar explorer-class-${l === run.y[i] ? 2 : 1}` });
      }
    }
    cells.replaceChildren(picture.root);
  };
  const paintCurve = (T) => {
    const front = constant(run.classes, state.share);
    const bounds = run.states.map((each, t) => [t, state.factor * front * each.product]);
    const errors = run.states.map((each, t) => [t, t ? argmaxError(each.scores, run.y) : 1]);
    const top = Math.max(1.1, ...bounds.map(([, value]) => value));
    const picture = plot({
      label: "error of the arg max and its bound",
      x: [0, Math.max(run.states.length - 1, 2)],
      y: [0, Math.min(top, 6)],
      width: 400,
      height: 340,
      xLabel: "rounds",
      yLabel: "share of mistakes",
    });
    picture.line(
      bounds.map(([t, value]) => [t, Math.min(value, 6)]),
      { class: "explorer-line explorer-limit" },
    );
    picture.line(errors, { class: "explorer-line explorer-series-2" });
    picture.line(
      [
        [T, 0],
        [T, Math.min(top, 6)],
      ],
      { class: "explorer-line explorer-quiet" },
    );
    curve.replaceChildren(picture.root);
    return bounds[T][1];
  };
  const show = () => {
    const T = Math.min(state.rounds, run.states.length - 1);
    const now = run.states[T];
    paintPairs(now);
    const bound = paintCurve(T);
    const error = T ? argmaxError(now.scores, run.y) : 1;
    page.facts({
      rounds: String(T),
      "error of the arg max": [digits(error), "series-2"],
      "what is allowed": [digits(bound), "limit"],
      "product of the Z": digits(now.product),
      "error of the round": T ? digits(now.error) : "–",
    });
    page.say(...verdict(error, bound));
  };
  const verdict = (error, bound) => {
    const pair = `The arg max is wrong on the share ${digits(error)} of the examples.`;
    if (state.factor === 1) return [`${pair} The theorem allows ${digits(bound)}, and holds on every sample.`, "true"];
    const less = `With ${digits(state.factor, 2)} times the constant`;
    if (error > bound * (1 + 1e-9)) {
      return [`${less} it is false: the error here is ${digits(error)}, and ${digits(bound)} would be allowed.`, "false"];
    }
    const first = firstBroken(10, state.factor);
    return [
      `${less} the theorem is false: not here, but on the one example of ten labels, from one half, after ${howMany(first, "round")}.`,
      "false",
    ];
  };
  const again = () => {
    run = runOf(state.name, state.share);
    show();
  };
  const keep = keeper(state, show);
  const redone = keeper(state, again);
  const share = slider({
    label: "share of the label at the start",
    min: 0.1,
    max: 0.9,
    step: 0.05,
    value: state.share,
    show: (v) => digits(v, 2),
    change: redone("share"),
  });
  page.controls.append(
    choice({
      label: "sample",
      options: SAMPLES,
      value: state.name,
      change: redone("name"),
    }).element,
    slider({
      label: "rounds",
      min: 0,
      max: ROUNDS,
      step: 1,
      value: state.rounds,
      change: keep("rounds"),
    }).element,
    share.element,
    dial({
      label: "taken off the constant",
      min: 0,
      max: 0.5,
      step: 0.01,
      value: 0,
      show: (v) => `${Math.round(100 * v)} %`,
      sentence: "The theorem has 0 %: nothing can be taken off. Turn it up.",
      change: keep("factor", (v) => 1 - v),
    }).element,
  );
  again();
}

const statesOf = (name, a, rounds) => runOf(name, a, rounds).states;

explorer("label-pairs", {
  math: { groups, statesOf, bestStump, constant, argmaxError, halfStartSquare, firstBroken },
  start,
});
