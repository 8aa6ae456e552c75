// Made by macrame 0.1.0 from templates/dla/cmac/dla_cmac.v
// with atomic_c=8 clock_gating=0 cmac_cells=4 cmac_latency=5 entry_bits=64 fp16=0 int8=1
// mac_results=1 mixed=0 psum_w=19 types16=0 winograd_enable=0

// CMAC: one half of the MAC array, 4 cells of 8 signed 8 x 8 products. Two cells share their
// multipliers, see dla_cmac_pair.
//
// The lanes of all cells are cut into groups of 4. A partial sum walks through the groups, one per
// cycle, and meets the products of a group there; beat and weights walk along, so group g sees them
// g cycles after group 0:
//
//    beat ---> lanes of group 0 --other lanes--> group 1 --other lanes--> ...
//                      | 4 lanes summed             |
//                      +---- partial sums --------> + ----> ... ---> mac2accu_data
//
// Latency 5 cycles, one beat per cycle, nothing stalls. Shadow weights written in the
// cycle of a swap or later belong to the next step. Reset: empty pipeline, then shadow weights 0.
`default_nettype none

module dla_cmac (
    input  wire         clk,
    input  wire         rst_n,
    // Configuration bus
    input  wire         csb2cmac_valid,
    input  wire [9:0]   csb_addr,         // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  cmac2csb_rdata,
    // To CSC: a layer may begin
    output reg          mac2csc_enabled,
    // Weights from CSC, cannot stall
    input  wire         csc2mac_wt_valid,
    input  wire [  3:0] csc2mac_wt_sel,   // one-hot cell
    input  wire [ 63:0] csc2mac_wt_data,
    // Data from CSC, cannot stall
    input  wire         csc2mac_dat_valid,
    input  wire [ 63:0] csc2mac_dat_data,
    input  wire         csc2mac_dat_swap,  // with a beat: shadow weights become active with it
    input  wire         csc2mac_dat_first,
    input  wire         csc2mac_dat_last,
    input  wire         csc2mac_dat_end,
    // Partial sums to CACC, cannot stall
    output wire         mac2accu_valid,
    output wire [ 75:0] mac2accu_data,
    output wire         mac2accu_swap,
    output wire         mac2accu_first,
    output wire         mac2accu_last,
    output wire         mac2accu_end
);

    localparam CELLS   = 4;
    localparam PSUM_W  = 19;
    localparam ENTRY   = 64;
    localparam GROUPS  = 2;
    localparam LATENCY = 5;

    // ---------------------------------------------------------------- registers
    // The layer is over when its last beat comes in: CSC has the enable of the next one in time.
    wire unused_consumer;
    wire op_en;
    wire op_done = csc2mac_dat_valid && csc2mac_dat_end;

    dla_cmac_regs u_regs (
        .clk       (clk),
        .rst_n     (rst_n),
        .csb_valid (csb2cmac_valid),
        .csb_addr  (csb_addr),
        .csb_wdata (csb_wdata),
        .csb_write (csb_write),
        .csb_rdata (cmac2csb_rdata),
        .op_en     (op_en),
        .op_done   (op_done),
        .consumer  (unused_consumer)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) mac2csc_enabled <= 1'b0;
        else        mac2csc_enabled <= op_en && !op_done;
    end

    // ---------------------------------------------------------------- flags, one stage per cycle
    reg  [LATENCY-1:0] valid_q;
    reg  [LATENCY-1:0] swap_q;
    reg  [LATENCY-1:0] first_q;
    reg  [LATENCY-1:0] last_q;
    reg  [LATENCY-1:0] end_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {LATENCY{1'b0}};
        else        valid_q <= {valid_q[LATENCY-2:0], csc2mac_dat_valid};
    end

    always @(posedge clk) begin
        swap_q  <= {swap_q[LATENCY-2:0], csc2mac_dat_swap};
        first_q <= {first_q[LATENCY-2:0], csc2mac_dat_first};
        last_q  <= {last_q[LATENCY-2:0], csc2mac_dat_last};
        end_q   <= {end_q[LATENCY-2:0], csc2mac_dat_end};
    end

    // Weights have a synchronous reset only, as DSP blocks do: it ends a cycle after that of the
    // flags.
    reg clear_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) clear_q <= 1'b1;
        else        clear_q <= 1'b0;
    end

    assign mac2accu_valid = valid_q[LATENCY-1];
    assign mac2accu_swap  = swap_q[LATENCY-1];
    assign mac2accu_first = first_q[LATENCY-1];
    assign mac2accu_last  = last_q[LATENCY-1];
    assign mac2accu_end   = end_q[LATENCY-1];

    // Bit g: a beat, a swap, a weight write is at group g.
    reg  [GROUPS-1:1]  wt_valid_q;
    wire [LATENCY-2:0] valid    = {valid_q[LATENCY-3:0], csc2mac_dat_valid};
    wire [GROUPS-1:0]  take     = {swap_q[GROUPS-2:0], csc2mac_dat_swap};
    wire [GROUPS-1:0]  wt_valid = {wt_valid_q, csc2mac_wt_valid};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) wt_valid_q <= {(GROUPS-1){1'b0}};
        else        wt_valid_q <= wt_valid[GROUPS-2:0];
    end

    // ---------------------------------------------------------------- walk
    // Group g gets its lanes of the beat g + 1 and its weights g cycles after they came.
    wire [ENTRY-1:0] dat;
    wire [ENTRY-1:0] wt;

    genvar g;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_walk
            localparam REST = ENTRY - 32*g;     // lanes of this group and, above, of later ones
            reg  [REST-1:0] dat_q;
            wire [REST-1:0] wt_rest;

            if (g == 0) begin : gen_first
                always @(posedge clk) begin
                    if (valid[0]) dat_q <= csc2mac_dat_data;
                end

                assign wt_rest = csc2mac_wt_data;
            end else begin : gen_next
                reg [REST-1:0] wt_q;

                always @(posedge clk) begin
                    if (valid[g])      dat_q <= gen_walk[g-1].dat_q[32 +: REST];
                    if (wt_valid[g-1]) wt_q  <= gen_walk[g-1].wt_rest[32 +: REST];
                end

                assign wt_rest = wt_q;
            end

            assign dat[32*g +: 32] = dat_q[31:0];
            assign wt[32*g +: 32]  = wt_rest[31:0];
        end
    endgenerate

    // ---------------------------------------------------------------- array
    genvar c;
    generate
        for (c = 0; c < CELLS; c = c + 2) begin : gen_pair
            dla_cmac_pair u_pair (
                .clk      (clk),
                .rst_n    (rst_n),
                .clear    (clear_q),
                .wt_sel   (csc2mac_wt_sel[c +: 2]),
                .wt_valid (wt_valid),
                .wt       (wt),
                .take     (take),
                .beat     (valid),
                .dat      (dat),
                .psum0    (mac2accu_data[c*PSUM_W +: PSUM_W]),
                .psum1    (mac2accu_data[(c+1)*PSUM_W +: PSUM_W])
            );
        end
    endgenerate

endmodule

`default_nettype wire
