"""The command line: ``mcbook verify | ledger | affected | warm | new-chapter | check-chapter | replicate``."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from mcbook.claims import Claim, claims, coverage, find_claim, verify
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.coverage import formula_lines, formula_summary, summary
from mcbook.claims.spine.record import PLACE, Comparison
from mcbook.foundation.pages import checkout


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        code = int(options.run(options))
        sys.stdout.flush()
    except BrokenPipeError:
        return _nobody_reads()
    except (KeyError, ValueError, OSError) as problem:
        print(f"mcbook: {problem.args[0] if isinstance(problem, KeyError) else problem}", file=sys.stderr)
        return 2
    return code


def _nobody_reads() -> int:
    """What `... | head` did not want is thrown away, also by the flush at the interpreter's end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mcbook", description="Put the claims of the book on trial.")
    commands = parser.add_subparsers(required=True, metavar="command")

    run = commands.add_parser("verify", help="put claims on trial, and compare with the record: all, or those named")
    run.add_argument("names", nargs="*", metavar="claim")
    run.add_argument("--sweep", type=int, default=0, metavar="N", help="run the checks with N further seeds as well")
    run.add_argument("--record", action="store_true", help=f"keep what was found in {PLACE}, of claims that stand")
    run.add_argument(
        "--reworded",
        nargs="+",
        default=[],
        metavar="LABEL",
        help="with --record: of these only words or symbols have changed, and they mean the same",
    )
    run.set_defaults(run=_verify)

    show = commands.add_parser("ledger", help="every claim of the book and how far it has come")
    show.add_argument("--book", type=Path, help="folder of the notebooks (default: that of the checkout)")
    show.add_argument("--formulas", action="store_true", help="list the statements without a tested formula, and why")
    show.set_defaults(run=_ledger)

    warm = commands.add_parser("warm", help="compile all kernels now, so that the first use is fast")
    warm.set_defaults(run=_warm)

    new = commands.add_parser("new-chapter", help="make the files of a new chapter from templates")
    new.add_argument("name", help="lower case, words joined by _")
    new.set_defaults(run=_new_chapter)

    touched = commands.add_parser("affected", help="say what a change of a statement touches")
    touched.add_argument("label")
    touched.set_defaults(run=_affected)

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
    if options.sweep < 0:
        raise ValueError(f"expected --sweep with 0 or more further seeds, got {options.sweep}: leave it out for none")
    if options.reworded and not options.record:
        raise ValueError("expected --reworded with --record: what is only worded better is to be recorded as well")
    kept = _record(options)
    texts = kept.texts if kept else {}
    for label in options.reworded:
        if label not in texts:
            find_claim(label)
    said = {label: text for label, text in texts.items() if label in (options.names or texts)}
    chosen = [find_claim(name) for name in options.names if name not in said] if options.names else claims().values()
    failed = 0
    for claim in chosen:
        begun = time.perf_counter()
        trials = [verify(claim, seed) for seed in range(options.sweep + 1)]
        seconds = time.perf_counter() - begun
        bad = [trial for trial in trials if not trial.stands]
        failed += bool(bad)
        print(f"{'FAILS ' if bad else 'stands'} {trials[0].tier.word:11} {seconds:6.2f} s  {claim.label}")
        for seed, trial in enumerate(trials):
            for complaint in trial.complaints:
                print(f"       seed {seed}: {complaint}")
        for line in kept.compared(claim.label, kept.of_trial(trials[0])) if kept and not bad else ():
            print(f"       {line}")
        sys.stdout.flush()
    for label, text in said.items():
        for line in kept.compared(label, text) if kept else ():
            print(f"       {label}: {line}")
    print(f"{len(chosen) - failed} of {len(chosen)} claims stand")
    differing = kept.close() if kept else 0
    return 1 if failed or differing else 0


def _record(options: argparse.Namespace) -> Comparison | None:
    """The record of the checkout, to be compared or written; None where there is nothing to compare.

    A trial runs only the code; only the record shows whether the page still says the same.
    """
    folder = checkout() / "book" if options.record else _folder_of_the_book()
    if folder is None or not (options.record or (folder.parent / PLACE).is_file()):
        return None
    return Comparison(folder.parent, read_book(folder), accepts=options.record, reworded=options.reworded)


def _ledger(options: argparse.Namespace) -> int:
    folder = options.book or _folder_of_the_book()
    if folder is None:
        for claim in claims().values():
            _print_claim(claim, "")
        print(
            f"{len(claims())} claims. This is no checkout of the book (no _toc.yml here or above), so what its pages "
            "state and prove is not known."
        )
        return 0
    states = coverage(read_book(folder))
    if options.formulas:
        print("\n".join([*formula_lines(states), formula_summary(states)]))
        return 0
    for state in states:
        _print_claim(state.claim, state.status)
    print(summary(states))
    print(formula_summary(states))
    return 0


def _folder_of_the_book() -> Path | None:
    try:
        return checkout() / "book"
    except FileNotFoundError:
        return None


def _print_claim(claim: Claim, status: str) -> None:
    print(f"{claim.chapter:26} {claim.tier.word:11} {status:10} {claim.label}")


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


def _affected(options: argparse.Namespace) -> int:
    from mcbook.commands.affected import affected

    print("\n".join(affected(options.label, checkout())))
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
