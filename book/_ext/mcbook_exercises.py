"""Exercises that answer: under an exercise block whose label has data, its questions, marked in the browser.

The data are those of ``mcbook.exercises``.  The page holds the questions; what is right, and the reasons against what
is wrong, stand there in base64, so that nobody reads them by a glance at the source.
``book/_static/exercises.js`` makes the controls; without scripts a sentence stands there.
"""

from __future__ import annotations

import base64
import json
from importlib import resources
from typing import Any

from docutils import nodes
from mcbook_html import fold
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator
from sphinx_exercise.nodes import is_exercise_node, is_solution_node

from mcbook.exercises.marking import rounding, shown_choices, shown_items
from mcbook.exercises.source import IN_CODE, LEVELS, Exercise, Part, exercises
from mcbook.foundation.typesetting import MARKED_UP, inline_html


class exercise_form(nodes.Element):
    """The questions of an exercise."""


class exercise_part(nodes.Element):
    """One question, with what the script needs to mark the answer."""


class AddForms(SphinxTransform):
    """Put the questions at the end of each exercise whose label has data, and code that answers into its solution."""

    # Before formulas and references are resolved, after the parser has made all nodes.
    default_priority = 6

    def apply(self) -> None:
        known = exercises()
        for block in list(self.document.findall(is_exercise_node)):
            if block.get("label") in known:
                exercise = known[block["label"]]
                block += form(exercise)
                self.env.note_dependency(str(resources.files("mcbook.claims") / exercise.chapter / "exercises.toml"))
        for block in list(self.document.findall(is_solution_node)):
            if block["target_label"] in known and not any(block.findall(nodes.literal_block)):
                block += answers_in_code(known[block["target_label"]])


def answers_in_code(exercise: Exercise) -> list[nodes.literal_block]:
    codes = [part.answer.strip() for part in exercise.parts if part.kind in IN_CODE]
    return [nodes.literal_block(code, code, language="python") for code in codes]


def form(exercise: Exercise) -> exercise_form:
    said = f"Level {exercise.level} of {len(LEVELS)}: {LEVELS[exercise.level]}"
    level = nodes.paragraph("", said, classes=["book-answer-level"])
    hint = fold("book-answer-hint", ["Hint"], nodes.paragraph("", "", *inline(exercise.hint)))
    return exercise_form("", level, *map(question, exercise.parts), hint, scripted=needs_scripts(exercise))


def needs_scripts(exercise: Exercise) -> bool:
    return any(part.kind not in IN_CODE for part in exercise.parts)


def question(part: Part) -> exercise_part:
    node = exercise_part("", nodes.paragraph("", "", *inline(part.prompt)), part=part.id, kind=part.kind)
    given = part.variable if part.kind in IN_CODE else "…"
    in_notebook = inline(f'In a notebook: `check("{part.id}", {given})`')
    node += nodes.paragraph("", "", *in_notebook, classes=["book-answer-id"])
    if part.kind in IN_CODE:
        return node
    node["sealed"] = base64.b64encode(json.dumps(key(part)).encode()).decode()
    texts = [text for text, _ in shown_choices(part)] if part.kind == "choice" else ordered_texts(part)
    if texts:
        items = [nodes.list_item("", nodes.paragraph("", "", *inline(text))) for text in texts]
        node += nodes.bullet_list("", *items)
    return node


def ordered_texts(part: Part) -> list[str]:
    return [part.items[place] for place in shown_items(part)] if part.kind == "ordering" else []


def key(part: Part) -> dict[str, Any]:
    """What marks the answer in the browser."""
    if part.kind == "choice":
        return {"reasons": [inline_html(why) for _, why in shown_choices(part)]}
    if part.kind == "ordering":
        shown = shown_items(part)
        wrong = [
            {"order": [shown.index(int(p)) for p in w.answer.split()], "why": inline_html(w.why)} for w in part.wrong
        ]
        return {"order": [shown.index(place) for place in part.order], "wrong": wrong}
    near = [{"value": w.answer, "why": inline_html(w.why)} for w in part.wrong]
    found = {"value": part.answer, "tolerance": part.tolerance, "wrong": near}
    return {**found, "unrounded": {"value": part.unrounded, "why": rounding(part)}} if part.unrounded else found


def inline(text: str) -> list[nodes.Node]:
    """Text with formulas between dollars, code between backticks and stress between asterisks."""
    found: list[nodes.Node] = []
    end = 0
    for match in MARKED_UP.finditer(text):
        found.append(nodes.Text(text[end : match.start()]))
        formula, code, stressed = match.groups()
        if stressed:
            found.append(nodes.emphasis(stressed, stressed))
        else:
            found.append(nodes.math(formula, formula) if formula else nodes.literal(code, code))
        end = match.end()
    return [*found, nodes.Text(text[end:])]


def open_form(self: HTML5Translator, node: exercise_form) -> None:
    self.body.append(self.starttag(node, "div", CLASS="book-answer"))
    if node["scripted"]:
        # The script takes it away: some browsers show nothing of a noscript element.
        self.body.append('<p class="book-answer-static">With scripts this page marks your answers here.</p>\n')


def close_div(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append("</div>\n")


def open_part(self: HTML5Translator, node: exercise_part) -> None:
    data = {"data-part": node["part"], "data-kind": node["kind"]}
    if "sealed" in node:
        # The script shows it: a question that nothing marks is not asked.
        data |= {"data-sealed": node["sealed"], "hidden": "hidden"}
    self.body.append(self.starttag(node, "div", CLASS="book-answer-part", **data))


def setup(app: Sphinx) -> dict[str, bool | int]:
    app.add_node(exercise_form, html=(open_form, close_div))
    app.add_node(exercise_part, html=(open_part, close_div))
    app.add_transform(AddForms)
    app.add_js_file("exercises.js", loading_method="defer")
    # A new number makes every page be read again after a change of what stands in it.
    return {"env_version": 4, "parallel_read_safe": True, "parallel_write_safe": True}
