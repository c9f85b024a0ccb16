"""The committed notebooks obey the rules of notebook_rules.py; notebook_plugin.py runs them."""

import notebook_rules
import pytest

from tools import notebooks


def test_the_book_has_notebooks():
    assert notebooks.book_notebooks(), "no book/*.ipynb found: the tests of the notebooks would pass on nothing"


@pytest.mark.parametrize("path", notebooks.book_notebooks(), ids=lambda path: path.stem)
def test_notebook_obeys_the_rules(path):
    found = notebook_rules.problems(path)
    assert not found, "\n" + "\n".join(found)
