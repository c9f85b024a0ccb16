// The margin bound against the number of examples: where it begins to say something, and a constant that is too small.
import { dial, digits, frame, slider, tick } from "./lib/page.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

/** empirical loss + (4k / rho) complexity + sqrt(ln(1/delta) / (2m)), with `factor` times k in place of 4k. */
function marginBound({ loss, complexity, rho, classes, delta, samples, factor = 4 }) {
  return loss + (factor * classes * complexity) / rho + Math.sqrt(Math.log(1 / delta) / (2 * samples));
}

/** sqrt(r^2 Lambda^2 / m): the complexity of the scores of each class for a kernel. */
function kernelComplexity({ squaredRadius, squaredNorm, samples }) {
  return Math.sqrt((squaredRadius * squaredNorm) / samples);
}

/** The first number of examples at which the bound is below 1. */
function firstInformative(settings) {
  const excess = (m) => kernelBound({ ...settings, samples: m }) - 1;
  if (settings.loss >= 1) return Infinity;
  let high = 1;
  while (excess(high) >= 0) high *= 2;
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (excess(middle) < 0) high = middle;
    else low = middle;
  }
  return high;
}

function kernelBound({ squaredRadius, squaredNorm, samples, ...others }) {
  return marginBound({ ...others, samples, complexity: kernelComplexity({ squaredRadius, squaredNorm, samples }) });
}

function start(root) {
  const settings = { loss: 0.05, rho: 0.5, classes: 3, delta: 0.05, squaredRadius: 1, squaredNorm: 1, factor: 4 };
  const page = frame(root, {
    title: "What the margin bound promises",
    hint: "Move the sliders. Above the dashed line at 1 the bound says nothing.",
  });
  const picture = plot({
    label: "The bound on the risk against the number of examples",
    x: [10, 1e8],
    y: [0, 1.5],
    logX: true,
    xLabel: "number of examples m",
    yLabel: "bound on the risk",
  });
  page.stage.append(picture.root);

  const draw = () => {
    picture.clear();
    const [left, right] = picture.toX.domain;
    const places = Array.from({ length: 200 }, (_, i) => left * (right / left) ** (i / 199));
    picture.line([[left, 1], [right, 1]], { class: "explorer-line explorer-limit" });
    picture.line(places.map((m) => [m, settings.loss]), { class: "explorer-line explorer-quiet" });
    picture.line(places.map((m) => [m, Math.min(2, kernelBound({ ...settings, samples: m }))]), { class: "explorer-line explorer-series-1" });
    const first = firstInformative(settings);
    const reach = first > right ? "beyond this picture" : `from m = ${first.toLocaleString("en")} on`;
    const known =
      settings.factor >= 4
        ? "This is the theorem."
        : settings.factor > 2
          ? "No proof and no counterexample is known in this book for a factor between 2 and 4."
          : "At factors below 2 the bound is false: the chapter shows a class of scores on which it fails.";
    page.say(`With k = ${settings.classes} and ρ = ${digits(settings.rho)} the bound is below 1 ${reach}. ${known}`, settings.factor < 2 ? "false" : "");
  };

  const control = (name, options) => {
    const made = slider({ ...options, value: options.value ?? settings[name], change: (v) => { settings[name] = options.map ? options.map(v) : v; draw(); } });
    page.controls.append(made.element);
  };
  control("classes", { label: "classes k", min: 2, max: 100, step: 1 });
  control("rho", { label: "margin ρ", min: 0.05, max: 2, step: 0.05, show: (v) => digits(v) });
  control("loss", { label: "empirical margin loss", min: 0, max: 0.9, step: 0.01, show: (v) => digits(v) });
  control("delta", { label: "allowed failures δ", min: -6, max: -0.3, step: 0.1, value: Math.log10(settings.delta), map: (v) => 10 ** v, show: (v) => digits(10 ** v) });
  page.controls.append(
    dial({
      label: "constant before k",
      min: 1,
      max: 6,
      step: 0.1,
      value: 4,
      show: (v) => digits(v, 2),
      sentence: "The theorem has 4. Turn it down.",
      change: (v) => { settings.factor = v; draw(); },
    }).element,
  );
  page.controls.append(
    tick({ label: "norm of the weights 2 in place of 1", value: false, change: (on) => { settings.squaredNorm = on ? 4 : 1; draw(); } }),
  );
  draw();
}

explorer("margin-bound", { math: { marginBound, kernelComplexity, kernelBound, firstInformative }, start });
