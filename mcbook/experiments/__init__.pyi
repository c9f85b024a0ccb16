from .data import DataError as DataError
from .data import load as load
from .parsing import Words as Words
from .sources import DATASETS as DATASETS
from .sources import Dataset as Dataset
from .sources import Source as Source
from .tables import Table as Table
