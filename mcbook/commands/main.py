"""The command line: ``mcbook verify | ledger | warm | new-chapter | check-chapter | replicate``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mcbook.claims import Entry, Trial, claims, coverage, find_claim, ledger, verify
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.coverage import STEPS, formula_lines, formula_summary, summary
from mcbook.claims.spine.record import PLACE, differences, read_records, record, write_records
from mcbook.foundation.pages import checkout


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (KeyError, ValueError, OSError) as problem:
        print(f"mcbook: {problem.args[0] if isinstance(problem, KeyError) else problem}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mcbook", description="Put the claims of the book on trial.")
    commands = parser.add_subparsers(required=True, metavar="command")

    run = commands.add_parser("verify", help="put claims on trial, and compare with the record: all, or those named")
    run.add_argument("names", nargs="*", metavar="claim")
    run.add_argument("--sweep", type=int, default=0, metavar="N", help="run the checks with N further seeds as well")
    run.add_argument("--json", action="store_true", help="print the outcome as JSON")
    run.add_argument("--record", action="store_true", help=f"keep what was found in {PLACE}, of claims that stand")
    run.set_defaults(run=_verify)

    show = commands.add_parser("ledger", help="every result of the sources and how far it has come")
    show.add_argument("--book", type=Path, help="folder of the notebooks (default: that of the checkout)")
    show.add_argument("--json", action="store_true", help="print the ledger as JSON")
    show.add_argument("--formulas", action="store_true", help="list the statements without a tested formula, and why")
    show.set_defaults(run=_ledger)

    warm = commands.add_parser("warm", help="compile all kernels now, so that the first use is fast")
    warm.set_defaults(run=_warm)

    new = commands.add_parser("new-chapter", help="make the files of a new chapter from templates")
    new.add_argument("name", help="as in the ledger: lower case, words joined by _")
    new.set_defaults(run=_new_chapter)

    check = commands.add_parser("check-chapter", help="say what a chapter still lacks")
    check.add_argument("name")
    check.set_defaults(run=_check_chapter)

    again = commands.add_parser("replicate", help="run the output-code experiments, and record what is found")
    again.add_argument("table", help="table2, table3, modern or sensitivity")
    again.add_argument("--datasets", nargs="+", default=[], metavar="NAME", help="these only (tiny needs no data)")
    again.add_argument("--codes", nargs="+", default=[], metavar="CODE", help="these only")
    again.add_argument("--jobs", type=int, default=1, metavar="N", help="processes on this machine")
    again.add_argument("--scheduler", metavar="tcp://…", help="run on the Dask cluster of this scheduler")
    again.add_argument("--results", type=Path, metavar="FOLDER", help="records (default: results/replication)")
    again.set_defaults(run=_replicate)
    return parser


def _verify(options: argparse.Namespace) -> int:
    chosen = [find_claim(name) for name in options.names] or list(claims().values())
    book = read_book(checkout() / "book") if options.record else None
    changed_since = _changed_since_recorded(options)
    rows, failed, differing = [], 0, 0
    for claim in chosen:
        begun = time.perf_counter()
        trials = [verify(claim, seed) for seed in range(options.sweep + 1)]
        seconds = time.perf_counter() - begun
        bad = [trial for trial in trials if not trial.stands]
        changed = [] if bad else changed_since(trials[0])
        failed += bool(bad)
        differing += bool(changed)
        rows.append(_row(trials[0], bad, seconds) | {"changed": changed})
        if book is not None and not bad:
            write_records(checkout(), {claim.id: record(trials[0], book)})
        if not options.json:
            verdict = "FAILS " if bad else "stands"
            print(f"{verdict} {claim.id:10} {trials[0].tier.word:11} {seconds:6.2f} s  {claim.entry.title}")
            for seed, trial in enumerate(trials):
                for complaint in trial.complaints:
                    print(f"       seed {seed}: {complaint}")
            for line in changed:
                print(f"       not as recorded: {line}")
            sys.stdout.flush()
    if options.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        print(f"{len(chosen) - failed} of {len(chosen)} claims stand")
        if differing:
            print(f"{differing} not as {PLACE} has it: where this is as it should be, add --record")
    return 1 if failed or differing else 0


def _changed_since_recorded(options: argparse.Namespace) -> Callable[[Trial], list[str]]:
    """What of a trial, its statement, proof and code is not as the checkout has recorded it; nothing without a record.

    The trial tries what the code says: that the page still says the same is told by the record alone.
    """
    folder = _folder_of_the_book()
    if options.record or folder is None or not (folder.parent / PLACE).is_file():
        return lambda trial: []
    book, records = read_book(folder), read_records(folder.parent)
    return lambda trial: differences(records.get(trial.claim.id), record(trial, book))


def _row(trial: Trial, bad: list[Trial], seconds: float) -> dict[str, object]:
    return {
        "id": trial.claim.id,
        "label": trial.claim.label,
        "title": trial.claim.entry.title,
        "tier": trial.tier.word,
        "stands": not bad,
        "complaints": sorted({line for one in bad for line in one.complaints}),
        "seconds": round(seconds, 3),
    }


def _ledger(options: argparse.Namespace) -> int:
    folder = options.book or _folder_of_the_book()
    if folder is None:
        return _ledger_alone(options)
    states = coverage(read_book(folder))
    if options.json:
        rows = [_entry_row(state.entry, state.status) | {step: state.steps[step] for step in STEPS} for state in states]
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return 0
    if options.formulas:
        print("\n".join([*formula_lines(states), formula_summary(states)]))
        return 0
    for state in states:
        _print_entry(state.entry, state.status)
    print(summary(states))
    print(formula_summary(states))
    return 0


def _folder_of_the_book() -> Path | None:
    try:
        return checkout() / "book"
    except FileNotFoundError:
        return None


def _ledger_alone(options: argparse.Namespace) -> int:
    """What is known where the book's pages are not: the entries, and which of them have a claim."""
    with_claim = claims()
    status = {name: "has a claim" if name in with_claim else "no claim" for name in ledger()}
    if options.json:
        rows = [_entry_row(entry, status[entry.id]) for entry in ledger().values()]
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return 0
    for entry in ledger().values():
        _print_entry(entry, status[entry.id])
    print(f"{len(with_claim)} of {len(ledger())} ledger entries have a claim")
    print(
        "This is no checkout of the book (no _toc.yml here or above), so what its pages state and prove is not known."
    )
    return 0


