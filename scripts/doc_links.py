#!/usr/bin/env python3
"""Links of documents that lead nowhere.

  scripts/doc_links.py [FOLDER]

Looks at every .md file of FOLDER, which is a checkout or installed documents: links and pictures
must be there, sections too (#section), and so must pages that are only named,
`templates/README.md`. In a checkout that holds for every path below one of its folders but build/.
In a path a word of capitals stands for something: F, FAMILY, DIR. Exit status 1 if something is
missing.
"""

import os
import re
import sys
import tempfile

# Written for other places: what is rendered into designs and projects, and what once was.
ELSEWHERE = re.compile(r"^(build[^/]*/|templates/[^/]+/project/|fpga/flows/)")
HISTORY = {"CHANGELOG.md"}

FENCE = re.compile(r"^(```+)[^\n]*\n.*?^\1[ ]*$", re.M | re.S)
CODE = re.compile(r"`([^`\n]*)`")
LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?[^)]*\)|\b(?:src|href)=\"([^\"]+)\"")
OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.I)
PATH = re.compile(r"^[\w.-]+(?:/[\w.-]+)+/?$")
STANDS_FOR = re.compile(r"(^|/)(?!README)[A-Z_]+(/|\.|$)|(^|/)build(/|$)")


def blank(match):
    """As many lines, so that those behind keep their numbers."""
    return "\n" * match.group().count("\n")


def sections(text):
    """Names by which links reach the sections of a page, as GitHub makes them."""
    names = set()
    for title in re.findall(r"^#{1,6} +(.*?)[ #]*$", FENCE.sub(blank, text), re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        name = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        numbered, number = name, 0
        while numbered in names:
            number += 1
            numbered = f"{name}-{number}"
        names.add(numbered)
    return names


def pages(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), root)
            if name.endswith(".md") and not ELSEWHERE.match(path):
                yield path


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def broken_link(root, page, target):
    """What is wrong with a link of this page, or nothing."""
    if OUTSIDE.match(target):
        return ""
    path, _, section = target.partition("#")
    place = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if place.startswith("..") or not os.path.exists(os.path.join(root, place)):
        return f"{target}: not there"
    if section and place.endswith(".md") and section not in sections(read(root, place)):
        return f"{target}: {place} has no section #{section}"
    return ""


def missing_path(root, page, path, checkout):
    """What is wrong with a path that the text names, or nothing."""
    named = path.endswith("README.md") or checkout and os.path.isdir(
        os.path.join(root, path.split("/")[0]))
    if not named or not PATH.match(path) or STANDS_FOR.search(path):
        return ""
    here = os.path.join(root, os.path.dirname(page))
    if any(os.path.exists(os.path.join(start, path)) for start in (root, here)):
        return ""
    return f"`{path}`: not there"


def mistakes(root):
    """A line for each."""
    checkout = os.path.exists(os.path.join(root, "CMakeLists.txt"))
    found = []
    for page in pages(root):
        text = FENCE.sub(blank, read(root, page))
        prose = CODE.sub("", text)
        wrong = [(prose.count("\n", 0, match.start()) + 1,
                  broken_link(root, page, match.group(1) or match.group(2)))
                 for match in LINK.finditer(prose)]
        if page not in HISTORY:
            wrong += [(text.count("\n", 0, match.start()) + 1,
                       missing_path(root, page, match.group(1), checkout))
                      for match in CODE.finditer(text)]
        found += [f"{page}:{line}: {what}" for line, what in sorted(wrong) if what]
    return found


def self_test():
    """Small samples; an assertion that fails is a mistake of this script."""
    files = {
        "CMakeLists.txt": "", "a/code.py": "", "p.svg": "",
        "README.md": "# Top\n\n![x](p.svg) [a](a/b.md#two-words) <img src=\"p.svg\"> [b](#top)\n"
                     "```sh\n# [no](link)\n```\n`a/code.py` `a/F/x.py` `a/README.md` `build/x`\n",
        "a/b.md": "## Two words\n[text\nof two lines](../README.md) `[no](link)` [w](http://x/y)\n",
        "a/README.md": "`code.py` `b/nothing.py`\n",
        "bad.md": "[1](nope.md) [2](a/b.md#three) `a/nope.py`\n\n[4](../x) `x/README.md`\n",
    }
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(os.path.join(root, "a"))
        for name, text in files.items():
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(text)
        found = [line.split(": ", 1)[1] for line in mistakes(root)]
    assert found == ["`a/nope.py`: not there", "a/b.md#three: a/b.md has no section #three",
                     "nope.md: not there", "../x: not there", "`x/README.md`: not there"], found
    assert sections("# A `b` [c](d), e!\n# A `b` [c](d), e!\n") == {"a-b-c-e", "a-b-c-e-1"}


if __name__ == "__main__":
    self_test()
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    wrong = mistakes(sys.argv[1] if len(sys.argv) > 1 else here)
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)
