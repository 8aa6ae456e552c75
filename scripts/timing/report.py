"""Longest paths as tables, the same for all flows of timing.sh."""
import json
import re

LIMITS = ("10", "12.5", "14", "16.7", "20")  # ns
KEPT = 50                                    # families of a table


def base_name(name):
    """A register or RAM without the numbers of its bits."""
    return re.sub(r"\[\d+\]|(?<=\.mem)(\.\d+)+", "", name)


def unit_of(name):
    """Unit in a hierarchical name: u_cdma.u_dat.x_q -> u_cdma."""
    return name.split(".")[0] if name.startswith("u_") else "top"


class Report:
    """Tables of path families of one module in one flow."""

    def __init__(self, design, flow):
        self.design, self.flow = design, flow
        self.notes = []     # lines below the title
        self.cells = {}     # kind -> number
        self.gates = 0      # area of the standard cells in gates
        self.families = {}  # table -> [{ns, levels, ends, from, to, path}], longest first
        self.over = {}      # table -> {limit: number of ends that take longer}
        self.stamp = ""     # Design.stamp() of the module

    def data(self):
        return dict(vars(self))

    @staticmethod
    def of(data):
        report = Report("", "")
        vars(report).update(data)
        return report

    def add_families(self, table, paths, walk=None, group=base_name):
        """paths: [(ns, levels, from, to, point)], longest first; walk(point): [(ns, text)]."""
        found = {}
        for ns, levels, start, end, point in paths:
            key = (group(start), group(end))
            if key in found:
                found[key]["ends"] += 1
                continue
            found[key] = {"ns": round(ns, 2), "levels": levels, "ends": 1,
                          "from": base_name(start), "to": base_name(end), "path": []}
            if walk and len(found) <= 20:
                found[key]["path"] = [[round(t, 2), text] for t, text in walk(point)]
        self.families[table] = list(found.values())[:KEPT]
        self.over[table] = {limit: sum(p[0] > float(limit) for p in paths) for limit in LIMITS}
        self.over[table]["all"] = len(paths)

    def add_graph(self, graph, by_unit):
        """All tables of a graph of paths; by_unit: one of pairs of units, too."""
        registers = graph.paths(False, False)
        if by_unit:
            self.add_families("by unit", registers, None, unit_of)
        self.add_families("register to register", registers, graph.walk)
        self.add_families("pin to register", graph.paths(True, False), graph.walk)
        self.add_families("clock to pin", graph.paths(False, True), graph.walk)
        self.add_families("pin to pin", graph.paths(True, True), graph.walk)

    def worst(self, table="register to register"):
        families = self.families.get(table)
        return families[0]["ns"] if families else None

    def text(self, top=15, paths=0, tables=None):
        """The tables as text; tables: names, None for all."""
        lines = [f"{self.design}: {self.flow}"]
        if self.cells:
            kinds = sorted(self.cells.items(), key=lambda c: (-c[1], c[0]))
            lines.append("  cells: " + "  ".join(f"{n} {k}" for k, n in kinds[:10]))
        if self.gates:
            lines.append(f"  area: {self.gates:,} gates, without block RAM")
        lines += ["  " + note for note in self.notes]
        for table, families in self.families.items():
            if not families or (tables and table not in tables):
                continue
            over = self.over[table]
            lines.append(f"  {table}; ends over " + ", ".join(
                f"{limit} ns: {over[limit]}" for limit in LIMITS) + f"; of {over['all']}")
            lines.append("        ns levels  ends  from -> to")
            for family in families[:top]:
                lines.append(f"  {family['ns']:8.2f} {family['levels']:6d} {family['ends']:5d}  "
                             f"{family['from']} -> {family['to']}")
            for family in families[:paths]:
                if family["path"]:
                    lines.append(f"    path {family['from']} -> {family['to']}")
                lines += [f"    {ns:8.2f}  {what}" for ns, what in family["path"]]
        return "\n".join(lines) + "\n"

    def write(self, path):
        with open(path, "w") as file:
            json.dump(self.data(), file, indent=1)
            file.write("\n")
