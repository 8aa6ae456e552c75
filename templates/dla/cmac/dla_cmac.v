// CMAC: one half of the MAC array, ${cmac_cells} cells of ${atomic_c} signed 8 x 8 products, two per multiplier.
//
// The lanes of all cells are cut into groups of 4. A partial sum walks through the groups, one per
// cycle, and meets the products of a group there; the beat walks along, so group g sees it g cycles
// after group 0:
//
//    beat ------> [ group 0 ] --other lanes--> [ group 1 ] --other lanes--> ...
//                      | 4 lanes summed             |
//         NO_BIAS ---> +---- partial sums --------> + ----> ... ---> mac2accu_data
//
// Latency ${cmac_latency} cycles, one beat per cycle, nothing stalls. Shadow weights written in the
// cycle of a swap or later belong to the next step. Reset: empty pipeline, then shadow weights 0.
`default_nettype none

module dla_cmac (
    input  wire         clk,
    input  wire         rst_n,
//% if clock_gating
    input  wire         clk_ovr_on,       // 1: gated clocks always run
//% end
    // Configuration bus
    input  wire         csb2cmac_valid,
    input  wire [9:0]   csb_addr,         // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  cmac2csb_rdata,
    // Weights from CSC, cannot stall
    input  wire         csc2mac_wt_valid,
    input  wire [${cmac_cells-1}:0]   csc2mac_wt_sel,   // one-hot cell
    input  wire [${entry_bits-1}:0]  csc2mac_wt_data,
    // Data from CSC, cannot stall
    input  wire         csc2mac_dat_valid,
    input  wire [${entry_bits-1}:0]  csc2mac_dat_data,
    input  wire         csc2mac_dat_swap,  // shadow weights become active with this beat
    input  wire         csc2mac_dat_first,
    input  wire         csc2mac_dat_last,
    input  wire         csc2mac_dat_end,
    // Partial sums to CACC, cannot stall
    output wire         mac2accu_valid,
    output wire [${cmac_cells*psum_w-1}:0]  mac2accu_data,
    output wire         mac2accu_swap,
    output wire         mac2accu_first,
    output wire         mac2accu_last,
    output wire         mac2accu_end
);

    localparam CELLS   = ${cmac_cells};
    localparam PSUM_W  = ${psum_w};
    localparam ENTRY   = ${entry_bits};
    localparam GROUPS  = ${atomic_c / 4};
    localparam LATENCY = ${cmac_latency};

    // Takes out the bias of 32767 that the groups add to each sum of two products.
    localparam [PSUM_W-1:0] NO_BIAS = -${atomic_c / 2 * 32767};

    // ---------------------------------------------------------------- registers
    wire unused_op_en;                 // beats come only while CSC runs a layer
    wire unused_consumer;

    dla_cmac_regs u_regs (
        .clk       (clk),
        .rst_n     (rst_n),
        .csb_valid (csb2cmac_valid),
        .csb_addr  (csb_addr),
        .csb_wdata (csb_wdata),
        .csb_write (csb_write),
        .csb_rdata (cmac2csb_rdata),
        .op_en     (unused_op_en),
        .op_done   (mac2accu_valid && mac2accu_end),
        .consumer  (unused_consumer)
    );

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

    // Weights have a synchronous reset only, as DSP blocks do: one cycle after that of the flags.
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

    // ---------------------------------------------------------------- clock of the array
    wire gclk;
//% if clock_gating
    reg  [GROUPS-1:0] wt_busy_q;       // a weight write is on its way to group g

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) wt_busy_q <= {GROUPS{1'b0}};
        else        wt_busy_q <= {wt_busy_q[GROUPS-2:0], csc2mac_wt_valid};
    end

    clkgate u_gate (
        .clk     (clk),
        .en      (clear_q || csc2mac_dat_valid || valid_q != {LATENCY{1'b0}}
                  || csc2mac_wt_valid || wt_busy_q != {GROUPS{1'b0}}),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );
//% else
    assign gclk = clk;
//% end

    // ---------------------------------------------------------------- array
    // Bit g: a beat, with swap, is at the input of group g.
    wire [LATENCY-1:0] valid = {valid_q[LATENCY-2:0], csc2mac_dat_valid};
    wire [GROUPS-1:0]  swap  = {swap_q[GROUPS-2:0], csc2mac_dat_swap};

    genvar g;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
            // What enters this group: its own 4 lanes and, above them, those of later groups.
            localparam REST = ENTRY - 32*g;
            wire [REST-1:0]         dat;
            wire [REST-1:0]         wt;
            wire [CELLS-1:0]        wt_we;
            wire [CELLS*PSUM_W-1:0] psum_in;
            wire [CELLS*PSUM_W-1:0] psum_out;

            if (g == 0) begin : gen_first
                assign dat     = csc2mac_dat_data;
                assign wt      = csc2mac_wt_data;
                assign wt_we   = csc2mac_wt_sel & {CELLS{csc2mac_wt_valid}};
                assign psum_in = {CELLS{NO_BIAS}};
            end else begin : gen_next
                reg [REST-1:0]  dat_q;
                reg [REST-1:0]  wt_q;
                reg [CELLS-1:0] wt_we_q;

                always @(posedge gclk or negedge rst_n) begin
                    if (!rst_n) wt_we_q <= {CELLS{1'b0}};
                    else        wt_we_q <= gen_group[g-1].wt_we;
                end

                always @(posedge gclk) begin
                    if (valid[g-1]) dat_q <= gen_group[g-1].dat[32 +: REST];
                    if (gen_group[g-1].wt_we != {CELLS{1'b0}})
                        wt_q <= gen_group[g-1].wt[32 +: REST];
                end

                assign dat     = dat_q;
                assign wt      = wt_q;
                assign wt_we   = wt_we_q;
                assign psum_in = gen_group[g-1].psum_out;
            end

            dla_cmac_group u_group (
                .clk       (gclk),
                .clear     (clear_q),
                .wt_we     (wt_we),
                .wt        (wt[31:0]),
                .dat_valid (valid[g]),
                .dat       (dat[31:0]),
                .swap      (swap[g]),
                .mul_valid (valid[g+1]),
                .add_valid (valid[g+2]),
                .sum_valid (valid[g+3]),
                .psum_in   (psum_in),
                .psum_out  (psum_out)
            );
        end
    endgenerate

    assign mac2accu_data = gen_group[GROUPS-1].psum_out;

endmodule

`default_nettype wire
