// The front page's: how many mistakes can the Perceptron make? A bound, a sample that attains it, and a factor to move.

import { dot, random, range } from "./lib/numbers.js";
import { button, dial, digits, frame, slider } from "./lib/page.js";
import { beginning, mistakeBound, nextUpdate, strongestRival, tightSample, wholeRun } from "./lib/perceptron.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

const RANDOM_SAMPLES = 24;
const STEPS = 48;

/** A separable sample of integer points, labelled by random weights, no point on a border and every class present. */
function randomSample(draw, classes, examples = 16) {
  const whole = (size) => Math.floor(draw() * (2 * size + 1)) - size;
  for (;;) {
    const W = range(classes).map(() => [whole(9), whole(9), whole(9)]);
    const X = [];
    const y = [];
    for (let tries = 0; X.length < examples && tries < 400; tries++) {
      const x = [whole(6), whole(6), whole(6)];
      const scores = W.map((row) => dot(row, x));
      const label = scores.indexOf(Math.max(...scores));
      if (scores[label] - scores[strongestRival(W, x, label)] < 9) continue;
      X.push(x);
      y.push(label);
    }
    if (X.length === examples && new Set(y).size === classes) return { X, y };
  }
}

/** The number of updates after each example seen, from 0 on, as shares of R^2 / gamma^2. */
function staircase({ X, y, classes, steps }) {
  const bound = mistakeBound(X, y, classes);
  let state = beginning(classes, X[0].length);
  const shares = [0];
  for (let seen = 0; seen < steps; seen++) {
    // One example at a time: the run goes on from there.
    const one = nextUpdate({ ...state, at: 0, clean: 0 }, [X[seen % X.length]], [y[seen % X.length]]);
    state = { ...state, W: one.W, updates: one.updates };
    shares.push(state.updates.length / bound);
  }
  return { bound, shares, updates: state.updates.length };
}

/** Updates on the tight sample, and what the bound with a factor allows: 2 (k - 1) times the factor. */
function tightTrial({ classes, factor }) {
  const { X, y } = tightSample(classes);
  const made = wholeRun(X, y, classes).updates.length;
  const allowed = factor * mistakeBound(X, y, classes);
  return { made, allowed, broken: made > allowed * (1 + 1e-9) };
}

function start(root) {
  const page = frame(root, {
    title: "How many mistakes can a Perceptron make?",
    hint: "Grey: samples drawn at random. Orange: a sample made to be hard. Dashed: what the theorem allows, whatever the sample.",
  });
  const picture = plot({
    label: "Mistakes against examples seen, as shares of the bound, for random samples and for the tight one",
    x: [0, STEPS],
    y: [0, 1.25],
    width: 480,
    height: 330,
    xLabel: "examples seen",
    yLabel: "mistakes / (R²/γ²)",
  });
  page.stage.append(picture.root);
  let [classes, factor, seed] = [3, 1, 1];
  let curves = [];

  const sample = () => {
    const draw = random(1000 * classes + seed);
    curves = range(RANDOM_SAMPLES).map(() => staircase({ ...randomSample(draw, classes), classes, steps: STEPS }));
    show();
  };
  const show = () => {
    picture.clear();
    for (const { shares } of curves) picture.line(stairs(shares), { class: "explorer-line explorer-faint" });
    const tight = staircase({ ...tightSample(classes), classes, steps: STEPS });
    picture.line(stairs(tight.shares), { class: "explorer-line explorer-series-2" });
    picture.line(
      [
        [0, factor],
        [STEPS, factor],
      ],
      { class: "explorer-line explorer-limit" },
    );
    const trial = tightTrial({ classes, factor });
    const most = Math.max(...curves.map(({ shares }) => shares.at(-1)));
    page.facts({
      "mistakes on the tight sample": [String(trial.made), "series-2"],
      allowed: [digits(trial.allowed, 4), "limit"],
      "random samples, at most": [`${digits(100 * most, 2)} %`, "faint"],
    });
    const claim = `${factor === 1 ? "" : `${digits(factor, 3)} `}R²/γ² mistakes`;
    if (trial.broken) {
      page.say(
        `False: the tight sample of ${classes} classes makes ${trial.made} mistakes, and ${claim} are ${digits(trial.allowed, 3)}.`,
        "false",
      );
    } else {
      const equal = factor === 1 ? ", and the tight sample makes exactly so many" : "";
      const drawn = `random ones make ${digits(100 * most, 2)} % of R²/γ² at most`;
      page.say(`True: a multi-class Perceptron makes at most ${claim}${equal}; ${drawn}.`, "true");
    }
  };
  page.controls.append(
    slider({
      label: "classes k",
      min: 2,
      max: 8,
      step: 1,
      value: classes,
      change: (v) => {
        classes = v;
        sample();
      },
    }).element,
    button("other random samples", () => {
      seed += 1;
      sample();
    }),
    dial({
      label: "factor before R²/γ²",
      min: 0.5,
      max: 1.2,
      step: 0.01,
      value: 1,
      show: (v) => digits(v, 3),
      sentence: "The theorem has 1. Turn it down.",
      change: (v) => {
        factor = v;
        show();
      },
    }).element,
  );
  sample();
}

/** The corners of a staircase. */
function stairs(heights) {
  return heights.flatMap((height, i) =>
    i
      ? [
          [i, heights[i - 1]],
          [i, height],
        ]
      : [[0, height]],
  );
}

explorer("front", { math: { staircase, tightTrial, randomSample, tightSample }, start });
