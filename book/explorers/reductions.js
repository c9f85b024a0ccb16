// One-vs-rest against all pairs on three classes of the plane, and the bound (k - 1) r with a distribution that
// attains it.

import { dot, normal, random, range, solve } from "./lib/numbers.js";
import { choice, dial, digits, frame, slider } from "./lib/page.js";
import { area, cut, rectangle } from "./lib/planes.js";
import { mark, movable, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

const SIDE = [-4, 4];
const EACH = 14;
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
];

/** The function a x + b y + c that fits signs at points with the least sum of squares. */
function leastSquares(points, signs) {
  const rows = points.map(([x, y]) => [x, y, 1]);
  const moments = range(3).map((i) =>
    range(3).map((j) =>
      dot(
        rows.map((row) => row[i]),
        rows.map((row) => row[j]),
      ),
    ),
  );
  return (
    solve(
      moments,
      range(3).map((i) =>
        dot(
          rows.map((row) => row[i]),
          signs,
        ),
      ),
    ) ?? [0, 0, 0]
  );
}

/** One function for each class, against all others. */
function oneVsRest(points, labels) {
  return range(3).map((z) =>
    leastSquares(
      points,
      labels.map((label) => (label === z ? 1 : -1)),
    ),
  );
}

/** One function for each pair, from the examples of the two classes alone. */
function allPairs(points, labels) {
  return PAIRS.map(([i, j]) => {
    const chosen = range(points.length).filter((n) => labels[n] === i || labels[n] === j);
    return leastSquares(
      chosen.map((n) => points[n]),
      chosen.map((n) => (labels[n] === i ? 1 : -1)),
    );
  });
}

const valueAt = ([a, b, c], [x, y]) => a * x + b * y + c;

/** How many duels each of k classes wins; `outcomes` of the pairs i < j in order, positive where i wins. */
function votes(outcomes, classes) {
  const won = new Array(classes).fill(0);
  let place = 0;
  for (const i of range(classes)) {
    for (let j = i + 1; j < classes; j++, place++) {
      if (outcomes[place] > 0) won[i] += 1;
      else if (outcomes[place] < 0) won[j] += 1;
    }
  }
  return won;
}

/** The class with most votes, of equals the smallest. */
const majority = (won) => won.indexOf(Math.max(...won));

/** Errors on a sample: of the majority, and the largest of the duels, each given its two classes. */
function pairErrors(points, labels, duels) {
  const wrong = points.filter(
    (p, n) =>
      majority(
        votes(
          duels.map((f) => valueAt(f, p)),
          3,
        ),
      ) !== labels[n],
  ).length;
  const each = PAIRS.map(([i, j], d) => {
    const asked = range(points.length).filter((n) => labels[n] === i || labels[n] === j);
    return asked.filter((n) => valueAt(duels[d], points[n]) * (labels[n] === i ? 1 : -1) <= 0).length / asked.length;
  });
  return { error: wrong / points.length, largest: Math.max(...each) };
}

/**
 * The extremal distribution for equal priors: every class has a part r for each rival, on which the rival wins all
 * its duels, then the class all others. Error of the majority, error of each duel given its classes, and what is
 * allowed.
 */
function extremal({ classes, r, factor = classes - 1 }) {
  let error = 0;
  const asked = new Map();
  for (const label of range(classes)) {
    for (const winner of range(classes)) {
      const mass = (winner === label ? 1 - (classes - 1) * r : r) / classes;
      const order = [winner, label, ...range(classes)].filter((z, place, all) => all.indexOf(z) === place);
      const beats = (i, j) => order.indexOf(i) < order.indexOf(j);
      const outcomes = range(classes).flatMap((i) => range(classes - i - 1).map((d) => (beats(i, i + 1 + d) ? 1 : -1)));
      if (majority(votes(outcomes, classes)) !== label) error += mass;
      for (const rival of range(classes).filter((z) => z !== label)) {
        const pair = [Math.min(label, rival), Math.max(label, rival)].join();
        const before = asked.get(pair) ?? { mass: 0, wrong: 0 };
        asked.set(pair, { mass: before.mass + mass, wrong: before.wrong + (beats(label, rival) ? 0 : mass) });
      }
    }
  }
  const duel = Math.max(...[...asked.values()].map(({ mass, wrong }) => wrong / mass));
  return { error, duel, allowed: factor * r, broken: error > factor * r + 1e-12 };
}

