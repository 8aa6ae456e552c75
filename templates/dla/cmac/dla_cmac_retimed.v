// One half of the MAC array with a register slice on the way from CSC and one on the way to CACC
// (retiming-enable): its place on a chip may be far from both.
//
//     CSC ---> registers ---> dla_cmac ---> registers ---> CACC
//
// Contract: as dla_cmac, partial sums ${cmac_latency + 2} cycles behind the beat. Reset: nothing on its way.
`default_nettype none

module dla_cmac_retimed (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,       // 1: gated clocks always run  //% if clock_gating
    // Configuration bus
    input  wire         csb2cmac_valid,
    input  wire [9:0]   csb_addr,         // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  cmac2csb_rdata,
    // To CSC: a layer may begin
    output wire         mac2csc_enabled,
    // Weights from CSC, cannot stall
    input  wire         csc2mac_wt_valid,
    input  wire [${cmac_cells - 1:3}:0] csc2mac_wt_sel,   // one-hot cell
    input  wire [${entry_bits - 1:3}:0] csc2mac_wt_data,
    // Data from CSC, cannot stall
    input  wire         csc2mac_dat_valid,
    input  wire [${entry_bits - 1:3}:0] csc2mac_dat_data,
    input  wire         csc2mac_dat_swap,  // shadow weights become active with this beat
    input  wire         csc2mac_dat_first,
    input  wire         csc2mac_dat_last,
    input  wire         csc2mac_dat_end,
    // Partial sums to CACC, cannot stall
    output reg          mac2accu_valid,
    output reg  [${sums.results * cmac_cells * psum_w - 1:3}:0] mac2accu_data,
    output reg          mac2accu_swap,
    output reg          mac2accu_first,
    output reg          mac2accu_last,
//% for k in sums.kind
    output reg  [${sums.kind_w-1}:0]   mac2accu_kind,
//% end
    output reg          mac2accu_end
);

    // ---------------------------------------------------------------- from CSC
    reg         wt_valid_q;
    reg  [${cmac_cells - 1:3}:0] wt_sel_q;
    reg  [${entry_bits - 1:3}:0] wt_data_q;
    reg         dat_valid_q;
    reg  [${entry_bits - 1:3}:0] dat_data_q;
    reg         dat_swap_q, dat_first_q, dat_last_q, dat_end_q;

    always @(posedge clk) begin
        wt_sel_q    <= csc2mac_wt_sel;
        dat_swap_q  <= csc2mac_dat_swap;
        dat_first_q <= csc2mac_dat_first;
        dat_last_q  <= csc2mac_dat_last;
        dat_end_q   <= csc2mac_dat_end;
        if (csc2mac_wt_valid)  wt_data_q  <= csc2mac_wt_data;
        if (csc2mac_dat_valid) dat_data_q <= csc2mac_dat_data;
    end

    // ---------------------------------------------------------------- array
//% for k in sums.kind
    wire [${sums.kind_w-1}:0]  sum_kind;
//% end
    wire        sum_valid, sum_swap, sum_first, sum_last, sum_end;
    wire [${sums.results * cmac_cells * psum_w - 1:3}:0] sum_data;

    dla_cmac u_cmac (
        .clk               (clk),
        .rst_n             (rst_n),
        .clk_ovr_on        (clk_ovr_on),  //% if clock_gating
        .csb2cmac_valid    (csb2cmac_valid),
        .csb_addr          (csb_addr),
        .csb_wdata         (csb_wdata),
        .csb_write         (csb_write),
        .cmac2csb_rdata    (cmac2csb_rdata),
        .mac2csc_enabled   (mac2csc_enabled),
        .csc2mac_wt_valid  (wt_valid_q),
        .csc2mac_wt_sel    (wt_sel_q),
        .csc2mac_wt_data   (wt_data_q),
        .csc2mac_dat_valid (dat_valid_q),
        .csc2mac_dat_data  (dat_data_q),
        .csc2mac_dat_swap  (dat_swap_q),
        .csc2mac_dat_first (dat_first_q),
        .csc2mac_dat_last  (dat_last_q),
        .csc2mac_dat_end   (dat_end_q),
        .mac2accu_valid    (sum_valid),
        .mac2accu_data     (sum_data),
        .mac2accu_swap     (sum_swap),
        .mac2accu_first    (sum_first),
        .mac2accu_last     (sum_last),
//% for k in sums.kind
        .mac2accu_kind     (sum_kind),
//% end
        .mac2accu_end      (sum_end)
    );

    // ---------------------------------------------------------------- to CACC
    always @(posedge clk) begin
        mac2accu_swap  <= sum_swap;
        mac2accu_first <= sum_first;
        mac2accu_last  <= sum_last;
        mac2accu_end   <= sum_end;
//% for k in sums.kind
        mac2accu_kind  <= sum_kind;
//% end
        if (sum_valid) mac2accu_data <= sum_data;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wt_valid_q     <= 1'b0;
            dat_valid_q    <= 1'b0;
            mac2accu_valid <= 1'b0;
        end else begin
            wt_valid_q     <= csc2mac_wt_valid;
            dat_valid_q    <= csc2mac_dat_valid;
            mac2accu_valid <= sum_valid;
        end
    end

endmodule

`default_nettype wire
