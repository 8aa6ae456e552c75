#!/usr/bin/env python3
"""Reads a SystemRDL file with the reference compiler and compares it with the registers in JSON.

    scripts/check_systemrdl.py registers.rdl registers.json

Run by check_packages.py with a Python that has the compiler (PyPI systemrdl-compiler)."""
import json
import sys

from systemrdl import RDLCompiler, RDLCompileError
from systemrdl.node import FieldNode


def fields_of_rdl(path):
    """(address, name of the register, name, msb, lsb, reset) of every field."""
    compiler = RDLCompiler()
    compiler.compile_file(path)
    top = compiler.elaborate().top
    for node in top.descendants():
        if isinstance(node, FieldNode):
            reg = node.parent
            yield (reg.absolute_address, reg.inst_name, node.inst_name, node.high, node.low,
                   node.get_property("reset"))


def fields_of_json(path):
    with open(path) as file:
        for unit in json.load(file)["units"]:
            for reg in unit["registers"]:
                for field in reg["fields"]:
                    yield (unit["base"] + reg["offset"], reg["name"], field["name"],
                           field["msb"], field["lsb"], field["reset"])


def main():
    try:
        rdl = sorted(fields_of_rdl(sys.argv[1]))
    except RDLCompileError:
        return 1
    wanted = sorted(fields_of_json(sys.argv[2]))
    if rdl != wanted:
        odd = sorted(set(rdl) ^ set(wanted))
        print("systemrdl: %d fields differ, first %s" % (len(odd), odd[0]))
        return 1
    print("systemrdl: %d fields agree" % len(rdl))
    return 0 if rdl else 1


sys.exit(main())
