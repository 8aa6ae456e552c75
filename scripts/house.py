#!/usr/bin/env python3
"""Counts in checkouts what tells how well the source is kept, side by side.

  scripts/house.py CHECKOUT...       folders, or commits of this repository

Counted are, in files that git has: lines with Verilog in texts of unit rows (the rule of
check_style.py), names in templates that they read once, lines of the rows of each family, the
largest header, files of more than 500 lines, and lines in stretches of six or more that are the
same as elsewhere. Output of the generator and data do not count.
"""
import argparse
import collections
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_style  # noqa: E402  (its rule is the one to count by)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CODE = (".cpp", ".hpp", ".c", ".h", ".v", ".vh", ".py", ".sh", ".cmake")
STRETCH = 6
BINDING = re.compile(r"//%\s*(?:for\s+(\w+)\s+in|let\s+(\w+)\s*=)")
EXPRESSIONS = [re.compile(pattern) for pattern in (
    r'(?<!\$)\$\{((?:"[^"]*"|[^}"])*)\}', r"//%\s*(?:if|elif)\s+(.*)$",
    r"//%\s*for\s+\w+\s+in\s+(.*)$", r"//%\s*let\s+\w+\s*=\s*(.*)$")]
NAME = re.compile(r'"[^"]*"|(?<![\w.])([A-Za-z_]\w*)(?:\.\w+)*(\s*\()?')


def files_of(folder):
    """{path: text} of the code in a checkout."""
    names = subprocess.run(["git", "-C", folder, "ls-files", "-z"], stdout=subprocess.PIPE,
                           check=True, text=True).stdout.split("\0")
    found = {}
    for name in names:
        path = os.path.join(folder, name)
        if name.endswith(CODE) and not name.startswith("rtl_out/") and os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                found[name] = file.read()
    return found


def names_read(texts):
    """Names of the scope in the expressions of the templates of a unit, as often as they are read.
    Not those that a loop or a `let` of the unit names."""
    bound, read = set(), []
    for line in "\n".join(texts).split("\n"):
        bound.update(name for names in BINDING.findall(line) for name in names)
        for pattern in EXPRESSIONS:
            for part in pattern.findall(line):
                read += [m[1] for m in NAME.finditer(part) if m[1] and not m[2]]
    return [name for name in read if name not in bound]


def repeated(files):
    """Lines in stretches that stand elsewhere, too."""
    places = collections.defaultdict(list)
    lines_of = {}
    for path, text in files.items():
        lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"))
                 if re.search(r"\w", line)]
        lines_of[path] = lines
        for at in range(len(lines) - STRETCH + 1):
            places[tuple(line for _, line in lines[at:at + STRETCH])].append((path, at))
    found = set()
    for some in places.values():
        if len(some) > 1:
            found.update((path, at + i) for path, at in some for i in range(STRETCH))
    return len(found)


def counts(folder):
    """[(what, figure)] of a checkout."""
    files = files_of(folder)
    if not files:
        sys.exit(f"house.py: {folder}: no code in it")
    rows = [path for path in files if check_style.UNIT_ROW.match(path)]
    verilog = sum(len({number for number, line in check_style.texts(files[path])
                       if check_style.VERILOG.search(line)}) for path in rows)
    table = [("lines with Verilog in texts of `generator/families/*/*.cpp`", verilog)]
    families = sorted({path.split("/")[2] for path in rows})
    for family in families:
        units = collections.defaultdict(list)
        for path, text in files.items():
            if path.startswith(f"templates/{family}/") and path.endswith((".v", ".vh")):
                units[os.path.dirname(path)].append(text)
        read = collections.Counter(name for texts in units.values() for name in names_read(texts))
        table.append((f"names that templates of `{family}` read",
                      f"{len(read)}, {sum(n == 1 for n in read.values())} of them once"))
        table.append((f"lines of `generator/families/{family}`",
                      sum(text.count("\n") for path, text in files.items()
                          if path.startswith(f"generator/families/{family}/"))))
    lines = {path: text.count("\n") for path, text in files.items()}
    header = max((path for path in files if path.endswith((".h", ".hpp"))), key=lines.get)
    table.append(("largest header", f"{lines[header]}, `{header}`"))
    long = [path for path in lines if lines[path] > check_style.MAX_FILE]
    table.append((f"files of more than {check_style.MAX_FILE} lines",
                  f"{len(long)} of {len(files)}"))
    table.append((f"lines in repeated stretches of {STRETCH} or more",
                  f"{repeated(files)} of {sum(lines.values())}"))
    return table


def checkout(name, scratch):
    """The folder itself, or one with the files of that commit."""
    if os.path.isdir(name):
        return name
    done = subprocess.run(["git", "-C", ROOT, "archive", name], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"house.py: {name}: want a folder or a commit")
    folder = os.path.join(scratch, name.replace("/", "_"))
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder)
    for command in (["init", "-q"], ["add", "-A", "-f"]):
        subprocess.run(["git", "-C", folder, *command], check=True)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", metavar="CHECKOUT",
                        help="a folder, or a commit of this repository")
    names = parser.parse_args().checkouts
    with tempfile.TemporaryDirectory() as scratch:
        columns = [dict(counts(checkout(name, scratch))) for name in names]
    print("| | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for what in dict.fromkeys(key for column in columns for key in column):
        print(f"| {what} | " + " | ".join(str(column.get(what, "")) for column in columns) + " |")


if __name__ == "__main__":
    main()
