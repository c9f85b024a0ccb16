// Boosting round by round: points grow, margins move, and the training error stays below the bound, or not.

import { dot, random, range, sum } from "./lib/numbers.js";
import { dial, digits, frame, howMany, html } from "./lib/page.js";
import { mark, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { keeper, sampleAndSlider } from "./lib/state.js";

// Edges nearer to each other than this are ties that rounding has broken.
const TIE = 1e-12;
const MOST = 30;
const WORST_ERROR = 9 / 20;

const TEN = {
  points: [
    [1, 2],
    [2, 4],
    [3.5, 9],
    [5, 7],
    [6.5, 8],
    [3, 1],
    [4, 5],
    [6, 3],
    [8, 6],
    [9, 10],
  ],
  signs: [1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
};

/** Forty points, those near the middle positive, some of the others too. */
function disc() {
  const draw = random(7);
  const points = range(40).map(() => [draw() * 10.5, draw() * 10.5]);
  return { points, signs: points.map(([x, y]) => (Math.hypot(x - 5.2, y - 5.2) < 3.6 ? 1 : -1)) };
}

/** All stumps that differ on the sample: feature, threshold and side, as the package orders them. */
function allStumps(points) {
  return [0, 1].flatMap((feature) => {
    const values = [...new Set(points.map((point) => point[feature]))].sort((a, b) => a - b);
    const between = values.slice(1).map((value, i) => (values[i] + value) / 2);
    return [values[0] - 1, ...between].flatMap((threshold) => [-1, 1].map((side) => [feature, threshold, side]));
  });
}

const answer = ([feature, threshold, side], point) => (point[feature] > threshold ? side : -side);

/**
 * AdaBoost over agreements, one row for each hypothesis, +1 where it is right: from the pool the one with the least
 * error, or `inOrder` one after the other. Stops before a round without an edge, and before a perfect hypothesis.
 */
function boost(agreements, start, rounds, inOrder = false) {
  let D = start.map((weight) => weight / sum(start));
  const run = { chosen: [], errors: [], votes: [], weights: [D] };
  for (const t of range(rounds)) {
    const best = inOrder ? t : firstLargest(agreements.map((row) => dot(row, D)));
    const error = sum(D.filter((_, i) => agreements[best][i] < 0));
    if (!(error > TIE && error < 1 / 2 - TIE)) break;
    D = D.map((weight, i) => weight / (2 * (agreements[best][i] > 0 ? 1 - error : error)));
    run.chosen.push(best);
    run.errors.push(error);
    run.votes.push(Math.log((1 - error) / error) / 2);
    run.weights.push(D);
  }
  return run;
}

function firstLargest(values) {
  let best = 0;
  for (const [i, value] of values.entries()) if (value > values[best] + TIE) best = i;
  return best;
}

/** The product of 2 sqrt(error (1 - error)). */
const bound = (errors) => errors.reduce((product, error) => product * 2 * Math.sqrt(error * (1 - error)), 1);

/** Votes for the label less votes against it, as a share of all, for each example. */
function margins(agreements, chosen, votes) {
  const total = sum(votes);
  return agreements[0].map((_, i) => sum(chosen.map((j, t) => votes[t] * agreements[j][i])) / total);
}

/** Zero where only rounding keeps the number from it. */
const rounded = (value) => (Math.abs(value) < TIE ? 0 : value);

/** The weight of the examples whose margin is not positive. */
const lost = (values, start) => sum(start.filter((_, i) => values[i] <= TIE)) / sum(start);

/** The largest training error that T rounds of the same error can leave, attained where it is at least that error. */
function worstTrainingError(error, rounds) {
  const kappa = error / (1 - error);
  const half = Math.ceil(rounds / 2);
  const product = (4 * error * (1 - error)) ** Math.floor(rounds / 2) * (rounds % 2 ? 2 * error : 1);
  return (product - kappa ** half) / (1 - kappa ** half);
}

/** The sample that attains it: weights, and for each round who is right. */
function worstSample(error, rounds) {
  const p = worstTrainingError(error, rounds);
  const kappa = error / (1 - error);
  const levels = range(rounds + 1).map((t) => {
    const mean = ((2 - 2 * error) ** t - (1 - p)) / p;
    const count = Math.floor(-Math.log(mean) / Math.log(kappa) + 1e-9);
    return [count, Math.max(0, (mean * kappa ** count - 1) / (1 / kappa - 1))];
  });
  const ends = [0, ...levels.map(([, share]) => share), 1].sort((a, b) => a - b);
  const cuts = ends.filter((end, i) => i === 0 || end - ends[i - 1] > 1e-9);
  const parts = cuts.slice(1).map((high, i) => [cuts[i], high]);
  parts.reverse();
  const mistakes = levels.map(([count, share]) => parts.map(([low]) => count + +(low < share - 1e-9)));
  const missed = (t, i) => mistakes[t + 1][i] > mistakes[t][i];
  const agreements = range(rounds).map((t) => [1, ...parts.map((_, i) => (missed(t, i) ? -1 : 1))]);
  return { weights: [1 - p, ...parts.map(([low, high]) => p * (high - low))], agreements };
}

/** The run on a sample of the plane with all its stumps. */
function planeRun({ points, signs }, rounds) {
  const stumps = allStumps(points);
  const agreements = stumps.map((stump) => points.map((point, i) => answer(stump, point) * signs[i]));
  const even = points.map(() => 1 / points.length);
  return { stumps, agreements, start: even, ...boost(agreements, even, rounds) };
}

/** The run on the worst sample for so many rounds. */
function worstRun(rounds) {
  const { weights, agreements } = worstSample(WORST_ERROR, Math.max(rounds, 1));
  return { agreements, start: weights, ...boost(agreements, weights, rounds, true) };
}

/** Training error and bound after each round. */
function history(run) {
  return range(run.errors.length + 1).map((t) => {
    const values = t ? margins(run.agreements, run.chosen.slice(0, t), run.votes.slice(0, t)) : [];
    return { error: t ? lost(values, run.start) : 1, bound: bound(run.errors.slice(0, t)) };
  });
}

/** The first even number of rounds whose worst sample has more than the constant times the bound, or none up to 60. */
function firstBroken(constant) {
  const allowed = (T) => constant * (4 * WORST_ERROR * (1 - WORST_ERROR)) ** (T / 2);
  const even = range(30).map((n) => 2 * n + 2);
  return even.find((T) => worstTrainingError(WORST_ERROR, T) > allowed(T) * (1 + 1e-9));
}

const SAMPLES = {
  ten: { name: "ten points", most: 12, run: (T) => planeRun(TEN, T), plane: TEN },
  disc: { name: "a disc among forty points", most: MOST, run: (T) => planeRun(disc(), T), plane: disc() },
  worst: { name: "the worst sample, all errors 0.45", most: MOST, run: worstRun },
};

function start(root) {
  const page = frame(root, {
    title: "Boosting, round by round",
    hint: "Move the rounds by the slider. A point is as large as its weight for the next round; a ring marks what the last hypothesis got wrong.",
  });
  const state = { name: "ten", rounds: 3, constant: 1 };
  const column = html("div", { class: "explorer-column" });
  const left = html("div", { class: "explorer-column" });
  page.stage.append(left, column);
  const size = { width: 400, height: 430 };
  const map = plot({ label: "The examples, as large as their weights", x: [0, 10.9], y: [0, 10.9], ...size });
  const account = plot({
    label: "Mistakes on each example of the worst sample",
    x: [0, 1],
    y: [0, MOST / 2 + 1],
    ...size,
    xLabel: "examples, by first weight",
    yLabel: "mistakes so far",
  });
  const spread = plot({
    label: "Distribution of the margins",
    x: [-1, 1],
    y: [0, 1],
    width: 400,
    height: 210,
    xLabel: "margin",
    yLabel: "share up to it",
  });
  const curve = plot({
    label: "Training error and bound against the rounds",
    x: [0, MOST],
    y: [0, 1],
    width: 400,
    height: 230,
    xLabel: "rounds",
    yLabel: "share of the sample",
  });
  column.append(spread.root, curve.root);

  const showPlane = ({ points, signs }, run) => {
    left.replaceChildren(map.root);
    map.clear();
    const T = run.errors.length;
    if (T) {
      const [feature, threshold] = run.stumps[run.chosen[T - 1]];
      const across = [
        [threshold, 0],
        [threshold, 10.9],
      ];
      map.line(feature ? across.map(([a, b]) => [b, a]) : across, { class: "explorer-line explorer-limit" });
    }
    for (const [i, point] of points.entries()) {
      const radius = 3 + 19 * Math.sqrt(run.weights[T][i]);
      map.place(...point, mark(signs[i] > 0 ? 0 : 1, radius));
      if (T && run.agreements[run.chosen[T - 1]][i] < 0) ring(point, radius + 5);
    }
  };
  const ring = ([x, y], r) => {
    const turn = range(33).map((i) => (i * Math.PI) / 16);
    const corners = turn.map((a) => [
      map.toX.invert(map.toX(x) + r * Math.cos(a)),
      map.toY.invert(map.toY(y) + r * Math.sin(a)),
    ]);
    map.line(corners, { class: "explorer-line explorer-series-4" });
  };
  const showWorst = (run) => {
    left.replaceChildren(account.root);
    account.clear();
    let from = 0;
    for (const [i, weight] of run.start.entries()) {
      const mistakes = run.chosen.filter((j) => run.agreements[j][i] < 0).length;
      const bar = [
        [from, 0],
        [from, mistakes],
        [from + weight, mistakes],
        [from + weight, 0],
      ];
      account.area(bar, { class: `explorer-area explorer-class-${2 * mistakes >= run.errors.length ? 2 : 1}` });
      from += weight;
    }
    const middle = run.errors.length / 2;
    account.line(
      [
        [0, middle],
        [1, middle],
      ],
      { class: "explorer-line explorer-limit" },
    );
  };
  const showMargins = (values, weights) => {
    spread.clear();
    const order = range(values.length).sort((a, b) => values[a] - values[b]);
    let below = 0;
    const steps = [[-1, 0]];
    for (const i of order) {
      steps.push([values[i], below]);
      below += weights[i];
      steps.push([values[i], below]);
    }
    spread.line([...steps, [1, 1]], { class: "explorer-line explorer-series-1" });
    spread.line(
      [
        [0, 0],
        [0, 1],
      ],
      { class: "explorer-line explorer-limit" },
    );
  };
  const show = () => {
    const { run: make, plane } = SAMPLES[state.name];
    const run = make(state.rounds);
    const path = history(run);
    const T = run.errors.length;
    const values = T ? margins(run.agreements, run.chosen, run.votes) : run.start.map(() => 0);
    if (plane) showPlane(plane, run);
    else showWorst(run);
    showMargins(values, run.start);
    curve.clear();
    const allowed = path.map((at, t) => [t, t ? state.constant * at.bound : 1]);
    curve.line(allowed, { class: "explorer-line explorer-limit" });
    curve.line(
      path.map((at, t) => [t, at.error]),
      { class: "explorer-line explorer-series-2" },
    );
    const now = path[T];
    page.facts({
      "rounds made": String(T),
      "error of the last hypothesis": T ? digits(run.errors[T - 1], 3) : "–",
      "training error": [digits(now.error, 3), "series-2"],
      "what is allowed": [digits(T ? state.constant * now.bound : 1, 3), "limit"],
      "smallest margin": T ? digits(rounded(Math.min(...values)), 3) : "–",
    });
    page.say(...verdict(path));
  };
  const verdict = (path) => {
    const T = path.length - 1;
    const { error, bound: allowed } = path[T];
    if (state.constant === 1) {
      const left = error > 0 ? `${digits(100 * error, 3)} per cent of the sample is wrong` : "no mistake is left";
      return [`After ${howMany(T, "round")} ${left}; the theorem allows ${digits(100 * allowed, 3)} per cent, on every sample.`, "true"];
    }
    const shown = digits(state.constant, 3);
    if (T && error > state.constant * allowed * (1 + 1e-9)) {
      return [
        `With ${shown} in front the bound is false: the training error is ${digits(error, 4)}, and ${digits(state.constant * allowed, 4)} would be allowed.`,
        "false",
      ];
    }
    return [
      `With ${shown} in front the bound is false: not this run shows it, but the worst sample does after ${howMany(firstBroken(state.constant), "round")}.`,
      "false",
    ];
  };

  const within = (rounds, { most }) => Math.min(rounds, most);
  const rounds = { key: "rounds", label: "rounds", min: 0, max: MOST, step: 1, within };
  const keep = keeper(state, show);
  page.controls.append(
    ...sampleAndSlider({ state, samples: SAMPLES, show, ...rounds }),
    dial({
      label: "constant in front of the bound",
      min: 0,
      max: 0.2,
      step: 0.01,
      value: 0,
      show: (cut) => digits(1 - cut, 3),
      sentence: "The theorem has 1. To the right it falls: less is promised than can be kept.",
      change: keep("constant", (cut) => 1 - cut),
    }).element,
  );
  show();
}

const runs = { boost, planeRun, worstRun, history };
explorer("boosting", {
  math: { allStumps, bound, margins, worstTrainingError, worstSample, firstBroken, disc, ...runs },
  start,
});
