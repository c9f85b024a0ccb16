// A tree that grows split by split on points that the reader drags, is pruned along the penalty for a leaf, and whose
// held-out errors are drawn for every penalty; and penalties that miss the sequence.

import { random, range, sum } from "./lib/numbers.js";
import { button, choice, dial, digits, frame, html, slider } from "./lib/page.js";
import { rectangle } from "./lib/planes.js";
import { mark, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { movableExamples, namesOf } from "./lib/state.js";

const SIDE = [-8, 8];
const FOLDS = 6;
const HIGHEST = 7;
// Values of penalties that are nearer than this are ties that rounding has broken.
const TIE = 1e-9;

/** Points of a quarter of the plane and the rest, every seventh of the other class. */
function noisy() {
  const draw = random(861);
  const X = range(28).map(() => range(2).map(() => Math.round(15 * draw() - 7.5)));
  const y = X.map(([a, b], i) => +((a > -2 && b < 3) !== (i % 7 === 0)));
  return { X, y };
}

const SAMPLES = {
  noisy: { name: "two classes with noise", ...noisy() },
  links: {
    name: "two equally weak links",
    X: [-6, -4, -2, -5, -3, -4, 6, 4, 2, 5, 3, 4].map((a, i) => [a, [3, 5, 1, 6, 4, -5][i % 6]]),
    y: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0],
  },
};

const copyOf = ({ X, y }) => ({ X: X.map((x) => [...x]), y: [...y] });

const counted = (y, classes) => range(classes).map((c) => y.filter((label) => label === c).length);
const squares = (counts) => sum(counts.map((n) => n * n));

/** The question that lowers the Gini impurity most: the first feature and the smallest threshold among equal ones. */
function bestQuestion(X, y, classes) {
  let best = null;
  for (const feature of range(X[0].length)) {
    const values = [...new Set(X.map((x) => x[feature]))].sort((a, b) => a - b);
    for (const place of range(values.length - 1)) {
      const threshold = (values[place] + values[place + 1]) / 2;
      const left = counted(y.filter((_, i) => X[i][feature] <= threshold), classes);
      const right = counted(y.filter((_, i) => X[i][feature] > threshold), classes);
      const score = squares(left) / sum(left) + squares(right) / sum(right);
      if (!best || score > best.score) best = { feature, threshold, score };
    }
  }
  return best;
}

/**
 * A tree of at most so many splits, without a limit until every leaf is pure: children, questions and class counts,
 * parents before children; `last` is the node split last. The leaf is split next whose question lowers the total Gini
 * impurity most, of equal ones the oldest.
 */
function grow(X, y, classes, most = Infinity) {
  const tree = { children: [], questions: [], counts: [], last: -1 };
  const offers = [];
  const add = (members) => {
    const labels = members.map((i) => y[i]);
    const counts = counted(labels, classes);
    const node = tree.children.length;
    tree.children.push([-1, -1]);
    tree.questions.push(null);
    tree.counts.push(counts);
    const question = new Set(labels).size > 1 ? bestQuestion(members.map((i) => X[i]), labels, classes) : null;
    if (question) offers.push({ node, members, question, decrease: question.score - squares(counts) / sum(counts) });
    return node;
  };
  add(range(X.length));
  for (let splits = 0; offers.length && splits < most; splits++) {
    const top = Math.max(...offers.map(({ decrease }) => decrease));
    const [{ node, members, question }] = offers.splice(offers.findIndex(({ decrease }) => decrease === top), 1);
    const goes = (i) => X[i][question.feature] <= question.threshold;
    tree.questions[node] = question;
    tree.last = node;
    tree.children[node] = [add(members.filter(goes)), add(members.filter((i) => !goes(i)))];
  }
  return tree;
}

/** The errors of each node as a leaf. */
const costsOf = ({ counts }) => counts.map((row) => sum(row) - Math.max(...row));

const labelOf = (counts) => counts.indexOf(Math.max(...counts));

/** For every node and 1, 2, .. leaves of its branch: the least cost, how many of them go left, in how many ways. */
function tables(children, costs) {
  const found = costs.map((cost) => [{ cost, left: 0, ways: 1 }]);
  for (const t of range(children.length).reverse()) {
    const [one, two] = children[t].map((child) => found[child]);
    if (!one) continue;
    for (let n = 2; n <= one.length + two.length; n++) {
      let best = null;
      for (let i = Math.max(1, n - two.length); i <= Math.min(one.length, n - 1); i++) {
        const [a, b] = [one[i - 1], two[n - i - 1]];
        const cost = a.cost + b.cost;
        if (!best || cost < best.cost) best = { cost, left: i, ways: 0 };
        if (cost === best.cost) best.ways += a.ways * b.ways;
      }
      found[t].push(best);
    }
  }
  return found;
}

