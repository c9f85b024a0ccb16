"""A fitted tree as text."""

from __future__ import annotations

from collections.abc import Iterable

from sklearn.utils.validation import check_is_fitted

from mcbook.pruning.estimator.trees import DecisionTree, DecisionTreeRegressor
from mcbook.trees.estimator import question_in_words


def export_text(
    model: DecisionTree | DecisionTreeRegressor, feature_names: Iterable[str] | None = None, max_depth: int = 10
) -> str:
    """The questions of a fitted tree, indented, and what each leaf predicts.

    >>> print(export_text(DecisionTree().fit([[1.0], [2.0], [4.0]], ["a", "a", "b"]), ["size"]))
    size <= 3
      yes: a  (2 of 2)
      no: b  (1 of 1)
    """
    check_is_fitted(model)
    names = [f"x{j + 1}" for j in range(model.n_features_in_)] if feature_names is None else list(feature_names)
    if len(names) != model.n_features_in_:
        raise ValueError(f"expected {model.n_features_in_} feature_names, one for each column, got {len(names)}")
    lines: list[str] = []
    _tell(model, names, max_depth, 0, "", lines)
    return "\n".join(lines)


def _tell(
    model: DecisionTree | DecisionTreeRegressor,
    names: list[str],
    max_depth: int,
    node: int,
    answer: str,
    lines: list[str],
) -> None:
    tree = model.tree_
    depth = int(tree.depth[node])
    start = "  " * depth + answer
    if tree.feature[node] < 0 or depth >= max_depth:
        lines.append(start + _prediction(model, node))
        return
    j = int(tree.feature[node])
    lines.append(start + question_in_words(tree, node, names[j], model.categories_.get(j)))
    for child, word in zip(tree.children[node], ("yes: ", "no: "), strict=True):
        _tell(model, names, max_depth, int(child), word, lines)


def _prediction(model: DecisionTree | DecisionTreeRegressor, node: int) -> str:
    value, weight = model.tree_.value[node], model.tree_.weight[node]
    if hasattr(model, "classes_"):
        return f"{model.classes_[value.argmax()]}  ({value.max():g} of {weight:g})"
    return f"{value[0]:.6g}  ({weight:g})"
