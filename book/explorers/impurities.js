// A split of a node of two classes: the chord between its children and the curve of an impurity, raised to a power.

import { range } from "./lib/numbers.js";
import { choice, dial, digits, frame, slider } from "./lib/page.js";
import { movable, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";
import { keeper } from "./lib/state.js";
import { svg } from "./lib/svg.js";

const IMPURITIES = {
  misclassification: { name: "misclassification", value: (p) => Math.min(p, 1 - p) },
  gini: { name: "Gini", value: (p) => 2 * p * (1 - p) },
  entropy: { name: "entropy", value: (p) => timesLog(p) + timesLog(1 - p) },
};

/** -p log2 p, and 0 for p = 0. */
const timesLog = (p) => (p > 0 ? -p * Math.log2(p) : 0);

/** The impurity of the shares p and 1 - p. */
const impurity = (name, p) => IMPURITIES[name].value(p);

/** The impurity in units of its value at one half, to a power. */
const height = (name, p, power) => (impurity(name, p) / impurity(name, 0.5)) ** power;

/** The share of the first class in the node whose first child has the share `weight` of the examples. */
const nodeShare = ({ first, second, weight }) => weight * first + (1 - weight) * second;

/** What the split gains: the height of the curve above the chord between the children. */
function splitGain({ name, first, second, weight, power = 1 }) {
  const left = weight * height(name, first, power) + (1 - weight) * height(name, second, power);
  return height(name, nodeShare({ first, second, weight }), power) - left;
}

/**
 * Of all halvings of a node with the share p of the first class into the shares 0 and 2p the one that raises the power
 * of the impurity most, in units of what it was; p runs through powers of one half and a fine grid.
 */
function worstHalving(name, power) {
  const shares = [...range(40).map((i) => 2 ** -(i + 2)), ...range(99).map((i) => (i + 1) / 200)];
  const rise = (p) => -splitGain({ name, first: 0, second: 2 * p, weight: 0.5, power }) / height(name, p, power);
  return shares
    .map((p) => ({ p, rise: rise(p) }))
    .reduce((worst, found) => (found.rise > worst.rise ? found : worst));
}

function start(root) {
  const page = frame(root, {
    title: "A split under a curve",
    hint: "Drag the two children along the curve, and change how many examples go to the first one.",
  });
  const state = { name: "gini", first: 0.2, second: 0.9, weight: 0.6, power: 1 };
  const picture = plot({
    label: "An impurity against the share of the first class, two children on it and the chord between them",
    x: [0, 1],
    y: [0, 1.1],
    xLabel: "share of the first class",
    yLabel: "impurity, relative",
  });
  page.stage.append(picture.root);
  const curve = (p) => height(state.name, p, state.power);

  const show = () => {
    const node = nodeShare(state);
    const gain = splitGain(state);
    const top = curve(node);
    picture.clear();
    picture.line(
      range(401).map((i) => [i / 400, curve(i / 400)]),
      { class: "explorer-line explorer-series-3" },
    );
    const ends = [state.first, state.second].map((p) => [p, curve(p)]);
    picture.line(ends, { class: "explorer-line explorer-quiet" });
    const tall = [
      [node, top - gain],
      [node, top],
    ];
    picture.line(tall, { class: `explorer-line explorer-series-${gain < -1e-12 ? 2 : 1}`, "stroke-width": 5 });
    picture.place(node, top, svg("circle", { r: 4, class: "explorer-mark explorer-class-7" }));
    page.facts({
      [state.power === 1 ? "impurity of the node" : `its power ${digits(state.power, 2)}`]: [digits(top), "series-3"],
      "left over after the split": [digits(top - gain), "quiet"],
      gain: [digits(Math.abs(gain) < 1e-12 ? 0 : gain), gain < -1e-12 ? "series-2" : "series-1"],
    });
    page.say(...verdict(gain));
  };
  const verdict = (gain) => {
    const measure = IMPURITIES[state.name].name;
    if (state.power === 1) {
      if (Math.abs(gain) < 1e-12) {
        const why = state.first === state.second ? "the children are alike" : "both children are on one straight side";
        return [`This split gains nothing: ${why}. No split loses.`, "true"];
      }
      return [`The curve of ${measure} is concave: the chord is below it, and no split loses.`, "true"];
    }
    const claim = `To the power ${digits(state.power, 2)} ${measure} is not concave, and the statement is false`;
    if (gain < -1e-12) return [`${claim}: this split raises it by ${digits(-gain)}.`, "false"];
    const { p, rise } = worstHalving(state.name, state.power);
    const few = "very few of the first class into halves of which one gets them all";
    const shares = `the share ${digits(p)} into halves with 0 and ${digits(2 * p)}`;
    const split = `that of a node with ${p < 1e-3 ? few : shares}`;
    return [`${claim}: not this split, but ${split} raises it by ${digits(100 * rise, 2)} %.`, "false"];
  };
  const handles = () =>
    ["first", "second"].map((which, i) =>
      movable({
        picture,
        name: `${which} child: share of the first class`,
        at: [state[which], curve(state[which])],
        shape: svg("circle", { r: 8, class: `explorer-mark explorer-class-${i + 1}` }),
        step: 0.01,
        along: curve,
        moved: ([p]) => {
          state[which] = p;
          show();
        },
      }),
    );
  const redraw = () => {
    picture.hold(...handles());
    show();
  };

  const keep = keeper(state, show);
  const redone = keeper(state, redraw);
  page.controls.append(
    choice({
      label: "impurity",
      options: Object.fromEntries(Object.entries(IMPURITIES).map(([key, { name }]) => [key, name])),
      value: state.name,
      change: redone("name"),
    }).element,
    slider({
      label: "examples that go to the first child",
      min: 0.05,
      max: 0.95,
      step: 0.05,
      value: state.weight,
      show: (v) => `${Math.round(100 * v)} %`,
      change: keep("weight"),
    }).element,
    dial({
      label: "power of the impurity",
      min: 1,
      max: 4,
      step: 0.1,
      value: 1,
      show: (v) => digits(v, 2),
      sentence: "The three impurities are the power 1. Turn it up.",
      change: redone("power"),
    }).element,
  );
  redraw();
}

explorer("impurities", { math: { impurity, height, nodeShare, splitGain, worstHalving }, start });
