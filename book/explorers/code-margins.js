// AdaBoost.MO against a learner that helps no more than it must: margins close in on theta*, whatever is asked for.

import { closestRows } from "./lib/codes.js";
import { range, sum } from "./lib/numbers.js";
import { choice, dial, digits, frame, howMany, html, slider } from "./lib/page.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { keeper } from "./lib/state.js";

const EXAMPLES = 24;
const ROUNDS = 400;
// Sums of floats that should be equal may differ by so much.
const ROUNDING = 1e-12;

const CODES = {
  complete: [
    [1, 1, 1, 1, 1, 1, 1],
    [-1, 1, -1, 1, -1, 1, -1],
    [1, -1, -1, 1, 1, -1, -1],
    [1, 1, 1, -1, -1, -1, -1],
  ],
  hadamard: [
    [1, 1, 1],
    [-1, 1, -1],
    [1, -1, -1],
    [-1, -1, 1],
  ],
  "one-vs-rest": [
    [1, -1, -1, -1],
    [-1, 1, -1, -1],
    [-1, -1, 1, -1],
    [-1, -1, -1, 1],
  ],
};

const NAMES = {
  complete: "complete code of four classes",
  hadamard: "Hadamard code of four classes",
  "one-vs-rest": "one-vs-rest for four classes",
};

/** theta*(gamma): up to here the bound decays. */
const threshold = (edge) => -Math.log1p(-4 * edge * edge) / Math.log((1 + 2 * edge) / (1 - 2 * edge));

/** What a round of this error leaves of the bound at theta. */
const roundFactor = (error, theta) => 2 * error ** ((1 - theta) / 2) * (1 - error) ** ((1 + theta) / 2);

/** (l / rho) times the factors of the rounds. */
function smallMarginBound({ errors, columns, rho, theta }) {
  return errors.reduce((left, error) => left * roundFactor(error, theta), columns / rho);
}

/** ln(m l / rho) / ln(1 / b): no small margin is left after more rounds; infinite from the threshold on. */
function roundsNeeded({ examples, columns, rho, edge, theta }) {
  const factor = roundFactor(0.5 - edge, theta);
  return factor < 1 ? Math.log((examples * columns) / rho) / -Math.log(factor) : Infinity;
}

/** -(1 / eta) ln of the mean of e^(-eta z): from the mean of z to its smallest entry. */
function vote(z, eta) {
  const least = Math.min(...z);
  return least - Math.log1p(sum(z.map((value) => Math.expm1(-eta * (value - least)))) / z.length) / eta;
}

/** Half of what the vote for the label is ahead of the best rival. */
function margin(answers, M, label, eta) {
  const votes = M.map((row) => vote(row.map((entry, s) => entry * answers[s]), eta));
  return (votes[label] - Math.max(...votes.filter((_, r) => r !== label))) / 2;
}

/** Which pairs to answer wrongly: those of smallest weight, as long as their errors weigh no more than `most`. */
function leastHelpful(weights, most) {
  const levels = weights.map((weight) => Math.round(Math.log(weight) * 1e9));
  const order = range(weights.length).sort((a, b) => levels[a] - levels[b] || a - b);
  const wrong = weights.map(() => false);
  let left = most;
  for (const i of order) {
    if (weights[i] > left + ROUNDING) continue;
    wrong[i] = true;
    left -= weights[i];
  }
  return wrong;
}

/** The margins of all examples after each round, and the errors of the rounds. */
function reluctantRun({ M, examples, edge, rounds }) {
  const columns = M[0].length;
  const labels = range(examples).map((i) => i % M.length);
  let weights = range(examples * columns).map(() => 1 / (examples * columns));
  // Agreements, not answers: alpha M(y, s) h(x, s), summed over the rounds.
  const agreement = weights.map(() => 0);
  let eta = 0;
  const margins = [];
  const errors = [];
  for (let t = 0; t < rounds; t++) {
    const wrong = leastHelpful(weights, 0.5 - edge);
    const ofWrong = sum(weights.filter((_, i) => wrong[i]));
    const ofRight = sum(weights.filter((_, i) => !wrong[i]));
    const error = ofWrong / (ofRight + ofWrong);
    const alpha = Math.log((1 - error) / error) / 2;
    weights = weights.map((weight, i) => weight / (2 * (wrong[i] ? ofWrong : ofRight)));
    eta += alpha;
    for (const i of range(agreement.length)) agreement[i] += wrong[i] ? -alpha : alpha;
    errors.push(error);
    margins.push(
      labels.map((label, i) => {
        const answers = M[label].map((entry, s) => (entry * agreement[i * columns + s]) / eta);
        return margin(answers, M, label, eta);
      }),
    );
  }
  return { margins, errors };
}

const shareBelow = (margins, theta) => margins.filter((value) => value <= theta).length / margins.length;

/** What is left of the promise that margins of `asked` times theta*(gamma) and less disappear. */
function trial({ name, edge, asked }) {
  const M = CODES[name];
  const { rho } = closestRows(M);
  const theta = asked * threshold(edge);
  const needed = roundsNeeded({ examples: EXAMPLES, columns: M[0].length, rho, edge, theta });
  return { M, rho, theta, needed };
}

const runs = new Map();

function runOf(name, edge) {
  const key = `${name} ${edge}`;
  if (!runs.has(key)) runs.set(key, reluctantRun({ M: CODES[name], examples: EXAMPLES, edge, rounds: ROUNDS }));
  return runs.get(key);
}

