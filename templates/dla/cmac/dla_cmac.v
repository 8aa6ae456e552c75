//% if types16
// CMAC: one half of the MAC array, ${cmac_cells} cells of ${atomic_c} lanes for ${int8 ? "int8" : ""}${int8 && int16 ? fp16 ? ", " : " and " : ""}${int16 ? "int16" : ""}${(int8 || int16) && fp16 ? " and " : ""}${fp16 ? "fp16" : ""}.
//
//% if fp16
//                  --> signs, exponents ---> cell:   alignment -----+
//                  |                                               v
//     operand -----+-> mantissas, integers, 5 cycles later ----> quads of 4 lanes --> tree
//     (weights,    |                                                               |
//      data)       +-> first NaN ---------------------------------------------> word --> CACC
//% else
//     weights --> shadow of a cell --> quads of 4 lanes --> tree --> word --> mac2accu_data
//     data    --> flop ------------->
//% end
//
//% else
// CMAC: one half of the MAC array, ${cmac_cells} cells of ${atomic_c} signed 8 x 8 products. Two cells share their
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
//% end
// Latency ${cmac_latency} cycles, one beat per cycle, nothing stalls. Shadow weights written in the
// cycle of a swap or later belong to the next step. Reset: empty pipeline, ${types16 ? "" : "then "}shadow weights 0.
`default_nettype none
//% let has_kinds = types16 && (mixed || int8 || winograd_enable)

module dla_cmac (
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
    output reg          mac2csc_enabled,
    // Weights from CSC, cannot stall
    input  wire         csc2mac_wt_valid,
    input  wire [${cmac_cells - 1:3}:0] csc2mac_wt_sel,   // one-hot cell
    input  wire [${entry_bits - 1:3}:0] csc2mac_wt_data,
    // Data from CSC, cannot stall
    input  wire         csc2mac_dat_valid,
    input  wire [${entry_bits - 1:3}:0] csc2mac_dat_data,
    input  wire         csc2mac_dat_swap,  // with a beat: shadow weights become active with it
    input  wire         csc2mac_dat_first,
    input  wire         csc2mac_dat_last,
    input  wire         csc2mac_dat_end,
    // Partial sums to CACC, cannot stall
    output wire         mac2accu_valid,
    output wire [${mac_results * cmac_cells * psum_w - 1:3}:0] mac2accu_data,${winograd_enable ? "  // result 0 of all cells, result 1, ..." : ""}
    output wire         mac2accu_swap,
    output wire         mac2accu_first,
    output wire         mac2accu_last,
    output wire [${sums.kind_w-1}:0]   mac2accu_kind,    // ${winograd_enable ? "CONV_MODE, " : ""}PROC_PRECISION of its layer  //% if has_kinds
    output wire         mac2accu_end
);

    localparam CELLS   = ${cmac_cells};
    localparam PSUM_W  = ${psum_w};  //% if !types16
    localparam ENTRY   = ${entry_bits};  //% if !types16
    localparam GROUPS  = ${atomic_c / 4};  //% if !types16
    localparam LATENCY = ${cmac_latency};

    // ---------------------------------------------------------------- registers
    // The layer is over when its last beat comes in: CSC has the enable of the next one in time.
    wire unused_consumer;
    wire op_en;
    wire op_done = csc2mac_dat_valid && csc2mac_dat_end;
//% if has_kinds
    wire [1:0] precision;
    wire       conv_mode;               // 1: Winograd  //% if winograd_enable
//% end

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
//% if has_kinds
        .d_misc_cfg_proc_precision (precision),
        .d_misc_cfg_conv_mode      (conv_mode),  //% if winograd_enable
//% end
        .consumer  (unused_consumer)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) mac2csc_enabled <= 1'b0;
        else        mac2csc_enabled <= op_en && !op_done;
    end

    // ---------------------------------------------------------------- flags, one stage per cycle
    // Bit n: of the beat that came n + 1 cycles ago.  //% if types16
    reg  [LATENCY-1:0] valid_q;
    reg  [LATENCY-1:0] swap_q;
    reg  [LATENCY-1:0] first_q;
    reg  [LATENCY-1:0] last_q;
    reg  [LATENCY-1:0] end_q;
    reg  [${nan_stage}:1] wt_valid_q;   // bit n: a weight came n cycles ago  //% if fp16

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

//% if !types16
    // Weights have a synchronous reset only, as DSP blocks do: it ends a cycle after that of the
    // flags.
    reg clear_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) clear_q <= 1'b1;
        else        clear_q <= 1'b0;
    end

//% end
    assign mac2accu_valid = valid_q[LATENCY-1];
    assign mac2accu_swap  = swap_q[LATENCY-1];
    assign mac2accu_first = first_q[LATENCY-1];
    assign mac2accu_last  = last_q[LATENCY-1];
    assign mac2accu_end   = end_q[LATENCY-1];
//% if types16
//%   include "cmac/array_types16.vh"
//% else

//%   include "cmac/array_int8.vh"
//% end

endmodule

`default_nettype wire