const leastCosts = (children, costs) => tables(children, costs)[0].map(({ cost }) => cost);

/** The sizes that are the smallest best ones for some penalty >= 0 of size^exponent, largest first, and where. */
function bestSizes(least, exponent) {
  const powers = least.map((_, i) => (i + 1) ** exponent);
  const found = [];
  for (const n of range(least.length).reverse()) {
    const penalty = (j) => (least[j] - least[n]) / (powers[n] - powers[j]);
    const from = Math.max(0, ...range(least.length).filter((j) => j > n).map(penalty));
    const to = Math.min(Infinity, ...range(n).map(penalty));
    if (from < to - TIE) found.push({ size: n + 1, from, to });
  }
  return found;
}

/** The size that is best at a penalty: of equally good ones the smallest. */
const sizeAt = (sizes, penalty) => (sizes.filter(({ from }) => from <= penalty + TIE).at(-1) ?? sizes[0]).size;

/** The leaves of a pruning of this size with the least cost. */
function leavesOf(children, table, size, top = 0) {
  if (size === 1) return [top];
  const { left } = table[top][size - 1];
  return [
    ...leavesOf(children, table, left, children[top][0]),
    ...leavesOf(children, table, size - left, children[top][1]),
  ];
}

/** The leaf of a pruning that a point reaches. */
function leafAt({ children, questions }, leaves, x) {
  let node = 0;
  while (!leaves.includes(node)) {
    const { feature, threshold } = questions[node];
    node = children[node][x[feature] <= threshold ? 0 : 1];
  }
  return node;
}

/** Everything about a sample: its tree, the best sizes, and the held-out errors of the folds by the penalty. */
function study(X, y, classes, exponent = 1, folds = FOLDS, most = Infinity) {
  const tree = grow(X, y, classes, most);
  const table = tables(tree.children, costsOf(tree));
  const least = table[0].map(({ cost }) => cost);
  const held = validation(X, y, classes, exponent, folds, most);
  return { tree, table, least, sizes: bestSizes(least, exponent), held };
}

/** Steps [penalty, errors] of the held-out errors: example i is in fold i mod folds, penalties are per example. */
function validation(X, y, classes, exponent, folds, most = Infinity) {
  const jumps = [];
  for (const fold of range(Math.min(folds, y.length))) {
    const inside = range(y.length).filter((i) => i % folds === fold);
    const outside = range(y.length).filter((i) => i % folds !== fold);
    const tree = grow(outside.map((i) => X[i]), outside.map((i) => y[i]), classes, most);
    const table = tables(tree.children, costsOf(tree));
    let before = 0;
    for (const { size, from } of bestSizes(table[0].map(({ cost }) => cost), exponent)) {
      const leaves = leavesOf(tree.children, table, size);
      const errors = inside.filter((i) => labelOf(tree.counts[leafAt(tree, leaves, X[i])]) !== y[i]).length;
      // A tree on fewer examples pays less for a leaf.
      jumps.push([(from * y.length) / outside.length, errors - before]);
      before = errors;
    }
  }
  jumps.sort((a, b) => a[0] - b[0]);
  let errors = 0;
  const steps = [];
  for (const [penalty, jump] of jumps) {
    errors += jump;
    if (steps.length && penalty - steps.at(-1)[0] < TIE) steps.at(-1)[1] = errors;
    else steps.push([penalty, errors]);
  }
  return steps;
}

/** Whether with this exponent some smallest best pruning is outside of the sequence, or not the only one. */
function trial({ X, y, exponent }) {
  const { sizes, least, table } = study(X, y, 2, exponent, 0);
  const inSequence = bestSizes(least, 1).map(({ size }) => size);
  const outside = sizes.filter(({ size }) => !inSequence.includes(size) || table[0][size - 1].ways > 1);
  return { outside: outside.map(({ size }) => size), broken: outside.length > 0 };
}

