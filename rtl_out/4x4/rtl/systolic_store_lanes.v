// Made by macrame 0.1.0 from templates/systolic/store/systolic_store_lanes.v
// with axi_data_width=32 cols=4 groups=1 in_bytes=1 in_width=8 out_bytes=4 out_width=32
// output_row_w=128 scale_cycles=7 scales=1

// Elements of a step as bytes, in the lanes of their banks: bank b in lane b modulo the elements of
// a beat.
//
//   row -> pick -> clamp or wide -----> lanes      1 cycle
//            \---> scale, per lane --> lanes      7 cycles
//
// One step per cycle, does not stall. narrow, scaled and set hold during a transfer. No reset.
`default_nettype none

module systolic_store_lanes (
    input  wire         clk,
    input  wire         narrow,
    input  wire         scaled,
    input  wire [1:0]   set,
    input  wire [1:0]   load,         // stages 1 and 2 have a step

    // scale memory, at most a beat of elements
    input  wire         load2scale_write,
    input  wire [3:0]   load2scale_entry,
    input  wire [3:0]  load2scale_enable,
    input  wire [127:0] load2scale_data,

    input  wire [127:0] row,
    input  wire [7:0]   bank,         // of the first element
    output wire [31:0] lanes
);

    localparam BITS     = 32;
    localparam COLS     = 4;
    localparam OUT_W    = 32;
    localparam IN_W     = 8;
    localparam IN_BITS  = 8;            // in memory
    localparam OUT_BITS = 32;
    localparam INS      = BITS / IN_BITS;     // elements of a beat
    localparam OUTS     = BITS / OUT_BITS;

    wire [INS*OUT_W-1:0]  ins;
    wire [OUTS*OUT_W-1:0] outs;
    wire [BITS-1:0]       clamped;
    wire [BITS-1:0]       wide;
    reg  [BITS-1:0]       plain_q;

    systolic_pick #(.LANES(INS), .BANKS(COLS), .W(OUT_W)) u_ins (
        .row(row), .bank(bank), .lanes(ins)
    );
    systolic_pick #(.LANES(OUTS), .BANKS(COLS), .W(OUT_W)) u_outs (
        .row(row), .bank(bank), .lanes(outs)
    );

    genvar i;
    generate
        for (i = 0; i < INS; i = i + 1) begin : gen_in
            wire [OUT_W-1:0] in = ins[i*OUT_W +: OUT_W];
            wire [31:0]      x  = in;
            wire             fits = x[31:IN_W-1] == {(33-IN_W){x[31]}};

            assign clamped[i*IN_BITS +: IN_BITS] =
                fits ? x[IN_BITS-1:0] : {{(IN_BITS-IN_W+1){x[31]}}, {(IN_W-1){!x[31]}}};
        end
        for (i = 0; i < OUTS; i = i + 1) begin : gen_out
            assign wide[i*OUT_BITS +: OUT_BITS] = outs[i*OUT_W +: OUT_W];
        end
    endgenerate

    always @(posedge clk) plain_q <= narrow ? clamped : wide;

    // ------------------------------------------------------------------ scales
    wire [BITS-1:0] scales;

    generate
        for (i = 0; i < INS; i = i + 1) begin : gen_scale
            if (i >= COLS) begin : gen_none
                assign scales[i*IN_BITS +: IN_BITS] = {IN_BITS{1'b0}};
            end else begin : gen_some
                wire [1:0]      at         = set;
                wire            write      = load2scale_write && load2scale_enable[i];
                wire [1:0]      write_at   = load2scale_entry[3:2];
                wire [31:0]     write_data = load2scale_data[i*32 +: 32];

                systolic_exact_scale u_scale (
                    .clk(clk),
                    .write(write), .write_word(load2scale_entry[1:0]), .write_at(write_at),
                    .write_data(write_data),
                    .load(load), .at(at), .x(ins[i*OUT_W +: OUT_W]),
                    .y_q(scales[i*IN_BITS +: IN_BITS])
                );
            end
        end
    endgenerate

    assign lanes = scaled ? scales : plain_q;

endmodule

`default_nettype wire
