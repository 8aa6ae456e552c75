#!/usr/bin/env python3
"""Every command of the documents as a call from Python: scripts/check_docs.py, with a `macrame` that
makes `macrame.command(*arguments, **options)` of its words.

    documents_test.py MACRAME FOLDER [DOCUMENT...]      FOLDER holds the package
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "compiler/test/executors"))
import environment  # noqa: E402

OPTION = re.compile(r"^  (?:-\w,)?(--[\w-]+)(?: (\S.*?))?(?:  |$)", re.M)


def split(words, text):
    """Arguments and options of a command line, whose help is this text."""
    head, _, parameters = text.partition("\nParameters:")
    kinds = {name: kind for name, kind in OPTION.findall(head)}
    kinds.update({name: "VALUE" for name, _ in OPTION.findall(parameters)})
    arguments, options, words = [], {}, list(words)
    while words:
        word = words.pop(0)
        name, given, value = word.partition("=")
        if not word.startswith("--"):
            arguments.append(word)
            continue
        if given:
            values = [value]
        elif not kinds.get(name, "VALUE"):
            values = [True]
        else:
            values = [words.pop(0)] if words else [True]
            while kinds.get(name, "").split(":")[0].endswith("...") and words \
                    and not words[0].startswith("--"):
                values.append(words.pop(0))
        options.setdefault(name[2:].replace("-", "_"), []).extend(values)
    return arguments, {name: values[0] if len(values) == 1 else values
                       for name, values in options.items()}


def self_test():
    text = ("Options:\n  -h,--help                   Print\n  --both                      both\n"
            "  --trace PATH ...            run\n  --out TEXT REQUIRED         to\n"
            "\nParameters:\n  --in-width     bits\n")
    found = split(["run", "--both", "net", "--trace", "a", "b", "--in-width", "8", "--out=c"], text)
    assert found == (["run", "net"], {"both": True, "trace": ["a", "b"], "in_width": "8",
                                      "out": "c"}), found


def call(words):
    """What stands for the program."""
    import macrame
    text = "" if not words or words[0].startswith("-") else macrame.command(words[0], help=True)
    try:
        arguments, options = split(words, text)
        print(macrame.command(*arguments, **options), end="")
    except macrame.Error as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def main():
    if os.environ.get("MACRAME_DOCUMENTS"):
        return call(sys.argv[1:])
    self_test()
    environment.enter("numpy")
    macrame, folder, documents = sys.argv[1], sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "macrame"
        program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -B '{__file__}' \"$@\"\n")
        program.chmod(0o755)
        paths = {"MACRAME": os.path.abspath(macrame), "PYTHONPATH": os.path.abspath(folder)}
        return subprocess.run(
            [sys.executable, "-B", ROOT / "scripts/check_docs.py", program, *documents],
            env={**os.environ, **paths, "MACRAME_DOCUMENTS": "1"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
