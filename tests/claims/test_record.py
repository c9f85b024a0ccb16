"""The record of the trials: what is in it, what is not, and that every drift from it is seen."""

from __future__ import annotations

import copy
import dataclasses
import json
from fractions import Fraction
from math import inf

import pytest
from claims_helpers import bound

from mcbook.claims import Evidence, at_most, holds, verify
from mcbook.claims.spine import fingerprint
from mcbook.claims.spine.book import BookText, Statement
from mcbook.claims.spine.record import PLACE, differences, read_records, record, write_records
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier, Verdict


@pytest.fixture
def claim(make_claim):
    made = make_claim(label="thm-test", no_trace="one line")
    made.strengthened("the bound", by=Fraction(99, 100))(lambda by: [at_most("x", 1, by * bound(1))])
    return made


@pytest.fixture
def page(claim):
    entry = claim.entry
    return BookText(
        chapters=[entry.chapter],
        statements={entry.label: Statement(entry.chapter, entry.title, "It is so.")},
        proofs={entry.label: "Because of this."},
    )


@pytest.fixture
def kept(claim, page):
    return record(verify(claim), page)


def changes(kept, claim, page):
    return differences(kept, record(verify(claim), page))


class TestWhatIsKept:
    def test_of_the_claim(self, kept):
        assert (kept["required"], kept["permitted"], kept["reached"], kept["comparisons"]) == (*["exact"] * 3, 4)
        assert kept["owed"] == ["check", "extremal instance", "control", "trace of its proof"]
        assert kept["excused"] == ["trace of its proof"]
        assert list(kept["implements"]) == ["claims_helpers.bound"]

    def test_of_a_part(self, kept):
        check, extremal, control, strengthened = kept["parts"]
        assert [len(check.pop(name)) for name in ("digest", "arguments")] == [16, 16]
        what = "one third is at most one half"
        expected = {"role": "check", "what": what, "verdict": "holds", "tier": "exact", "comparisons": 1}
        assert check == expected | {"tightest": 0.667}
        assert (extremal["role"], control["role"], control["verdict"]) == ("extremal", "control", "refuted")
        assert strengthened["by"] == "99/100"

    def test_of_what_depends_on_the_machine_are_its_sums(self, claim, page):
        lines = [at_most("x", -0.1, 0.2), at_most("x", 1, 2), at_most("x", 3, inf), holds("x", True, Tier.SAMPLED)]
        claim.check("floats and one exact line")(lambda rng: lines)
        part = record(verify(claim), page)["parts"][1]
        assert part["tier"] == "sampled"
        assert not {"digest", "tightest"} & set(part)
        assert part["sums"] == [4.1, 2.2]

    def test_of_yes_and_no_are_none(self, claim, page):
        claim.check("a question")(lambda rng: holds("x", True, Tier.SAMPLED))
        assert "sums" not in record(verify(claim), page)["parts"][1]

    def test_a_run_over_the_same_gives_the_same(self, kept, claim, page):
        assert changes(kept, claim, page) == []
        assert json.loads(json.dumps(kept)) == kept


