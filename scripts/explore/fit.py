#!/usr/bin/env python3
"""Makes of a table of measured units what macrame explore has: the rows, and a fit for other units.

  scripts/explore/fit.py --macrame build/macrame --target xc7 --table TABLE.jsonl [--family dla]
  scripts/explore/fit.py ... --held-out 8     LUTs of whole designs from fits without their units

Writes generator/families/FAMILY/cost/TARGET.jsonl and TARGET.fit.json, and prints the errors of the
fit on units that were held out. TABLE is what fill.py has made. The fit is data: sums of products
of parameters, their logarithms and block RAMs of memories (Formula in generator/explore/cost.hpp).
fill.py adds to a copy of the table that is there. Terms are taken one after the other, as long as
the error on held-out units falls. DSP and block RAM are linear in products of sizes; LUT,
flip-flops and ns the same, or they or their logarithms are linear in logarithms of sizes, whatever
is nearest.
Needs numpy.
"""
import argparse
import hashlib
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "timing"), str(SCRIPTS / "explore")]


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("--family", default="dla")
    parser.add_argument("--target", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--held-out", type=int, default=0, metavar="N",
                        help="write nothing: so many configurations beside fits without them")
    return parser.parse_args()


ARGUMENTS = options()  # in front of what may be missing: help is everywhere

import numpy  # noqa: E402
from design import Design  # noqa: E402
from fill import configurations, unit_key  # noqa: E402

COLUMNS = ("lut", "ff", "dsp", "ram", "ns")
FOLDS, MOST_TERMS, LEAST_GAIN = 6, 14, 0.01
# What units follow beside parameters, in families that have these; of which unit, "": of any.
FACTORS = {"rams cbuf_bank_width cbuf_bank_depth": "cbuf",
           # Depths of the queues of operands of SDP, which are block RAM if they are not too short.
           **{f"min sdp_bs_throughput mac_atomic_k_size {ratio}": "" for ratio in (8, 4, 2, 1)},
           "min cols axi_data_width 8": "store",  # elements in a cycle
           "rams array_size local_depth": "local", "rams array_size accumulator_depth": "acc"}
FEW = 10  # units, of which less is believed
UNKNOWN = 0.2  # error of a unit that was measured once or twice
# Half block RAMs of 36 kbit: bits and words, down to a bit.
HALF_RAM = (36, 512)


