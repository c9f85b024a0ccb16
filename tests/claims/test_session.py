"""In one session a trial is run once, and only where that is honest."""

from __future__ import annotations

import pytest

from mcbook.claims import verify
from mcbook.claims.spine import session


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(session.VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def runs(monkeypatch):
    """How often the control of a quick claim has run."""
    from mcbook.claims import find_claim

    claim, times = find_claim("prp-linear-classifier-invariances"), []
    what, control = next(iter(claim.controls.items()))

    def counted():
        times.append(1)
        return control()

    monkeypatch.setitem(claim.controls, what, counted)
    return times


def test_a_trial_is_run_once_and_judged_each_time(folder, runs):
    first, second = verify("prp-linear-classifier-invariances"), verify("prp-linear-classifier-invariances")
    assert len(runs) == 1
    assert first.parts == second.parts
    assert first.stands
    assert second.stands


def test_a_stored_trial_is_judged_by_the_claim_as_it_is(folder, runs, monkeypatch):
    trial = verify("prp-linear-classifier-invariances")
    monkeypatch.setattr(trial.claim, "implements", (*trial.claim.implements, print))
    assert not verify("prp-linear-classifier-invariances").stands


def test_without_a_session_every_trial_is_run(runs):
    verify("prp-linear-classifier-invariances")
    verify("prp-linear-classifier-invariances")
    assert len(runs) == 2


def test_another_seed_is_another_trial(folder, runs):
    verify("prp-linear-classifier-invariances", 0)
    verify("prp-linear-classifier-invariances", 1)
    assert len(runs) == 2


def test_other_code_is_another_trial(folder, runs, monkeypatch):
    verify("prp-linear-classifier-invariances")
    monkeypatch.setattr(session, "_sources", lambda: "changed")
    verify("prp-linear-classifier-invariances")
    assert len(runs) == 2


def test_another_part_is_another_trial(folder, runs, monkeypatch):
    trial = verify("prp-linear-classifier-invariances")
    monkeypatch.setattr(trial.claim, "checks", {})
    assert not verify("prp-linear-classifier-invariances").stands
    assert len(runs) == 2


def test_a_claim_made_by_hand_leaves_nothing(folder, make_claim):
    claim = make_claim()
    from mcbook.claims.spine.claim import REGISTRY

    REGISTRY.clear()
    assert verify(claim).stands
    assert not list(folder.iterdir())


def test_the_sources_are_all_that_the_package_holds(tmp_path, monkeypatch):
    import mcbook

    monkeypatch.setattr(mcbook, "__path__", [str(tmp_path)])
    texts = {"a.py": "x = 1", "ledger.toml": "", "deep/b.py": "", "__pycache__/a.pyc": "1"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    before = session._sources.__wrapped__()
    (tmp_path / "__pycache__" / "a.pyc").write_text("2")
    assert session._sources.__wrapped__() == before
    for name in ("a.py", "ledger.toml", "deep/b.py"):
        (tmp_path / name).write_text(f"changed {name}")
        assert session._sources.__wrapped__() != before
        (tmp_path / name).write_text(texts[name])
    (tmp_path / "deep" / "b.py").rename(tmp_path / "deep" / "c.py")
    assert session._sources.__wrapped__() != before


def test_nothing_is_shared_with_the_tests(monkeypatch):
    import os

    assert session.VARIABLE not in os.environ, "a test that replaces functions must not leave its trials to others"
