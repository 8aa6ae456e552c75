#!/usr/bin/env python3
"""Runs the commands of README.md and docs/: every line of a block of sh.

  scripts/check_docs.py MACRAME [DOCUMENT...]

Each document has a scratch folder that looks like a checkout, its blocks run in order, and
`macrame` is the given program. There are net.tflite, cat.png, names.txt and inputs.i8: the bundled
network of digits and inputs for it. A comment in the line before a block says what else it is:

  <!-- not run: REASON -->   a board, a long build: options of macrame and of scripts are looked up
                             in their help instead
  <!-- refused -->           its commands have to fail
  <!-- file: NAME -->        the block is this file

Those that results.py runs (<!-- measured by: COMMAND -->) are looked up, too. A command that takes
longer than a minute fails: it wants a reason. Ends with `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile

import results

ROOT = pathlib.Path(__file__).resolve().parents[1]
SECONDS = 60
EXAMPLE = ROOT / "compiler/examples/digits"
INPUTS = {"net.tflite": EXAMPLE / "digits.tflite", "cat.png": EXAMPLE / "pictures/7.png",
          "names.txt": EXAMPLE / "classes.txt"}
RAW_INPUTS = {"inputs.i8": bytes(2 * 28 * 28)}
# What chooses the family, and so the options.
CHOICE = ("--preset", "--family", "--config", "--board")
MARK = re.compile(r"<!-- (not run|refused|file)(?:: *(\S.*?))? *-->")
FENCE = re.compile(r"(`{3,})(\w*)$")
LIKE_A_COMMAND = re.compile(r"(macrame|scripts/\S+|make|cmake) ")


class Block:
    def __init__(self, line, language, mark):
        self.line = line  # the first one inside
        self.language = language
        self.kind, self.argument = mark
        self.lines = []

    def commands(self):
        """(line, command); a backslash at the end of a line goes on in the next one."""
        start, whole = self.line, ""
        for number, text in enumerate(self.lines, self.line):
            if not whole:
                start = number
            whole += text.rstrip("\\") if text.endswith("\\") else text
            if text.endswith("\\"):
                continue
            if whole.strip() and not whole.lstrip().startswith("#"):
                yield start, whole.strip()
            whole = ""


def blocks(text):
    """Fenced blocks, and (line, what is wrong with one)."""
    found, wrong, fence, mark, before = [], [], None, ("", ""), ""
    for number, line in enumerate(text.splitlines(), 1):
        if fence:
            if line.rstrip() == fence:
                fence = None
            else:
                found[-1].lines.append(line)
            continue
        opened = FENCE.match(line)
        if opened:
            fence = opened.group(1)
            found.append(Block(number + 1, opened.group(2), mark))
            if before.startswith("<!--") and not mark[0]:
                wrong.append((number - 1, f"{before}: want not run: REASON, refused or file: NAME"))
        elif mark[0]:
            wrong.append((number - 1, f"{before}: want it in the line before a block"))
        match = MARK.fullmatch(line.strip())
        mark, before = (match.groups() if match else ("", "")), line
    for block in found:
        if block.kind in ("not run", "file") and not block.argument:
            wrong.append((block.line - 2, f"{block.kind}: want a reason or a name behind it"))
        if block.language == "sh" or block.kind == "file":
            continue
        wrong += [(line, f"{command}: want ```sh") for line, command in block.commands()
                  if LIKE_A_COMMAND.match(command)]
    return found, wrong


def simple_commands(command):
    """Words of each simple command of a line."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words, found = [], []
    for word in [*lexer, ";"]:
        if not set(word) <= set("|&;()<>"):
            words.append(word)
        elif words:
            while words and re.match(r"\w+=", words[0]):
                words.pop(0)
            found.append(words)
            words = []
    return [words for words in found if words]


def options(words):
    return [word.split("=")[0] for word in words if word.startswith("--") and word != "--"]


