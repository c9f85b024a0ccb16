// A tree that grows split by split on points in the plane, and which leaf is split next when its size is left out.

import { range, sum } from "./lib/numbers.js";
import { button, choice, dial, digits, frame, howMany } from "./lib/page.js";
import { rectangle } from "./lib/planes.js";
import { placeOf, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { keeper, movableExamples, namesOf } from "./lib/state.js";

const SIDE = [-8, 8];
// What is nearer than this is a tie that rounding has broken.
const TIE = 1e-9;

const SAMPLES = {
  blocks: {
    name: "three classes",
    X: [
      [-6, 5],
      [-5, 2],
      [-3, 6],
      [-2, 3],
      [2, 5],
      [4, 6],
      [6, 3],
      [5, 1],
      [-6, -3],
      [-4, -6],
      [-1, -2],
      [1, -5],
      [3, -3],
      [6, -6],
      [-7, -1],
    ],
    y: [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 2],
  },
  xor: {
    name: "crosswise: XOR",
    X: [
      [-5, 5],
      [-4, 3],
      [-3, 6],
      [5, -5],
      [4, -3],
      [3, -6],
      [5, 4],
      [4, 6],
      [6, 3],
      [-5, -4],
      [-4, -6],
      [-6, -3],
    ],
    y: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
  },
  sizes: {
    name: "leaves of unequal sizes",
    X: [
      [2, -4],
      [3, 7],
      [-5, -2],
      [5, 5],
      [-7, -6],
      [-3, 0],
      [4, -1],
      [0, 1],
      [-4, 6],
      [-6, 3],
      [-1, -7],
      [7, -3],
    ],
    y: [0, 1, 2, 0, 2, 2, 1, 1, 1, 0, 0, 1],
  },
};

/** |n| F(n) of the examples with these indices, F being the Gini impurity. */
function impurity(y, classes, members) {
  if (!members.length) return 0;
  const counts = range(classes).map((c) => members.filter((i) => y[i] === c).length);
  return members.length - sum(counts.map((n) => n * n)) / members.length;
}

/** The question that lowers a leaf's impurity most; of equal ones the first feature and the smallest threshold. */
function bestQuestion(X, y, classes, members) {
  const whole = impurity(y, classes, members);
  let best = null;
  for (const feature of range(X[0].length)) {
    const values = [...new Set(members.map((i) => X[i][feature]))].sort((a, b) => a - b);
    for (const p of range(values.length - 1)) {
      const threshold = values[p] / 2 + values[p + 1] / 2;
      const left = members.filter((i) => X[i][feature] <= threshold);
      const right = members.filter((i) => X[i][feature] > threshold);
      const decrease = whole - impurity(y, classes, left) - impurity(y, classes, right);
      if (!best || decrease > best.decrease + TIE) best = { feature, threshold, decrease, left, right };
    }
  }
  return whole > TIE ? best : null;
}

/**
 * Growth: the leaf is chosen by |n|^exponent times its gain; 1 in the algorithm, 0 in the figure. At the step n the
 * leaf picks[n] is split instead, if it can be: the choice of the reader.
 */
function grow(X, y, classes, most, exponent = 1, picks = []) {
  let leaves = [{ members: range(X.length), box: [SIDE, SIDE] }];
  const steps = [];
  const totals = [impurity(y, classes, leaves[0].members)];
  while (steps.length < most) {
    const offers = leaves.map((leaf) => bestQuestion(X, y, classes, leaf.members));
    const urgency = offers.map((offer, n) =>
      offer ? (offer.decrease / leaves[n].members.length) * leaves[n].members.length ** exponent : -1,
    );
    const top = Math.max(...urgency);
    if (top < 0) break;
    const own = picks[steps.length];
    const chosen = offers[own] ? own : urgency.findIndex((value) => value >= top - TIE);
    const offer = offers[chosen];
    const largest = Math.max(...offers.map((one) => (one ? one.decrease : 0)));
    steps.push({ feature: offer.feature, threshold: offer.threshold, decrease: offer.decrease, largest });
    const { box } = leaves[chosen];
    const cut = (keep) => box.map((side, j) => (j === offer.feature ? keep(side) : side));
    leaves = [
      ...leaves.slice(0, chosen),
      { members: offer.left, box: cut(([low]) => [low, offer.threshold]) },
      { members: offer.right, box: cut(([, high]) => [offer.threshold, high]) },
      ...leaves.slice(chosen + 1),
    ];
    totals.push(sum(leaves.map(({ members }) => impurity(y, classes, members))));
  }
  return { leaves, steps, totals };
}

/** The first step that lowers the total by less than another would have done, or -1. */
const firstLapse = (steps) => steps.findIndex(({ decrease, largest }) => decrease < largest - TIE);

/** Growth to the end with the exponent, and where it first is not the best. */
function trial({ X, y, classes, exponent = 1 }) {
  const { steps } = grow(X, y, classes, X.length, exponent);
  const lapse = firstLapse(steps);
  return { lapse, broken: lapse >= 0 };
}

const copyOf = ({ X, y }) => ({ X: X.map((x) => [...x]), y: [...y], classes: Math.max(...y) + 1 });

/** The most frequent label of the members; of equal ones the first. */
function majority(y, classes, members) {
  const counts = range(classes).map((c) => members.filter((i) => y[i] === c).length);
  return counts.indexOf(Math.max(...counts));
}

function start(root) {
  const page = frame(root, {
    title: "A tree that grows",
    hint: "Click a cell to split it, or mark a leaf and split it with the buttons. Drag the points, or use the arrow keys.",
  });
  const label = "The plane: examples of each class, and the cells of the tree in the colours of their labels";
  const picture = plot({ label, x: SIDE, y: SIDE, width: 440, height: 430 });
  const axes = { x: [0, 12], y: [0, 16], width: 360, height: 300, xLabel: "splits", yLabel: "total impurity" };
  const curve = plot({ label: "Total impurity against the number of splits", ...axes });
  page.stage.append(picture.root, curve.root);
  // The leaf that is marked, if one is, and the leaves that the reader has chosen, by the number of the step.
  const state = { sample: copyOf(SAMPLES.blocks), splits: 1, exponent: 1, marked: -1, picks: [] };

  const grownNow = () => {
    const { X, y, classes } = state.sample;
    return grow(X, y, classes, state.splits, state.exponent, state.picks);
  };
  const offerOf = ({ members }) => bestQuestion(state.sample.X, state.sample.y, state.sample.classes, members);
  const show = () => {
    const { y, classes } = state.sample;
    const grown = grownNow();
    state.splits = grown.steps.length;
    state.picks.length = Math.min(state.picks.length, state.splits);
    if (!grown.leaves[state.marked]) state.marked = -1;
    picture.clear();
    for (const { members, box } of grown.leaves) {
      const kind = (majority(y, classes, members) % 8) + 1;
      picture.area(rectangle(...box), { class: `explorer-area explorer-class-${kind}` });
    }
    const marked = grown.leaves[state.marked];
    if (marked) picture.area(rectangle(...marked.box), { class: "explorer-ring" });
    curve.clear();
    curve.line(
      grown.totals.map((total, n) => [n, total]),
      { class: "explorer-line explorer-series-1" },
    );
    const last = grown.steps.at(-1);
    const wrong = sum(
      grown.leaves.map(({ members }) => members.filter((i) => y[i] !== majority(y, classes, members)).length),
    );
    page.facts({
      leaves: String(grown.leaves.length),
      "total impurity": [digits(grown.totals.at(-1), 4), "series-1"],
      "training errors": String(wrong),
      "last question": last ? `x${last.feature + 1} ≤ ${digits(last.threshold, 3)}` : "none",
      "it lowers the total by": last ? digits(last.decrease, 4) : "–",
      "the most possible": last ? digits(last.largest, 4) : "–",
    });
    page.say(...(marked ? offered(marked) : verdict(grown)));
  };
  const offered = (leaf) => {
    const offer = offerOf(leaf);
    const size = howMany(leaf.members.length, "example");
    const name = `Leaf ${state.marked + 1} is marked. It has ${size}`;
    if (!offer) return [`${name} and cannot be split.`];
    return [`${name}, and its best question lowers the total by ${digits(offer.decrease, 4)}.`];
  };
  const verdict = (grown) => {
    const n = grown.steps.length;
    const news = n === 0 ? "One leaf holds all points." : `After ${howMany(n, "split")} there are ${n + 1} leaves.`;
    const missed = firstLapse(grown.steps);
    if (state.exponent === 1 && missed >= 0) {
      const { decrease, largest } = grown.steps[missed];
      const by = `lowered the total by ${digits(decrease, 4)}, where ${digits(largest, 4)} could be had`;
      return [`${news} Your split ${missed + 1} ${by}.`];
    }
    if (state.exponent === 1) return [`${news} Each split lowered the total as much as any could.`, "true"];
    const claim = `With |n| to the power ${digits(state.exponent, 2)} it is false that each split is the best`;
    const here = trial({ ...state.sample, exponent: state.exponent });
    if (here.broken) return [`${news} ${claim}: split ${here.lapse + 1} on this sample does not.`, "false"];
    const sizes = trial({ ...copyOf(SAMPLES.sizes), exponent: state.exponent });
    if (sizes.broken)
      return [`${news} ${claim}: not this sample shows it, but that with leaves of unequal sizes.`, "false"];
    return [`${news} No sample here shows yet that the size of the leaf is missing.`];
  };
  const settle = () => {
    const { X, y } = state.sample;
    picture.hold(...movableExamples({ picture, X, y, word: "example", moved: show }));
    show();
  };
  const split = (change) => () => {
    state.splits = Math.max(0, state.splits + change);
    state.marked = -1;
    show();
  };
  const mark = () => {
    state.marked = (state.marked + 1) % grownNow().leaves.length;
    show();
  };
  const splitLeaf = (n) => {
    const leaf = grownNow().leaves[n];
    if (!leaf || !offerOf(leaf)) return;
    state.picks[state.splits] = n;
    split(1)();
  };
  picture.root.addEventListener("click", (event) => {
    if (event.target.closest(".explorer-handle")) return;
    const [across, up] = placeOf(picture, event);
    const within = ([[left, right], [low, high]]) => left <= across && across < right && low <= up && up < high;
    splitLeaf(grownNow().leaves.findIndex(({ box }) => within(box)));
  });

  const keep = keeper(state, show);
  page.controls.append(
    choice({
      label: "sample",
      options: namesOf(SAMPLES),
      value: "blocks",
      change: (key) => {
        state.sample = copyOf(SAMPLES[key]);
        Object.assign(state, { splits: 0, marked: -1, picks: [] });
        settle();
      },
    }).element,
    button("mark a leaf", mark),
    button("split the marked leaf", () => splitLeaf(state.marked)),
    button("let the algorithm split", split(1)),
    button("take one back", split(-1)),
    button("to the end", split(99)),
    dial({
      label: "how far the leaf's size is left out",
      min: 0,
      max: 1,
      step: 0.05,
      value: 0,
      show: (v) => `gain · |n|^${digits(1 - v, 2)}`,
      sentence: "The algorithm has |n| to the power 1. Turn it up: at the end |n| is gone, as in the sources.",
      change: keep("exponent", (v) => +(1 - v).toFixed(12)),
    }).element,
  );
  settle();
}

explorer("trees", { math: { impurity, bestQuestion, grow, firstLapse, trial, majority }, start });
