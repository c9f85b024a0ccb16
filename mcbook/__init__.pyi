from .boosting import AdaBoost as AdaBoost
from .boosting_many_labels import AdaBoostMH as AdaBoostMH
from .boosting_many_labels import AdaBoostMR as AdaBoostMR
from .claims import trace as trace
from .claims import verify as verify
from .constraint_classification import ConstraintClassifier as ConstraintClassifier
from .exercises import check as check
from .experiments import load as load
from .forests import Bagging as Bagging
from .forests import RandomForest as RandomForest
from .one_vs_rest_and_pairs import KnockOut as KnockOut
from .output_code_margins import AdaBoostMO as AdaBoostMO
from .output_codes import OutputCode as OutputCode
from .perceptron import MulticlassPerceptron as MulticlassPerceptron
from .pruning import PrunedTree as PrunedTree
from .structured import ChainCRF as ChainCRF
from .structured import StructuredPerceptron as StructuredPerceptron
from .structured_margins import MaxMarginMarkovNetwork as MaxMarginMarkovNetwork
from .structured_margins import StructSVM as StructSVM
from .svm_solvers import KernelMulticlassSVM as KernelMulticlassSVM
from .svm_solvers import LinearSVM as LinearSVM
from .svm_solvers import MulticlassSVM as MulticlassSVM
from .svm_solvers import SquaredHingeClassifier as SquaredHingeClassifier
from .trees import DecisionTree as DecisionTree
from .trees import DecisionTreeRegressor as DecisionTreeRegressor
from .winnow import MulticlassWinnow as MulticlassWinnow

__version__: str
