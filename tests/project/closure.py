"""What a list of requirements needs in the end, as the installed packages tell it."""

from collections.abc import Iterable
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def closure(requirements: Iterable[Requirement]) -> set[str]:
    """Names of the packages that the requirements reach on this Python and system, themselves included."""
    reached: set[tuple[str, str]] = set()
    waiting = [(requirement, "") for requirement in requirements]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        for needed_extra in {"", *requirement.extras}:
            if (name, needed_extra) not in reached:
                reached.add((name, needed_extra))
                waiting += [(Requirement(text), needed_extra) for text in metadata.requires(name) or []]
    return {name for name, _ in reached}
