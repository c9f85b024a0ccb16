"""The comparisons with other programs: equal work, equal quality and the reckoning; not the times."""

import json

import numpy as np
import pytest

from benchmarks import methods, race, report, svm_grid
from benchmarks.__main__ import _RECORDS, all_cases, all_growths, run_case
from benchmarks.data import tiny
from benchmarks.harness import Case, Contender, Timing, calibrated, compare, growth_exponent, ratios
from mcbook.foundation.pages import measured
from mcbook.replication import digit_methods

CASES, GROWTHS = all_cases(), all_growths()


def near(growth):
    """The comparison whose data are of the kind that the growth is measured on: the first word of the name says it."""
    words = growth.name.split(":")[0].split()
    akin = (case for name, case in CASES.items() if name.startswith(words[0]))
    return next(case for case in akin if case.asked == growth.asked)


@pytest.mark.parametrize("name", [*CASES, *GROWTHS])
def test_everyone_who_is_present_reaches_the_quality(name):
    """On tiny data; ours comes first among them."""
    case = CASES.get(name) or GROWTHS[name]
    data = (CASES[name] if name in CASES else near(case)).smoke()
    assert case.contenders[0].name == "mcbook"
    for contender in (c for c in case.contenders if c.present):
        if name in CASES and case.passes is not None:
            for passes in case.passes:
                assert case.quality((data, passes), contender.run(data, passes)) <= case.asked
        else:
            setting, quality = calibrated(case, contender, data)
            assert quality <= case.asked, f"{contender.name} at {setting} reaches {quality}"


def invented(**changes):
    """A case whose results are their settings, and whose quality is the result."""
    contenders = (
        Contender("ours", lambda data, setting: 0.0),
        Contender("peer", lambda data, s: s, (0.5, 0.05, 0.005)),
    )
    fields = {"quality": lambda data, result: result, "asked": 0.1, **changes}
    return Case("invented", lambda: 0, lambda: 0, fields.pop("contenders", contenders), **fields)


def test_the_loosest_setting_that_suffices_is_timed():
    case = invented()
    assert calibrated(case, case.contenders[1], 0) == (0.05, 0.05)
    ours, peer = compare(case, 0, 4)
    assert (ours.reached, peer.reached, peer.setting) == (True, True, 0.05)
    assert len(ours.seconds) == len(peer.seconds) == 4
    # Who does not reach the quality is shown as such.
    timings = [timing.summary for timing in compare(invented(asked=0.001), 0, 1)]
    assert "\n".join(report.lines("x", {"timings": timings})).count("NOT REACHED") == 1


def test_an_absent_peer_is_named_and_left_out(monkeypatch):
    monkeypatch.setattr("benchmarks.__main__.peak_memory", lambda case, timing: 1.0)
    gone = Contender("gone", lambda data, setting: 1 / 0, needs="a_package_nobody_has")
    entry = run_case(invented(contenders=(invented().contenders[0], gone)), 1)
    assert entry["missing"] == ["gone"]
    assert len(entry["timings"]) == 1
    assert any("not installed" in line for line in report.lines("x", entry))


def test_ratios_and_growth_exponents():
    ours = Timing("ours", None, 0, True, [1.0, 2.0, 4.0], [1.0] * 3)
    peer = Timing("peer", None, 0, True, [3.0, 4.0, 4.0], [1.0] * 3)
    assert ratios(ours, peer) == (1.5, 2.0, 2.5), "taken round by round"
    sizes, noise = (100, 200, 400, 800, 1600), np.array([1.0, 1.1, 0.95, 1.05, 1.0])
    slope, low, high = growth_exponent(sizes, list(3e-6 * np.array(sizes) ** 1.5 * noise))
    assert low < 1.5 < high
    assert slope == pytest.approx(1.5, abs=0.05)
    with pytest.raises(ValueError, match="at least 3 sizes"):
        growth_exponent(sizes[:2], [1.0, 2.0])


def test_results_are_added_to_and_carry_machine_and_versions(tmp_path):
    path = tmp_path / "results" / "benchmarks.json"
    path.parent.mkdir()
    report.save({"one": {"a": 1}}, path)
    report.save({"two": {"machine": report.machine()}}, path)
    held = json.loads(path.read_text())
    assert held["one"] == {"a": 1}
    assert {"numpy", "numba", "scikit-learn"} <= set(held["two"]["machine"]["versions"])
    assert [file.name for file in path.parent.iterdir()] == ["benchmarks.json"]


def test_every_comparison_has_a_record_that_was_measured_on_a_quiet_machine():
    held = json.loads(report.RESULTS.read_text(encoding="utf-8"))
    assert set(held) == {*CASES, *GROWTHS, "start-up", svm_grid.NAME}
    held |= {module.NAME: measured(module.RECORD.stem) for module in _RECORDS.values()}
    loads = {name: entry["machine"]["load_before"] for name, entry in held.items()}
    assert {name: load for name, load in loads.items() if load > report.MOST_LOAD} == {}


def test_nothing_is_measured_while_the_machine_is_busy(monkeypatch):
    """The load of what ran before falls by itself; that of other work does not."""
    loads = iter([2.0, 1.6, 1.5])
    monkeypatch.setattr(report, "_load", lambda: next(loads))
    monkeypatch.setattr(report.time, "sleep", lambda seconds: None)
    report.wait_until_quiet()
    assert list(loads) == []
    monkeypatch.setattr(report, "_load", lambda: 4.2)
    with pytest.raises(RuntimeError, match=r"at most 1\.5, got 4\.20"):
        report.wait_until_quiet(patience=0)


def test_the_race_against_time_is_recorded_for_the_chapter(tmp_path):
    target = tmp_path / "measurements" / "race.json"
    assert race.record(target, tiny(), (1, 20)) == "race.json"
    written = json.loads(target.read_text(encoding="utf-8"))
    assert written["shape"] == [90, 6, 3]
    for name, curve in written["curves"].items():
        seconds, excess = curve["seconds"], curve["excess"]
        assert len(seconds) == len(excess) >= 1, name
        assert min(excess) >= 1e-9
        assert excess == sorted(excess, reverse=True)
    assert written["curves"]["second-order steps"]["excess"][-1] <= 2e-9
    assert written["curves"]["generic solver"]["excess"][-1] < 1e-6
    assert written["curves"].keys() == measured(race.RECORD.stem)["curves"].keys()


def test_times_of_the_methods_are_recorded_for_the_table_at_the_end(tmp_path, monkeypatch):
    few = {name: digit_methods()[name] for name in ("one-vs-rest", "Hadamard code")}
    monkeypatch.setattr(methods, "digit_methods", lambda: few)
    written = json.loads((tmp_path / methods.record(tmp_path / "times.json", rounds=1)).read_text())
    assert written["seconds"].keys() == few.keys()
    assert all(0 < seconds < 60 for times in written["seconds"].values() for seconds in times.values())
    assert measured(methods.RECORD.stem)["seconds"].keys() == digit_methods().keys()
