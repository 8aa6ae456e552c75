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
    fam_x #(.W(2)) u_x (.clk(clk), .rst_n(rst_n), .in_first(in_first), .o(o));
endmodule
"""
UNIT = """module fam_x #(parameter W = 1) (input clk, input rst_n, input in_first, output o);
    reg q;
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) q <= 1'b0;
        else        q <= in_first;
    end
    assign o = %s;
    wire [2:0] chain;
    assign chain = {chain[1:0], in_first};
    wire through, kept;
    fam_x_part u_part (.clk(clk), .a(in_first), .b(q), .with_a(through), .with_b(kept));
endmodule
module fam_x_part (input clk, input a, input b, output with_a, output with_b);
    reg a_q;
    always @(posedge clk) a_q <= a;
    assign with_a = a ^ a_q;
    assign with_b = b ^ a_q;
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

    def test_through_a_module(self):
        self.assertEqual(self.check("kept"), (0, ""))

    def test_path(self):
        for output, port in (("q & in_first", "in_first"), ("q & rst_n", "rst_n"),
                             ("through", "in_first"), ("chain[2]", "in_first")):
            status, text = self.check(output)
            self.assertEqual(status, 1, text)
            self.assertIn(f"depends on the input fam_x/{port} in the same cycle", text)


if __name__ == "__main__":
    unittest.main()
