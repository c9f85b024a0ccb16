"""What is read from the pages: statements, proofs, and the code of the cells."""

from __future__ import annotations

import json

import pytest

from mcbook.claims.spine.book import argument, listed_chapters, read_book
from mcbook.claims.spine.page_code import PageCode, find_object
from mcbook.perceptron import mistake_bound

STATEMENT = "::::{prf:theorem} Bound\n:label: thm-bound\n\ntext\n::::\n"


@pytest.fixture
def read(tmp_path):
    def write(*markdown, code=(), chapter="perceptron"):
        cells = [{"cell_type": "markdown", "source": text} for text in markdown]
        cells += [{"cell_type": "code", "id": "cell", "source": text} for text in code]
        (tmp_path / "book").mkdir(exist_ok=True)
        (tmp_path / "book" / f"{chapter}.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        return read_book(tmp_path / "book")

    return write


class TestStatements:
    def test_a_statement_has_title_and_text(self, read):
        found = read(STATEMENT).statements["thm-bound"]
        assert (found.chapter, found.title, found.text) == ("perceptron", "Bound", "text")

    def test_a_proof_belongs_to_the_statement_above(self, read):
        proof = "::::{prf:proof}\n:class: dropdown\n\nBy {prf:ref}`a`.\n\n{prf:ref}`b`\n::::\n"
        example = ":::{prf:example}\n:label: exa-b\ntext\n:::\n"
        book = read(STATEMENT, example, proof)
        assert book.proved == {"thm-bound"}
        assert argument(book.proofs["thm-bound"]).startswith("By .")
        assert not read(proof).proved, "nothing stands above"

    def test_a_proof_belongs_to_what_it_says_it_is_for(self, read):
        proof = (
            "::::{prf:proof}\nFor {prf:ref}`thm-other`, {prf:ref}`c` and {prf:ref}`it <d>`. By {prf:ref}`a`.\n::::\n"
        )
        book = read(STATEMENT, proof)
        assert book.proved == {"thm-other", "c", "d"}
        assert argument(book.proofs["thm-other"]) == "By ."

    def test_a_proof_may_stand_in_two_blocks(self, read):
        half = ":::{prf:proof}\nFor {prf:ref}`thm-bound`. Half.\n:::\n"
        assert read(STATEMENT, ":::{prf:proof}\nHalf.\n:::\n", half).proofs["thm-bound"].count("Half.") == 2
        assert read(half, half).proofs["thm-bound"].count("Half.") == 2

    @pytest.mark.parametrize("naming", ["For {prf:ref}`a`.", "For {prf:ref}`the bound <a>` and {prf:ref}`b`."])
    def test_naming_the_statement_is_no_argument(self, naming):
        assert argument(f"{naming} Obvious.") == "Obvious."
        assert argument(f"{naming} For every x.") == "For every x."

    def test_a_statement_without_a_label_is_noticed(self, read):
        (problem,) = read("```{prf:lemma} Nameless\nunlabelled\n```\n").problems
        assert problem == "perceptron: a lemma has no label ('Nameless')"

    def test_a_label_used_twice_is_noticed(self, read):
        (problem,) = read(STATEMENT, STATEMENT).problems
        assert "the statement thm-bound stands in perceptron already" in problem

    def test_examples_and_remarks_need_no_claim(self, read):
        assert not read(":::{prf:example}\n:label: ex-a\ntext\n:::\n").chapter_of

    def test_a_folder_that_is_not_there(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="the folder of the book's notebooks"):
            read_book(tmp_path / "nowhere")

    def test_a_chapter_that_the_contents_leave_out_is_no_part_of_the_book(self, read, tmp_path):
        read(STATEMENT, chapter="dropped")
        (tmp_path / "_toc.yml").write_text(
            "chapters:\n  - file: book/perceptron\n  - file: book/notation\n  # - file: book/dropped\n", "utf8"
        )
        book = read()
        assert book.chapters == listed_chapters(tmp_path) == ["perceptron"]
        assert not book.statements


def used(*cells):
    code = PageCode()
    assert not any(list(map(code.read, cells)))
    return code.used


class TestUse:
    @pytest.mark.parametrize(
        "cells",
        [
            ("from mcbook.perceptron import mistake_bound\nmistake_bound(1, 1)",),
            ("from mcbook.perceptron import mistake_bound", "print(mistake_bound)"),
            ("from mcbook.perceptron import mistake_bound as limit", "limit(1, 1)"),
            ("import mcbook.perceptron\nmcbook.perceptron.mistake_bound(1, 1)",),
            ("import mcbook.perceptron as p\np.mistake_bound(1, 1)",),
            ("from mcbook import perceptron\nperceptron.mistake_bound(1, 1)",),
            ("%matplotlib inline\n!ls\nimport mcbook\nmcbook.perceptron.mistake_bound(1, 1)",),
            ("from mcbook.perceptron import mistake_bound\ndef f(x):\n    return mistake_bound(x, x)",),
            ("from mcbook.perceptron import mistake_bound\ndef f(mistake_bound):\n    pass\nmistake_bound(1, 1)",),
            ("from mcbook.perceptron import mistake_bound\nmistake_bound = mistake_bound(1, 1)",),
        ],
    )
    def test_of_the_very_function(self, cells):
        code = PageCode()
        assert not any(list(map(code.read, cells)))
        assert any(one is mistake_bound for one in code.objects())

    @pytest.mark.parametrize(
        "cells",
        [
            ("from mcbook.perceptron import mistake_bound",),
            ("from elsewhere import mistake_bound\nmistake_bound(1, 1)",),
            ("from mcbook.perceptron import mistake_bound", "from elsewhere import mistake_bound", "mistake_bound(1)"),
            ("from mcbook.perceptron import mistake_bound", "mistake_bound = print", "mistake_bound(1)"),
            ("from mcbook.perceptron import mistake_bound\ndef f(mistake_bound):\n    return mistake_bound(1)",),
            ("from mcbook.perceptron import mistake_bound\nf = lambda mistake_bound: mistake_bound(1)",),
            ("from mcbook.perceptron import mistake_bound\ndef mistake_bound():\n    pass", "mistake_bound()"),
            ("from mcbook.perceptron import mistake_bound\nclass mistake_bound:\n    pass", "mistake_bound()"),
            ("from mcbook.perceptron import mistake_bound\n# mistake_bound(1, 1)\n'mistake_bound(1, 1)'",),
            ("from mcbook.perceptron import theory\ntheory.mistake_bounds(1, 1)",),
            ("mistake_bound(1, 1)",),
        ],
    )
    def test_of_something_else(self, cells):
        code = PageCode()
        assert not any(list(map(code.read, cells)))
        assert not any(one is mistake_bound for one in code.objects())

    def test_two_functions_of_one_name_are_told_apart(self):
        from mcbook.problem.figures import margins_figure

        code = PageCode()
        code.read("from mcbook.margin_bounds.figures import margins_figure\nmargins_figure(1, 2)")
        assert code.objects()
        assert not any(one is margins_figure for one in code.objects())

    def test_a_name_that_is_not_there(self):
        assert find_object("mcbook.perceptron.nothing") is None
        assert find_object("mcbook.nothing.at_all") is None

    def test_a_cell_that_is_not_python_is_noticed(self, read):
        (problem,) = read(code=["1 +"]).problems
        assert problem.startswith("perceptron: cell 'cell' cannot be read as Python")


class TestVerify:
    @pytest.mark.parametrize(
        "cell",
        [
            'from mcbook import verify\nverify("thm-a")',
            'from mcbook.claims import verify as try_it\ntry_it("thm-a")',
            'import mcbook\nmcbook.verify("thm-a")',
            "import mcbook\nprint(1)\nmcbook.verify('thm-a', seed=3)",
        ],
    )
    def test_at_the_end_of_a_cell_shows_the_claim(self, read, cell):
        assert read(code=[cell]).code["perceptron"].verified == {"thm-a"}

    @pytest.mark.parametrize(
        "cell",
        [
            '# verify("thm-a")',
            "\"verify('thm-a')\"",
            'verify("thm-a")\nprint(1)',
            'outcome = verify("thm-a")',
            'if False:\n    verify("thm-a")',
            'def f():\n    verify("thm-a")',
            'from elsewhere import verify\nverify("thm-a")',
            'def verify(name):\n    pass\nverify("thm-a")',
            "verify()",
            "name = 'thm-a'\nverify(name)",
        ],
    )
    def test_anywhere_else_shows_nothing(self, read, cell):
        cells = ["from mcbook import verify", cell]
        assert read(code=cells).code["perceptron"].verified == set()
