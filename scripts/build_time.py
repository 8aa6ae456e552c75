#!/usr/bin/env python3
"""Where the processor's time of a build from nothing goes: compiles what a target needs, one file
after the other, without ccache. Nothing in the build folder changes.

  scripts/build_time.py [--build FOLDER] [--every N] [TARGET]    target: macrame

--every N: of each library only each Nth file is compiled, its mean stands for the others.
Seconds of the processor are printed: other work on the machine adds less to them than to minutes,
but it adds. Compare libraries of one run.
"""
import argparse
import collections
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile

SOURCE = re.compile(r"CMakeFiles/([^/]+)\.dir/(\S+)\.o$")


def compilations(build, target):
    """{library: [(source, words of the command)]}"""
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    found = collections.defaultdict(list)
    for line in lines:
        words = shlex.split(line)
        if "-c" not in words or "-o" not in words:
            continue
        match = SOURCE.search(words[words.index("-o") + 1])
        if match:
            found[match[1]].append((match[2], words))
    return found


def seconds(build, words, scratch):
    """Of the processor, for one compilation; its output goes to `scratch`."""
    words = list(words)
    for option, name in (("-o", "out.o"), ("-MF", "out.d")):
        if option in words:
            words[words.index(option) + 1] = os.path.join(scratch, name)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=build, env={**os.environ, "CCACHE_DISABLE": "1"}, check=False)
    if done.returncode:
        sys.exit(f"build_time.py: {shlex.join(words)}: exit status {done.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", default="macrame")
    parser.add_argument("--build", default="build")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    if options.every < 1:
        parser.error(f"--every {options.every}: want 1 or more")
    rows, files = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for library, sources in compilations(options.build, options.target).items():
            some = sources[(options.every - 1) // 2::options.every] or sources[:1]
            times = [(seconds(options.build, words, scratch), source) for source, words in some]
            files += times
            rows.append((sum(time for time, _ in times) * len(sources) / len(some), library,
                         len(sources), len(some)))
    if not rows:
        sys.exit(f"build_time.py: {options.target}: nothing is compiled for it")
    print("| library | files | measured | seconds of the processor |")
    print("|---|---|---|---|")
    for time, library, number, measured in sorted(rows, reverse=True):
        print(f"| {library} | {number} | {measured} | {time:.0f} |")
    print(f"| all | {sum(row[2] for row in rows)} | {sum(row[3] for row in rows)} | "
          f"{sum(row[0] for row in rows):.0f} |")
    print("\n| heaviest of those measured | seconds |\n|---|---|")
    for time, source in sorted(files, reverse=True)[:10]:
        print(f"| {source} | {time:.1f} |")


if __name__ == "__main__":
    main()
