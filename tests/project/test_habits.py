"""What CONTRIBUTING.md promises about exceptions, hooks, and the commands that the texts name."""

import re
from pathlib import Path

import yaml

from tools import lint

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for pattern in ("*.py", "book/**/*.py", "mcbook/**/*.py*", "tests/**/*.py", "tools/**/*.py", "benchmarks/*.py")
    for path in ROOT.glob(pattern)
    if path.suffix in (".py", ".pyi")
)
LISTS_OF_EXCEPTIONS = ("ignore", "filterwarnings")


def exceptions_without_reason(source):
    """Lines that switch a check off for no named rule, or without a word after the rule that says why."""
    suppression = re.compile(r"#\s*(noqa|type:\s*ignore|pragma)\b(.*)")
    reasoned = re.compile(r"(: ?[A-Z]+\d+(, ?[A-Z]+\d+)*|\[[\w, -]+\]|:\s*no cover)\s*(-+|#)\s*\w+.*")
    found = [(line.strip(), suppression.search(line)) for line in source.splitlines()]
    return [line for line, match in found if match and not reasoned.fullmatch(match[2])]


def test_every_exception_in_the_code_has_its_reason_beside_it():
    sources = {path: path.read_text(encoding="utf-8") for path in SOURCES if path != Path(__file__)}
    assert [(path, line) for path, text in sources.items() for line in exceptions_without_reason(text)] == []
    assert len(exceptions_without_reason("import a  # noqa\nimport b  # noqa: F401\nc()  # type: ignore[x]")) == 3
    assert exceptions_without_reason("import b  # noqa: F401 - why\nc()  # type: ignore[x]  # why") == []


def unexplained_entries(text):
    """Entries of the lists of exceptions in pyproject.toml over which no comment stands, and overrides without one."""
    unexplained, previous, inside = [], "", False
    for line in map(str.strip, text.splitlines()):
        exempts = inside and line not in ("]", '"error",') and not line.startswith("#")
        exempts = exempts or re.match(r'"[\w/.*]+" = \["[A-Z]', line) or previous == "[[tool.mypy.overrides]]"
        if exempts and not (line.startswith("#") or previous.startswith("#")):
            unexplained.append(line)
        if line in [f"{name} = [" for name in LISTS_OF_EXCEPTIONS]:
            inside = True
        elif line == "]":
            inside = False
        # Entries in one group share the comment above the first of them.
        previous = previous if exempts and previous.startswith("#") and inside else line
    return unexplained


def test_every_exception_in_the_settings_has_its_reason_above_it():
    assert unexplained_entries((ROOT / "pyproject.toml").read_text(encoding="utf-8")) == []
    for bad, found in (
        ('ignore = [\n"A1",\n]', ['"A1",']),
        ('filterwarnings = [\n"error",\n"ignore::X",\n]', ['"ignore::X",']),
        ('filterwarnings = [\n"error",\n# why\n"ignore::X",\n"ignore::Y",\n]', []),
        ('"tests/*" = ["B1"]', ['"tests/*" = ["B1"]']),
        ("[[tool.mypy.overrides]]\nmodule = 1", ["module = 1"]),
    ):
        assert unexplained_entries(bad) == found


def test_hooks_are_the_static_checks():
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert repository["repo"] == "local", "hooks that are fetched need a network and versions outside the lock"
    entries = {hook["id"]: hook["entry"] for hook in repository["hooks"]}
    assert entries == {name: f".venv/bin/python tools/lint.py {name}" for name in lint.CHECKS}
    assert {hook["language"] for hook in repository["hooks"]} == {"system"}


def test_make_targets_that_are_named_exist_and_have_a_line_of_help():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    assert [line for line in re.findall(r"^[a-z-]+:.*$", makefile, flags=re.MULTILINE) if " ## " not in line] == []
    for name in ("README.md", "CONTRIBUTING.md", ".ci/run", ".github/workflows/tests.yml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        named = set(re.findall(r"(?:^|`|run: |& )make (?:[A-Z]+=\S+ )*([a-z-]+)\b", text, flags=re.MULTILINE))
        assert {"book", "test"} <= named <= targets, name


def test_readme_pictures_and_links_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", text)
    assert any(mark == "!" for mark, _, _ in targets)
    for mark, label, target in targets:
        assert label or mark != "!", f"the picture {target} has no alt text"
        assert target.startswith("https://") or (ROOT / target).exists(), target
