// ${MIF} atoms: beats of memory become atoms of clients. A beat waits here until its atoms are out.
//
// Contract: one atom per cycle. Latency in cycles: 2. Reset: no beat.
`default_nettype none

module dla_${mif}_atoms #(
    parameter N = 1                   // clients
) (
    input  wire                       clk,
    input  wire                       rst_n,

    // beats
    input  wire                       in_valid,
    output wire                       in_ready,
    input  wire [N-1:0]               hit,                    // client of this beat
    input  wire [${clog2(atoms_per_beat) - 1}:0]                 note_first,             // atoms that are wanted, if this is
    input  wire [${clog2(atoms_per_beat) - 1}:0]                 note_last,              // the first, the last beat
    input  wire                       r_rlast,
    input  wire [${bus_bits - 1:3}:0]               r_rdata,

    // atoms
    output wire [N-1:0]               rsp_valid,
    output wire [${atom_bits - 1:3}:0]               rsp_data                // one for all clients
);

    localparam ATOM_W = ${atom_bits};
    localparam LANE_W = ${clog2(atoms_per_beat)};                // a beat has 2^LANE_W atoms

//% include "mcif/lanes.vh"
//% include "mcif/answer.vh"

    assign rsp_valid = rsp_valid_q;
    assign rsp_data  = rsp_data_q;

endmodule

`default_nettype wire