/** The part of the plane that belongs to each leaf of a pruning: [leaf, x range, y range]. */
function cells({ children, questions }, leaves, node = 0, box = [SIDE, SIDE]) {
  if (leaves.includes(node)) return [[node, ...box]];
  const { feature, threshold } = questions[node];
  const halves = [0, 1].map((side) =>
    box.map((ends, j) => (j !== feature ? ends : side ? [threshold, ends[1]] : [ends[0], threshold])),
  );
  return halves.flatMap((half, side) => cells({ children, questions }, leaves, children[node][side], half));
}

/** Where each node stands in a drawing: leaves side by side, a parent above the middle of its children. */
function places(children) {
  const found = children.map(() => null);
  let next = 0;
  const put = (t, depth) => {
    const [left, right] = children[t];
    if (left < 0) found[t] = [next++, depth];
    else {
      put(left, depth + 1);
      put(right, depth + 1);
      found[t] = [(found[left][0] + found[right][0]) / 2, depth];
    }
  };
  put(0, 0);
  return found;
}

function start(root) {
  const page = frame(root, {
    title: "A tree and the penalty for a leaf",
    hint: "Drag the points, or give one the focus and use the arrow keys. Grow the tree split by split and prune it.",
  });
  const size = { width: 400, height: 340 };
  const cellsLabel = "The plane: points of two classes and the cells of the pruned tree";
  const plane = plot({ label: cellsLabel, x: SIDE, y: SIDE, ...size });
  const drawing = plot({ label: "The full tree; what the penalty cuts off is faint", x: [0, 1], y: [0, 1], ...size });
  const curve = plot({
    label: "Errors against the penalty for a leaf: of the pruned tree on its sample, and held out",
    x: [0, HIGHEST],
    y: [0, 20],
    ...size,
    xLabel: "penalty λ of a leaf",
    yLabel: "errors",
  });
  for (const { root: picture } of [plane, drawing, curve]) {
    page.stage.append(html("div", { class: "explorer-column" }, picture));
  }
  drawing.root.querySelector(".explorer-axes").replaceChildren();
  // A tree that is growing is shown whole; it is pruned as soon as the penalty or its exponent is moved.
  const state = { penalty: 0.6, exponent: 1, splits: Infinity, pruned: true, sample: copyOf(SAMPLES.noisy) };

  const show = () => {
    const { X, y } = state.sample;
    const found = study(X, y, 2, state.exponent, FOLDS, state.splits);
    const size = state.pruned ? sizeAt(found.sizes, state.penalty) : found.least.length;
    const leaves = leavesOf(found.tree.children, found.table, size);
    paintPlane(found.tree, leaves);
    paintTree(found.tree, leaves);
    paintCurve(found);
    const errors = found.least[size - 1];
    page.facts({
      "last question": asked(found.tree),
      "leaves left": `${size} of ${found.least.length}`,
      "errors on the sample": [String(errors), "series-1"],
      "held-out errors": [state.pruned ? String(heldOut(found.held, state.penalty)) : "–", "series-2"],
      "errors + penalty": state.pruned ? digits(errors + state.penalty * size ** state.exponent, 4) : "–",
      "best prunings at some penalty": String(found.sizes.length),
    });
    if (!state.pruned) return page.say(growth(found));
    const leaf = size === 1 ? "leaf" : "leaves";
    const wrong = `${errors} errors on the sample, ${heldOut(found.held, state.penalty)} on what is held out`;
    const left = `At the penalty ${digits(state.penalty, 3)} the tree has ${size} ${leaf}: ${wrong}.`;
    const [claim, tone] = verdict(found);
    page.say(`${left} ${claim}`, tone);
  };
  const asked = ({ questions, last }) =>
    last < 0 ? "none" : `x${questions[last].feature + 1} ≤ ${digits(questions[last].threshold, 3)}`;
  const growth = ({ tree, least }) => {
    const n = least.length - 1;
    const pure = tree.counts.every((row, t) => tree.children[t][0] >= 0 || Math.max(...row) === sum(row));
    const next = pure ? "All leaves are pure: now raise the penalty." : "Split on, or raise the penalty.";
    const sizes = `${n} split${n === 1 ? "" : "s"} and ${n + 1} ${n ? "leaves" : "leaf"}`;
    return `${sizes}, ${least[n]} errors on the sample. ${next}`;
  };
  const paintPlane = (tree, leaves) => {
    plane.clear();
    for (const [leaf, across, up] of cells(tree, leaves)) {
      plane.area(rectangle(across, up), { class: `explorer-area explorer-class-${labelOf(tree.counts[leaf]) + 1}` });
    }
  };
  const paintTree = (tree, leaves) => {
    drawing.clear();
    const spots = places(tree.children);
    const [width, depth] = [0, 1].map((axis) => Math.max(...spots.map((spot) => spot[axis]), 1));
    const at = (t) => [0.05 + (0.9 * spots[t][0]) / width, 0.95 - (0.9 * spots[t][1]) / depth];
    const walk = (t, kept) => {
      const inside = kept && !leaves.includes(t);
      for (const child of tree.children[t].filter((one) => one >= 0)) {
        drawing.line([at(t), at(child)], { class: `explorer-line ${inside ? "" : "explorer-faint"}` });
        walk(child, inside);
      }
      if (kept && !inside) drawing.place(...at(t), mark(labelOf(tree.counts[t]), 6));
    };
    walk(0, true);
  };
  const paintCurve = ({ sizes, least, held }) => {
    curve.clear();
    const own = sizes.map(({ size: leaves, from }) => [from, least[leaves - 1]]);
    curve.line(stairs(own), { class: "explorer-line explorer-series-1" });
    curve.line(stairs(held), { class: "explorer-line explorer-series-2" });
    if (state.pruned) curve.line([[state.penalty, 0], [state.penalty, 20]], { class: "explorer-line explorer-quiet" });
  };
  const verdict = ({ sizes }) => {
    const nested = sizes.map(({ size }) => size).join(", ");
    if (state.exponent <= 1) {
      const also =
        state.exponent < 1
          ? "A concave penalty, too, chooses from the weakest-link sequence"
          : "The smallest best pruning is in the weakest-link sequence at every penalty, each within the one before";
      return [`${also}: here of ${nested} leaves.`, "true"];
    }
    const power = `With the penalty λ times size to the power ${digits(state.exponent, 3)}`;
    const here = trial({ ...state.sample, exponent: state.exponent });
    if (here.broken) {
      return [
        `${power} the theorem is false: of the best prunings, those of ${here.outside.join(", ")} leaves are not in ` +
          "the weakest-link sequence, or not the only ones of their size.",
        "false",
      ];
    }
    return [
      `${power} the theorem is false: not these points show it, but the sample with two equally weak links.`,
      "false",
    ];
  };

  const settle = () => {
    const { X, y } = state.sample;
    plane.hold(...movableExamples({ picture: plane, X, y, word: "point", moved: show }));
    show();
  };
  const split = (change) => {
    const { X, y } = state.sample;
    const made = grow(X, y, 2, state.splits).questions.filter(Boolean).length;
    Object.assign(state, { splits: Math.max(0, made + change), pruned: false, penalty: 0 });
    penalty.set(0);
    show();
  };
  const penalty = slider({
    label: "penalty λ of a leaf",
    min: 0,
    max: HIGHEST,
    step: 0.05,
    value: state.penalty,
    show: (v) => digits(v, 3),
    change: (v) => {
      Object.assign(state, { penalty: v, pruned: true });
      show();
    },
  });
  page.controls.append(
    choice({
      label: "sample",
      options: namesOf(SAMPLES),
      value: "noisy",
      change: (key) => {
        Object.assign(state, { sample: copyOf(SAMPLES[key]), splits: Infinity, pruned: true });
        settle();
      },
    }).element,
    button("the root alone", () => split(-Infinity)),
    button("one split", () => split(1)),
    button("one back", () => split(-1)),
    button("to the end", () => split(Infinity)),
    penalty.element,
    dial({
      label: "power of the size",
      min: 0.5,
      max: 2,
      step: 0.05,
      value: 1,
      show: (v) => digits(v, 3),
      sentence: "The theorem has 1: a penalty per leaf. Below 1 it stays true. Turn it up.",
      change: (v) => {
        Object.assign(state, { exponent: v, pruned: true });
        show();
      },
    }).element,
  );
  settle();
}

/** The held-out errors at a penalty. */
const heldOut = (steps, penalty) => (steps.filter(([from]) => from <= penalty + TIE).at(-1) ?? steps[0])[1];

/** The corners of a staircase from its steps, up to the right edge. */
function stairs(steps) {
  return steps.flatMap(([from, value], i) => [
    [from, value],
    [Math.min(steps[i + 1]?.[0] ?? HIGHEST, HIGHEST), value],
  ]).filter(([x]) => x <= HIGHEST);
}

explorer("pruning", { math: { grow, leastCosts, bestSizes, study, validation, trial, noisy }, start });
