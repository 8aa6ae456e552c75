// Tiles of Winograd: 4 x 4 pixels with 4 channels each out of entries that are such tiles of the
// input, and their pre-addition.
//
//     newest entry, those before --> tile at (2 columns, 2 lines) --> pre-addition --> CMAC
//
// Tiles come in fours: left upper, left lower, right upper, right lower. Each has a read of its
// own, of the entry of its last pixel; its other pixels lie in entries of the tiles before.
//
// Contract: `load` with the entry of a tile; the first one behind `start` is a left upper one.
// 5 cycles to CMAC, of fp16 15. No reset: `start` comes first.  //% if types.fp_and_int
// ${fp16 ? 15 : 5} cycles to CMAC. No reset: `start` comes first.  //% if !types.fp_and_int
`default_nettype none

module dla_csc_tile (
    input  wire                       clk,
    input  wire                       start,          // of a layer
    input  wire                       int8,  //% if types.mix
    input  wire                       fp,  //% if types.fp_and_int
    input  wire [1:0]                 truncate,       // bits that integers lose, 3 is 2  //% if types.integers
    input  wire                       load,
    input  wire                       load_odd,       // second block of its entry  //% if types.mix
    input  wire [${entry_bits - 1:3}:0]               load_data,
    output wire [${entry_bits - 1:3}:0]               lanes           // (row*4 + column)*4 + channel
);

    localparam W     = ${types.lane_bits};               // bits of an element
    localparam PIXEL = 4*W;              // 4 channels
    localparam PAIR  = 2*PIXEL;
    localparam N     = ${fp16 ? 13 : 3};

    // ------------------------------------------------------------------ elements of an entry
    wire [8*PAIR-1:0] elements;
//% if types.mix
    genvar e;
    generate
        for (e = 0; e < 64; e = e + 1) begin : gen_element
            // Int8: 8 channels of a pixel, the second block is the odd one.
            localparam AT = (e / 4) * 8 + e % 4;
            wire [7:0] byte_of_8 = load_odd ? load_data[8*(AT + 4) +: 8] : load_data[8*AT +: 8];

            assign elements[W*e +: W] = int8 ? {{8{byte_of_8[7]}}, byte_of_8}
                                             : load_data[W*e +: W];
        end
    endgenerate
//% else
    assign elements = load_data;
//% end

    // ------------------------------------------------------------------ entries of the last tiles
    // Of each only what a later tile needs. A row is two pairs of pixels, the left one first.
    reg  [1:0]          turn_q;          // of the newest: left upper, left lower, right upper, ...
    reg  [8*PAIR-1:0]   newest_q;
    reg  [4*PAIR-1:0]   lower1_q;        // the entry before: rows 2, 3
    reg  [2*PAIR-1:0]   right1_q;        // and the right pairs of rows 0, 1
    reg  [4*PAIR-1:0]   right2_q;        // the one before that: right pairs
    reg  [2*PAIR-1:0]   corner3_q;       // and the one before: those of rows 2, 3
    reg                 load_q;
    reg  [N-1:0]        valid_q;         // bit n: n cycles behind the tile
    reg  [8*PAIR-1:0]   tile, tile_q;
    integer             r;

    always @(posedge clk) begin
        if (start)     turn_q <= 2'd3;
        else if (load) turn_q <= turn_q + 2'd1;
        if (load) begin
            newest_q  <= elements;
            lower1_q  <= newest_q[4*PAIR +: 4*PAIR];
            right1_q  <= {newest_q[3*PAIR +: PAIR], newest_q[PAIR +: PAIR]};
            right2_q  <= {lower1_q[3*PAIR +: PAIR], lower1_q[PAIR +: PAIR], right1_q};
            corner3_q <= right2_q[2*PAIR +: 2*PAIR];
        end
        load_q  <= load;
        valid_q <= {valid_q[N-2:0], load_q};
        if (load_q) tile_q <= tile;
    end

    // Lower tiles begin two lines further down, right ones two columns further right.
    always @* begin
        r = 0;      // no latch where the loop does not run
        case (turn_q)
            2'd0: tile = newest_q;
            2'd1: tile = {newest_q[0 +: 4*PAIR], lower1_q};
            2'd2: begin
                for (r = 0; r < 4; r = r + 1) begin
                    tile[2*r*PAIR +: 2*PAIR] = {newest_q[2*r*PAIR +: PAIR],
                                                right2_q[r*PAIR +: PAIR]};
                end
            end
            default: begin
                for (r = 0; r < 2; r = r + 1) begin
                    tile[2*r*PAIR +: 2*PAIR]       = {lower1_q[2*r*PAIR +: PAIR],
                                                      corner3_q[r*PAIR +: PAIR]};
                    tile[(2*r + 4)*PAIR +: 2*PAIR] = {newest_q[2*r*PAIR +: PAIR],
                                                      right2_q[r*PAIR +: PAIR]};
                end
            end
        endcase
    end

    // ------------------------------------------------------------------ pre-addition
    // Channel by channel.
    genvar k, p;
    generate
        for (k = 0; k < 4; k = k + 1) begin : gen_channel
            wire [16*W-1:0] in;
            wire [16*W-1:0] sums;  //% if int8 || int16
            wire [16*W-1:0] fp_sums;  //% if fp16
            for (p = 0; p < 16; p = p + 1) begin : gen_pixel
                assign in[W*p +: W] = tile_q[PIXEL*p + W*k +: W];
                assign lanes[PIXEL*p + W*k +: W] = ${types.fp_and_int ? "fp ? fp_sums[W*p +: W] : sums[W*p +: W]" : fp16 ? "fp_sums[W*p +: W]" : "sums[W*p +: W]"};
            end

//% if int8 || int16
            dla_csc_pra u_pra (
                .clk      (clk),
                .load     (valid_q[2:0]${types.fp_and_int ? " & {3{!fp}}" : ""}),
                .int8     (int8),  //% if types.mix
                .truncate (truncate),
                .in       (in),
                .out_q    (sums)
            );
//% end
//% if fp16

            dla_csc_pra_fp u_pra_fp (
                .clk  (clk),
                .load (valid_q[12:0]${types.fp_and_int ? " & {13{fp}}" : ""}),
                .in   (in),
                .out  (fp_sums)
            );
//% end
        end
    endgenerate

endmodule

`default_nettype wire