/** The polygons with their label, by the signs of three functions; -1 where no class wins alone. */
function parts(functions, decide) {
  return range(8).map((code) => {
    const signs = range(3).map((bit) => ((code >> bit) & 1 ? -1 : 1));
    const corners = functions.reduce(
      (left, f, i) =>
        left.length
          ? cut(
              left,
              f.map((v) => v * signs[i]),
            )
          : left,
      rectangle(SIDE, SIDE),
    );
    return { corners, label: decide(signs) };
  });
}

/** Where the signs of one-vs-rest name one class, and where none or several (-1). */
function restParts(functions) {
  return parts(functions, (signs) => (signs.filter((s) => s > 0).length === 1 ? signs.indexOf(1) : -1));
}

/** Where the duels have a winner, and where they go around in a circle (-1). */
function pairParts(functions) {
  return parts(functions, (signs) => {
    const won = votes(signs, 3);
    return Math.max(...won) === 2 ? majority(won) : -1;
  });
}

const share = (found) => {
  const total = area(rectangle(SIDE, SIDE));
  return found.filter(({ label }) => label < 0).reduce((left, { corners }) => left + area(corners) / total, 0);
};

const PLACES = {
  triangle: {
    name: "at the corners of a triangle",
    centres: [
      [-2, -1.2],
      [2, -1.2],
      [0, 2.2],
    ],
  },
  row: {
    name: "in a row",
    centres: [
      [-2.5, -1],
      [0, 0],
      [2.5, 1],
    ],
  },
};

