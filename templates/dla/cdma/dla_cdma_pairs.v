// Weights on their way into CBUF, two atoms per cycle: pairs as they lie in memory become pairs of
// an entry, with one held atom if a layer begins with the upper atom of a pair.
//
//     memory      .0  12  34  5.      0 and 2 wait here for 1 and 3; all requests but the last one
//     entries       01  23  45        of a layer have an even number of atoms
//
//% if types.sparsity_masks
// Contract: never stalls. A pair leaves for its stream, weights or masks, in the cycle behind that
// in which it came and is in `wr_data_q` one cycle later. An atom that nothing follows leaves in
// a cycle without another pair. Reset: no atom held.
//% else
// Contract: never stalls. A pair leaves in the cycle behind that in which it came and is in
// `wr_data_q` one cycle later; so does an atom that nothing follows. Reset: no atom held.
//% end
`default_nettype none

module dla_cdma_pairs (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // pairs of memory
    input  wire [1:0]                 in_valid,       // atoms that are there
    input  wire [1:0]                 in_hit,         // whose they are: {masks, weights}  //% if types.sparsity_masks
    input  wire [${2 * atom_bits - 1:3}:0]               in_data,

    // pairs of entries
//% if types.sparsity_masks
    input  wire [1:0]                 alone,          // of each: only one atom is not yet in CBUF
    output wire [1:0]                 out_valid,
//% else
    input  wire                       alone,          // only one atom is not yet in CBUF
    output wire                       out_valid,
//% end
    output wire                       out_two,        // both atoms, else the low one
    output reg  [${2 * atom_bits - 1:3}:0]               wr_data_q       // in the next cycle
);

    localparam ATOM_W = ${atom_bits};
    localparam N      = ${1 + types.sparsity_masks};                // streams

    reg  [1:0]          valid_q;
    reg  [2*ATOM_W-1:0] data_q;
    reg  [N-1:0]        held_q;        // the stream has an atom here:
    reg  [ATOM_W-1:0]   held_wt_q;
//% if types.sparsity_masks
    reg  [N-1:0]        hit_q;
    reg  [ATOM_W-1:0]   held_wmb_q;

    // Only one stream at a time gets its last atom.
    wire [N-1:0]        last   = alone & held_q & {N{!valid_q[0]}};
    wire [N-1:0]        ends   = {last[1] && !last[0], last[0]};
    wire [N-1:0]        hit    = hit_q;
    wire [ATOM_W-1:0]   held   = out_valid[1] ? held_wmb_q : held_wt_q;
//% else
    wire [N-1:0]        ends   = alone && held_q && !valid_q[0];
    wire [N-1:0]        hit    = 1'b1;
    wire [ATOM_W-1:0]   held   = held_wt_q;
//% end
    wire                joined = valid_q[0] && (hit & held_q) != {N{1'b0}};   // behind the held one

    assign out_valid = valid_q[0] ? hit : ends;
    assign out_two   = joined || (valid_q == 2'b11);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 2'b00;
            held_q  <= {N{1'b0}};
        end else begin
            valid_q <= in_valid;
            // The upper atom stays if it came alone or pushed another one out.
            if (valid_q != 2'b00) begin
                held_q <= (held_q & ~hit & ~ends)
                        | (hit & {N{valid_q[1] && (joined || !valid_q[0])}});
            end else begin
                held_q <= held_q & ~ends;
            end
        end
    end

    always @(posedge clk) begin
        if (in_valid != 2'b00) data_q <= in_data;
//% if types.sparsity_masks
        if (in_valid != 2'b00) hit_q <= in_hit;
        if (valid_q[1] && hit[0]) held_wt_q <= data_q[ATOM_W +: ATOM_W];
        if (valid_q[1] && hit[1]) held_wmb_q <= data_q[ATOM_W +: ATOM_W];
//% else
        if (valid_q[1]) held_wt_q <= data_q[ATOM_W +: ATOM_W];
//% end
        if (out_valid != {N{1'b0}}) begin
            wr_data_q[0 +: ATOM_W] <= valid_q[0] && !joined ? data_q[0 +: ATOM_W] : held;
            wr_data_q[ATOM_W +: ATOM_W] <= joined ? data_q[0 +: ATOM_W]
                                                  : data_q[ATOM_W +: ATOM_W];
        end
    end

endmodule

`default_nettype wire
