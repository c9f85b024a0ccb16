from .claims import trace as trace
from .claims import verify as verify
from .perceptron import MulticlassPerceptron as MulticlassPerceptron
from .perceptron import best_margin as best_margin
from .perceptron import mistake_bound as mistake_bound
from .perceptron import perceptron as perceptron

__version__: str
