// C and the support vectors of the multi-class SVM: its solutions on a grid of C, computed beforehand.
import { grid } from "./data/svm-c.js";
import { dot, range, sum } from "./lib/numbers.js";
import { choice, dial, digits, frame, slider } from "./lib/page.js";
import { gaps } from "./lib/perceptron.js";
import { rectangle, regions } from "./lib/planes.js";
import { mark, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { svg } from "./lib/svg.js";

const SIDE = [-4.5, 4.5];
const CLASSES = 3;
const TINY = 1e-6;

/** w_z = sum_i alpha_iz x_i, with the flows alpha = C shares. */
function weightsOf({ X, shares, C }) {
  return range(shares[0].length).map((z) =>
    range(X[0].length).map((j) => C * sum(X.map((x, i) => shares[i][z] * x[j]))),
  );
}

/** xi_i = max(0, 1 - gap_i). */
function slacksOf({ W, X, y }) {
  return gaps(W, X, y).map((gap) => Math.max(0, 1 - gap));
}

/** A sum of slacks for reading: what is left by rounding is 0. */
const paid = (total) => digits(total > TINY ? total : 0, 4);

const squaredLength = (W) => sum(W.map((row) => dot(row, row)));

/** 1/2 |W|^2 + C sum xi. */
function primalValue({ W, X, y, C }) {
  return squaredLength(W) / 2 + C * sum(slacksOf({ W, X, y }));
}

/** sum_i alpha_iy - 1/2 |W|^2 at W = sum_i alpha_i x_i. */
function dualValue({ X, y, shares, C }) {
  return C * sum(y.map((label, i) => shares[i][label])) - squaredLength(weightsOf({ X, shares, C })) / 2;
}

/**
 * Some weights at most `factor` times as long as W with a smaller sum of slacks, or null: on the way from W to weights
 * with a smaller sum that sum falls at once, because it is convex.
 */
function betterWithin({ W, towards, X, y, factor }) {
  const total = (V) => sum(slacksOf({ W: V, X, y }));
  const limit = factor ** 2 * squaredLength(W);
  const between = (t) => W.map((row, z) => row.map((value, j) => value + t * (towards[z][j] - value)));
  let [low, high] = [0, 1];
  if (squaredLength(towards) > limit) {
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (squaredLength(between(middle)) <= limit) low = middle;
      else high = middle;
    }
  } else low = 1;
  const found = between(low);
  return total(found) < total(W) - 1e-9 ? { W: found, slacks: total(found) } : null;
}

/** What the svm of the grid at this place is like. */
function svmAt(place) {
  const { X, y, solutions } = grid;
  const { C, shares } = solutions[place];
  const W = weightsOf({ X, shares, C });
  const slacks = slacksOf({ W, X, y });
  return {
    C,
    shares,
    W,
    slacks,
    length: Math.sqrt(squaredLength(W)),
    total: sum(slacks),
    support: y.filter((label, i) => shares[i][label] > TINY).length,
    paying: slacks.filter((slack) => slack > TINY).length,
    wrong: slacks.filter((slack) => slack >= 1).length,
  };
}

