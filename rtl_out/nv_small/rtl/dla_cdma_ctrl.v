// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma_ctrl.v
// with cbuf_bank_w=5 cbuf_row_w=9 image_enable=1

// Layer control of CDMA: start, end, what is kept of the layer before, bank changes, clearing CBUF.
//
//     op_en --> banks changed? --yes--> wait for CSC, reset pointers and space --.
//                    |                                                           |
//                    no <--------------------------------------------------------'
//                    v
//                  start --> data side, weight side (or kept) --> both in CBUF --> op_done
//
// Contract: `start` in the cycle of op_en if nothing moved, else when CSC agrees, which is asked
// one cycle after op_en; fetch engines start one cycle later, events come one cycle after the end.
// Banks and the input format of a layer stand at least one cycle before op_en. Clears CBUF after
// reset, one row per cycle; a layer waits for the end of that. Reset: idle, banks unknown.
`default_nettype none

module dla_cdma_ctrl (
    input  wire                       clk,
    input  wire                       rst_n,

    // register file
    input  wire                       op_en,
    output wire                       op_done,
    input  wire                       consumer,
    input  wire                       data_reuse,
    input  wire                       weight_reuse,
    input  wire                       skip_data_rls,
    input  wire                       skip_weight_rls,
    input  wire [ 4:0]                data_bank,      // banks - 1
    input  wire [ 4:0]                weight_bank,
    input  wire                       image,

    // clearing
    output reg                        flush_done_q,
    output reg                        flush_valid_q,
    output reg  [ 8:0]                flush_row_q,

    // with CSC
    output reg                        cdma2csc_bank_change_q,
    input  wire                       csc2cdma_bank_change,
    output wire                       agreed,         // banks change
    output wire                       agreed_data,    // those of data, too

    // fetch engines
    output wire                       start,
    output reg                        dat_start_q,
    output reg                        wt_start_q,
    input  wire                       dat_busy,
    input  wire                       wt_busy,

    // interrupt events, bit = register group
    output reg  [1:0]                 dat_done_q,
    output reg  [1:0]                 wt_done_q
);

    localparam BANK_W = 5;
    localparam ROW_W  = 9;

    // ------------------------------------------------------------------ clear CBUF after reset
    reg              cleared_q;                      // near the layers, far from CBUF

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) cleared_q <= 1'b0;
        else        cleared_q <= flush_done_q;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            flush_done_q  <= 1'b0;
            flush_valid_q <= 1'b1;
            flush_row_q   <= {ROW_W{1'b0}};
        end else if (!flush_done_q) begin
            flush_done_q  <= &flush_row_q;
            flush_valid_q <= !(&flush_row_q);
            flush_row_q   <= flush_row_q + {{(ROW_W-1){1'b0}}, 1'b1};
        end
    end

    // ------------------------------------------------------------------ layers
    reg              running_q;
    reg              dat_wait_q, wt_wait_q;          // interrupt not yet raised
    reg              banks_valid_q;
    reg [BANK_W-1:0] prev_data_bank_q, prev_weight_bank_q;
    reg              prev_skip_data_q, prev_skip_weight_q;
    reg              data_moved_q, wt_moved_q;       // against the layer before
    reg              prev_image_q;

    wire data_moves = !banks_valid_q || (data_bank != prev_data_bank_q);
    wire waiting    = op_en && cleared_q && !running_q;
    wire same_input = image == prev_image_q;
    wire dat_end    = dat_wait_q && !dat_busy && !dat_start_q;
    wire wt_end     = wt_wait_q && !wt_busy && !wt_start_q;

    // Nothing that moved can be reused.
    assign agreed      = cdma2csc_bank_change_q && csc2cdma_bank_change;
    assign agreed_data = agreed && data_moved_q;
    assign start       = waiting && (agreed || !wt_moved_q);
    wire   dat_start   = start && !(data_reuse && prev_skip_data_q && same_input && !agreed_data);
    wire   wt_start    = start && !(weight_reuse && prev_skip_weight_q && !agreed);
    assign op_done     = running_q && (dat_end || !dat_wait_q) && (wt_end || !wt_wait_q);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            cdma2csc_bank_change_q <= 1'b0;
            dat_done_q         <= 2'd0;
            wt_done_q          <= 2'd0;
            running_q          <= 1'b0;
            dat_wait_q         <= 1'b0;
            wt_wait_q          <= 1'b0;
            banks_valid_q      <= 1'b0;
            prev_data_bank_q   <= {BANK_W{1'b0}};
            prev_weight_bank_q <= {BANK_W{1'b0}};
            prev_skip_data_q   <= 1'b0;
            prev_skip_weight_q <= 1'b0;
            prev_image_q       <= 1'b0;
            data_moved_q       <= 1'b1;
            wt_moved_q         <= 1'b1;
            dat_start_q        <= 1'b0;
            wt_start_q         <= 1'b0;
        end else begin
            cdma2csc_bank_change_q <= waiting && wt_moved_q && !agreed;
            dat_done_q   <= {dat_end && consumer, dat_end && !consumer};
            wt_done_q    <= {wt_end && consumer, wt_end && !consumer};
            data_moved_q <= !agreed && data_moves;
            wt_moved_q   <= !agreed && (data_moves || (weight_bank != prev_weight_bank_q));
            dat_start_q  <= dat_start;
            wt_start_q   <= wt_start;
            if (agreed) begin
                banks_valid_q      <= 1'b1;
                prev_data_bank_q   <= data_bank;
                prev_weight_bank_q <= weight_bank;
            end
            if (start) begin
                running_q          <= 1'b1;
                dat_wait_q         <= 1'b1;
                wt_wait_q          <= 1'b1;
                prev_skip_data_q   <= skip_data_rls;
                prev_skip_weight_q <= skip_weight_rls;
                prev_image_q       <= image;
            end else begin
                running_q  <= running_q && !op_done;
                dat_wait_q <= dat_wait_q && !dat_end;
                wt_wait_q  <= wt_wait_q && !wt_end;
            end
        end
    end

endmodule

`default_nettype wire
