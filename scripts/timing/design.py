"""A folder that `macrame generate` wrote, its modules, and a cache of what is measured on them."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile


def fail(message):
    sys.exit(f"timing.sh: {message}")


def run(command, log, **given):
    """Runs a program with its output in a file; its last lines are the message if it fails."""
    with open(log, "w") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, **given)
    if done.returncode:
        with open(log, errors="replace") as file:
            tail = "".join(file.readlines()[-5:])
        fail(f"{os.path.basename(command[0])} failed, log in {log}\n{tail}")


def overridden(macrame, manifest):
    """Parameters with other values than in the preset that the configuration is named after; none
    for a configuration that is named after no preset."""
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([macrame, "generate", "--family", manifest["family"], "--preset",
                               manifest["configuration"], "--out", folder], capture_output=True)
        if made.returncode:
            return {}
        with open(os.path.join(folder, "manifest.json")) as file:
            preset = json.load(file)["parameters"]
    return {key: value for key, value in manifest["parameters"].items()
            if value != preset.get(key)}


REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Design:
    """technology: with the cells that projects for such FPGAs have instead of the general ones."""

    def __init__(self, folder, technology=None):
        self.folder = folder
        try:
            with open(os.path.join(folder, "manifest.json")) as file:
                manifest = json.load(file)
        except OSError as error:
            fail(f"{error}: want a folder that `macrame generate` wrote")
        self.manifest = manifest
        self.name, self.family = manifest["configuration"], manifest["family"]
        self.core = manifest["top"]
        self.prefix = manifest.get("prefix", "")        # of all modules but the top
        self.start = f"{self.prefix}{self.family}_"     # of units
        self.cells = technology and os.path.join(REPOSITORY, "templates", self.family, "fpga",
                                                 technology)
        self.text = {}  # module -> Verilog without comments
        for name in sorted(os.listdir(os.path.join(folder, "rtl"))):
            if name.endswith(".v"):
                with open(self.file(name[:-2])) as file:
                    self.text[name[:-2]] = re.sub(r"//.*", "", file.read())

    def file(self, module):
        path = os.path.join(self.cells or "", module + ".v")
        if self.cells and os.path.exists(path):
            return path
        return os.path.join(self.folder, "rtl", module + ".v")

    def instances(self, module):
        """Modules that a module instantiates, in this order."""
        words = re.findall(r"^ *([A-Za-z_]\w*) *(?:#\(|u_\w+ *\()", self.text[module], re.M)
        return [w for w in dict.fromkeys(words) if w in self.text]

    def units(self):
        """Units of the top without what their names start with."""
        return [m.removeprefix(self.start) for m in self.instances(self.core)
                if m.startswith(self.start)]

    def module(self, unit):
        """Module of a unit; a module may be given, too."""
        if unit == "core":
            return self.core
        for module in (self.start + unit, unit):
            if module in self.text:
                return module
        fail(f"--unit {unit}: want core, all, a module or one of {' '.join(self.units())}")

    def files(self, module, without=()):
        """Files of a module and of all below it but for some modules and what only they have."""
        found, waiting = [], [module]
        while waiting:
            name = waiting.pop(0)
            if name not in found and name not in without:
                found.append(name)
                waiting += self.instances(name)
        return [self.file(name) for name in found]

    def stamp(self, module):
        """Tells whether a module is what it was."""
        stamp = hashlib.sha256()
        add_files(stamp, self.files(module))
        return stamp.hexdigest()

    def constraints(self, module):
        path = os.path.join(self.folder, "constraints", "timing.sdc")
        if module != self.core or not os.path.exists(path):
            return ""
        with open(path) as file:
            return re.sub(r"#.*", "", file.read())


def tool_version(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def add_files(stamp, paths):
    """Adds the contents of files to a hash, all but the line that names the version of macrame."""
    for path in paths:
        with open(path, "rb") as file:
            stamp.update(b"".join(line for line in file if not line.startswith(b"// Made by")))


def cached(kind, parts, make, files=()):
    """make() or what it gave for the same `parts` and files before; what it gives is JSON."""
    folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"),
                          "macrame", "timing")
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode())
    here = os.path.dirname(os.path.abspath(__file__))
    add_files(key, list(files) + [os.path.join(here, n) for n in sorted(os.listdir(here))
                                  if n.endswith(".py") and n != "main.py"])
    path = os.path.join(folder, f"{kind}-{key.hexdigest()[:24]}.json")
    if not os.path.exists(path):
        print(f"measuring {kind}", file=sys.stderr)
        os.makedirs(folder, exist_ok=True)
        made = make()
        with open(f"{path}.{os.getpid()}", "w") as file:
            json.dump(made, file)
        os.replace(f"{path}.{os.getpid()}", path)
    with open(path) as file:
        return json.load(file)
