"""The methods of the book, which meet on the handwritten digits at its end."""

from __future__ import annotations

from typing import NamedTuple

from sklearn.base import BaseEstimator

from mcbook.boosting_many_labels import AdaBoostMH
from mcbook.constraint_classification import ConstraintClassifier
from mcbook.forests import RandomForest
from mcbook.one_vs_rest_and_pairs import KnockOut
from mcbook.output_code_margins import AdaBoostMO
from mcbook.output_codes import OutputCode
from mcbook.perceptron import MulticlassPerceptron
from mcbook.pruning import PrunedTree
from mcbook.svm_solvers import KernelMulticlassSVM, MulticlassSVM, SquaredHingeClassifier
from mcbook.trees import DecisionTree
from mcbook.winnow import MulticlassWinnow


class DigitMethod(NamedTuple):
    """A method not yet fitted, its kind, and in a few words what the book can say about it.

    >>> method = digit_methods()["pruned tree"]
    >>> type(method.estimator).__name__, method.kind, method.says
    ('PrunedTree', 'trees', 'the best of its subtrees')
    """

    estimator: BaseEstimator
    kind: str
    says: str


def digit_methods() -> dict[str, DigitMethod]:
    """The methods that the book compares on the handwritten digits at its end, by name.

    >>> methods = digit_methods()
    >>> len(methods), sorted({method.kind for method in methods.values()})
    (15, ['boosting', 'margin', 'online', 'reduction', 'trees'])
    """
    columns = SquaredHingeClassifier()
    return {
        "Perceptron": DigitMethod(MulticlassPerceptron(max_iter=50, random_state=0), "online", "number of mistakes"),
        "Winnow": DigitMethod(MulticlassWinnow(max_iter=50, random_state=0), "online", "number of mistakes"),
        "constraints": DigitMethod(ConstraintClassifier(random_state=0), "online", "number of mistakes; margin bound"),
        "multi-class SVM, linear": DigitMethod(MulticlassSVM(C=0.1), "margin", "margin bound; optimum certified"),
        "multi-class SVM, kernel": DigitMethod(
            KernelMulticlassSVM(C=10.0, kernel="rbf", gamma=0.05), "margin", "margin bound for kernels"
        ),
        "one-vs-rest": DigitMethod(
            OutputCode(columns, "one-vs-rest", "square"), "reduction", "sum of the binary errors"
        ),
        "all pairs, vote": DigitMethod(OutputCode(columns, "all-pairs"), "reduction", "(k - 1) r; sharper theorem"),
        "all pairs, knock-out": DigitMethod(KnockOut(columns), "reduction", "that of the vote, given a champion"),
        "Hadamard code": DigitMethod(OutputCode(columns, "hadamard", "square"), "reduction", "first theorem, exact"),
        "random code": DigitMethod(
            OutputCode(columns, "dense", "square", random_state=0), "reduction", "first theorem, exact"
        ),
        "AdaBoost.MH": DigitMethod(AdaBoostMH(n_estimators=200), "boosting", "training error falls with the edges"),
        "AdaBoost.MO, random code": DigitMethod(
            AdaBoostMO(n_estimators=200, code="dense", random_state=0), "boosting", "margins of the decoding"
        ),
        "tree": DigitMethod(DecisionTree(), "trees", "error on the sample is 0"),
        "pruned tree": DigitMethod(PrunedTree(random_state=0), "trees", "the best of its subtrees"),
        "forest": DigitMethod(RandomForest(n_estimators=100, random_state=0), "trees", "strength and correlation"),
    }
