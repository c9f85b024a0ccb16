"""The examples in the docstrings of the package, which must give what they show."""

import doctest
import importlib
import inspect
from pathlib import Path

import pytest

from mcbook.claims.spine.book import listed_chapters

ROOT = Path(__file__).resolve().parents[2]


def modules_with_examples(root):
    """Only these are imported: the others would cost time and show nothing."""
    for path in sorted(root.rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            yield ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = list(modules_with_examples(ROOT / "mcbook"))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_give_what_they_show(name):
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0, f"no example of {name} was found: is it in a docstring?"
    assert outcome.failed == 0


def public_objects():
    """The functions and classes of the package's chapters and of its data sets that readers import, each once."""
    chapters = listed_chapters(ROOT)
    for package in (importlib.import_module(f"mcbook.{name}") for name in (*chapters, "experiments")):
        for name in package.__all__:
            one = getattr(package, name)
            if inspect.isfunction(one) or inspect.isclass(one):
                yield name, one


def has_example(name, one):
    """In its own docstring or, where a page shows its lines, in that of its module."""
    return ">>> " in (one.__doc__ or "") or f"{name}(" in (inspect.getmodule(one).__doc__ or "")


def test_every_public_object_has_an_example():
    found = list(public_objects())
    assert len(found) > 600
    lacking = [f"{one.__module__}.{name}" for name, one in found if not has_example(name, one)]
    assert not lacking, f"functions and classes without an example: {lacking}"


def test_modules_with_examples_are_found_and_a_wrong_example_is_noticed(tmp_path):
    assert "mcbook.foundation.numbers" in MODULES
    assert len(MODULES) >= 5
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(wrong, out=lambda text: None).failed == 1
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text('""">>> 1\n1\n"""')
    (package / "silent.py").write_text("")
    assert list(modules_with_examples(package)) == ["package"]