function start(root) {
  const page = frame(root, {
    title: "One-vs-rest and all pairs on three classes",
    hint: "Drag the large marks of the first picture, the middles of the classes. Red: no class, or several, is named by one-vs-rest; the duels of all pairs go in a circle.",
  });
  const draws = random(7);
  const offsets = range(3 * EACH).map(() => [0.7 * normal(draws), 0.7 * normal(draws)]);
  const labels = range(3 * EACH).map((n) => n % 3);
  let centres = PLACES.triangle.centres.map((c) => [...c]);
  let [classes, r, below] = [3, 0.1, 0];

  const pictures = ["one-vs-rest", "all pairs"].map((name) =>
    plot({ label: `The plane as ${name} divides it`, x: SIDE, y: SIDE, width: 340, height: 340, xLabel: name }),
  );
  const bars = plot({
    label: "The extremal distribution: the share of each class that is mistaken, and what the bound allows",
    x: [0.4, 6.6],
    y: [0, 1],
    width: 440,
    height: 330,
    xLabel: "class",
    yLabel: "error given the class",
  });
  page.stage.append(...pictures.map(({ root: picture }) => picture), bars.root);

  const draw = () => {
    const points = offsets.map(([x, y], n) => [centres[labels[n]][0] + x, centres[labels[n]][1] + y]);
    const rest = oneVsRest(points, labels);
    const duels = allPairs(points, labels);
    const divided = [restParts(rest), pairParts(duels)];
    for (const [i, picture] of pictures.entries()) {
      picture.clear();
      for (const { corners, label } of divided[i]) {
        picture.area(corners, {
          class: `explorer-area ${label < 0 ? "explorer-void" : `explorer-class-${label + 1}`}`,
        });
      }
      for (const [n, point] of points.entries()) picture.place(...point, mark(labels[n], 3.5));
    }
    const distribution = extremal({ classes, r, factor: classes - 1 - below });
    drawDistribution(distribution);
    tell(distribution, pairErrors(points, labels, duels), restErrors(points, rest), divided);
  };
  const restErrors = (points, rest) =>
    points.filter((p, n) => {
      const scores = rest.map((f) => valueAt(f, p));
      return scores.indexOf(Math.max(...scores)) !== labels[n];
    }).length / points.length;
  const drawDistribution = (distribution) => {
    bars.clear();
    for (const z of range(classes)) {
      for (const [i, rival] of range(classes)
        .filter((other) => other !== z)
        .entries()) {
        const [low, high] = [i * r, (i + 1) * r];
        const corners = [
          [z + 0.7, low],
          [z + 1.3, low],
          [z + 1.3, high],
          [z + 0.7, high],
        ];
        bars.area(corners, { class: `explorer-area explorer-bar explorer-class-${rival + 1}` });
      }
    }
    bars.line(
      [
        [0.4, distribution.allowed],
        [6.6, distribution.allowed],
      ],
      { class: "explorer-line explorer-limit" },
    );
  };
  const tell = (distribution, measured, restError, divided) => {
    page.facts({
      "square in conflict": `${digits(100 * share(divided[0]), 2)} %`,
      "square with circling duels": `${digits(100 * share(divided[1]), 2)} %`,
      "errors on the points": `${digits(100 * restError, 2)} % and ${digits(100 * measured.error, 2)} %`,
      "largest error of a duel there": `${digits(100 * measured.largest, 2)} %`,
      "extremal distribution: each duel errs with": digits(distribution.duel),
      "and the majority with": digits(distribution.error),
      allowed: [digits(distribution.allowed), "limit"],
    });
    const [rest, pairs] = divided.map((part) => digits(100 * share(part), 2));
    const here = `One-vs-rest contradicts itself on ${rest} % of the square, all pairs on ${pairs} %.`;
    const claim = below === 0 ? "(k − 1) r" : below === 1 ? "(k − 2) r" : `(k − ${digits(1 + below, 2)}) r`;
    if (!distribution.broken) {
      page.say(
        `${here} The majority errs with at most ${claim} = ${digits(distribution.allowed)}, and the extremal distribution attains it.`,
        "true",
      );
    } else {
      page.say(
        `${here} With ${claim} the statement is false: for k = ${classes} every duel of the extremal distribution errs with ${digits(r)}, the majority with ${digits(distribution.error)}, and ${digits(distribution.allowed)} would be allowed.`,
        "false",
      );
    }
  };
  const handle = (z) =>
    movable({
      picture: pictures[0],
      name: `middle of class ${z + 1}`,
      at: centres[z],
      shape: mark(z, 9),
      step: 0.1,
      moved: (place) => {
        centres[z] = place;
        draw();
      },
    });
  const settle = () => {
    pictures[0].hold(...range(3).map(handle));
    draw();
  };

  const names = Object.fromEntries(Object.entries(PLACES).map(([key, { name }]) => [key, name]));
  page.controls.append(
    choice({
      label: "three classes",
      options: names,
      value: "triangle",
      change: (key) => {
        centres = PLACES[key].centres.map((c) => [...c]);
        settle();
      },
    }).element,
    slider({
      label: "classes k of the distribution",
      min: 3,
      max: 6,
      step: 1,
      value: classes,
      change: (v) => {
        classes = v;
        draw();
      },
    }).element,
    slider({
      label: "error r of a duel",
      min: 0,
      max: 0.2,
      step: 0.01,
      value: r,
      show: (v) => digits(v),
      change: (v) => {
        r = v;
        draw();
      },
    }).element,
    dial({
      label: "less than (k − 1) by",
      min: 0,
      max: 1,
      step: 0.05,
      value: 0,
      show: (v) => digits(v, 3),
      sentence: "The theorem has (k − 1) r. Turn it up, to (k − 2) r.",
      change: (v) => {
        below = v;
        draw();
      },
    }).element,
  );
  settle();
}

const math = { leastSquares, oneVsRest, allPairs, votes, majority, pairErrors, extremal, restParts, pairParts };
explorer("reductions", { math, start });