def rams(size, depth):
    bits, words = HALF_RAM
    least = None
    while bits:
        count = -(-8 * size // bits) * -(-depth // words)
        least = count if least is None else min(least, count)
        bits, words = bits // 2, words * 2
    return least


def factor(text, parameters):
    """As Formula has it."""
    kind, *keys = text.split() if " " in text else ("", text)
    if kind == "min":
        return min(parameters.get(keys[0], 0), parameters.get(keys[1], 0) / float(keys[2]))
    values = [parameters.get(key, 0) for key in keys]
    if kind == "log":
        return math.log2(values[0]) if values[0] > 0 else 0.0
    return float(rams(*values)) if kind == "rams" else float(values[0])


def units_of(macrame, family, arguments):
    """[(unit, key, copies)] of a configuration, and its numbers."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([macrame, "generate", "--family", family, *arguments, "--out", folder],
                       check=True, capture_output=True)
        design = Design(folder)
        numbers = {key: 0 if value in ("none", None) else int(value)
                   for key, value in design.manifest["parameters"].items()
                   if value in ("none", None) or isinstance(value, (int, bool))}
        top = design.text[design.core]
        return [(unit, unit_key(design, design.module(unit)),
                 len(re.findall(rf"^ *{design.module(unit)} *(?:#|u_)", top, re.M)))
                for unit in design.units()], numbers


def matter(rows):
    """Parameters on which a unit may depend: not those with several values in configurations that
    have the same unit, if what is left of them still tells units apart."""
    names = sorted({name for _, parameters in rows for name in parameters})
    left = list(names)
    for name in names:
        values = {}
        for key, parameters in rows:
            values.setdefault(key, set()).add(parameters.get(name, 0))
        if max(map(len, values.values())) == 1:
            continue
        rest, unit = [other for other in left if other != name], {}
        if all(unit.setdefault(tuple(parameters.get(other, 0) for other in rest), key) == key
               for key, parameters in rows):
            left = rest
    return set(left)


def samples(given, table):
    """unit -> [(key, parameters)] of all configurations whose units the table has. What the program
    makes of the configurations is kept beside the table."""
    kept = pathlib.Path(given.table + ".units")
    stamp = hashlib.sha256(pathlib.Path(given.macrame).read_bytes()).hexdigest()
    known = json.loads(kept.read_text()) if kept.exists() else {}
    if known.get("program") != stamp:
        known = {"program": stamp, "units": {}}
    with open(SCRIPTS / given.family / "area.json") as file:
        cells = json.load(file).get("cells", [])
    # With what they were measured; other configurations that have them tell what does not matter.
    found = {}
    for key, row in table.items():
        if row["unit"] not in cells:
            found.setdefault(row["unit"], []).append((key, row["with"]))
    every = {}
    for arguments in configurations(given.family, given.target):
        line = " ".join(arguments)
        if line not in known["units"]:
            known["units"][line] = units_of(given.macrame, given.family, arguments)
        units, numbers = known["units"][line]
        for unit, key, _ in units:
            every.setdefault(unit, []).append((key, numbers))
            if key in table:
                found.setdefault(unit, []).append((key, numbers))
    kept.write_text(json.dumps(known))
    for unit, rows in found.items():
        wanted = matter(every.get(unit, rows))
        found[unit] = [(key, {k: v for k, v in parameters.items() if k in wanted})
                       for key, parameters in rows]
    return found


def candidates(unit, rows, sizes_themselves, exact):
    """Terms of one to three factors over the parameters that change."""
    keys = [key for key in rows[-1][1]
            if len({parameters.get(key, 0) for _, parameters in rows}) > 1]
    # No term for what follows another parameter: each value of one has one of the other.
    column = {key: [parameters.get(key, 0) for _, parameters in rows] for key in keys}
    kept = []
    # Of those that go together, a choice of two before a size.
    for key in sorted(keys, key=lambda key: max(column[key]) >= 4):
        if not any(len(set(zip(column[key], column[k]))) == len(set(column[key])) ==
                   len(set(column[k])) for k in kept):
            kept.append(key)
    flags = [key for key in kept if set(column[key]) <= {0, 1}]
    sizes = [key for key in kept if key not in flags]
    if sizes_themselves:
        singles = flags + sizes
        singles += [more for more, one in FACTORS.items() if one in ("", unit)
                    and (exact or not more.startswith("rams")) and all(
            key in rows[-1][1] for key in more.split()[1:] if not key.isdigit())]
    else:
        singles = flags + [f"log {key}" for key in sizes]
    pairs = [pair for pair in itertools.combinations_with_replacement(singles, 2)
             if not (pair[0] == pair[1] and pair[0] in flags)]
    # An array whose elements are of one of two kinds.
    twos = [key for key in kept if len(set(column[key])) == 2 and max(column[key]) < 4]
    if len({key for key, _ in rows}) < FEW:
        # Products of two sizes would follow chance, and be far off elsewhere.
        pairs = [pair for pair in pairs
                 if any(one.split()[-1] in twos for one in pair) and len(set(pair)) == 2]
    squares = [(size, size, two) for size in sizes if size not in twos for two in twos]
    return [()] + [(one,) for one in singles] + pairs + (squares if sizes_themselves else [])


def solve(matrix, wanted, weights):
    return numpy.linalg.lstsq(matrix * weights[:, None], wanted * weights, rcond=1e-9)[0]


class Fit:
    """A column of a unit; `power`: its logarithm is linear; `sizes`: in sizes themselves."""

    def __init__(self, unit, rows, values, exact, power, sizes):
        self.power, self.terms = power, [()]
        self.values = numpy.array(values, float)
        self.wanted = numpy.log(numpy.maximum(self.values, 0.5)) if power else self.values
        self.weights = (numpy.ones(len(values)) if power or exact
                        else 1 / numpy.maximum(self.values, 1))
        keys = sorted({key for key, _ in rows})
        self.fold = numpy.array([keys.index(key) % FOLDS for key, _ in rows])
        # Units count once, however many configurations have them.
        self.share = numpy.array([1 / sum(k == key for k, _ in rows) for key, _ in rows])
        self.few = len(keys)
        terms = candidates(unit, rows, sizes, exact)
        self.columns = {
            term: numpy.array([math.prod(factor(f, p) for f in term) for _, p in rows])
            for term in terms}
        self.choose(terms)
        if exact and self.best > 1e-6:
            # A threshold is the difference of two terms, of which neither helps alone.
            short = [term for term in terms if len(term) == 1]
            self.start(min(itertools.combinations(short, 2),
                           key=lambda pair: self.error([(), *pair]), default=()), terms)

    def held_out(self, terms):
        """Predicted values of units that were not among those fitted."""
        matrix = numpy.stack([self.columns[term] for term in terms], 1)
        out = numpy.zeros(len(self.values))
        for fold in range(FOLDS):
            rest = self.fold != fold
            if rest.all() or not rest.any():
                continue
            weights = solve(matrix[rest], self.wanted[rest], self.weights[rest])
            out[~rest] = matrix[~rest] @ weights
        return numpy.exp(numpy.clip(out, -5, 20)) if self.power else out

    def error(self, terms):
        off = abs(self.held_out(terms) - self.values) / numpy.maximum(self.values, 1)
        return float(numpy.sqrt((off ** 2 * self.share).sum() / self.share.sum()))

    def start(self, pair, terms):
        """Chooses again from a pair of terms; what was better stays."""
        before = self.best, self.terms
        self.terms = [(), *pair]
        self.choose(terms)
        if before[0] <= self.best:
            self.best, self.terms = before

    def choose(self, terms):
        best = self.error(self.terms)
        while len(self.terms) < min(MOST_TERMS, max(1, self.few // 2)) and best > 1e-9:
            error, term = min((self.error(self.terms + [t]), t) for t in terms
                              if t not in self.terms)
            if error > best * (1 - LEAST_GAIN):
                break
            best, self.terms = error, self.terms + [term]
        self.best = best

    def data(self):
        matrix = numpy.stack([self.columns[term] for term in self.terms], 1)
        weights = solve(matrix, self.wanted, self.weights)
        return {"log": self.power,
                "terms": [[float(f"{w:.8g}"), *term] for w, term in zip(weights, self.terms)]}


def fit(rows, table, column):
    values = [table[key][column] for key, _ in rows]
    if len(set(values)) == 1:
        few = len({key for key, _ in rows}) < 3 and column in ("lut", "ff")
        return {"error": UNKNOWN if few else 0, "terms": [[values[0]]]}, None
    exact, unit = column in ("dsp", "ram"), table[rows[0][0]]["unit"]
    tries = [Fit(unit, rows, values, exact, False, True)]
    if not exact:
        tries += [Fit(unit, rows, values, exact, power, False) for power in (False, True)]
    best = min(tries, key=lambda one: one.best)
    return {"error": float(f"{best.best:.3g}"), **best.data()}, best


def value(made, parameters):
    """Of a fit as it is written."""
    total = sum(term[0] * math.prod(factor(f, parameters) for f in term[1:])
                for term in made["terms"])
    return math.exp(total) if made.get("log") else total


def whole_designs(given, table):
    """Configurations all of whose units the table has, spread evenly over the list: the sum of
    their LUTs beside that of fits that have none of their units."""
    rows = samples(given, table)
    known = json.loads(pathlib.Path(given.table + ".units").read_text())["units"]
    lines = [line for line in map(" ".join, configurations(given.family, given.target))
             if all(key in table for _, key, _ in known[line][0])]
    count = min(given.held_out, len(lines))
    print("| configuration | LUT by fits without its units | of its units | |\n|---|--:|--:|--:|")
    errors = []
    for line in (lines[i * len(lines) // count] for i in range(count)):
        units, numbers = known[line]
        own = {key for _, key, _ in units}
        predicted = measured = 0
        for unit, key, copies in units:
            # A unit that is the same in all configurations is no guess.
            others = [(k, p) for k, p in rows[unit] if k not in own] or rows[unit]
            measured += copies * table[key]["lut"]
            predicted += copies * max(0.0, value(fit(others, table, "lut")[0], numbers))
        errors.append(100 * (predicted / measured - 1))
        print(f"| `{line}` | {predicted:,.0f} | {measured:,} | {errors[-1]:+.1f} % |", flush=True)
    if errors:
        print(f"| mean of the absolute errors | | | {sum(map(abs, errors)) / count:.1f} % |")


def main():
    given = ARGUMENTS
    with open(given.table) as file:
        head, *lines = [line for line in file if line.endswith("\n")]
    table = {row["key"]: row for row in map(json.loads, lines)}
    if given.held_out:
        whole_designs(given, table)
        return
    out = SCRIPTS.parent / "generator" / "families" / given.family / "cost"
    out.mkdir(exist_ok=True)
    # What is the same everywhere tells nothing.
    varying = {k for row in table.values() for k, v in row["with"].items()
               if any(other["with"].get(k, 0) != v for other in table.values())}
    with open(out / f"{given.target}.jsonl", "w") as file:
        file.write(head)
        for key in sorted(table):
            row = table[key]
            row = {**row, "with": {k: v for k, v in row["with"].items() if k in varying}}
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
    units = {}
    print("unit: units measured; error on held-out ones, root mean square")
    for unit, rows in sorted(samples(given, table).items()):
        units[unit], text = {}, f"{unit}: {len({key for key, _ in rows})}"
        for column in COLUMNS:
            units[unit][column], made = fit(rows, table, column)
            if made:
                text += f"  {column} {100 * made.best:.1f} % ({len(made.terms)} terms)"
        print(text, flush=True)
    with open(out / f"{given.target}.fit.json", "w") as file:
        rows = [json.dumps(unit) + ": {" + ",\n  ".join(
            f"{json.dumps(column)}: {json.dumps(fit, separators=(',', ':'))}"
            for column, fit in columns.items()) + "}" for unit, columns in units.items()]
        file.write('{"units": {\n' + ",\n".join(rows) + "\n}}\n")


if __name__ == "__main__":
    main()
