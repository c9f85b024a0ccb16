"""Making the files of a new chapter, and saying what a chapter still lacks."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mcbook.claims import claims, coverage, discrepancies, verify
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.coverage import reasons
from mcbook.claims.spine.record import RENEW, differences, read_records, record, texts

MODULE_LINES = 400

_PACKAGE = '''"""{title}: the layers are kernels, theory, algorithm, instances, estimator, figures, those it needs.

What the data are, what is learnt, what is proved, and where to begin: the first lines of the chapter's reference.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
'''

# The chapter's public names, one line each: from .theory import bound as bound
_STUB = ""

_THEORY = '''"""The formulas of the chapter on {words}, as pure functions of their symbols."""

from __future__ import annotations
'''

_CLAIMS = '''"""The claims of the chapter on {words}.

One claim for each statement of the page; CONTRIBUTING.md shows how, and mcbook/claims/perceptron/ is the example.
"""

from __future__ import annotations
'''

_TESTS = '''"""{title}: formulas, runs, estimators."""

import mcbook.{name}


def test_the_module_says_what_it_is_about():
    assert mcbook.{name}.__doc__
'''


def new_chapter(name: str, root: Path) -> list[Path]:
    """Write the files of a chapter and its line in the table of contents; nothing that exists is touched."""
    _checked(name, root)
    words = name.replace("_", " ")
    texts = {
        root / "mcbook" / name / "__init__.py": _PACKAGE.format(title=words.capitalize()),
        root / "mcbook" / name / "__init__.pyi": _STUB,
        root / "mcbook" / name / "theory.py": _THEORY.format(words=words),
        root / "mcbook" / "claims" / name / "__init__.py": f'"""The claims of the chapter on {words}."""\n',
        root / "mcbook" / "claims" / name / "results.py": _CLAIMS.format(words=words),
        root / "tests" / f"test_{name}.py": _TESTS.format(title=words.capitalize(), name=name),
        root / "book" / f"{name}.ipynb": json.dumps(_notebook(name), indent=1, ensure_ascii=False) + "\n",
    }
    present = [path for path in texts if path.exists()]
    if present:
        raise ValueError(f"{name} has these files already: {', '.join(map(str, present))}; nothing was written")
    contents = root / "_toc.yml"
    listed = contents.read_text(encoding="utf-8")
    contents.write_text(_with_chapter(listed, name), encoding="utf-8")
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [*texts, contents]


def _checked(name: str, root: Path) -> None:
    if not re.fullmatch(r"[a-z]\w*", name):
        raise ValueError(f"expected a name in lower case, words joined by _, got {name!r}")
    if not (root / "_toc.yml").is_file():
        raise ValueError(f"expected to stand in the checkout, where _toc.yml is; this is {root}")


def _with_chapter(contents: str, name: str) -> str:
    """The table of contents with the chapter after the last of the chapters."""
    lines = contents.splitlines()
    last = max(
        (i for i, line in enumerate(lines) if re.match(r"\s*- file: book/\w+$", line) and not _is_appendix(lines, i)),
        default=None,
    )
    if last is None:
        raise ValueError("expected a chapter in _toc.yml after which the new one can stand, found none")
    indent = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
    lines.insert(last + 1, f"{indent}- file: book/{name}")
    return "\n".join(lines) + "\n"


def _is_appendix(lines: list[str], index: int) -> bool:
    return any("caption: Appendices" in line for line in lines[:index])


def _notebook(name: str) -> dict[str, object]:
    """The page in its layers: the story open, what is long between the marks of a detail, code behind its output."""
    title = name.replace("_", " ").capitalize()
    cells = [
        _markdown("title", f"# {title}\n\nThe question, a picture in the first screen, a small worked case."),
        _code("verdicts-from", "from mcbook.claims import verify", "remove-input"),
        _code(
            "first-picture", "# The first picture; on the page the code is folded and the picture open.", "hide-input"
        ),
    ]
    label = f"thm-{name.replace('_', '-')}"
    block = f"::::{{prf:theorem}} {title}\n:label: {label}\n\nThe statement.\n::::"
    cells.append(_markdown(label, f"{block}\n\nThe idea of the proof.\n\n::::{{prf:proof}}\n...\n::::"))
    cells.append(_code(f"verify-{label}", f'verify("{label}")'))
    cells += [
        _markdown("details", "```{detail-start} Long code, technical lemmas, notes on sources\n```"),
        _markdown("end-of-details", "```{detail-end}\n```"),
        _markdown("exercises", "## Exercises"),
        _markdown("summary", "## Summary"),
    ]
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _markdown(slug: str, text: str) -> dict[str, object]:
    return {"cell_type": "markdown", "id": slug, "metadata": {}, "source": text}


def _code(slug: str, text: str, *tags: str) -> dict[str, object]:
    metadata = {"tags": list(tags)} if tags else {}
    base = {"cell_type": "code", "id": slug, "metadata": metadata, "source": text}
    return base | {"execution_count": None, "outputs": []}


def chapter_problems(name: str, root: Path) -> list[str]:
    """What a chapter still lacks but for the trials of its claims, one sentence each."""
    _checked(name, root)
    found = _missing_files(name, root)
    if found:
        return found
    found += [
        f"{path.relative_to(root)} has {n} lines: make it a package under the same import path"
        for path, n in _long_modules(name, root)
    ]
    book = read_book(root / "book")
    for state in coverage(book):
        if state.claim.chapter == name and not state.done:
            what = f"{state.claim.label} lacks {', '.join(state.lacking)}"
            found.append("; ".join((what, *reasons(state, book))))
    return found + discrepancies(book, name)


def trial_problems(name: str, root: Path) -> list[str]:
    """What the trials of the chapter's claims complain of, and where they found something else than is recorded."""
    if _missing_files(name, root):
        return []
    book, records = read_book(root / "book"), read_records(root)
    found = []
    for claim in claims().values():
        if claim.chapter == name:
            trial = verify(claim)
            found += [f"{claim.label}: {complaint}" for complaint in trial.complaints]
            if trial.stands and differences(records.get(claim.label), record(trial, book)):
                found.append(f"{claim.label}: the record is not up to date: {RENEW.format(claim.label)}")
    chapter_of = book.chapter_of | {label: text.chapter for label, text in book.others.items()}
    changed = [label for label, text in texts(book).items() if chapter_of[label] == name and records.get(label) != text]
    return found + [f"{label}: the record is not up to date: {RENEW.format(label)}" for label in changed]


def _missing_files(name: str, root: Path) -> list[str]:
    package, claim_package = root / "mcbook" / name, root / "mcbook" / "claims" / name
    found = [
        f"there is no package {module.relative_to(root)}"
        for module in (package, claim_package)
        if not (module / "__init__.py").is_file()
    ]
    tests = root / "tests" / name  # a folder where one file would be too long
    others = (root / "book" / f"{name}.ipynb", tests if tests.is_dir() else tests.with_name(f"test_{name}.py"))
    found += [f"there is no {path.relative_to(root)}" for path in others if not path.exists()]
    if f"book/{name}\n" not in (root / "_toc.yml").read_text(encoding="utf-8") + "\n":
        found.append(f"_toc.yml does not list book/{name}")
    return found


def _long_modules(name: str, root: Path) -> list[tuple[Path, int]]:
    package = root / "mcbook"
    patterns = (f"{name}/**/*.py", f"claims/{name}/**/*.py")
    lengths = [
        (path, len(path.read_text(encoding="utf-8").splitlines()))
        for pattern in patterns
        for path in sorted(package.glob(pattern))
    ]
    return [(path, n) for path, n in lengths if n > MODULE_LINES]