class TestDrift:
    def test_nothing_recorded(self, kept):
        assert differences(None, kept) == ["nothing is recorded of it"]

    @pytest.mark.parametrize("change", [{"text": "It is not so."}, {"title": "Another"}])
    def test_of_the_statement(self, kept, claim, page, change):
        old = page.statements[claim.label]
        page.statements[claim.label] = Statement(**{**vars(old), **change})
        assert changes(kept, claim, page) == ["the statement on the page has changed"]

    def test_of_the_proof(self, kept, claim, page):
        page.proofs[claim.label] += " Obviously."
        assert changes(kept, claim, page) == ["its proof on the page has changed"]

    def test_of_a_statement_that_is_gone(self, kept, claim, page):
        page.statements.clear()
        assert changes(kept, claim, page) == ["the statement on the page has changed"]

    def test_of_line_ends_is_none(self, kept, claim, page):
        page.proofs[claim.label] = "Because\n  of this."
        assert changes(kept, claim, page) == []

    def test_of_a_chapter_that_is_left_out_is_none(self, kept, claim):
        assert changes(kept, claim, BookText()) == []

    def test_of_the_code(self, kept, claim, page):
        claim.implements = (kept_apart,)
        now = record(verify(claim), page)
        assert any("claims_helpers.bound" in line for line in differences(kept, now))
        changed = copy.deepcopy(now)
        changed["implements"]["test_record.kept_apart"] = "another"
        assert differences(now, changed) == ["the code of test_record.kept_apart has changed"]

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"tier": Tier.CERTIFIED}, "required: exact is recorded, now it is certified"),
            ({"kind": "identity"}, "kind: upper bound is recorded, now it is identity"),
            (
                {"label": "lem-test"},
                "owed: ['check', 'extremal instance', 'control', 'trace of its proof'] is recorded",
            ),
        ],
    )
    def test_of_the_ledger(self, kept, claim, page, change, said):
        claim.entry = dataclasses.replace(claim.entry, **change)
        assert any(line.startswith(said) for line in changes(kept, claim, page))

    def test_of_an_excuse(self, kept, claim, page):
        claim.extremals.clear()
        claim.no_extremal = "there is none"
        assert any(line.startswith("excused:") for line in changes(kept, claim, page))

    def test_of_the_permitted_tier(self, kept, claim, page):
        claim.weaker_tier = (Tier.SAMPLED, "a reason")
        assert "permitted: exact is recorded, now it is sampled" in changes(kept, claim, page)

    def test_of_the_number_of_comparisons(self, kept, claim, page):
        claim.extremals["one half"] = lambda: [at_most("x", bound(1), 1)] * 2
        said = changes(kept, claim, page)
        assert "extremal 'one half', comparisons: 1 is recorded, now it is 2" in said
        assert "extremal 'one half': its exact lines are not those recorded" in said

    def test_of_a_part_that_is_gone(self, kept, claim, page):
        del claim.controls["one half less a bit"]
        assert "control 'one half less a bit', verdict: refuted is recorded, now it is nothing" in changes(
            kept, claim, page
        )

    @pytest.mark.parametrize(
        ("sides", "is_seen"),
        [
            ((0.25 * (1 + 2e-5), 0.5), False),
            ((0.25, 0.5 * (1 + 1e-5)), False),
            ((0.25 * (1 + 1e-4), 0.5), True),
            ((0.25, 0.5 * (1 + 1e-4)), True),
        ],
    )
    def test_of_what_floats_are_compared(self, claim, page, sides, is_seen):
        claim.check("floats")(lambda rng: at_most("x", 0.25, 0.5))
        kept = record(verify(claim), page)
        claim.checks["floats"] = lambda rng: at_most("x", *sides)
        said = changes(kept, claim, page)
        assert [line.split(":")[0] for line in said] == ["check 'floats', sums"] * is_seen

    @pytest.mark.parametrize(("given", "other"), [(4, 5), (0.5, 1.5)])
    def test_of_other_arguments(self, claim, page, given, other):
        def no_more_than_1(argument):
            return lambda rng: at_most("x", 0 * ball(argument) * bound(1), 1)

        claim.check("no more than 1")(no_more_than_1(given))
        kept = record(verify(claim), page)
        claim.checks["no more than 1"] = no_more_than_1(other)
        said = changes(kept, claim, page)
        assert said == ["check 'no more than 1': it calls the book's functions with other arguments"]

    def test_of_large_sums_by_their_share(self, claim, page):
        claim.check("floats")(lambda rng: at_most("x", 1e6, 2e6))
        kept = record(verify(claim), page)
        claim.checks["floats"] = lambda rng: at_most("x", 1e6 + 5, 2e6)
        assert changes(kept, claim, page) == []
        claim.checks["floats"] = lambda rng: at_most("x", 1e6 + 50, 2e6)
        assert len(changes(kept, claim, page)) == 1

    def test_of_what_is_compared(self, kept, claim, page):
        claim.extremals["one half"] = lambda: [at_most("y", bound(Fraction(1, 2)), Fraction(1, 2))]
        assert changes(kept, claim, page) == [
            "extremal 'one half': it calls the book's functions with other arguments",
            "extremal 'one half': its exact lines are not those recorded",
        ]


def kept_apart(value):
    """Say nothing."""
    # of any weight
    return value


KEPT = {"comparisons": 4, "parts": []}


class TestTheFile:
    def test_some_claims_leave_the_others(self, tmp_path):
        write_records(tmp_path, {"P.T": KEPT, "S.lin": KEPT, "Z.gone": KEPT})
        write_records(tmp_path, {"A.code": KEPT, "P.T": KEPT | {"comparisons": 5}})
        found = read_records(tmp_path)
        assert list(found) == ["A.code", "S.lin", "P.T"], "the ledger's order, and nothing of claims that are gone"
        assert (found["P.T"]["comparisons"], found["S.lin"]) == (5, KEPT)

    def test_an_interrupted_write_leaves_the_old_file(self, tmp_path):
        write_records(tmp_path, {"P.T": KEPT})
        with pytest.raises(TypeError):
            write_records(tmp_path, {"P.T": {"parts": object()}})
        assert read_records(tmp_path) == {"P.T": KEPT}
        assert [path.name for path in (tmp_path / PLACE).parent.iterdir()] == [PLACE.name]

    def test_every_value_has_a_line_so_that_changes_can_be_read(self, tmp_path):
        write_records(tmp_path, {"P.T": {"label": "γ", "parts": [1]}})
        lines = ["{", ' "P.T": {', '  "label": "γ",', '  "parts": [', "   1", "  ]", " }", "}", ""]
        assert (tmp_path / PLACE).read_text(encoding="utf-8").split("\n") == lines

    def test_nothing_recorded(self, tmp_path):
        assert read_records(tmp_path) == {}


class TestFingerprint:
    def test_comments_docstrings_layout_and_annotations_do_not_matter(self):
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

        assert fingerprint.of_code(first) == fingerprint.of_code(plain())

    def test_everything_else_does(self):
        def one(x, y=1):
            return x + y

        def changed():
            def one(x, y=2):
                return x + y

            return one

        def other():
            def one(x, y=1):
                return x - y

            return one

        assert len({fingerprint.of_code(each) for each in (one, changed(), other())}) == 3

    def test_of_a_class_and_of_an_object_are_those_of_its_lines(self):
        assert fingerprint.of_code(TestTheFile) == fingerprint.of_code(TestTheFile())
        assert fingerprint.of_code(TestTheFile) != fingerprint.of_code(TestDrift)

    @pytest.mark.parametrize("change", [{"what": "y"}, {"finding": "no"}, {"tier": Tier.RIGOROUS}])
    def test_of_evidence(self, change):
        line = {"what": "x", "finding": "yes", "verdict": Verdict.HOLDS, "tier": Tier.EXACT}
        before, after = Evidence(**line), Evidence(**line | change)
        assert fingerprint.of_evidence([before]) != fingerprint.of_evidence([after])
        assert fingerprint.of_evidence([before]) == fingerprint.of_evidence([Evidence(**line, tightness=0.5)])
