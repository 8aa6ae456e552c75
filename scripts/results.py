#!/usr/bin/env python3
"""Measures again what pages of docs/results/ show, and writes it there.

  scripts/results.py PAGE            what is measured on this page, and when it was
  scripts/results.py PAGE WORD...    measures what has one of these words in its command
  scripts/results.py PAGE --all      all of it

On a page a comment names the command, from the root of a checkout. Up to the next comment stands
what came out of it: its Markdown tables, or all of its text if there are none; above that the date
and the commit that was measured, and the machine.

  <!-- measured by: scripts/area.sh --macrame build/macrame -->
  ...
  <!-- end -->
"""
import argparse
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PART = re.compile(r"(<!-- measured by: (.*?) -->\n)(.*?)(<!-- end -->)", re.S)


def output_of(command):
    done = subprocess.run(shlex.split(command), cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{command}: exit status {done.returncode}")
    return done.stdout


def tables(output):
    """Its Markdown tables, or all of it as it stands."""
    rows = re.findall(r"(?:^\|.*\|\n)+", output, re.M)
    return "\n".join(rows) if rows else "```\n" + output.strip("\n") + "\n```\n"


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                          check=True).stdout.strip()


def machine():
    """Processor and number of cores."""
    name = platform.machine()
    try:
        found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
        name = found.group(1) if found else name
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores"


def stamp():
    changed = " with changes" if git("status", "--porcelain", "--untracked-files=no") else ""
    return f"{git('log', '-1', '--format=%cs, commit %h')}{changed}, on {machine()}."


def measured(text, chosen, measure, when):
    """The page with what is chosen measured again."""
    def part(match):
        head, command, old, end = match.groups()
        if not chosen(command):
            return match.group()
        return f"{head}{when}\n\n{tables(measure(command))}{end}"
    return PART.sub(part, text)


def self_test():
    """A small page; an assertion that fails is a mistake of this script."""
    page = ("# a\n<!-- measured by: x --y -->\nold\n\n| 1 |\n<!-- end -->\nb\n"
            "<!-- measured by: z -->\nold\n<!-- end -->\n")
    outputs = {"x --y": "noise\n| h |\n|---|\n| 2 |\n\n| k |\n", "z": "a 1\nb 2\n"}
    assert measured(page, lambda c: False, None, "") == page
    assert measured(page, lambda c: "y" in c, outputs.get, "now") == page.replace(
        "old\n\n| 1 |\n", "now\n\n| h |\n|---|\n| 2 |\n\n| k |\n")
    assert "<!-- measured by: z -->\nnow\n\n```\na 1\nb 2\n```\n<!-- end -->" in measured(
        page, lambda c: c == "z", outputs.get, "now")


def main():
    self_test()
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    text = arguments.page.read_text()
    if not PART.search(text):
        sys.exit(f"{arguments.page}: nothing on it says what it is measured by")
    if not arguments.words and not arguments.all:
        for _, command, old, _ in PART.findall(text):
            print(f"{command}\n    {old.strip().splitlines()[0]}")
        return
    def chosen(command):
        return arguments.all or any(word in command for word in arguments.words)
    if not any(chosen(command) for _, command, _, _ in PART.findall(text)):
        sys.exit(f"{arguments.page}: no command there has {' or '.join(arguments.words)}")
    when = stamp()  # before the page itself changes
    arguments.page.write_text(measured(text, chosen, output_of, when))


if __name__ == "__main__":
    main()
