#!/usr/bin/env python3
"""What house.py counts, on texts of which the figures are known."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import house  # noqa: E402


class House(unittest.TestCase):
    def test_names_that_a_template_reads(self):
        text = ('    x <= ${wide ? "{a, b}" : "c"};  //% if deep > 1\n'
                "//% for u in units\n"
                "//%   let w = clog2(u.lanes)\n"
                "    wire [${w - 1}:0] y;  // $${no}\n"
                "//% end\n")
        self.assertEqual(sorted(house.names_read([text])), ["deep", "units", "wide"])

    def test_a_name_of_another_template_of_the_unit(self):
        self.assertEqual(house.names_read(["//% let n = size\n", "${n}\n"]), ["size"])

    def test_lines_that_repeat(self):
        lines = [f"step({i});" for i in range(7)]
        once = "\n".join(lines)
        self.assertEqual(house.repeated({"a": once}), 0)
        self.assertEqual(house.repeated({"a": once, "b": "\n\n".join(lines)}), 14)
        self.assertEqual(house.repeated({"a": once, "b": "\n".join(lines[:5])}), 0)


if __name__ == "__main__":
    unittest.main()
