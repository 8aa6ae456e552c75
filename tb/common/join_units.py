#!/usr/bin/env python3
"""Joins emitted units to one module for a test: ports of the same name are connected, outputs stay
visible, inputs that no unit drives become inputs.

usage: join_units.py RTL_FOLDER FAMILY MODULE UNIT...     the module goes to standard output
"""
import re
import sys

PORT = re.compile(r"\s*(input|output)\s+(?:wire|reg)\s*(\[[^\]]+\])?\s*(\w+)\s*,?\s*(?://.*)?$")


def ports(path):
    """(name, direction, range) of the module in a file, in order."""
    with open(path, encoding="ascii") as file:
        header = file.read().split("\n);", 1)[0]
    found = [PORT.match(line) for line in header.split("\n")]
    return [(m[3], m[1], m[2] or "") for m in found if m]


def main():
    folder, family, module, units = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    of_unit = {unit: ports(f"{folder}/{family}_{unit}.v") for unit in units}
    joined, driven = {}, {}
    for unit, rows in of_unit.items():
        for name, direction, bits in rows:
            before = joined.setdefault(name, (direction, bits))
            if before[1] != bits:
                sys.exit(f"{name}: {bits} in {unit}, elsewhere {before[1]}")
            if direction == "output":
                if name in driven:
                    sys.exit(f"{name}: driven by {unit} and {driven[name]}")
                driven[name] = unit
                joined[name] = (direction, bits)
    print("`default_nettype none\n")
    print(f"module {module} (")
    print(",\n".join(f"    {d} wire {b} {n}" for n, (d, b) in joined.items()))
    print(");")
    for unit, rows in of_unit.items():
        links = ", ".join(f".{name}({name})" for name, _, _ in rows)
        print(f"    {family}_{unit} u_{unit} ({links});")
    print("endmodule\n\n`default_nettype wire")


if __name__ == "__main__":
    main()
