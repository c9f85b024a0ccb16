"""What uses what: read from references, equations and words, and nothing else."""

from pathlib import Path

import pytest

from mcbook.claims.spine.book import BookText, Statement, read_book
from mcbook.claims.spine.glossary import Finder, Term, read_glossary
from mcbook.claims.spine.uses import all_uses, chapter_uses, direct_uses, used_by

BOOK = Path(__file__).resolve().parents[2] / "book"


def book_of(folder: Path | None = None, **texts: tuple[str, str, str]) -> BookText:
    """A book of statements: chapter, statement and proof by label, with `_` for `-`."""
    book = BookText(folder=folder)
    for name, (chapter, text, proof) in texts.items():
        label = name.replace("_", "-")
        book.statements[label] = Statement(chapter, label, text)
        if proof:
            book.proofs[label] = proof
        if chapter not in book.chapters:
            book.chapters.append(chapter)
    return book


def test_a_reference_in_statement_or_proof_is_a_use():
    book = book_of(
        lem_a=("one", "A.", ""),
        lem_b=("one", "By {prf:ref}`its name <lem-a>`.", ""),
        thm_c=("two", "C.", "Use {prf:ref}`lem-b`, and {prf:ref}`thm-c` itself, and {prf:ref}`exa-d`."),
    )
    assert direct_uses(book) == {"lem-a": [], "lem-b": ["lem-a"], "thm-c": ["lem-b"]}
    assert used_by(direct_uses(book)) == {"lem-a": ["lem-b"], "lem-b": ["thm-c"], "thm-c": []}
    assert all_uses(direct_uses(book), "thm-c") == {"lem-a", "lem-b"}
    assert chapter_uses(book) == {"one": {}, "two": {"one": 1}}


def test_what_the_text_names_of_earlier_chapters_is_an_arc():
    book = book_of(lem_a=("one", "A.", ""), thm_b=("two", "B.", ""), thm_c=("three", "C.", ""))
    book.pages = {
        "one": ":label: lem-a\nLater, in {prf:ref}`thm-b`.",
        "two": ":label: thm-b\n$$\nx=1\n$$ (eq-b)\nRecall {prf:ref}`lem-a`, and again {prf:ref}`it <lem-a>`.",
        "three": ":label: thm-c\nBy {eq}`eq-b`, and as in {doc}`one` and {doc}`two`.",
    }
    assert chapter_uses(book) == {"one": {}, "two": {"one": 1}, "three": {"one": 1, "two": 2}}


def test_an_equation_stands_for_the_statement_that_numbers_it():
    book = book_of(
        lem_a=("one", "$$\nx=1\n$$ (eq-in-statement)", "$$\ny=1\n$$ (eq-in-proof)"),
        thm_b=("one", "B.", "By {eq}`eq-in-statement`."),
        thm_c=("one", "C.", "By {eq}`eq-in-proof`, not by {eq}`eq-in-prose`."),
    )
    assert direct_uses(book) == {"lem-a": [], "thm-b": ["lem-a"], "thm-c": ["lem-a"]}


def test_the_first_words_of_a_proof_name_it_and_use_nothing():
    proof = (
        "For {prf:ref}`thm-b`, {prf:ref}`thm-a` and {prf:ref}`thm-c`. Both follow.\n"
        "For {prf:ref}`thm-d`. By {prf:ref}`thm-a` and {prf:ref}`thm-c`."
    )
    book = book_of(thm_a=("one", "A.", proof), thm_c=("one", "C.", ""), thm_d=("one", "D.", "By {prf:ref}`thm-a`."))
    assert direct_uses(book) == {"thm-a": [], "thm-c": [], "thm-d": ["thm-a"]}


def test_results_that_refer_to_each_other_end():
    book = book_of(thm_a=("one", "{prf:ref}`thm-b`", ""), thm_b=("one", "{prf:ref}`thm-a`", ""))
    assert all_uses(direct_uses(book), "thm-a") == {"thm-b"}


