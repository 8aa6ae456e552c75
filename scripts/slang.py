#!/usr/bin/env python3
"""Reads Verilog with slang (PyPI: pyslang) and says nothing if it finds neither error nor warning.

    scripts/slang.py OPTIONS OF SLANG...        such as: -f filelist.f --top TOP

A shift by the whole width of an operand is meant where a parameter makes it so: no warning.
"""
import sys

from pyslang import driver

OPTIONS = ["-Wno-shift-count-overflow"]


def main():
    reader = driver.Driver()
    reader.addStandardArgs()
    line = " ".join(f'"{word}"' for word in ["slang", *OPTIONS, *sys.argv[1:]])
    if not (reader.parseCommandLine(line) and reader.processOptions() and reader.parseAllSources()):
        return 1
    compilation = reader.createCompilation()
    reader.reportCompilation(compilation, True)
    reader.runAnalysis(compilation)
    return 0 if reader.reportDiagnostics(True) else 1


sys.exit(main())
