// Made by macrame 0.1.0 from templates/dla/cmac/dla_cmac.v
// with atomic_c=8 clock_gating=0 cmac_cells=4 cmac_latency=4 entry_bits=64 psum_w=19

// CMAC: one half of the MAC array, 4 cells of 8 signed 8 x 8 multipliers.
//
// The lanes of all cells are cut into groups of 4. A partial sum walks through the groups, one per
// cycle, and meets the products of a group there; the beat walks along, so group g sees it g cycles
// after group 0. In an FPGA a walk is one cascade of DSP blocks, with no adder tree outside:
//
//    beat ------> [ group 0 ] --other lanes--> [ group 1 ] --other lanes--> ...
//                      | 4 lanes summed             |
//               0 ---> +---- partial sums --------> + ----> ... ---> mac2accu_data
//
// Latency 4 cycles, one beat per cycle, nothing stalls. Shadow weights written in the
// cycle of a swap or later belong to the next step. Reset: empty pipeline; weights are not reset.
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
    // Weights from CSC, cannot stall
    input  wire         csc2mac_wt_valid,
    input  wire [3:0]   csc2mac_wt_sel,   // one-hot cell
    input  wire [63:0]  csc2mac_wt_data,
    // Data from CSC, cannot stall
    input  wire         csc2mac_dat_valid,
    input  wire [63:0]  csc2mac_dat_data,
    input  wire         csc2mac_dat_swap,  // shadow weights become active with this beat
    input  wire [3:0]   csc2mac_dat_mask,  // with swap: enabled cells
    input  wire         csc2mac_dat_first,
    input  wire         csc2mac_dat_last,
    input  wire         csc2mac_dat_end,
    // Partial sums to CACC, cannot stall
    output wire         mac2accu_valid,
    output wire [75:0]  mac2accu_data,
    output wire         mac2accu_swap,
    output wire         mac2accu_first,
    output wire         mac2accu_last,
    output wire         mac2accu_end
);

    localparam CELLS   = 4;
    localparam PSUM_W  = 19;
    localparam ENTRY   = 64;
    localparam GROUPS  = 2;
    localparam LATENCY = 4;

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

    assign mac2accu_valid = valid_q[LATENCY-1];
    assign mac2accu_swap  = swap_q[LATENCY-1];
    assign mac2accu_first = first_q[LATENCY-1];
    assign mac2accu_last  = last_q[LATENCY-1];
    assign mac2accu_end   = end_q[LATENCY-1];

    // ---------------------------------------------------------------- clock of the array
    wire gclk;
    assign gclk = clk;

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
            wire [CELLS-1:0]        mask;
            wire [CELLS*PSUM_W-1:0] psum_in;
            wire [CELLS*PSUM_W-1:0] psum_out;

            if (g == 0) begin : gen_first
                assign dat     = csc2mac_dat_data;
                assign wt      = csc2mac_wt_data;
                assign wt_we   = csc2mac_wt_sel & {CELLS{csc2mac_wt_valid}};
                assign mask    = csc2mac_dat_mask;
                assign psum_in = {(CELLS*PSUM_W){1'b0}};
            end else begin : gen_next
                reg [REST-1:0]  dat_q;
                reg [REST-1:0]  wt_q;
                reg [CELLS-1:0] wt_we_q;
                reg [CELLS-1:0] mask_q;

                always @(posedge gclk) begin
                    if (valid[g-1]) dat_q <= gen_group[g-1].dat[32 +: REST];
                    if (gen_group[g-1].wt_we != {CELLS{1'b0}})
                        wt_q <= gen_group[g-1].wt[32 +: REST];
                    wt_we_q <= gen_group[g-1].wt_we;
                    mask_q  <= gen_group[g-1].mask;
                end

                assign dat     = dat_q;
                assign wt      = wt_q;
                assign wt_we   = wt_we_q;
                assign mask    = mask_q;
                assign psum_in = gen_group[g-1].psum_out;
            end

            dla_cmac_group u_group (
                .clk       (gclk),
                .wt_we     (wt_we),
                .wt        (wt[31:0]),
                .dat_valid (valid[g]),
                .dat       (dat[31:0]),
                .swap      (swap[g]),
                .mask      (mask),
                .mul_valid (valid[g+1]),
                .sum_valid (valid[g+2]),
                .psum_in   (psum_in),
                .psum_out  (psum_out)
            );
        end
    endgenerate

    assign mac2accu_data = gen_group[GROUPS-1].psum_out;

endmodule

`default_nettype wire
