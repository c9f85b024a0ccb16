from .claims import trace as trace
from .claims import verify as verify
from .losses import MarginLoss as MarginLoss
from .losses import empirical_margin_loss as empirical_margin_loss
from .losses import find_loss as find_loss
from .losses import margin_loss as margin_loss
from .losses import splitting_criterion as splitting_criterion
from .one_vs_rest_and_pairs import KnockOut as KnockOut
from .one_vs_rest_and_pairs import one_vs_one_bound as one_vs_one_bound
from .output_codes import OutputCode as OutputCode
from .perceptron import MulticlassPerceptron as MulticlassPerceptron
from .perceptron import best_margin as best_margin
from .perceptron import mistake_bound as mistake_bound
from .perceptron import perceptron as perceptron
from .problem import best_prediction as best_prediction
from .problem import risk as risk
from .problem import score_margins as score_margins
from .problem import tree_distances as tree_distances
from .rademacher import exact_complexity as exact_complexity
from .rademacher import generalisation_bound as generalisation_bound
from .rademacher import monte_carlo_complexity as monte_carlo_complexity
from .svm import KernelMulticlassSVM as KernelMulticlassSVM
from .svm import LinearSVM as LinearSVM
from .svm import MulticlassSVM as MulticlassSVM

__version__: str
