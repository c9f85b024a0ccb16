// The labellings of a small chain as dots, errors against lead, with margin and slack rescaling.

import { range, sum } from "./lib/numbers.js";
import { button, dial, digits, frame, slider } from "./lib/page.js";
import { mark, plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

const LENGTH = 3;
// Leads that are nearer to each other are a tie that rounding has broken.
const TIE = 1e-12;
// The chain on which slack rescaling wants a labelling that no Viterbi run finds.
const HIDDEN = { nodes: [0.9, -1.5, -1], edge: 0.6 };
const CALM = { nodes: [-1.4, -0.7, -1.1], edge: 0.3 };

/** Every labelling z of three positions with its errors and the lead of the right one, 000, in dictionary order. */
function cloud({ nodes, edge }) {
  return range(2 ** LENGTH).map((code) => {
    const z = range(LENGTH).map((t) => (code >> (LENGTH - 1 - t)) & 1);
    const pairs = range(LENGTH - 1).filter((t) => z[t] && z[t + 1]).length;
    const score = sum(z.map((label, t) => label * nodes[t])) + edge * pairs;
    return { name: z.join(""), errors: sum(z), lead: 0 - score };
  });
}

/** The largest max(0, c L - m): with c = 1 margin rescaling. */
const marginRescaled = (dots, share = 1) => Math.max(0, ...dots.map(({ errors, lead }) => share * errors - lead));

/** The largest L max(0, 1 - m). */
const slackRescaled = (dots) => Math.max(...dots.map(({ errors, lead }) => errors * Math.max(0, 1 - lead)));

/** The largest loss of a highest-scoring labelling. */
function predictedLoss(dots) {
  const least = Math.min(...dots.map(({ lead }) => lead));
  return Math.max(...dots.filter(({ lead }) => lead <= least + TIE).map(({ errors }) => errors));
}

/** The least and the largest multiple of the loss with which Viterbi finds this dot; none where least > largest. */
function lossMultiples(dots, { errors, lead }) {
  if (dots.some((dot) => dot.errors === errors && dot.lead < lead)) return [Infinity, -Infinity];
  const slope = (dot) => (lead - dot.lead) / (errors - dot.errors);
  const least = Math.max(-Infinity, ...dots.filter((dot) => dot.errors < errors).map(slope));
  const largest = Math.min(Infinity, ...dots.filter((dot) => dot.errors > errors).map(slope));
  return [least, largest];
}

/** Whether the loss is bounded when only this share of the margin is asked for; where it is not, by how much. */
function trial({ scores, share }) {
  const dots = cloud(scores);
  const [loss, charged] = [predictedLoss(dots), marginRescaled(dots, share)];
  return { loss, charged, broken: loss > charged + 1e-9 };
}

function start(root) {
  const page = frame(root, {
    title: "Two ways to charge for a small lead",
    hint: "Move the scores of label 1; the right labels are 000. Each dot is a labelling: far up is far behind the right one.",
  });
  const picture = plot({
    label: "Labellings by errors and by the lead of the right one, with the two levels",
    x: [-0.3, 3.4],
    y: [-3, 3],
    xLabel: "errors of the labelling",
    yLabel: "lead of the right one",
    width: 520,
    height: 400,
  });
  page.stage.append(picture.root);
  const state = { nodes: [...HIDDEN.nodes], edge: HIDDEN.edge, share: 1 };

  const show = () => {
    const dots = cloud(state);
    const [charged, slack] = [marginRescaled(dots, state.share), slackRescaled(dots)];
    const places = range(341).map((i) => i / 100);
    picture.clear();
    picture.area(
      [
        [-0.3, 0],
        [3.4, 0],
        [3.4, -3],
        [-0.3, -3],
      ],
      { class: "explorer-void" },
    );
    picture.line(inside(places.map((L) => [L, state.share * L - charged])), { class: "explorer-line explorer-series-1" });
    const hyperbola = places.map((L) => [L, slack > 0 && L > 0 ? 1 - slack / L : NaN]);
    picture.line(inside(hyperbola), { class: "explorer-line explorer-series-2" });
    for (const { name, errors, lead } of dots) {
      if (Math.abs(lead) > 3) continue;
      picture.place(errors, lead, mark(errors ? 0 : 3, errors ? 5 : 7));
      // Names of dots that may lie side by side stand on different sides.
      const left = name === "010" || name === "101";
      const side = left ? { class: "explorer-text", "text-anchor": "end" } : {};
      picture.text(errors + (left ? -0.07 : 0.07), lead + 0.1, name, side);
    }
    const wanted = dots.find(({ errors, lead }) => errors * Math.max(0, 1 - lead) >= slack - TIE);
    const least = Math.min(...dots.map(({ lead }) => lead));
    page.facts({
      predicted: dots.filter(({ lead }) => lead <= least + TIE).map(({ name }) => name).join(", "),
      "its loss": String(predictedLoss(dots)),
      [state.share === 1 ? "margin rescaling" : "with that share"]: [digits(charged), "series-1"],
      "slack rescaling": [digits(slack), "series-2"],
      "slack rescaling wants": slack > 0 ? wanted.name : "–",
      "Viterbi finds it with": slack > 0 ? multiples(lossMultiples(dots, wanted)) : "–",
    });
    page.say(...verdict(trial({ scores: state, share: state.share }), slack));
  };
  const verdict = ({ loss, charged, broken }, slack) => {
    if (state.share >= 1) {
      const both = `margin rescaling, which charges ${digits(charged)}, and slack rescaling, ${digits(slack)}`;
      return [`The prediction has the loss ${loss}: ${both}, bound it, whatever the scores.`, "true"];
    }
    const part = `With ${digits(state.share, 2)} of the margin`;
    if (broken) return [`${part} the bound is false: the loss is ${loss}, and only ${digits(charged)} is charged.`, "false"];
    const tied = trial({ scores: { nodes: [0, 0, 0], edge: 0 }, share: state.share });
    return [
      `${part} the bound is false: not these scores show it, but equal ones, where 111 may be predicted: loss ${tied.loss}, and ${digits(tied.charged)} is charged.`,
      "false",
    ];
  };

  const controls = [...state.nodes.keys(), "edge"].map((which) =>
    slider({
      label: which === "edge" ? "1 beside 1" : `label 1 at position ${which + 1}`,
      min: -2,
      max: 2,
      step: 0.1,
      value: which === "edge" ? state.edge : state.nodes[which],
      show: (v) => digits(v, 2),
      change: (v) => {
        if (which === "edge") state.edge = v;
        else state.nodes[which] = v;
        show();
      },
    }),
  );
  const choose = ({ nodes, edge }) => {
    [state.nodes, state.edge] = [[...nodes], edge];
    for (const [i, control] of controls.entries()) control.set(i < LENGTH ? nodes[i] : edge);
    show();
  };
  page.controls.append(
    ...controls.map(({ element }) => element),
    button("the hidden labelling", () => choose(HIDDEN)),
    button("all is well", () => choose(CALM)),
    dial({
      label: "share of the margin",
      min: 0,
      max: 1.2,
      step: 0.05,
      value: 1,
      show: (v) => `${digits(v, 2)} L`,
      sentence: "The theorem asks each rival to trail by its whole loss. Ask for less.",
      change: (v) => {
        state.share = v;
        show();
      },
    }).element,
  );
  show();
}

const multiples = ([least, largest]) => {
  if (least > largest) return "no multiple of the loss";
  if (largest === Infinity) return `${digits(least, 2)} times the loss or more`;
  return `${digits(least, 2)} to ${digits(largest, 2)} times the loss`;
};

/** The part of a curve that the picture has room for. */
const inside = (points) => points.map(([x, y]) => [x, y <= 3 && y >= -3 ? y : NaN]);

explorer("rescaling", {
  math: { cloud, marginRescaled, slackRescaled, predictedLoss, lossMultiples, trial },
  start,
});