class Document:
    def __init__(self, macrame, name, scratch):
        self.macrame, self.name, self.folder = macrame, name, scratch
        self.results = []  # (line, command, what is wrong or "")
        self.not_run = 0
        self.helps = {}
        (scratch / "build").mkdir()
        (scratch / "build/macrame").symlink_to(macrame)
        for path in ROOT.iterdir():
            if path.name not in ("build", ".git") and not (scratch / path.name).exists():
                (scratch / path.name).symlink_to(path)
        for target, source in INPUTS.items():
            (scratch / target).symlink_to(source)
        for target, data in RAW_INPUTS.items():
            (scratch / target).write_bytes(data)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(scratch / ".cache"),
                            "PATH": f"{scratch / 'build'}:{os.environ['PATH']}"}

    def shell(self, command):
        """Exit status, output."""
        process = subprocess.Popen(
            ["bash", "-c", "set -euo pipefail\n" + command], cwd=self.folder,
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        try:
            output, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started
            process.communicate()
            return None, f"takes longer than {SECONDS} s: want <!-- not run: REASON -->"
        return process.returncode, output

    def run(self, command, refused):
        """What is wrong, or nothing."""
        status, output = self.shell(command)
        if status is None:
            return output
        if refused:
            return "" if status else "exit status 0: want it refused"
        return f"exit status {status}\n{output[-2000:]}" if status else ""

    def help_of(self, words):
        """Text that names the options of a command, or nothing; None if there is no command."""
        program = words[0]
        if program in ("macrame", "build/macrame"):
            chosen = [word for i, word in enumerate(words[2:], 2)
                      if word.startswith(CHOICE) or words[i - 1] in CHOICE]
            return self.help_text([program, *words[1:2], *chosen, "--help"])
        if not program.startswith("scripts/"):
            return ""
        if not os.access(ROOT / program, os.X_OK):
            return None
        if program.endswith(".py"):
            return self.help_text([program, "--help"])
        # What a shell script does not know it hands on: to a script, or to macrame.
        text = (ROOT / program).read_text()
        for name in re.findall(r"[\w-]+/[\w-]+\.py", text):
            if (ROOT / "scripts" / name).exists():
                text += (ROOT / "scripts" / name).read_text()
        return text + self.help_text(["macrame", "fpga", "--help"])

    def help_text(self, words):
        key = tuple(words)
        if key not in self.helps:
            status, output = self.shell(shlex.join(words))
            self.helps[key] = output if status == 0 else None
        return self.helps[key]

    def look_up(self, command):
        """The same of a command that is not run."""
        for words in simple_commands(command):
            text = self.help_of(words)
            if text is None:
                return f"{words[0]}: no such command: {' '.join(words[:2])}"
            for option in options(words) if text else []:
                if not re.search(rf"(?<![\w-]){re.escape(option)}", text):
                    return f"{option}: no such option of {' '.join(words[:2])}"
        return ""

    def check(self):
        text = (ROOT / self.name).read_text()
        found, wrong = blocks(text)
        self.results += [(line, "", what) for line, what in wrong]
        for match in results.PART.finditer(text):
            self.not_run += 1
            self.results.append((text.count("\n", 0, match.start()) + 1, match.group(2),
                                 self.look_up(match.group(2))))
        for block in found:
            if block.kind == "file" and block.argument:
                (self.folder / block.argument).write_text("\n".join(block.lines) + "\n")
            if block.language != "sh":
                continue
            for line, command in block.commands():
                if block.kind == "not run":
                    self.not_run += 1
                    self.results.append((line, command, self.look_up(command)))
                else:
                    what = self.run(command, block.kind == "refused")
                    self.results.append((line, command, what))
        return self


def self_test():
    """Small samples; an assertion that fails is a mistake of this script."""
    found, wrong = blocks("<!-- not run: x y -->\n```sh\na \\\n  b\n# c\n\nd  # e\n```\n"
                          "```toml\nkey = 1\n```\n<!-- file: f -->\n```\nmake x\n```\n")
    assert not wrong, wrong
    assert [(b.kind, b.argument, b.language) for b in found] == [
        ("not run", "x y", "sh"), ("", "", "toml"), ("file", "f", "")], found
    assert list(found[0].commands()) == [(3, "a   b"), (7, "d  # e")], list(found[0].commands())
    for text, line in (("<!-- refused -->\n\n```sh\n```\n", 1),
                       ("<!-- not run -->\n```sh\n```\n", 1),
                       ("<!-- nor run: x -->\n```sh\n```\n", 1), ("```\nmacrame list\n```\n", 2)):
        assert [place for place, _ in blocks(text)[1]] == [line], (text, blocks(text)[1])
    assert simple_commands("A=$(b --c) d --e=1 && (f | g) # h") == [
        ["b", "--c"], ["d", "--e=1"], ["f"], ["g"]], simple_commands("A=$(b --c) d && (f | g) # h")
    assert options(["a", "--b=1", "--", "-c", "--d"]) == ["--b", "--d"]


def main():
    self_test()
    results.self_test()
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=pathlib.Path)
    parser.add_argument("documents", nargs="*", help="default: README.md and docs/")
    arguments = parser.parse_args()
    names = arguments.documents or ["README.md", *sorted(
        str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
    macrame = arguments.macrame.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        documents = []
        for number, name in enumerate(names):
            folder = pathlib.Path(scratch) / str(number)
            folder.mkdir()
            documents.append(Document(macrame, name, folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(Document.check, documents))
    passed = failed = 0
    for document in documents:
        for line, command, what in document.results:
            passed += not what
            failed += bool(what)
            if what:
                print(f"{document.name}:{line}: {command}\n    " + what.replace("\n", "\n    "))
    print(f"{sum(d.not_run for d in documents)} of these commands were looked up, not run")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
