// Two ways to decode or two codes, compared on every data set, and the level at which chance is no longer ruled out.

import { published, sets, test } from "./data/replication.js";
import { powerOfTen, sum } from "./lib/numbers.js";
import { choice, dial, digits, frame, html, tick } from "./lib/page.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

const REACH = 25;
const LEVELS = [0.5, 0.2, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12];
const CODES = ["one-vs-rest", "complete", "all-pairs", "dense", "sparse"];
const WAYS = {
  adaboost: { hamming: "Hamming decoding", L_y: "sigmoid loss", exp: "exponential loss" },
  svm: { hamming: "Hamming decoding", "loss-based": "hinge loss" },
};
const DEFAULT = { adaboost: "exp", svm: "loss-based" };

/** ln C(n, j) for all j. */
function logBinomials(n) {
  const values = [0];
  for (let j = 1; j <= n; j++) values.push(values[j - 1] + Math.log(n - j + 1) - Math.log(j));
  return values;
}

/** The exact two-sided p-value of so many wins and losses if both are equally likely. */
function signTest(wins, losses) {
  const n = wins + losses;
  const ways = logBinomials(n);
  const tail = sum(ways.slice(Math.max(wins, losses)).map((way) => Math.exp(way - n * Math.LN2)));
  return Math.min(1, 2 * tail);
}

/** The exact two-sided p-value that two samples of errors have the same rate: the outcomes no more probable than it. */
function equalRates(wrong, n, otherWrong, otherN) {
  const total = wrong + otherWrong;
  const [ours, theirs, both] = [n, otherN, n + otherN].map(logBinomials);
  const chance = (j) => ours[j] + theirs[total - j] - both[total];
  let sumOf = 0;
  for (let j = Math.max(0, total - otherN); j <= Math.min(n, total); j++) {
    if (chance(j) <= chance(wrong) + 1e-9) sumOf += Math.exp(chance(j));
  }
  return Math.min(1, sumOf);
}

/** The differences of two ways, errors of the second less those of the first, by data set and code. */
function differences(errors, learner, first, second) {
  const both = [first, second].every((way) => CODES.includes(way));
  const found = [];
  for (const [data, codes] of Object.entries(errors[learner] ?? {})) {
    const at = (code, decoder) => codes[code]?.[decoder];
    const pairs = both
      ? [["", at(first, DEFAULT[learner]), at(second, DEFAULT[learner])]]
      : Object.keys(codes).map((code) => [code, at(code, first), at(code, second)]);
    for (const [code, one, two] of pairs) {
      if (one !== undefined && two !== undefined) found.push({ data, code, apart: +(two - one).toFixed(9) });
    }
  }
  return found;
}

/** Wins, ties and losses of the first way. */
function score(found) {
  const count = (sign) => found.filter(({ apart }) => Math.sign(apart) === sign).length;
  return [count(1), count(0), count(-1)];
}

const shownLevel = (level) => (level >= 0.01 ? String(level) : powerOfTen(Math.round(Math.log10(level))));

