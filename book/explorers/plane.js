// The plane and its classes: the multi-class Perceptron's updates one by one, and their number against its bound.

import { dot, range } from "./lib/numbers.js";
import { button, choice, dial, digits, frame, howMany } from "./lib/page.js";
import { beginning, bestMargin, margins, mistakeBound, nextUpdate, squaredRadius, wholeRun } from "./lib/perceptron.js";
import { rectangle, regions } from "./lib/planes.js";
import { arrow, mark, movable, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { namesOf } from "./lib/state.js";
import { svg } from "./lib/svg.js";

const SIDE = [-8, 8];
const MOST = 2000;

const SAMPLES = {
  three: {
    name: "three classes",
    X: [
      [5, 2],
      [6, -1],
      [4, 4],
      [-5, 3],
      [-3, 5],
      [-2, 4],
      [-3, -5],
      [0, -6],
      [2, -5],
    ],
    y: [0, 0, 0, 1, 1, 1, 2, 2, 2],
  },
  four: {
    name: "four classes",
    X: [
      [6, 1],
      [5, -2],
      [5, 3],
      [1, 6],
      [-2, 5],
      [-6, 1],
      [-5, -2],
      [-1, -5],
      [2, -6],
    ],
    y: [0, 0, 0, 1, 1, 2, 2, 3, 3],
  },
  tight: {
    name: "tight: the bound is attained",
    X: [
      [5, 0],
      [0, -5],
    ],
    y: [1, 0],
  },
  slow: {
    name: "slow: 84 updates",
    X: [
      [4, 5],
      [-4, -5],
      [-4, -5],
      [5, 4],
      [-5, -4],
    ],
    y: [1, 3, 3, 0, 2],
  },
};

/** What the bound with `factor` in front allows, and what the whole run needs, of at most `MOST` updates. */
function trial({ X, y, classes, factor = 1 }) {
  const made = wholeRun(X, y, classes, MOST).updates.length;
  const allowed = factor * mistakeBound(X, y, classes);
  // The margin is a number of floating point: what it allows is not undercut by its last digits.
  return { made, allowed, broken: made > allowed * (1 + 1e-9) };
}

/** The weights of best margin, and 0 where there are none: then no regions are drawn. */
const bestWeights = ({ separable, W }) => (separable ? W : W.map((row) => row.map(() => 0)));

const classesOf = (y) => Math.max(...y) + 1;
const copyOf = ({ X, y }) => ({ X: X.map((x) => [...x]), y: [...y], classes: classesOf(y) });

function start(root) {
  const page = frame(root, {
    title: "The Perceptron in the plane",
    hint: "Drag the points, or give one the focus and use the arrow keys. Then let the Perceptron learn, update by update.",
  });
  const label = "The plane: examples of each class, the regions where each class has the largest score, its weights";
  const picture = plot({ label, x: SIDE, y: SIDE, width: 440, height: 430 });
  page.stage.append(picture.root);
  let sample = copyOf(SAMPLES.three);
  let factor = 1;
  let shown = "run";
  let state;

  const restart = () => {
    state = beginning(sample.classes, 2);
    draw();
  };
  const step = () => {
    state = nextUpdate(state, sample.X, sample.y);
    draw();
  };
  const run = () => {
    while (state.clean < sample.X.length && state.updates.length < MOST) {
      state = nextUpdate(state, sample.X, sample.y);
    }
    draw();
  };
  const settle = () => {
    picture.hold(...sample.X.map((_, i) => handle(i)));
    restart();
  };
  const handle = (i) =>
    movable({
      picture,
      name: `example ${i + 1}, class ${sample.y[i] + 1}`,
      at: sample.X[i],
      shape: mark(sample.y[i]),
      step: 0.5,
      moved: (place) => {
        sample.X[i] = place;
        restart();
      },
    });

  const draw = () => {
    const best = bestMargin(sample.X, sample.y, sample.classes);
    const W = shown === "run" ? state.W : bestWeights(best);
    picture.clear();
    paint(picture, W);
    const last = state.updates.at(-1);
    if (last && shown === "run") picture.place(...sample.X[last[0]], svg("circle", { r: 14, class: "explorer-ring" }));
    tell(best, W);
  };
  const tell = (best, W) => {
    const made = state.updates.length;
    const bound = best.separable ? squaredRadius(sample.X) / best.lower ** 2 : Infinity;
    const moved = W.some((row) => row.some((value) => value !== 0));
    page.facts({
      "updates made": String(made),
      [factor === 1 ? "bound R²/γ²" : `${digits(factor, 2)} R²/γ²`]: best.separable
        ? digits(factor * bound, 4)
        : "none",
      "longest example R": digits(Math.sqrt(squaredRadius(sample.X)), 4),
      "best margin γ": best.separable ? digits(best.lower, 6) : "none",
      "γ known to within": best.separable ? digits(best.upper - best.lower, 1) : "–",
      "margin of these weights": moved ? digits(Math.min(...margins(W, sample.X, sample.y)), 4) : "–",
    });
    page.say(...verdict(best));
  };
  const verdict = (best) => {
    const last = state.updates.at(-1);
    const done = state.clean >= sample.X.length;
    const stopped = state.updates.length === MOST;
    const news = !last
      ? "All weights are 0."
      : done
        ? `Learnt after ${howMany(state.updates.length, "update")}: a whole pass without a mistake.`
        : stopped
          ? `The run stops here, after ${MOST} updates, and there are still mistakes.`
          : `Update ${state.updates.length}: example ${last[0] + 1} of class ${sample.y[last[0]] + 1} was not ahead of class ${last[1] + 1}.`;
    if (!best.separable) {
      const none = shown === "run" ? "" : " So there are no weights of best margin, and no regions to show.";
      return [`${news} No weights separate these points: there is no bound, and the updates never end.${none}`];
    }
    if (factor >= 1) return [`${news} The bound holds on every sample.`, done ? "true" : ""];
    const here = trial({ ...sample, factor });
    const tight = trial({ ...copyOf(SAMPLES.tight), factor });
    const short = `With ${digits(factor, 2)} R²/γ² the statement is false`;
    if (here.broken) {
      const made = `${here.made < MOST ? "" : "at least "}${howMany(here.made, "update")}`;
      return [`${short}: this sample takes ${made}, and ${digits(here.allowed)} are allowed.`, "false"];
    }
    return [
      `${short}: not this sample shows it, but the tight one, with ${tight.made} updates where ${digits(tight.allowed)} are allowed.`,
      "false",
    ];
  };

  const names = namesOf(SAMPLES);
  const which = choice({
    label: "sample",
    options: names,
    value: "three",
    change: (key) => {
      sample = copyOf(SAMPLES[key]);
      settle();
    },
  });
  const seen = choice({
    label: "regions of",
    options: { run: "the Perceptron's weights", best: "the weights of best margin" },
    value: "run",
    change: (key) => {
      shown = key;
      draw();
    },
  });
  page.controls.append(
    which.element,
    seen.element,
    button("one update", step),
    button("run to the end", run),
    button("start again", restart),
  );
  page.controls.append(
    dial({
      label: "factor before R²/γ²",
      min: 0.3,
      max: 1.2,
      step: 0.01,
      value: 1,
      show: (v) => digits(v, 3),
      sentence: "The theorem has 1; with 0.5 the margin would have lost its √2. Turn it down.",
      change: (v) => {
        factor = v;
        draw();
      },
    }).element,
  );
  settle();
  run();
}

/** The regions of the weights and the weights themselves, drawn as arrows of a length that fits. */
function paint(picture, W) {
  const long = Math.max(...W.map((row) => dot(row, row)));
  if (!long) return;
  const parts = regions(
    W.map((row) => [...row, 0]),
    rectangle(SIDE, SIDE),
  );
  for (const z of range(W.length)) picture.area(parts[z], { class: `explorer-area explorer-class-${z + 1}` });
  const scale = 3.5 / Math.sqrt(long);
  for (const z of range(W.length)) {
    arrow(
      picture,
      W[z].map((value) => value * scale),
      { class: `explorer-line explorer-series-${z + 1}` },
    );
  }
}

const math = { trial, wholeRun, bestMargin, bestWeights, mistakeBound, margins, regions };
explorer("plane", { math, start });
