#!/usr/bin/env python3
"""Tests of check_ports.py on a design of one unit: python3 check_ports_test.py"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOP = """module top (input clk, input rst_n, input in_first, output o);
    fam_x u_x (.clk(clk), .rst_n(rst_n), .in_first(in_first), .o(o));
endmodule
"""
UNIT = """module fam_x (input clk, input rst_n, input in_first, output o);
    reg q;
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) q <= 1'b0;
        else        q <= in_first;
    end
    assign o = %s;
endmodule
"""


class CheckPorts(unittest.TestCase):
    def check(self, output):
        """Exit status and text for a unit with this output."""
        with tempfile.TemporaryDirectory() as folder:
            rtl = pathlib.Path(folder) / "rtl"
            rtl.mkdir()
            (rtl / "top.v").write_text(TOP)
            (rtl / "fam_x.v").write_text(UNIT % output)
            (rtl.parent / "manifest.json").write_text(json.dumps(
                {"configuration": "c", "family": "fam", "top": "top"}))
            done = subprocess.run([sys.executable, "-B", HERE / "check_ports.py", folder],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def test_registered(self):
        self.assertEqual(self.check("!q"), (0, ""))

    def test_path(self):
        for output, port in (("q & in_first", "in_first"), ("q & rst_n", "rst_n")):
            status, text = self.check(output)
            self.assertEqual(status, 1, text)
            self.assertIn(f"depends on the input fam_x/{port} in the same cycle", text)


if __name__ == "__main__":
    unittest.main()
