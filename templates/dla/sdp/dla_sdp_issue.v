// The way into SDP: counts the elements of a layer and lets a word in only if all that it needs is
// there or reserved, so that nothing inside SDP ever waits.
//
// Contract: one word per cycle, every ${ew_beats} cycles with EW; op_en to first word 1 cycle.  //% if ew_beats > 1
// Contract: one word per cycle; op_en to first word 1 cycle.  //% if ew_beats == 1
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
    input  wire [${12 - elem_lsb:2}:0]  surfaces,      // less 1
    input  wire         wide,          // 16 bits: an atom has half as many elements  //% if mixed
    input  wire [4:0]   batches,       // less 1: so many words at each place  //% if batch_enable
    input  wire         tiles,         // 4 lines of 2 columns after each other  //% if winograd_enable
    input  wire         ew_on,         // a word takes ${ew_beats} cycles  //% if ew_beats > 1

    // may a word enter in the next cycle
    input  wire         room,          // at the end
    input  wire         operands_ok,

    input  wire         cacc_valid,
    output reg          cacc_ready_q,
    input  wire [${32 * sdp_lanes - 1:3}:0] cacc_data,
    input  wire         m_valid,
    output reg          m_ready_q,
    input  wire [${lane_bits * sdp_lanes - 1:3}:0] m_data,

    // the word that enters and the flags of its pixel
    output wire         take,
    output wire [${32 * sdp_lanes - 1:3}:0] data,
    output wire         atom_last,     // last beat of the atom
    output wire         batch_last,    // the last batch at this place  //% if batch_enable
    output wire         row_last,      // last column of a tile  //% if winograd_enable
    output wire         tile_last,     // and the last line of it  //% if winograd_enable
    output wire         line_last,     // last pixel of the line${winograd_enable ? ", of 4 lines with tiles" : ""}
    output wire         surf_last,     // last pixel of the surface
    output wire         layer_last     // last pixel of the layer
);

    localparam LANES  = ${sdp_lanes};
    localparam SURF_W = ${13 - elem_lsb};    // bits of a surface number

    wire [32*LANES-1:0] extended;
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_extend
            assign extended[32*i +: 32] = {{${32 - lane_bits}{m_data[${lane_bits}*i + ${lane_bits - 1}]}}, m_data[${lane_bits}*i +: ${lane_bits}]};
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
//% let plain = !batch_enable && !winograd_enable
    assign line_last  = last_col_q${winograd_enable ? " && tile_last" : ""}${batch_enable ? " && batch_last" : ""};
    assign surf_last  = ${plain ? "last_col_q && last_line_q" : "line_last && last_line_q"};
    assign layer_last = ${plain ? "last_col_q && last_line_q && last_surf_q" : "surf_last && last_surf_q"};

    wire next_place = take && atom_last;  //% if batch_enable
    wire next_pixel = ${batch_enable ? "next_place && batch_last" : "take && atom_last"};
    wire next_line  = next_pixel && line_last;
    wire next_surf  = next_pixel && surf_last;

//% if beats > 1
    localparam BEAT_W = ${clog2(beats)};
    reg  [BEAT_W-1:0] beat_q;

    assign atom_last = ${!mixed ? "&beat_q" : beats > 2 ? "(&beat_q[BEAT_W-2:0]) && (beat_q[BEAT_W-1] || wide)" : "beat_q || wide"};

    always @(posedge clk) begin
//%   if mixed
        if (start_q || (take && atom_last)) beat_q <= {BEAT_W{1'b0}};
        else if (take)                    beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
//%   else
        if (start_q)     beat_q <= {BEAT_W{1'b0}};
        else if (take) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
//%   end
    end
//% else
    assign atom_last = 1'b1;
//% end

//% if batch_enable
    reg  [4:0] batch_q;                // left behind this one
    reg        last_batch_q;

    assign batch_last = last_batch_q;

    always @(posedge clk) begin
        if (start_q || next_place) begin
            batch_q      <= (start_q || last_batch_q) ? batches : batch_q - 5'd1;
            last_batch_q <= (start_q || last_batch_q) ? batches == 5'd0 : batch_q == 5'd1;
        end
    end

//% end
//% if winograd_enable
    reg  [2:0]  tile_q;                // line and column in the tile
    wire [12:0] columns = tiles ? {1'b0, width[12:1]} : width;
    wire [12:0] lines   = tiles ? {2'b00, height[12:2]} : height;
    wire        next_tile = next_pixel && tile_last;

    assign row_last  = tile_q[0];
    assign tile_last = (&tile_q) || !tiles;

    always @(posedge clk) begin
        if (start_q)           tile_q <= 3'd0;
        else if (next_pixel) tile_q <= tile_q + 3'd1;
    end

//% end
//% let columns = winograd_enable ? "columns" : "width"
//% let lines = winograd_enable ? "lines" : "height"
    always @(posedge clk) begin
        if (start_q || ${winograd_enable ? "next_tile" : "next_pixel"}) begin
            cols_q     <= (start_q || last_col_q) ? ${columns} : cols_q - 13'd1;
            last_col_q <= (start_q || last_col_q) ? ${columns} == 13'd0 : cols_q == 13'd1;
        end
        if (start_q || next_line) begin
            lines_q     <= (start_q || last_line_q) ? ${lines} : lines_q - 13'd1;
            last_line_q <= (start_q || last_line_q) ? ${lines} == 13'd0 : lines_q == 13'd1;
        end
        if (start_q || next_surf) begin
            surfs_q     <= start_q ? surfaces : surfs_q - {{(SURF_W-1){1'b0}}, 1'b1};
            last_surf_q <= start_q ? surfaces == {SURF_W{1'b0}}
                                 : surfs_q == {{(SURF_W-1){1'b0}}, 1'b1};
        end
    end

    wire taking = start_q || (taking_q && !(next_pixel && layer_last));
//% if ew_beats > 1
    localparam PACE_W = ${clog2(ew_beats)};
    reg  [PACE_W-1:0] pace_q;          // cycles until the next word may come
    wire paced  = !ew_on || (!take && !(|(pace_q >> 1)));
    wire go     = taking && room && operands_ok && paced;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)       pace_q <= {PACE_W{1'b0}};
        else if (take)    pace_q <= {PACE_W{ew_on}};
        else if (|pace_q) pace_q <= pace_q - {{(PACE_W-1){1'b0}}, 1'b1};
    end
//% else
    wire go     = taking && room && operands_ok;
//% end

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
