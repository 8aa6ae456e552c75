// Stands in for a clock buffer of a Xilinx FPGA in simulation.
`default_nettype none

module BUFG (
    input  wire I,
    output wire O
);

    assign O = I;

endmodule

`default_nettype wire
