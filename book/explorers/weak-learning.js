// A game: the reader spreads weight over the examples, the best rule answers, and the answers vote.

import { dot, range, sum } from "./lib/numbers.js";
import { button, choice, dial, digits, frame, howMany, html } from "./lib/page.js";
import { mark, movable, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

// Correlations nearer to each other than this are ties that rounding has broken.
const TIE = 1e-12;
const GROWTH = 2;

/** Agreements with the labels of points on a line: every cut, first those that are + on its left. */
function cutsOnALine(y) {
  const left = y.map((_, cut) => y.map((sign, i) => (i <= cut ? sign : -sign)));
  return [...left, ...left.map((row) => row.map((value) => -value))];
}

/** The games: agreements, a row for each rule, +1 where it is right on an example. */
function games() {
  return {
    three: [
      [1, 1, -1],
      [1, -1, 1],
      [-1, 1, 1],
    ],
    line: cutsOnALine([1, 1, -1, -1, 1]),
    uniform: [
      [1, 1, 1, -1, -1],
      [1, 1, -1, 1, 1],
      [1, 1, 1, -1, 1],
      [1, 1, -1, 1, -1],
    ],
  };
}

const NAMES = {
  three: "three rules, each misses one",
  line: "cuts of a line, labels + + − − +",
  uniform: "good under equal weights only",
};

/** Weights divided by their sum; equal ones where all are 0. */
function distribution(weights) {
  const total = sum(weights);
  return weights.map((weight) => (total > 0 ? weight / total : 1 / weights.length));
}

/** The rule with the largest correlation under the weights, the first of equals, and that correlation. */
function bestAnswer(agreements, D) {
  const values = agreements.map((row) => dot(row, D));
  const rule = values.findIndex((value) => value >= Math.max(...values) - TIE);
  return { rule, correlation: values[rule] };
}

/** The margin of each example under the shares of the votes. */
const margins = (agreements, votes) =>
  agreements[0].map((_, i) => sum(votes.map((share, j) => share * agreements[j][i])));

/** Right answers less wrong ones on each example. */
const leadsOf = (agreements, answers) => agreements[0].map((_, i) => sum(answers.map((rule) => agreements[rule][i])));

/** The weights growth^(-lead), divided by their sum. */
const weightsByLead = (leads, growth) => distribution(leads.map((lead) => growth ** -lead));

/**
 * The value of the game, the worst weights and the best shares of votes. With 2 added to all entries the value v is
 * positive, and u = D / v maximises its sum subject to (entries) u <= 1: the simplex method with Bland's rule.
 */
function solveGame(agreements) {
  const [n, m] = [agreements.length, agreements[0].length];
  const rows = agreements.map((row, j) => [...row.map((a) => a + 2), ...range(n).map((k) => +(k === j)), 1]);
  const cost = [...range(m).map(() => -1), ...range(n + 1).map(() => 0)];
  const basis = range(n).map((j) => m + j);
  for (;;) {
    const enters = cost.findIndex((value, i) => i < m + n && value < -TIE);
    if (enters < 0) break;
    const ratios = rows.map((row) => (row[enters] > TIE ? row[m + n] / row[enters] : Number.POSITIVE_INFINITY));
    const least = Math.min(...ratios);
    const tied = range(n).filter((j) => ratios[j] <= least + TIE);
    const leaves = tied.reduce((a, b) => (basis[a] < basis[b] ? a : b));
    const pivot = rows[leaves][enters];
    rows[leaves] = rows[leaves].map((value) => value / pivot);
    for (const row of [...rows.filter((_, j) => j !== leaves), cost]) {
      const factor = row[enters];
      for (const i of range(m + n + 1)) row[i] -= factor * rows[leaves][i];
    }
    basis[leaves] = enters;
  }
  const value = 1 / cost[m + n];
  const weights = range(m).map((i) => (basis.includes(i) ? value * rows[basis.indexOf(i)][m + n] : 0));
  return { value: value - 2, weights, votes: range(n).map((j) => value * cost[m + j]) };
}

/** Whether a promise of so much more than the value is broken by the weights, and by the worst weights. */
function promise(agreements, D, extra) {
  const { value, weights } = solveGame(agreements);
  const broken = (at) => bestAnswer(agreements, at).correlation < value + extra - TIE;
  return { byThese: broken(D), byTheWorst: broken(weights) };
}

function start(root) {
  const page = frame(root, {
    title: "Edge against margin",
    hint: "Move the bars: they are your weights on the examples, and only their proportions count. The best rule answers; ✓ and ✗ show where it is right. Let answers vote, and raise the weights of what the vote gets wrong.",
  });
  const state = { name: "line", raw: [], answers: [], extra: 0 };
  const pictures = html("div", { class: "explorer-column" });
  page.stage.append(pictures);
  let table = games()[state.name];
  let game = solveGame(table);
  let bars;
  let spread;

  const begin = () => {
    table = games()[state.name];
    game = solveGame(table);
    state.answers = [];
    const across = [0.4, table[0].length + 0.6];
    const common = { x: across, width: 430, xLabel: "example" };
    bars = plot({ label: "Your weights on the examples", y: [0, 1], height: 250, yLabel: "weight", ...common });
    spread = plot({ label: "Margins of the vote", y: [-1, 1], height: 220, yLabel: "margin of the vote", ...common });
    pictures.replaceChildren(bars.root, spread.root);
    place(table[0].map(() => 0.5));
  };
  /** New weights, with handles on the bars at their heights. */
  const place = (raw) => {
    state.raw = raw;
    const handles = raw.map((height, i) =>
      movable({
        picture: bars,
        name: `weight of example ${i + 1}`,
        at: [i + 1, height],
        shape: mark(3, 7),
        step: 0.05,
        vertical: true,
        moved: ([, y]) => {
          state.raw[i] = y;
          show();
        },
      }),
    );
    bars.hold(...handles);
    show();
  };
  /** Weights with sum 1, the largest as a bar of full height. */
  const placeShares = (D) => place(D.map((weight) => weight / Math.max(...D)));
  const column = (picture, i, height, kind) => {
    const corners = [
      [i + 0.7, 0],
      [i + 0.7, height],
      [i + 1.3, height],
      [i + 1.3, 0],
    ];
    picture.area(corners, { class: `explorer-area explorer-class-${kind}` });
  };
  const level = (picture, height, kind) => {
    const ends = [0.4, table[0].length + 0.6];
    picture.line(
      ends.map((x) => [x, height]),
      { class: `explorer-line explorer-${kind}` },
    );
  };

  const show = () => {
    const D = distribution(state.raw);
    const { rule, correlation } = bestAnswer(table, D);
    bars.clear();
    for (const [i, height] of state.raw.entries()) {
      const right = table[rule][i] > 0;
      column(bars, i, height, right ? 1 : 2);
      bars.text(i + 1, 0.04, right ? "✓" : "✗", { "text-anchor": "middle" });
    }
    spread.clear();
    const n = state.answers.length;
    const heights = n ? leadsOf(table, state.answers).map((lead) => lead / n) : [];
    for (const [i, height] of heights.entries()) column(spread, i, height, height > 0 ? 1 : 2);
    level(spread, 0, "quiet");
    level(spread, game.value, "limit");
    const least = n ? Math.min(...heights) : Number.NaN;
    page.facts({
      "edge of the best rule": digits(correlation / 2),
      "twice the edge": digits(correlation),
      "value of the game": [digits(tidy(game.value)), "limit"],
      "votes so far": String(n),
      "least margin of the vote": n ? digits(least) : "–",
    });
    page.say(...verdict(correlation, D, least));
  };
  const tidy = (value) => (Math.abs(value) < 1e-9 ? 0 : value);
  const verdict = (correlation, D, least) => {
    const value = digits(tidy(game.value));
    if (state.extra > 0) {
      const asked = digits(tidy(game.value) + state.extra);
      return promise(table, D, state.extra).byThese
        ? [`A promise of ${asked} is false: under your weights twice the best edge is only ${digits(tidy(correlation))}.`, "false"]
        : [`A promise of ${asked} is false: your weights keep it, but under the worst weights twice the best edge is ${value}.`, "false"];
    }
    const vote = Number.isNaN(least) ? "" : ` No vote has a margin above it everywhere; yours, of ${howMany(state.answers.length, "answer")}, has ${digits(tidy(least))}.`;
    const found = correlation < game.value + 1e-9 ? " You have found the worst weights." : "";
    return [`Twice the best edge is ${digits(tidy(correlation))}, and under no weights is it below ${value}.${found}${vote}`, "true"];
  };

  page.controls.append(
    choice({
      label: "rules",
      options: NAMES,
      value: state.name,
      change: (name) => {
        state.name = name;
        begin();
      },
    }).element,
    button("let the answer vote", () => {
      state.answers.push(bestAnswer(table, distribution(state.raw)).rule);
      show();
    }),
    button("weights by the vote", () => placeShares(weightsByLead(leadsOf(table, state.answers), GROWTH))),
    button("worst weights", () => placeShares(game.weights)),
    button("start again", begin),
    dial({
      label: "promised beyond the value",
      min: 0,
      max: 0.3,
      step: 0.05,
      value: 0,
      show: (extra) => (extra ? `${digits(extra, 2)} more` : "nothing"),
      sentence: "The theorem promises the value. To the right more is promised, under all weights.",
      change: (extra) => {
        state.extra = extra;
        show();
      },
    }).element,
  );
  begin();
}

explorer("weak-learning", {
  math: { games, cutsOnALine, distribution, bestAnswer, margins, leadsOf, weightsByLead, solveGame, promise },
  start,
});
