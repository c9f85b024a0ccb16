"""The record of the trials: what is in it, and that every drift from it is seen."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from claims_helpers import bound

from mcbook.claims import at_most, claims, equal, verify
from mcbook.claims.spine import fingerprint
from mcbook.claims.spine.book import BookText, Statement
from mcbook.claims.spine.record import PLACE, changes, differences, read_records, record, unsupported, write_records

KEPT = {"tier": "exact", "found": "1 check"}
TWO = ("prp-linear-classifier-invariances", "thm-perceptron-mistake-bound")


@pytest.fixture
def claim(make_claim):
    made = make_claim(label="thm-test", no_trace="one line")
    made.strengthened("the bound", by=Fraction(99, 100))(lambda by: [at_most("x", 1, by * bound(1))])
    return made


@pytest.fixture
def page(claim):
    statement = Statement(claim.chapter, "Title", "It is at most\n  half.")
    return BookText(chapters=[claim.chapter], statements={claim.label: statement}, proofs={claim.label: "Because."})


@pytest.fixture
def drift(claim, page):
    """What differs now from what was recorded when the test began."""
    kept = record(verify(claim), page)
    return lambda book=page: differences(kept, record(verify(claim), book))


def test_what_is_kept_can_be_read(claim, page, drift):
    kept = record(verify(claim), page)
    assert kept["statement"] == "Title: It is at most half."
    assert kept["tier"] == "exact"
    assert kept["found"].startswith("1 check, exact · attained with equality · 2 stronger versions refuted")
    assert json.loads(json.dumps(kept)) == kept
    assert drift() == []


def test_a_changed_statement_is_told_word_by_word(claim, page, drift):
    page.statements[claim.label] = Statement(claim.chapter, "Title", "It is at least half of it.")
    assert drift() == ["the statement on the page has changed: 'most half.' is now 'least half of it.'"]
    assert list(changes("a b", "a")) == ["'b' is now 'nothing'"]
    assert list(changes("a", "c a")) == ["'nothing' is now 'c'"]


def test_a_changed_proof_is_seen_and_a_changed_line_end_is_not(claim, page, drift):
    page.proofs[claim.label] = "Because\n."
    page.proofs[claim.label] = " Because. "
    assert drift() == []
    page.proofs[claim.label] = "Because it is."
    assert drift() == ["its proof on the page has changed: 'Because.' is now 'Because it is.'"]


SAID = {"code": "1", "formulas": "", "statement": "At most $k$.", "proof": "As $k<2$ it is so."}


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"statement": "At least $k$."}, ["the statement on the page has changed: 'most' is now 'least'"]),
        ({"proof": "As $k>2$ it is so."}, ["its proof on the page has changed: '$k<2$' is now '$k>2$'"]),
        ({"proof": "It is so, as $k<2$."}, []),
        ({"statement": "At least $k$.", "code": "2"}, []),
        ({"statement": "At least $k$.", "formulas": "eq-k bound"}, []),
    ],
)
def test_what_a_page_says_anew_needs_something_else_to_be_tried(change, refused):
    assert unsupported(SAID, SAID | change) == refused
    assert unsupported(None, SAID | change) == []


def test_a_definition_has_nothing_that_could_change_with_it():
    assert unsupported({"statement": "$x>0$"}, {"statement": r"$x\ge0$"}) != []


def test_of_a_chapter_that_is_left_out_the_texts_are_not_asked_for(drift):
    assert drift(BookText()) == []


def test_nothing_recorded():
    assert differences(None, KEPT) == ["nothing is recorded of it"]


@pytest.mark.parametrize(
    "change",
    [
        lambda claim: setattr(claim, "implements", (bound, equal)),
        lambda claim: claim.checks.update({"one third is at most one half": lambda rng: [at_most("x", 1, bound(2))]}),
        lambda claim: claim.strengthenings.update(
            {"the bound": (Fraction(1, 2), lambda by: [at_most("y", 1, by * bound(1))])}
        ),
    ],
)
def test_changed_code_on_trial_and_changed_parts_are_seen(claim, drift, change):
    change(claim)
    assert "the code on trial, or a part of the claim, has changed" in drift()


def test_other_findings_are_told(claim, drift):
    claim.extremals.clear()
    said = "\n".join(drift())
    assert "attained with equality · 2 stronger versions refuted is recorded, now it is" in said


def test_some_claims_leave_the_others_and_what_is_gone_goes(tmp_path):
    whole = BookText(chapters=[claim.chapter for claim in claims().values()])
    write_records(tmp_path, {TWO[1]: KEPT, TWO[0]: KEPT, "def-gone": KEPT}, BookText())
    assert "def-gone" in read_records(tmp_path), "it may stand in a chapter that is left out"
    write_records(tmp_path, {TWO[1]: KEPT | {"tier": "sampled"}}, whole)
    assert read_records(tmp_path) == {TWO[0]: KEPT, TWO[1]: KEPT | {"tier": "sampled"}}
    assert list(read_records(tmp_path)) == list(TWO), "the order of the claims"


def test_an_interrupted_write_leaves_the_old_file(tmp_path):
    write_records(tmp_path, {TWO[1]: KEPT}, BookText())
    with pytest.raises(TypeError):
        write_records(tmp_path, {TWO[1]: {"tier": object()}}, BookText())
    assert read_records(tmp_path) == {TWO[1]: KEPT}
    assert [path.name for path in (tmp_path / PLACE).parent.iterdir()] == [PLACE.name]
    assert read_records(tmp_path / "elsewhere") == {}


def test_the_hash_of_code_leaves_out_what_does_nothing():
    def first(x):
        """One."""
        return x + 1

    def plain():
        def first(x: int) -> int:
            # a comment
            return (
                x +
                1
            )  # fmt: skip

        return first

    def changed():
        def first(x):
            return x - 1

        return first

    assert fingerprint.of_code(first) == fingerprint.of_code(plain())
    assert fingerprint.of_code(first) != fingerprint.of_code(changed())
