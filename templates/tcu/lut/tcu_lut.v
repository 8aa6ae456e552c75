// Lookup tables of one lane: ${lut_depth} keys, which ascend, and values for each of them.
//
//     x --> threshold > threshold > ... --> entry --> key, first of equal keys --> values
//
// The threshold of an entry is halfway from the key before it to its own; the closest key is that
// of the last entry whose threshold is below x, in a tie the one before. The search goes down a
// tree, a level per cycle: each has the thresholds in the middle of what may be left. Of equal keys
// it finds the last one; `first` leads to the first.
// Latency: ${lut_index_w + 1} cycles from x to key and values. Throughput: 1 per cycle. Cannot stall.
// What comes with `write` is in the tables 2 cycles later; none may come while an x is under way.
// Reset: nothing is, tables are undefined until they are written.
`default_nettype none

module tcu_lut (
    input  wire         clk,

    // LoadLUT: all entries of a table in their order
    input  wire         write,
    input  wire [${simd_code_w - 1:2}:0]  write_table,    // 0: keys
    input  wire [${lut_index_w - 1:2}:0]  write_entry,
    input  wire [${data_w - 1:2}:0]  write_data,

    // Lookup
    input  wire [${data_w - 1:2}:0]  x,
    output reg  [${data_w - 1:2}:0]  key_q,
    output wire [${data_w * lut_tables - 1:2}:0]  values          // of table 1 in the low bits
);

    localparam W      = ${data_w};
    localparam DEPTH  = ${lut_depth};                        // entries of a table
    localparam TABLES = ${lut_tables};                        // of values
    localparam LEVELS = ${lut_index_w};                        // of the tree, bits of an entry
    localparam CODE_W = ${simd_code_w};

    // ---------------------------------------------------------------- writes
    reg               put_q;
    reg  [CODE_W-1:0] put_table_q;
    reg  [LEVELS-1:0] put_entry_q;
    reg  [W-1:0]      put_data_q;
    reg  [W-1:0]      before_q;               // the key before
    reg  [LEVELS-1:0] first_q;                // the first entry that has it
    wire              put_key = put_q && put_table_q == {CODE_W{1'b0}};
    wire              again   = put_entry_q != {LEVELS{1'b0}} && put_data_q == before_q;
    wire [LEVELS-1:0] first   = again ? first_q : put_entry_q;
    // x is above half the sum, rounded down, when 2 x is above the sum.
    wire [W:0]        sum     = {before_q[W-1], before_q} + {put_data_q[W-1], put_data_q};
    wire [W-1:0]      halfway = sum[W:1];
    wire              unused  = sum[0];

    always @(posedge clk) begin
        put_q       <= write;
        put_table_q <= write_table;
        put_entry_q <= write_entry;
        put_data_q  <= write_data;
        if (put_key) begin
            before_q <= put_data_q;
            first_q  <= first;
        end
    end

    // ---------------------------------------------------------------- search
    // Level s knows the s high bits of the entry and finds the next one.
    wire [W*LEVELS-1:0]      xs;              // of level 0 in the low bits
    wire [LEVELS*LEVELS-1:0] found;           // bits of the entry that are not known yet are 0
    wire [LEVELS-1:0]        entry = found[LEVELS*(LEVELS-1) +: LEVELS];

    genvar s;
    generate
        for (s = 0; s < LEVELS; s = s + 1) begin : gen_level
            localparam BIT = LEVELS - 1 - s;
            localparam [BIT:0] NODE = 1 << BIT;         // low bits of the level's entries

            wire                 put = put_key && put_entry_q[BIT:0] == NODE;
            wire signed [W-1:0]  argument = xs[W*s +: W];
            wire signed [W-1:0]  threshold;
            wire [LEVELS-1:0]    known;
            wire                 above = argument > threshold;
//% if lut_depth < 1 << lut_index_w
            localparam [LEVELS:0] ENTRIES = DEPTH;
            wire [LEVELS:0]      node  = {1'b0, known} | ({{LEVELS{1'b0}}, 1'b1} << BIT);
            wire                 next  = above && node < ENTRIES;
//% else
            wire                 next  = above;
//% end

            assign found[LEVELS*s +: LEVELS] = known | ({{(LEVELS-1){1'b0}}, next} << BIT);

            if (s == 0) begin : gen_root
                reg  [W-1:0] threshold_q;

                assign known     = {LEVELS{1'b0}};
                assign xs[W-1:0] = x;
                assign threshold = threshold_q;

                always @(posedge clk) begin
                    if (put) threshold_q <= halfway;
                end
            end else begin : gen_nodes
                reg  [W-1:0]      threshold_q;
                reg  [W-1:0]      x_q;
                reg  [LEVELS-1:0] known_q;
                wire [W-1:0]      read;

                assign known         = known_q;
                assign xs[W*s +: W]  = x_q;
                assign threshold     = threshold_q;

                sram_dist_1r1w #(.W(W), .DEPTH(1 << s)) u_thresholds (
                    .clk (clk), .we (put), .waddr (put_entry_q[LEVELS-1 -: s]), .wdata (halfway),
                    .raddr (found[LEVELS*s-1 -: s]), .rdata (read)
                );

                always @(posedge clk) begin
                    threshold_q <= read;
                    x_q         <= xs[W*(s-1) +: W];
                    known_q     <= found[LEVELS*(s-1) +: LEVELS];
                end
            end
        end
    endgenerate

    // ---------------------------------------------------------------- tables
    wire [W-1:0]      key;
    wire [LEVELS-1:0] key_first;

    sram_1r1w #(.W(LEVELS + W), .DEPTH(DEPTH)) u_keys (
        .clk (clk), .we (put_key), .waddr (put_entry_q), .wdata ({first, put_data_q}),
        .re (1'b1), .raddr (entry), .rdata ({key_first, key})
    );

    always @(posedge clk) key_q <= key;

    genvar t;
    generate
        for (t = 0; t < TABLES; t = t + 1) begin : gen_table
            localparam [31:0] NUMBER = t + 1;

            sram_1r1w #(.W(W), .DEPTH(DEPTH)) u_values (
                .clk (clk), .we (put_q && put_table_q == NUMBER[CODE_W-1:0]),
                .waddr (put_entry_q), .wdata (put_data_q),
                .re (1'b1), .raddr (key_first), .rdata (values[W*t +: W])
            );
        end
    endgenerate

endmodule

`default_nettype wire
