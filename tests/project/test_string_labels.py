"""Functions count labels from 0: words in their place are refused by a sentence that says what to do."""

import numpy as np
import pytest

import mcbook
from mcbook.margin_bounds.algorithm.programs import group_norm_dual_value

X = np.array([[2, 0], [0, 1], [3, 1], [1, 3]])
W, K = np.eye(2, dtype=int), X @ X.T
CODE, OUTPUTS, FLOWS, SCORES = np.array([[1, 1], [-1, 1]]), np.ones((4, 2)), np.zeros((4, 2)), np.array([[1, 0]] * 4)
WORDS = np.array(["ash", "oak", "ash", "oak"])

CALLS = {
    "average_loss": lambda y: mcbook.output_codes.average_loss(OUTPUTS, CODE, y, "hinge"),
    "best_margin": lambda y: mcbook.perceptron.best_margin(X, y, 2),
    "class_errors": lambda y: mcbook.problem.class_errors(y, y, 2),
    "constraints_from_classes": lambda y: mcbook.constraint_classification.constraints_from_classes(y, 2),
    "decoding_margins": lambda y: mcbook.output_code_margins.decoding_margins(OUTPUTS, CODE, y, 1.0),
    "dual_objective": lambda y: mcbook.svm.dual_objective(FLOWS, K, y),
    "flow_violation": lambda y: mcbook.svm.flow_violation(FLOWS, y, 1),
    "gaps": lambda y: mcbook.perceptron.gaps(W, X, y),
    "grow_tree": lambda y: mcbook.trees.grow_tree(X, y),
    "group_norm_dual_value": lambda y: group_norm_dual_value(FLOWS, K, y),
    "kesler_vectors": lambda y: mcbook.perceptron.kesler_vectors(X, y, 2),
    "multiclass_problem": lambda y: mcbook.structured_margins.multiclass_problem(X, y, 2, 1.0),
    "one_hot": lambda y: mcbook.problem.one_hot(y, 2),
    "primal_objective": lambda y: mcbook.svm.primal_objective(W, X, y, 1),
    "rival_slacks": lambda y: mcbook.svm.rival_slacks(W, X, y),
    "run_perceptron": lambda y: mcbook.perceptron.run_perceptron(X, y, 2),
    "score_margins": lambda y: mcbook.problem.score_margins(SCORES, y),
    "slacks": lambda y: mcbook.svm.slacks(W, X, y),
    "solve_multiclass": lambda y: mcbook.svm_solvers.solve_multiclass(X, y, 2),
    "start_weights": lambda y: mcbook.boosting_many_labels.start_weights(y, 2, 0.5),
    "training_error": lambda y: mcbook.output_code_errors.training_error(OUTPUTS, CODE, y),
    "truncated_margins": lambda y: mcbook.margin_bounds.truncated_margins(SCORES, y, 1),
}


def test_words_are_refused_in_words():
    message = r"expected labels .* strings such as 'ash': encode them first \(numpy.unique"
    for call in CALLS.values():
        call(np.array([0, 1, 0, 1]))
        with pytest.raises(ValueError, match=message):
            call(WORDS)
