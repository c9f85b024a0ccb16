// Six points of three classes: separable one against the rest, by the largest of three scores, or only in pairs.

import { range } from "./lib/numbers.js";
import { choice, dial, digits, frame } from "./lib/page.js";
import { bestMargin, nearestPoint } from "./lib/perceptron.js";
import { cut, rectangle, regions } from "./lib/planes.js";
import { mark, movable, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { namesOf } from "./lib/state.js";

const SIDE = [-5, 5];
const CLASSES = 3;
const Y = [0, 0, 1, 1, 2, 2];
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
];
// The fewest points of a sample whose pairs of classes are separable while no three scores separate it.
const FEWEST = 6;

const SAMPLES = {
  rest: {
    name: "each class from the rest",
    X: [
      [-4, 3],
      [-2, 4],
      [3, 4],
      [4, 2],
      [-1, -4],
      [1, -3],
    ],
  },
  argmax: {
    name: "by the largest score only",
    X: [
      [-4, -1],
      [-3, 2],
      [-0.5, 1],
      [0.5, -1],
      [3, 2],
      [4, -1],
    ],
  },
  pairs: {
    name: "in pairs only",
    X: [
      [-3, 3],
      [-2, -2],
      [-3, -3],
      [0, -1],
      [1, -1],
      [-2, 0],
    ],
  },
};

/** A separating score (a, b, c), a x + b y + c, positive where the sign is: null where there is none. */
function separator(X, signs) {
  const vectors = X.map(([x, y], i) => [x, y, 1].map((value) => signs[i] * value));
  const { x, lower } = nearestPoint(vectors);
  return lower > 1e-9 ? x : null;
}

/** For each class its score against the rest, the argmax of best margin, and for each pair its score; null for none. */
function separators(X, y) {
  const lifted = X.map(([a, b]) => [a, b, 1]);
  const best = bestMargin(lifted, y, CLASSES);
  return {
    fromRest: range(CLASSES).map((z) =>
      separator(
        X,
        y.map((label) => (label === z ? 1 : -1)),
      ),
    ),
    argmax: best.separable ? best.W : null,
    margin: best.lower,
    pairs: PAIRS.map(([a, b]) => {
      const mine = range(X.length).filter((i) => y[i] === a || y[i] === b);
      return separator(
        mine.map((i) => X[i]),
        mine.map((i) => (y[i] === a ? 1 : -1)),
      );
    }),
  };
}

/** One-vs-rest, argmax, pairwise: whether each of the three holds. */
function levels(X, y) {
  const found = separators(X, y);
  return [found.fromRest.every(Boolean), Boolean(found.argmax), found.pairs.every(Boolean)];
}

/** Whether a sample refutes "with fewer than `points` points, separable pairs are enough". */
function refutes({ X, y, points }) {
  const [, argmax, pairwise] = levels(X, y);
  return pairwise && !argmax && X.length < points;
}

const copyOf = (key) => SAMPLES[key].X.map((x) => [...x]);

function start(root) {
  const page = frame(root, {
    title: "Three ways to be separable",
    hint: "Drag the six points, or give one the focus and use the arrow keys. Go from each class against the rest to pairs only.",
  });
  const label = "The plane: six points of three classes, and the scores that separate them";
  const picture = plot({ label, x: SIDE, y: SIDE, width: 440, height: 430 });
  page.stage.append(picture.root);
  let X = copyOf("argmax");
  let shown = "argmax";
  let points = FEWEST;

  const draw = () => {
    const found = separators(X, Y);
    picture.clear();
    if (shown === "argmax" && found.argmax) paint(picture, found.argmax);
    if (shown === "rest") found.fromRest.forEach((score, z) => line(picture, score, `series-${z + 1}`));
    if (shown === "pairs") found.pairs.forEach((score) => line(picture, score, "limit"));
    const [rest, argmax, pairwise] = levels(X, Y);
    page.facts({
      "classes that one line cuts off": `${found.fromRest.filter(Boolean).length} of 3`,
      "each class from the rest": rest ? "yes" : "no",
      "by the largest of three scores": argmax ? "yes" : "no",
      "best margin γ": argmax ? digits(found.margin, 4) : "none",
      "pairs of classes with a line": `${found.pairs.filter(Boolean).length} of 3`,
      "claimed to be enough below": `${points} points`,
    });
    page.say(...verdict(rest, argmax, pairwise));
  };
  const verdict = (rest, argmax, pairwise) => {
    const state = rest
      ? "Each class is separable from the rest, so the largest of three scores separates them and every pair is separable."
      : argmax
        ? "Some class cannot be cut off by one line, and yet the largest of three scores is right everywhere."
        : pairwise
          ? "Every pair of classes has its line, and no three scores are right at all six points."
          : "Not even every pair of classes has a line.";
    const claim = `“With fewer than ${points} points, separable pairs are enough” is`;
    if (points <= FEWEST) return [`${state} ${claim} true.`, "true"];
    const here = refutes({ X, y: Y, points });
    const who = here ? "these six points refute it" : "the six points of the sample “in pairs only” refute it";
    return [`${state} ${claim} false: ${who}.`, "false"];
  };
  const settle = () => {
    picture.hold(
      ...X.map((at, i) =>
        movable({
          picture,
          name: `point ${i + 1}, class ${Y[i] + 1}`,
          at,
          shape: mark(Y[i]),
          step: 0.5,
          moved: (place) => {
            X[i] = place;
            draw();
          },
        }),
      ),
    );
    draw();
  };

  const names = namesOf(SAMPLES);
  page.controls.append(
    choice({
      label: "sample separable",
      options: names,
      value: "argmax",
      change: (key) => {
        X = copyOf(key);
        settle();
      },
    }).element,
    choice({
      label: "show",
      options: { argmax: "where each score is the largest", rest: "each class against the rest", pairs: "lines between pairs" },
      value: "argmax",
      change: (key) => {
        shown = key;
        draw();
      },
    }).element,
    dial({
      label: "pairs are enough with fewer points than",
      min: 3,
      max: 9,
      step: 1,
      value: FEWEST,
      show: (v) => `${v}`,
      sentence: "The proposition has 6: with five points separable pairs are enough. Turn it up.",
      change: (v) => {
        points = v;
        draw();
      },
    }).element,
  );
  settle();
}

/** The regions in which each score is the largest. */
function paint(picture, W) {
  const parts = regions(W, rectangle(SIDE, SIDE));
  for (const z of range(W.length)) picture.area(parts[z], { class: `explorer-area explorer-class-${z + 1}` });
}

/** The line on which a score is 0: the border of the half-plane where it is not negative. */
function line(picture, score, series) {
  if (!score) return;
  const [a, b, c] = score;
  const height = ([x, y]) => a * x + b * y + c;
  const scale = Math.hypot(a, b) * 1e-9;
  const corners = cut(rectangle(SIDE, SIDE), score).filter((corner) => Math.abs(height(corner)) <= scale * 20);
  if (corners.length === 2) picture.line(corners, { class: `explorer-line explorer-${series}` });
}

const math = { levels, refutes, separators };
explorer("constraints", { math, start });
