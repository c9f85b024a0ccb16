// What controls do to what an explorer remembers: the few lines that many explorers would write again.

import { choice, slider } from "./page.js";
import { mark, movable } from "./plot.js";

/** Listeners that write what a control has into the state and draw again; `as` turns it into what is kept. */
export const keeper = (state, show) => (key, as) => (value) => {
  state[key] = as ? as(value) : value;
  show();
};

/** The samples of an explorer by their names, as a choice shows them. */
export const namesOf = (samples) => Object.fromEntries(Object.entries(samples).map(([key, { name }]) => [key, name]));

/**
 * A choice among samples, and a slider that goes no further than `within(value, sample)` says. The state keeps the
 * sample under `name` and the slider's value under `key`, shown as `text`; the other options are the slider's.
 */
export function sampleAndSlider({ state, samples, key, within, show, text = String, ...options }) {
  const settle = (value) => {
    state[key] = within(value, samples[state.name]);
    made.set(state[key]);
    show();
  };
  const made = slider({ ...options, show: text, value: state[key], change: settle });
  const chosen = choice({
    label: "sample",
    options: namesOf(samples),
    value: state.name,
    change: (name) => {
      state.name = name;
      settle(state[key]);
    },
  });
  return [chosen.element, made.element];
}

/** Marks for the examples of a plane, which change X where they are moved. */
export function movableExamples({ picture, X, y, word, moved }) {
  return X.map((at, i) =>
    movable({
      picture,
      name: `${word} ${i + 1}, class ${y[i] + 1}`,
      at,
      shape: mark(y[i], 6),
      step: 0.5,
      moved: (place) => {
        X[i] = place;
        moved();
      },
    }),
  );
}