function start(root) {
  const page = frame(root, {
    title: "How far boosting lifts the margins",
    hint: "Move the rounds: the margins of all examples close in on one value. Then ask for more by the dial.",
  });
  const state = { name: "complete", edge: 0.25, rounds: 20, asked: 0.8 };
  const history = plot({
    label: "Smallest, median and largest margin against the rounds",
    ...{ x: [1, ROUNDS], y: [-0.2, 1], logX: true, width: 400, height: 310 },
    ...{ xLabel: "rounds", yLabel: "margin" },
  });
  const shares = plot({
    label: "Share of examples up to each margin, now",
    ...{ x: [-0.2, 1], y: [0, 1.05], width: 400, height: 310 },
    ...{ xLabel: "margin", yLabel: "share of examples" },
  });
  for (const picture of [history, shares]) {
    page.stage.append(html("div", { class: "explorer-column" }, picture.root));
  }

  const drawHistory = (margins, theta) => {
    history.clear();
    const sorted = margins.map((row) => [...row].sort((a, b) => a - b));
    const middle = Math.floor(EXAMPLES / 2);
    for (const [place, kind] of [
      [0, "explorer-quiet"],
      [EXAMPLES - 1, "explorer-quiet"],
      [middle, "explorer-series-1"],
    ]) {
      history.line(
        sorted.map((row, t) => [t + 1, row[place]]),
        { class: `explorer-line ${kind}` },
      );
    }
    const across = (value, kind) =>
      history.line(
        [
          [1, value],
          [ROUNDS, value],
        ],
        { class: `explorer-line ${kind}` },
      );
    across(threshold(state.edge), "explorer-series-3");
    across(theta, "explorer-series-2");
    history.line(
      [
        [state.rounds, -0.2],
        [state.rounds, 1],
      ],
      { class: "explorer-line explorer-quiet" },
    );
  };
  const drawShares = (now, theta) => {
    shares.clear();
    const sorted = [...now].sort((a, b) => a - b);
    const steps = sorted.flatMap((value, i) => [
      [value, i / EXAMPLES],
      [value, (i + 1) / EXAMPLES],
    ]);
    shares.line([[-0.2, 0], ...steps, [1, 1]], { class: "explorer-line explorer-series-1" });
    shares.line(
      [
        [theta, 0],
        [theta, 1.05],
      ],
      { class: "explorer-line explorer-series-2" },
    );
  };
  const show = () => {
    const { M, rho, theta, needed } = trial(state);
    const { margins, errors } = runOf(state.name, state.edge);
    const now = margins[state.rounds - 1];
    drawHistory(margins, theta);
    drawShares(now, theta);
    const bound = smallMarginBound({ errors: errors.slice(0, state.rounds), columns: M[0].length, rho, theta });
    page.facts({
      "margins of the examples": [`${digits(Math.min(...now), 2)} to ${digits(Math.max(...now), 2)}`, "series-1"],
      "margin asked for, θ": [digits(theta, 3), "series-2"],
      "threshold θ*(γ)": [digits(threshold(state.edge), 3), "series-3"],
      "share of margins ≤ θ": digits(shareBelow(now, theta), 3),
      "allowed by the theorem": digits(Math.min(bound, 1), 3),
      "none left after": Number.isFinite(needed) ? howMany(Math.floor(needed) + 1, "round") : "never promised",
    });
    page.say(...verdict(theta, needed, margins));
  };
  const verdict = (theta, needed, margins) => {
    const now = shareBelow(margins[state.rounds - 1], theta);
    const so = `After ${howMany(state.rounds, "round")} a share of ${digits(now, 3)} of the margins is ${digits(theta, 3)} or less.`;
    if (state.asked < 1) {
      const after = Math.floor(needed) + 1;
      return [`${so} The theorem allows none after ${howMany(after, "round")}, on any data.`, "true"];
    }
    const last = shareBelow(margins[ROUNDS - 1], theta);
    if (last > 0) {
      const all = last === 1 ? "all margins are" : `a share of ${digits(last, 3)} of the margins is`;
      return [
        `That margins of ${digits(state.asked, 3)} θ* disappear is false: after ${ROUNDS} rounds of edge ${state.edge} ${all} still ${digits(theta, 3)} or less.`,
        "false",
      ];
    }
    return [`${so} Nothing is promised from θ* on. This learner errs a little less than it may; ask for more.`];
  };
  const keep = keeper(state, show);
  page.controls.append(
    choice({
      label: "code",
      options: NAMES,
      value: state.name,
      change: keep("name"),
    }).element,
    slider({
      label: "edge γ of every round",
      min: 0.1,
      max: 0.4,
      step: 0.05,
      value: state.edge,
      show: (v) => digits(v, 2),
      change: keep("edge"),
    }).element,
    slider({
      label: "rounds",
      min: 1,
      max: ROUNDS,
      step: 1,
      value: state.rounds,
      change: keep("rounds"),
    }).element,
    dial({
      label: "margin asked for",
      min: 0.2,
      max: 1.6,
      step: 0.05,
      value: state.asked,
      show: (v) => `${digits(v, 3)} θ*(γ)`,
      sentence: "The theorem has less than 1. Turn it up.",
      change: keep("asked"),
    }).element,
  );
  show();
}

explorer("code-margins", {
  math: { threshold, roundFactor, smallMarginBound, roundsNeeded, vote, margin, reluctantRun, shareBelow, trial },
  start,
});
