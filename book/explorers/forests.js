// The vote of a forest as trees are added, the worst that a strength and a correlation allow, and trees that break it.

import { random, range, sum } from "./lib/numbers.js";
import { button, dial, digits, frame, howMany, slider } from "./lib/page.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { keeper } from "./lib/state.js";

const TREES = 16;
const STEPS = 8;

/** The correlation of the worst forest whose margin is 0 or `reach`. */
const correlationOf = (strength, reach) => (strength * (reach - strength)) / (1 - strength ** 2);

/** The largest error of a forest for two classes with this strength and correlation. */
function worstError(strength, correlation) {
  const variance = correlation * (1 - strength ** 2);
  if (correlation <= strength / (1 + strength)) return variance / (variance + strength ** 2);
  return ((1 - strength) * (2 + strength - correlation * (1 + strength))) / 2;
}

/** The errors of the votes of the first 1, 2, .. trees in the order; a tie is an error. */
function errorsAsTreesAreAdded({ strength, reach, order }) {
  const n = order.length;
  const groups = [
    { margin: 0, probability: 1 - strength / reach },
    { margin: reach, probability: strength / reach },
  ];
  const isRight = (tree, place, margin) => (place - tree + n) % n < Math.round((n * (1 + margin)) / 2);
  return range(n).map((last) => {
    const chosen = order.slice(0, last + 1);
    const wrong = ({ margin, probability }) => {
      const lost = range(n).filter(
        (place) => 2 * chosen.filter((tree) => isRight(tree, place, margin)).length <= chosen.length,
      );
      return (probability * lost.length) / n;
    };
    return sum(groups.map(wrong));
  });
}

const voters = (n) => (n === TREES ? "all sixteen trees" : n === 1 ? "the first tree" : `the first ${n} trees`);

/** 0 .. n - 1 in an order that the seed decides. */
function shuffled(n, seed) {
  const draw = random(seed);
  const order = range(n);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function start(root) {
  const page = frame(root, {
    title: "The vote of a forest",
    hint: "Sixteen trees of the same strength vote, and a tie is an error. Add them one by one; change their strength and what is promised of their correlation.",
  });
  const state = { strength: 0.3, promised: 5, extra: 0, trees: TREES, seed: 1 };
  const picture = plot({
    label: "The error of the vote against the number of trees, one tree alone, and the error that is allowed",
    x: [1, TREES],
    y: [0, 1],
    xLabel: "trees that vote",
    yLabel: "error",
  });
  page.stage.append(picture.root);

  const show = () => {
    const { strength } = state;
    const reach = Math.min(1, (state.promised + state.extra) / STEPS);
    const promised = correlationOf(strength, state.promised / STEPS);
    const errors = errorsAsTreesAreAdded({ strength, reach, order: shuffled(TREES, state.seed) });
    const allowed = worstError(strength, promised);
    const reached = errors[TREES - 1];
    const alone = (1 - strength) / 2;
    const across = (value) => [
      [1, value],
      [TREES, value],
    ];
    picture.clear();
    picture.line(across(alone), { class: "explorer-line explorer-quiet" });
    picture.line(across(allowed), { class: "explorer-line explorer-series-3", "stroke-dasharray": "6 4" });
    const broken = reached > allowed + 1e-12;
    picture.line(
      errors.slice(0, state.trees).map((error, i) => [i + 1, error]),
      { class: `explorer-line explorer-series-${broken ? 2 : 1}` },
    );
    const actual = correlationOf(strength, reach);
    page.facts({
      "correlation promised": digits(promised),
      "correlation of the trees": digits(actual),
      "one tree alone": [digits(alone), "quiet"],
      "allowed for the forest": [digits(allowed), "series-3"],
      [voters(state.trees)]: [digits(errors[state.trees - 1]), broken ? "series-2" : "series-1"],
    });
    const numbers = `the vote errs with probability ${digits(reached)}, and ${digits(allowed)} is allowed`;
    if (state.trees < TREES) {
      const errs = `With ${voters(state.trees)} the vote errs with probability ${digits(errors[state.trees - 1])}`;
      page.say(`${errs}, one tree alone with ${digits(alone)}. Add trees up to sixteen.`);
      return;
    }
    if (broken) {
      page.say(`With the correlation ${digits(actual)}, not ${digits(promised)}, the bound is false: ${numbers}.`, "false");
      return;
    }
    const than = Math.abs(reached - alone) < 1e-9 ? "as good as" : reached > alone ? "worse than" : "better than";
    const worse = ` It is ${than} a single tree.`;
    const before = ` In order number ${state.seed} the first nine trees err with ${digits(errors[8])}.`;
    page.say(`The theorem holds, and this forest attains it: ${numbers}.${worse}${before}`, "true");
  };

  const keep = keeper(state, show);
  const vote = (trees) => () => {
    state.trees = Math.min(trees(state.trees), TREES);
    show();
  };
  page.controls.append(
    slider({
      label: "strength",
      min: 0.1,
      max: 0.6,
      step: 0.05,
      value: state.strength,
      show: (v) => digits(v, 2),
      change: keep("strength"),
    }).element,
    slider({
      label: "correlation promised",
      min: 5,
      max: 7,
      step: 1,
      value: state.promised,
      show: (v) => ["low", "middle", "high"][v - 5],
      change: keep("promised"),
    }).element,
    button("one tree alone", vote(() => 1)),
    button("add a tree", vote((n) => n + 1)),
    button("all sixteen", vote(() => TREES)),
    button("another order", () => {
      state.seed += 1;
      show();
    }),
    dial({
      label: "more correlation than promised",
      min: 0,
      max: 3,
      step: 1,
      value: 0,
      show: (v) => (v ? `${howMany(v, "step")} more` : "none"),
      sentence: "The theorem asks that the promise is kept. Turn it up.",
      change: (v) => {
        // What the dial breaks is a promise about the whole forest.
        Object.assign(state, { extra: v, trees: TREES });
        show();
      },
    }).element,
  );
  show();
}

explorer("forests", { math: { correlationOf, worstError, errorsAsTreesAreAdded }, start });