def _print_entry(entry: Entry, status: str) -> None:
    print(f"{entry.chapter:26} {entry.id:14} {entry.tier.word:11} {status:10} {entry.title}")


def _entry_row(entry: Entry, status: str) -> dict[str, object]:
    fields = ("id", "label", "chapter", "title", "says", "kind", "tier_from", "source", "where", "errata")
    row: dict[str, object] = {name: getattr(entry, name) for name in fields}
    return row | {"tier": entry.tier.word, "status": status}


def _warm(options: argparse.Namespace) -> int:
    from mcbook.commands.warm import warm

    for name, seconds in warm():
        print(f"{name}: {seconds:.1f} s")
    return 0


def _new_chapter(options: argparse.Namespace) -> int:
    from mcbook.commands.chapters import new_chapter

    for path in new_chapter(options.name, Path.cwd()):
        print(f"made {path}")
    print(f"next: write the chapter, then `python -m mcbook check-chapter {options.name}`")
    return 0


def _check_chapter(options: argparse.Namespace) -> int:
    from mcbook.commands.chapters import chapter_problems, trial_problems
    from mcbook.commands.pages import page_problems

    root = Path.cwd()
    problems = chapter_problems(options.name, root) + page_problems(options.name, root)
    problems += trial_problems(options.name, root)
    for line in problems:
        print(line)
    print(f"{options.name}: {'nothing is missing' if not problems else f'{len(problems)} things to do'}")
    return 1 if problems else 0


def _replicate(options: argparse.Namespace) -> int:
    from mcbook.experiments.replicate import run

    return run(
        options.table,
        options.datasets,
        options.codes,
        jobs=options.jobs,
        scheduler=options.scheduler,
        folder=options.results,
    )