function start(root) {
  const page = frame(root, {
    title: "The published differences and ours",
    hint: "A mark is a data set and a code; right of 0 the first way errs less. Grey is published, coloured is ours.",
  });
  const state = { learner: "adaboost", first: "exp", second: "hamming", level: 0.05, judged: "published" };
  const picture = plot({
    label: "Differences of test errors in points, a row for each data set",
    x: [-REACH, REACH],
    y: [sets.length + 0.6, 0.4],
    width: 520,
    height: 380,
    xLabel: "points by which the first way is better",
    yLabel: "data set",
  });
  page.stage.append(picture.root);
  const clamped = (value) => Math.max(-REACH, Math.min(REACH, value));

  const show = () => {
    const { learner, first, second, level } = state;
    const found = {
      published: differences(published, learner, first, second),
      ours: differences(test, learner, first, second),
    };
    const scores = { published: score(found.published), ours: score(found.ours) };
    picture.clear();
    picture.line(
      [
        [0, 0.4],
        [0, sets.length + 0.6],
      ],
      { class: "explorer-line explorer-quiet" },
    );
    for (const [kind, shift, series] of [
      ["published", -0.16, "quiet"],
      ["ours", 0.16, "series-1"],
    ]) {
      for (const { data, apart } of found[kind]) {
        const y = sets.indexOf(data) + 1 + shift;
        picture.line(
          [
            [clamped(apart) - 0.25, y],
            [clamped(apart) + 0.25, y],
          ],
          { class: `explorer-line explorer-${series}`, "stroke-width": 7 },
        );
      }
    }
    for (const [place, name] of sets.entries()) {
      picture.text(-REACH + 0.4, place + 1.2, name, { class: "explorer-text explorer-small" });
    }
    const shown = ([wins, ties, losses]) => `${wins} won, ${ties} equal, ${losses} lost`;
    const chanceOf = ([wins, , losses]) => signTest(wins, losses);
    const chances = { published: chanceOf(scores.published), ours: chanceOf(scores.ours) };
    page.facts({
      published: [shown(scores.published), "quiet"],
      "our runs": [found.ours.length ? shown(scores.ours) : "not run", "series-1"],
      "chance of that, published": digits(chances.published, 2),
      "chance of that, ours": found.ours.length ? digits(chances.ours, 2) : "–",
    });
    page.say(...verdict(level, scores[state.judged], chances[state.judged]));
  };
  const verdict = (level, [wins, ties, losses], chance) => {
    const whose = state.judged === "published" ? "In the published tables" : "In our runs";
    if (!(wins + ties + losses)) return [`${whose} these two were not compared.`];
    const numbers = `${wins} won, ${losses} lost, and fair coins do as much with probability ${digits(chance, 2)}`;
    if (wins <= losses) return [`${whose} it is false that the first way is the better one: ${numbers}.`, "false"];
    if (chance > level) {
      return [`${whose} it is false that chance is ruled out at the level ${shownLevel(level)}: ${numbers}.`, "false"];
    }
    return [
      `${whose} the first way is the better one, and chance is ruled out at the level ${shownLevel(level)}: ${numbers}.`,
      "true",
    ];
  };

  const menus = {};
  const ways = () => ({ ...WAYS[state.learner], ...Object.fromEntries(CODES.map((code) => [code, `code: ${code}`])) });
  const holder = html("div", { class: "explorer-controls" });
  const keepKind = (changed) => {
    // A code is compared with a code, a decoder with a decoder.
    const other = changed === "first" ? "second" : "first";
    const kind = CODES.includes(state[changed]);
    if (CODES.includes(state[other]) !== kind || state.first === state.second) {
      const options = kind ? CODES : Object.keys(WAYS[state.learner]);
      state[other] = options.find((way) => way !== state[changed]);
    }
    return other;
  };
  const redraw = () => {
    holder.replaceChildren(
      ...["first", "second"].map((which) => {
        menus[which] = choice({
          label: which === "first" ? "first way" : "second way",
          options: ways(),
          value: state[which],
          change: (way) => {
            state[which] = way;
            const other = keepKind(which);
            menus[other].set(state[other]);
            show();
          },
        });
        return menus[which].element;
      }),
    );
  };
  redraw();
  page.controls.append(
    choice({
      label: "learner",
      options: { adaboost: "AdaBoost", svm: "SVM" },
      value: state.learner,
      change: (learner) => {
        Object.assign(state, { learner, first: DEFAULT[learner], second: "hamming" });
        redraw();
        show();
      },
    }).element,
    holder,
    tick({
      label: "judge our runs",
      value: false,
      change: (ours) => {
        state.judged = ours ? "ours" : "published";
        show();
      },
    }),
    dial({
      label: "level at which chance is to be ruled out",
      min: 0,
      max: LEVELS.length - 1,
      step: 1,
      value: LEVELS.indexOf(0.05),
      show: (place) => shownLevel(LEVELS[place]),
      sentence: "The chapter asks for 0.05. Move it to smaller levels, and each conclusion falls somewhere.",
      change: (place) => {
        state.level = LEVELS[place];
        show();
      },
    }).element,
  );
  show();
}

explorer("replication", { math: { signTest, equalRates, differences, score }, start });
