from .binary_svm import *
from .boosting import *
from .boosting_many_labels import *
from .claims import ledger as ledger
from .claims import trace as trace
from .claims import verify as verify
from .constraint_classification import *
from .exercises import check as check
from .forests import *
from .impurities import *
from .losses import *
from .margin_bounds import *
from .one_vs_rest_and_pairs import *
from .output_code_errors import *
from .output_code_margins import *
from .output_codes import *
from .perceptron import *
from .problem import *
from .pruning import *
from .rademacher import *
from .replication import *
from .structured import *
from .structured_margins import *
from .svm import *
from .svm_solvers import *
from .trees import *
from .weak_learning import *
from .winnow import *

__version__: str
