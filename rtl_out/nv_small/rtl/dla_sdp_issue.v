// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp_issue.v
// with batch_enable=0 beats=8 elem_lsb=3 ew_beats=1 lane_bits=8 mixed=0 sdp_lanes=1
// winograd_enable=0

// The way into SDP: counts the elements of a layer and lets a word in only if all that it needs is
// there or reserved, so that nothing inside SDP ever waits.
//
// Contract: one word per cycle; op_en to first word 1 cycle.
// Ready leaves from registers: what may enter is decided in the cycle before. Reset: no layer.
`default_nettype none

module dla_sdp_issue (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         op_en,
    input  wire         op_done,
    output wire         start,         // first cycle with op_en
    input  wire         flying,        // from CACC
    input  wire [12:0]  width,         // less 1
    input  wire [12:0]  height,        // less 1
    input  wire [ 9:0]  surfaces,      // less 1

    // may a word enter in the next cycle
    input  wire         room,          // at the end
    input  wire         operands_ok,

    input  wire         cacc_valid,
    output reg          cacc_ready_q,
    input  wire [ 31:0] cacc_data,
    input  wire         m_valid,
    output reg          m_ready_q,
    input  wire [  7:0] m_data,

    // the word that enters and the flags of its pixel
    output wire         take,
    output wire [ 31:0] data,
    output wire         atom_last,     // last beat of the atom
    output wire         line_last,     // last pixel of the line
    output wire         surf_last,     // last pixel of the surface
    output wire         layer_last     // last pixel of the layer
);

    localparam LANES  = 1;
    localparam SURF_W = 10;    // bits of a surface number

    wire [32*LANES-1:0] extended;
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_extend
            assign extended[32*i +: 32] = {{24{m_data[8*i + 7]}}, m_data[8*i +: 8]};
        end
    endgenerate

    assign data = flying ? cacc_data : extended;

    reg                 running_q;
    reg                 start_q;       // here: one cycle later, when the layer is decoded

    assign start = op_en && !running_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) {running_q, start_q} <= 2'd0;
        else        {running_q, start_q} <= {(running_q || op_en) && !op_done, start};
    end

    // What is left behind this pixel, and whether that is nothing.
    reg  [12:0]       cols_q;
    reg  [12:0]       lines_q;
    reg  [SURF_W-1:0] surfs_q;
    reg               last_col_q;
    reg               last_line_q;
    reg               last_surf_q;
    reg               taking_q;        // input of this layer is still to come

    assign take       = (cacc_valid && cacc_ready_q) || (m_valid && m_ready_q);
    assign line_last  = last_col_q;
    assign surf_last  = last_col_q && last_line_q;
    assign layer_last = last_col_q && last_line_q && last_surf_q;

    wire next_pixel = take && atom_last;
    wire next_line  = next_pixel && line_last;
    wire next_surf  = next_pixel && surf_last;

    localparam BEAT_W = 3;
    reg  [BEAT_W-1:0] beat_q;

    assign atom_last = &beat_q;

    always @(posedge clk) begin
        if (start_q)     beat_q <= {BEAT_W{1'b0}};
        else if (take) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end

    always @(posedge clk) begin
        if (start_q || next_pixel) begin
            cols_q     <= (start_q || last_col_q) ? width : cols_q - 13'd1;
            last_col_q <= (start_q || last_col_q) ? width == 13'd0 : cols_q == 13'd1;
        end
        if (start_q || next_line) begin
            lines_q     <= (start_q || last_line_q) ? height : lines_q - 13'd1;
            last_line_q <= (start_q || last_line_q) ? height == 13'd0 : lines_q == 13'd1;
        end
        if (start_q || next_surf) begin
            surfs_q     <= start_q ? surfaces : surfs_q - {{(SURF_W-1){1'b0}}, 1'b1};
            last_surf_q <= start_q ? surfaces == {SURF_W{1'b0}}
                                 : surfs_q == {{(SURF_W-1){1'b0}}, 1'b1};
        end
    end

    wire taking = start_q || (taking_q && !(next_pixel && layer_last));
    wire go     = taking && room && operands_ok;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            taking_q     <= 1'b0;
            cacc_ready_q <= 1'b0;
            m_ready_q    <= 1'b0;
        end else begin
            taking_q     <= taking;
            cacc_ready_q <= go && flying;
            m_ready_q    <= go && !flying;
        end
    end

endmodule

`default_nettype wire