function start(root) {
  const { X, y, solutions } = grid;
  const all = range(solutions.length).map(svmAt);
  const page = frame(root, {
    title: "C and the support vectors",
    hint: "Move C. The larger the disc around an example, the more it hands to its class; the disc has the colours of the rivals it draws from. Choose an example: it gets a ring, and what it draws is written below.",
  });
  const picture = plot({
    label: "The examples, the regions of the classes, and what each example hands on",
    x: SIDE,
    y: SIDE,
    width: 440,
    height: 430,
  });
  const path = plot({
    width: 440,
    height: 430,
    label: "Sum of slacks, length of W and number of support vectors against C, each as a share of its largest",
    x: [0.001, 100],
    y: [0, 1.02],
    logX: true,
    xLabel: "C",
    yLabel: "share of the largest",
  });
  page.stage.append(picture.root, path.root);
  let [place, factor, example] = [16, 1, 0];

  const draw = () => {
    const svm = all[place];
    picture.clear();
    const parts = regions(svm.W, rectangle(SIDE, SIDE));
    for (const z of range(CLASSES)) picture.area(parts[z], { class: `explorer-area explorer-class-${z + 1}` });
    for (const i of range(X.length)) drawExample(svm, i);
    path.clear();
    const series = (kind) => all.map((m) => [m.C, m[kind] / Math.max(...all.map((other) => other[kind]))]);
    for (const [n, kind] of ["total", "length", "support"].entries()) {
      path.line(series(kind), { class: `explorer-line explorer-series-${n + 1}` });
    }
    path.line(
      [
        [svm.C, 0],
        [svm.C, 1.02],
      ],
      { class: "explorer-line explorer-quiet" },
    );
    tell(svm);
  };
  const drawExample = (svm, i) => {
    const reach = 4 + 12 * svm.shares[i][y[i]];
    let angle = -Math.PI / 2;
    for (const z of range(CLASSES).filter((rival) => rival !== y[i] && svm.shares[i][rival] < -TINY)) {
      const turn = (2 * Math.PI * -svm.shares[i][z]) / svm.shares[i][y[i]];
      picture.place(
        X[i][0],
        X[i][1],
        svg("path", { d: wedge(reach, angle, turn), class: `explorer-wedge explorer-class-${z + 1}` }),
      );
      angle += turn;
    }
    picture.place(X[i][0], X[i][1], mark(y[i], 5));
    if (i === example) picture.place(X[i][0], X[i][1], svg("circle", { r: 19, class: "explorer-ring" }));
  };
  const tell = (svm) => {
    const own = svm.shares[example][y[example]];
    const drawn = range(CLASSES)
      .filter((z) => z !== y[example] && svm.shares[example][z] < -TINY)
      .map((z) => `${digits(-svm.shares[example][z], 2)} · C from class ${z + 1}`);
    page.facts({
      "sum of slacks": [paid(svm.total), "series-1"],
      "length of W": [digits(svm.length, 4), "series-2"],
      "support vectors": [`${svm.support} of ${X.length}`, "series-3"],
      "examples that pay": String(svm.paying),
      "mistakes, ties too": String(svm.wrong),
      [`example ${example + 1}, class ${y[example] + 1}, draws`]: own > TINY ? drawn.join(", ") : "nothing",
    });
    page.say(...verdict(svm));
  };
  const verdict = (svm) => {
    const than = factor === 1 ? "no longer than W" : `at most ${digits(factor, 3)} times as long as W`;
    const claim = `of all weights ${than}, W has the smallest sum of slacks, ${paid(svm.total)}`;
    const now = `C = ${digits(svm.C)}: ${svm.support} support vectors.`;
    if (factor <= 1) return [`${now} It is true that ${claim}.`, "true"];
    const found = betterWithin({ W: svm.W, towards: all.at(-1).W, X, y, factor });
    if (found) return [`${now} It is false that ${claim}: others have ${paid(found.slacks)}.`, "false"];
    return [`${now} Here C is so large that a longer W brings nothing; at a smaller C it does.`];
  };

  page.controls.append(
    slider({
      label: "C",
      min: 0,
      max: all.length - 1,
      step: 1,
      value: place,
      show: (v) => digits(all[v].C),
      change: (v) => {
        place = v;
        draw();
      },
    }).element,
    choice({
      label: "look at example",
      options: Object.fromEntries(X.map((_, i) => [i, `${i + 1}, class ${y[i] + 1}`])),
      value: "0",
      change: (key) => {
        example = Number(key);
        draw();
      },
    }).element,
    dial({
      label: "allowed length, in lengths of W",
      min: 1,
      max: 2,
      step: 0.01,
      value: 1,
      show: (v) => digits(v, 3),
      sentence: "The proposition “What the multi-class SVM minimises” allows 1. Turn it up.",
      change: (v) => {
        factor = v;
        draw();
      },
    }).element,
  );
  draw();
}

/** A sector of a disc around the origin. */
function wedge(radius, from, turn) {
  const at = (angle) => `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  const half = from + turn / 2;
  const arc = `A${radius} ${radius} 0 0 1`;
  return `M0 0L${at(from)}${arc} ${at(half)}${arc} ${at(from + turn)}Z`;
}

explorer("svm-c", { math: { weightsOf, slacksOf, paid, primalValue, dualValue, betterWithin, svmAt }, start });
