"""What commands found: dicts as their JSON files have them, which Jupyter shows as tables."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in HTML; texts of networks may hold anything.

    >>> table(["name"], [["<b>"]])
    '<table><tr><th>name</tr><tr><td>&lt;b&gt;</tr></table>'
    """
    def row(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}" for cell in cells) + "</tr>"
    return "<table>" + row("th", head) + "".join(row("td", one) for one in rows) + "</table>"


class Estimate(dict[str, Any]):
    """What a network takes: total_cycles, work, layers (name, unit, cycles, limiter, ...)."""

    def _repr_html_(self) -> str:
        title = (f"{self['network']} on {self['configuration']}: {self['total_cycles']} cycles")
        layers = ([one["name"], one["unit"], one["cycles"], one["limiter"]]
                  for one in self["layers"])
        return f"<b>{html.escape(title)}</b>" + table(["layer", "unit", "cycles", "limit"], layers)


class Quantised(dict[str, Any]):
    """How near a quantised network is to the float one: db, signal to noise; steps, host, worst."""

    def _repr_html_(self) -> str:
        title = f"{self['db']:.1f} dB; on the host: {', '.join(self['host']) or 'nothing'}"
        steps = ([one["step"], f"{one['db']:.1f}", "yes" if one["taken"] else "no"]
                 for one in self["steps"])
        return f"<b>{html.escape(title)}</b>" + table(["step", "dB", "taken"], steps)