def test_a_word_is_a_use_of_what_fixes_it_before(tmp_path):
    (tmp_path / "glossary.toml").write_text('[[term]]\nterm = "code"\nsays = "A matrix."\nat = "def-b"\n', "utf8")
    book = book_of(
        tmp_path, thm_a=("one", "A code.", ""), def_b=("one", "A code is.", ""), thm_c=("one", "No codes.", "")
    )
    assert direct_uses(book) == {"thm-a": [], "def-b": [], "thm-c": ["def-b"]}


FINDER = Finder(
    [
        Term("margin", ""),
        Term("margin loss", ""),
        Term("VC-dimension", "", forms=("VC dimension",)),
        Term("Sauer’s lemma", ""),
    ]
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Margins and a margin loss, margin losses", ["Margins", "margin loss", "margin losses"]),
        ("the half-margin, marginal, margin-based", []),
        ("its VC dimension by Sauer's lemma", ["VC dimension", "Sauer's lemma"]),
    ],
)
def test_words_are_found_in_their_forms_the_longer_first(text, found):
    assert [text[start:end] for _, start, end in FINDER.finds(text)] == found


def test_formulas_code_and_roles_are_no_words():
    assert FINDER.terms_in("$margin$ `margin` {term}`margin` $$\nmargin\n$$") == set()


def test_no_form_belongs_to_two_terms(tmp_path):
    (tmp_path / "glossary.toml").write_text(
        '[[term]]\nterm = "code"\nsays = "A."\n[[term]]\nterm = "word"\nforms = ["Code"]\nsays = "B."\n', "utf8"
    )
    with pytest.raises(ValueError, match="explains code twice"):
        read_glossary(tmp_path)


def test_a_folder_without_glossary_has_no_words(tmp_path):
    assert read_glossary(tmp_path) == []
    assert list(Finder([]).finds("any text")) == []


def test_the_words_of_the_book_are_fixed_by_its_statements_and_definitions():
    labels = set(read_book(BOOK).statements)
    assert {term.at for term in read_glossary(BOOK) if term.at} <= labels


def test_a_chapter_may_use_a_word_in_another_sense():
    terms = [Term("kernel", "", not_on=("perceptron",))]
    assert Finder(terms, "svm").terms_in("a kernel") == set(terms)
    assert Finder(terms, "perceptron").terms_in("a kernel") == set()
    listed = {name for term in read_glossary(BOOK) for name in term.not_on}
    assert listed <= set(read_book(BOOK).chapters), "not_on names a chapter that is not in the book"


def test_no_result_of_the_book_goes_back_to_itself():
    uses = direct_uses(read_book(BOOK))
    around = sorted(label for label in uses if any(label in all_uses(uses, used) for used in uses[label]))
    assert not around, f"each of these is proved from itself: {around}"


# Written by hand from the proofs: the front page lists, before each of the main theorems, what it goes back to.
RESTS_ON = {
    "thm-multiclass-margin-bound": {
        "lem-margin-loss-between-indicators",
        "lem-hoeffding",
        "lem-bounded-differences",
        "thm-rademacher-generalisation",
        "lem-contraction",
        "prp-maxima-proof-identities",
        "lem-rademacher-of-maxima",
        "lem-margin-bound-proof-steps",
    },
    "thm-perceptron-mistake-bound": {
        "def-multiclass-separability",
        "alg-multiclass-perceptron",
        "prp-perceptron-invariants",
        "prp-frobenius-is-euclidean",
        "prp-multiclass-margin",
        "prp-best-margin-program",
        "lem-perceptron-three-claims",
    },
    "thm-one-vs-one-error": {"def-one-vs-one", "prp-all-duels-right"},
    "thm-loss-based-decoding": {"prp-margin-loss-condition", "def-output-code", "def-decoding-rules"},
}


@pytest.mark.parametrize("label", RESTS_ON)
def test_a_main_theorem_rests_on_what_its_proof_uses(label):
    assert all_uses(direct_uses(read_book(BOOK)), label) >= RESTS_ON[label]
