// Operand channel of SDP_RDMA: reads and decodes records, hands them over beat by beat.
//
// Contract: ${sdp_lanes} record(s) per cycle as long as memory delivers them; answer to first beat 2
// cycles (deep FIFO: 4). The channel may run ahead of SDP, into the next layer too. Every record
// is handed over once; out_once tells SDP what it is for. Beats leave from registers.
//
//     answers -> FIFO -> cut into records, decode -> register -> SDP
`default_nettype none
//# Records of one byte are of int8 only.
//% let half_only = types16 && !mixed

module dla_sdp_rdma_operand #(
    parameter DEPTH = 16               // atoms of the FIFO
) (
    input  wire         clk,
    input  wire         rst_n,

    // layer, see dla_sdp_rdma_req
    input  wire         start,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  surf_stride,
    input  wire [12:0]  width,         // less 1
    input  wire [12:0]  height,        // less 1
    input  wire [${12 - elem_lsb:2}:0]  surfaces,      // less 1
    input  wire         packed_cube,   // width and height are 1
    input  wire         wide,          // an atom has half as many elements: two_byte  //% if mixed
    input  wire         tiles,         // 4 lines of 2 columns after each other  //% if winograd_enable
    input  wire [1:0]   data_use,      // 0 MUL, 1 ALU, 2 both
    input  wire         two_byte,      // bytes per component  //% if !half_only
    input  wire         per_element,   // 0: one operand per channel
    input  wire         clear,         // the stall counter starts again
    input  wire         count_en,
    output wire [31:0]  stall_q,
    output wire         busy,          // not everything has come
    output wire         active,        // something is stored  //% if clock_gating

    output wire         req_valid,
    input  wire         req_ready,
    output wire [${addr_w - 1:2}:0]  req_addr,
    output wire [14:0]  req_size,
    input  wire         rsp_valid,     // cannot stall
    input  wire [${atom_bits - 1:3}:0] rsp_data,

    output reg          out_valid_q,
    input  wire         out_ready,
    output reg          out_once_q,    // 0: for all pixels of a surface
    output reg  [${16 * sdp_lanes - 1:3}:0] out_alu_q,
    output reg  [${16 * sdp_lanes - 1:3}:0] out_mul_q
);

    localparam LANES  = ${sdp_lanes};
    localparam BITS   = ${atom_bits};
    localparam PIECE  = ${8 * sdp_lanes};            // bits of a beat of one-byte records
    localparam CUT_W  = ${cut_w};            // counts pieces: 4, or those of an atom

    // ------------------------------------------------------------------ requests
    // A record has 2 or 4 bytes: 1 or 2 atoms per atom of elements.  //% if half_only
    localparam two_byte = 1'b1;  //% if half_only
    // A record has 1, 2 or 4 bytes: so many atoms per atom of elements${mixed ? ", half as many in 16 bits" : ""}.  //% if !half_only
    wire        both     = data_use[1];
    wire        one_line = packed_cube || !per_element;
    wire [12:0] units    = one_line ? {${elem_lsb}'d0, surfaces} : width;
//% if mixed
    wire        four     = both && two_byte && !wide;
    wire        two      = both != (two_byte && !wide);
    wire [14:0] atoms    = four ? {units, 2'b11} : two ? {1'b0, units, 1'b1} : {2'b00, units};
//% elif half_only
    wire [14:0] atoms    = both ? {1'b0, units, 1'b1} : {2'b00, units};
//% else
    wire [14:0] atoms    = (both && two_byte) ? {units, 2'b11}
                         : (both || two_byte) ? {1'b0, units, 1'b1} : {2'b00, units};
//% end
    wire        pop;

    dla_sdp_rdma_req #(.DEPTH(DEPTH)) u_req (
        .clk         (clk),
        .rst_n       (rst_n),
        .start       (start),
        .base        (base),
        .line_stride (line_stride),
        .surf_stride (surf_stride),
        .one_line    (one_line),
        .pairs       (1'b0),  //% if mixed
        .tiles       (tiles && !one_line),  //% if winograd_enable
        .tile_atoms  (${mixed ? "four ? 3'd7 : two ? 3'd3 : 3'd1" : half_only ? "both ? 3'd3 : 3'd1" : "(both && two_byte) ? 3'd7 : (both || two_byte) ? 3'd3 : 3'd1"}),  //% if winograd_enable
        .tile_count  (width[12:1]),  //% if winograd_enable
        .atoms       (atoms),
        .lines       (height),
        .surfaces    (surfaces),
        .clear       (clear),
        .count_en    (count_en),
        .stall_q     (stall_q),
        .busy        (busy),
        .req_valid_q (req_valid),
        .req_ready   (req_ready),
        .req_addr_q  (req_addr),
        .req_size_q  (req_size),
        .rsp_valid   (rsp_valid),
        .freed       (pop)
    );

    // ------------------------------------------------------------------ FIFO
    // Each atom carries how to read it: the next layer may differ.
    wire            atom_valid, atom_both, atom_two_byte, atom_per_element;
    wire [1:0]      atom_kind;                // both + two_byte, for what counts pieces alone
    wire [BITS-1:0] atom;

//% if clock_gating
    wire stored;

//% end
    dla_sdp_rdma_fifo #(.W(BITS + 5), .DEPTH(DEPTH)) u_fifo (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (rsp_valid),
        .in_data   ({both && two_byte, both != two_byte, both, two_byte, per_element, rsp_data}),
        .out_valid (atom_valid),
        .out_ready (pop),
        .stored    (stored),  //% if clock_gating
        .out_data  ({atom_kind, atom_both, atom_two_byte, atom_per_element, atom})
    );

    // ------------------------------------------------------------------ cut
    // Pieces 1, 2 or 4 at a time; piece4 contains piece2 contains piece1.
    wire               room      = !out_valid_q || out_ready;
    reg  [CUT_W-1:0]   cut_q;                 // piece to be read
    wire               whole     = atom_both && atom_two_byte;      // 4 bytes
    wire [CUT_W-1:0]   record    = {{(CUT_W-1){1'b0}}, 1'b1} << atom_kind;
    wire               cut       = atom_valid && room;
    wire [4*PIECE-1:0] piece4;
    wire [2*PIECE-1:0] piece2;
    wire [PIECE-1:0]   piece1;
    wire               write;                 // the cut completes a beat

//% if atom_bytes / sdp_lanes >= 4
    wire [CUT_W-1:0]   cut_next  = cut_q + record;

    assign piece4 = atom[4*PIECE*cut_q[CUT_W-1:2] +: 4*PIECE];  //% if atom_bytes / sdp_lanes > 4
    assign piece4 = atom;  //% if atom_bytes / sdp_lanes <= 4
    assign piece2 = cut_q[1] ? piece4[2*PIECE +: 2*PIECE] : piece4[0 +: 2*PIECE];
    assign piece1 = cut_q[0] ? piece2[PIECE +: PIECE] : piece2[0 +: PIECE];
    assign write  = cut;
    assign pop    = cut && (cut_next == {CUT_W{1'b0}});

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)   cut_q <= {CUT_W{1'b0}};
        else if (cut) cut_q <= cut_next;
    end
//% else
    localparam BEATS  = ${atom_bytes / sdp_lanes};            // of an atom of elements
    // A beat of the largest records takes ${4 * sdp_lanes / atom_bytes} atoms: keep the ones before.
    localparam KEPT = 4*PIECE - BITS;
    reg  [KEPT-1:0]    kept_q;
    wire [CUT_W-1:0]   step      = (atom_kind == 2'd0) ? 2'd1 : 2'd2;  //% if atom_bytes / sdp_lanes == 2
    wire [CUT_W-1:0]   step      = 2'd1;  //% if atom_bytes / sdp_lanes != 2
    wire [CUT_W-1:0]   cut_next  = cut_q + step;
    wire               atom_over = (cut_next & (BEATS[CUT_W-1:0] - 1'b1)) == {CUT_W{1'b0}};

    assign piece4 = {atom, kept_q};
    assign piece2 = piece4[4*PIECE-1 -: 2*PIECE];
    assign piece1 = cut_q[0] ? atom[PIECE +: PIECE] : atom[0 +: PIECE];  //% if atom_bytes / sdp_lanes == 2
    assign piece1 = atom;  //% if atom_bytes / sdp_lanes != 2
    wire emit = (cut_next & (record - 1'b1)) == {CUT_W{1'b0}};

    assign write  = cut && emit;
    assign pop    = cut && atom_over;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)   cut_q <= {CUT_W{1'b0}};
        else if (cut) cut_q <= (emit && atom_over) ? {CUT_W{1'b0}} : cut_next;
    end

    always @(posedge clk) begin
        if (pop) kept_q <= atom;  //% if atom_bytes / sdp_lanes == 2
        if (pop) kept_q <= {atom, kept_q[KEPT-1:BITS]};  //% if atom_bytes / sdp_lanes != 2
    end
//% end

    // ------------------------------------------------------------------ decode
    // A single component serves as both.
    wire [16*LANES-1:0] alu, mul;

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            wire [7:0]  b1 = piece1[8*i +: 8];
            wire [15:0] b2 = piece2[16*i +: 16];
            wire [31:0] b4 = piece4[32*i +: 32];

            assign alu[16*i +: 16] = whole ? b4[15:0] :
                                     atom_two_byte ? b2 :
                                     atom_both ? {{8{b2[7]}}, b2[7:0]} : {{8{b1[7]}}, b1};
            assign mul[16*i +: 16] = whole ? b4[31:16] :
                                     atom_two_byte ? b2 :
                                     atom_both ? {{8{b2[15]}}, b2[15:8]} : {{8{b1[7]}}, b1};
        end
    endgenerate

    // ------------------------------------------------------------------ register
//% if clock_gating
    assign active = stored || out_valid_q;

//% end
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) out_valid_q <= 1'b0;
        else        out_valid_q <= write || !room;
    end

    always @(posedge clk) begin
        if (write) begin
            out_once_q <= atom_per_element;
            out_alu_q  <= alu;
            out_mul_q  <= mul;
        end
    end

    wire unused_bits = &{1'b0, data_use[0]};

endmodule

`default_nettype wire
