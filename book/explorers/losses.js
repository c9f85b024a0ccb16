// Losses: one of the catalogue, or a shape that the reader drags; where two opposite answers cost too little.

import { range } from "./lib/numbers.js";
import { choice, dial, digits, frame } from "./lib/page.js";
import { movable, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { svg } from "./lib/svg.js";

const SIDE = 3;
const KNOTS = [-3, -2, -1, 0, 1, 2, 3];

const CATALOGUE = {
  hinge: { name: "hinge", value: (z) => Math.max(0, 1 - z) },
  exponential: { name: "exponential", value: (z) => Math.exp(-z) },
  logistic: { name: "logistic", value: (z) => softplus(-2 * z) },
  square: { name: "square", value: (z) => (1 - z) ** 2 },
  sigmoid: { name: "sigmoid", value: (z) => 1 / (1 + Math.exp(2 * z)) },
  "zero-one": { name: "count of errors", value: (z) => (1 - Math.sign(z)) / 2 },
  ramp: { name: "ramp", value: (z) => Math.min(1, Math.max(0, 1 - z)) },
};

/** ln(1 + e^u) without overflow. */
const softplus = (u) => Math.max(u, 0) + Math.log1p(Math.exp(-Math.abs(u)));

/** The broken line through the heights at the knots, and its last slopes beyond them. */
function brokenLine(heights, z) {
  const last = KNOTS.length - 2;
  const i = Math.min(last, Math.max(0, Math.floor(z) - KNOTS[0]));
  return heights[i] + (z - KNOTS[i]) * (heights[i + 1] - heights[i]);
}

/** A loss of the catalogue by its name, or the broken line through some heights. */
function lossValue(loss, z) {
  return typeof loss === "string" ? CATALOGUE[loss].value(z) : brokenLine(loss, z);
}

/** (L(z) + L(-z)) / 2: the mean loss of two opposite answers. */
function symmetrised(loss, z) {
  return (lossValue(loss, z) + lossValue(loss, -z)) / 2;
}

/**
 * The least (L(z) + L(-z)) / 2 for 0 <= z <= 3, and where it is attained. For a broken line it is attained at a knot;
 * a loss of the catalogue is looked at on a grid that holds all its corners.
 */
function leastPair(loss) {
  const places = typeof loss === "string" ? range(301).map((i) => i / 100) : KNOTS.filter((z) => z >= 0);
  return places
    .map((z) => ({ z, value: symmetrised(loss, z) }))
    .reduce((best, found) => (found.value < best.value - 1e-12 ? found : best));
}

/**
 * The condition with a factor, (L(z) + L(-z)) / 2 >= factor L(0) > 0 and L >= 0. Where it fails at some z, two opposite
 * rows and outputs z and -z in equal numbers make a tie, a mistake, on every example: the error is 1, and the theorem's
 * bound with this factor is `promised`.
 */
function condition({ loss, factor = 1 }) {
  const atZero = lossValue(loss, 0);
  const { z, value } = leastPair(loss);
  const negative = range(601).some((i) => lossValue(loss, (i - 300) / 100) < 0);
  const holds = atZero > 0 && !negative && value >= factor * atZero - 1e-12;
  return { atZero, z, least: value, negative, holds, promised: value / (factor * atZero) };
}

function start(root) {
  const page = frame(root, {
    title: "The shape of a loss",
    hint: "Choose a loss, or drag the points of your own. Two opposite answers must not cost less than two times no answer.",
  });
  const picture = plot({
    label: "A loss, the mean of the losses of two opposite margins, and the loss of margin 0",
    x: [-SIDE, SIDE],
    y: [-0.5, 4],
    xLabel: "margin z",
    yLabel: "loss",
  });
  page.stage.append(picture.root);
  let chosen = "hinge";
  let factor = 1;
  const heights = [1, 1, 1, 1, 0, 0, 0];
  const loss = () => (chosen === "own" ? heights : chosen);

  const draw = () => {
    const places = range(601).map((i) => (i - 300) / 100);
    const found = condition({ loss: loss(), factor });
    picture.clear();
    for (const z of places.slice(0, -1)) {
      const low = symmetrised(loss(), z + 0.005);
      if (low < factor * found.atZero - 1e-9) shade(z, low, factor * found.atZero);
    }
    picture.line(
      [
        [-SIDE, factor * found.atZero],
        [SIDE, factor * found.atZero],
      ],
      { class: "explorer-line explorer-limit" },
    );
    picture.line(inside(places.map((z) => [z, lossValue(loss(), z)])), { class: "explorer-line explorer-series-1" });
    picture.line(inside(places.map((z) => [z, symmetrised(loss(), z)])), { class: "explorer-line explorer-series-2" });
    page.facts({
      "the loss L(z)": ["", "series-1"],
      [factor === 1 ? "L(0)" : `${digits(factor, 3)} L(0)`]: [digits(factor * found.atZero), "limit"],
      "least (L(z) + L(−z))/2": [digits(found.least), "series-2"],
      "attained at z =": digits(found.z),
      "training error when two classes tie there": "1",
      "and what the theorem would allow":
        found.promised > 0 && Number.isFinite(found.promised) ? digits(found.promised) : "–",
    });
    page.say(...verdict(found));
  };
  const shade = (z, low, high) => {
    const corners = [
      [z, low],
      [z + 0.01, low],
      [z + 0.01, high],
      [z, high],
    ];
    picture.area(corners, { class: "explorer-void" });
  };
  const verdict = (found) => {
    if (found.atZero <= 0) return ["L(0) is not positive: a loss that costs nothing at 0 bounds no error."];
    if (found.negative)
      return [
        "The loss is negative somewhere: a mistake may then earn money elsewhere, and the theorem does not speak of it.",
      ];
    if (found.holds)
      return [
        "The condition holds at every z of the picture: the training-error theorem can be used with this loss.",
        "true",
      ];
    const wrong = factor > 1 && found.least >= found.atZero - 1e-12;
    const claim = wrong
      ? `With ${digits(factor, 3)} L(0) in place of L(0) the theorem is false`
      : "The condition fails, and with it the theorem would be false";
    return [
      `${claim}: ${answers(found.z)} tie two classes that expect opposite answers, so the error is 1, and ${digits(found.promised)} would be allowed.`,
      "false",
    ];
  };
  const handles = () =>
    chosen !== "own"
      ? []
      : KNOTS.map((z, i) =>
          movable({
            picture,
            name: `loss at margin ${z}`,
            at: [z, heights[i]],
            shape: svg("circle", { r: 7, class: "explorer-mark explorer-class-1" }),
            step: 0.1,
            vertical: true,
            moved: ([, height]) => {
              heights[i] = height;
              draw();
            },
          }),
        );

  const options = Object.fromEntries(Object.entries(CATALOGUE).map(([key, { name }]) => [key, name]));
  const select = (key) => {
    if (key === "own" && chosen !== "own")
      for (const [i, z] of KNOTS.entries()) heights[i] = Math.min(4, +lossValue(chosen, z).toFixed(1));
    chosen = key;
    picture.hold(...handles());
    draw();
  };
  page.controls.append(
    choice({ label: "loss", options: { ...options, own: "your own" }, value: "hinge", change: select }).element,
    dial({
      label: "factor before L(0)",
      min: 0.9,
      max: 1.3,
      step: 0.01,
      value: 1,
      show: (v) => digits(v, 3),
      sentence: "The condition has 1. Turn it up, with a loss that meets it.",
      change: (v) => {
        factor = v;
        draw();
      },
    }).element,
  );
  select("hinge");
}

const answers = (z) => (z === 0 ? "outputs that are all 0" : `as many margins ${digits(z)} as margins ${digits(-z)}`);

/** The part of a curve that the picture has room for. */
const inside = (points) => points.map(([z, value]) => [z, value <= 4.05 && value >= -0.55 ? value : NaN]);

explorer("losses", { math: { lossValue, symmetrised, leastPair, condition }, start });
