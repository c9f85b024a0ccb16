"""The command line: ``mcbook verify | ledger | warm | new-chapter | check-chapter``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from mcbook.claims import Trial, claims, coverage, find_claim, verify
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.coverage import STEPS, Covered, formula_lines, formula_summary, summary


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

    run = commands.add_parser("verify", help="put claims on trial: all, or those named by ledger id or label")
    run.add_argument("names", nargs="*", metavar="claim")
    run.add_argument("--sweep", type=int, default=0, metavar="N", help="run the checks with N further seeds as well")
    run.add_argument("--json", action="store_true", help="print the outcome as JSON")
    run.set_defaults(run=_verify)

    show = commands.add_parser("ledger", help="every result of the sources and how far it has come")
    show.add_argument("--book", type=Path, default=Path("book"), help="folder of the notebooks (default: book)")
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
    return parser


def _verify(options: argparse.Namespace) -> int:
    chosen = [find_claim(name) for name in options.names] or list(claims().values())
    rows, failed = [], 0
    for claim in chosen:
        begun = time.perf_counter()
        trials = [verify(claim, seed) for seed in range(options.sweep + 1)]
        seconds = time.perf_counter() - begun
        bad = [trial for trial in trials if not trial.stands]
        failed += bool(bad)
        rows.append(_row(trials[0], bad, seconds))
        if not options.json:
            verdict = "FAILS " if bad else "stands"
            print(f"{verdict} {claim.id:10} {trials[0].tier.word:11} {seconds:6.2f} s  {claim.entry.title}")
            for seed, trial in enumerate(trials):
                for complaint in trial.complaints:
                    print(f"       seed {seed}: {complaint}")
            sys.stdout.flush()
    if options.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        print(f"{len(chosen) - failed} of {len(chosen)} claims stand")
    return 1 if failed else 0


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
    states = coverage(read_book(options.book))
    if options.json:
        print(json.dumps([_entry_row(state) for state in states], indent=1, ensure_ascii=False))
        return 0
    if options.formulas:
        print("\n".join([*formula_lines(states), formula_summary(states)]))
        return 0
    for state in states:
        entry = state.entry
        print(f"{entry.chapter:26} {entry.id:14} {entry.tier.word:11} {state.status:10} {entry.title}")
    print(summary(states))
    print(formula_summary(states))
    return 0


def _entry_row(state: Covered) -> dict[str, object]:
    entry = state.entry
    fields = ("id", "label", "chapter", "title", "says", "kind", "tier_from", "source", "where", "errata")
    row: dict[str, object] = {name: getattr(entry, name) for name in fields}
    return row | {"tier": entry.tier.word, "status": state.status} | {step: state.steps[step] for step in STEPS}


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

    problems = chapter_problems(options.name, Path.cwd()) + trial_problems(options.name)
    for line in problems:
        print(line)
    print(f"{options.name}: {'nothing is missing' if not problems else f'{len(problems)} things to do'}")
    return 1 if problems else 0
