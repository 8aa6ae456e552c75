// Input lines in CBUF as CSC sees them: announced by CDMA, in use, released.
//
// Contract: `slices_q` and `all_q` follow an announcement by 2 and 3 cycles. A release reaches CDMA
// one cycle after `release_now`, `slices_q` and `base_q` follow it by 3; releases are far apart.
// `clear`: no lines; it comes before the first one. Reset: nothing is on its way to CDMA.
`default_nettype none

module dla_csc_lines (
    input  wire                       clk,
    input  wire                       rst_n,

    input  wire                       clear,          // CBUF is empty
    input  wire                       updt,           // pulse: one more slice

    // layer
    input  wire [12:0]                height,         // minus one
    input  wire [${cbuf_bank_w - 1:2}:0]                data_bank,      // banks of the region, minus one

    // closing of a layer, one pulse after the other
    input  wire                       count,          // release_count are to be released
    input  wire [12:0]                release_count,
    input  wire                       load_amount,    // the product is there
    input  wire [${cbuf_addr_w:2}:0]                product,        // entries of count_q slices
    input  wire                       release_now,    // amount_q entries, count_q slices
    input  wire                       remain,         // count_q becomes what is left of the layer

    output reg  [13:0]                count_q,
    output reg  [${cbuf_addr_w:2}:0]                slices_q,       // announced and not released
    output reg                        all_q,          // lines of the layer were announced
    output reg  [${cbuf_addr_w - 1:2}:0]                base_q,         // first entry of the oldest slice

    // CDMA, cannot stall
    output reg                        rls_valid_q,
    output reg  [${cbuf_addr_w:2}:0]                amount_q
);

    localparam CBUF_W = ${cbuf_addr_w};
    localparam ROW_W  = ${cbuf_row_w};
    localparam BANK_W = ${cbuf_bank_w};

    // ------------------------------------------------------------------ slices
    reg  [CBUF_W:0] change_q;            // of slices_q
    reg  [CBUF_W:0] leaving_q;
    wire [31:0]     leaving = {18'd0, count_q};
    wire [31:0]     lines   = {19'd0, height};

    always @(posedge clk) begin
        if (clear) begin
            change_q <= {(CBUF_W+1){1'b0}};
            slices_q <= {(CBUF_W+1){1'b0}};
            count_q  <= 14'd0;
        end else begin
            change_q <= {{CBUF_W{1'b0}}, updt} - (leaving_q & {(CBUF_W+1){rls_valid_q}});
            slices_q <= slices_q + change_q;
            if (count) begin
                count_q <= {1'b0, release_count};
            end else if (remain) begin
                count_q <= {1'b0, height} - count_q + 14'd1;
            end
        end
        leaving_q <= leaving[CBUF_W:0];
        all_q     <= slices_q > lines[CBUF_W:0];
        if (load_amount) amount_q <= product;
    end

    // ------------------------------------------------------------------ entry of the oldest
    // Modulo the region, whole banks: the difference is negative if there is nothing to wrap.
    reg               moved_q;           // base_sum_q is what base_q becomes
    reg  [CBUF_W:0]   base_sum_q;
    wire [BANK_W:0]   data_banks = {1'b0, data_bank} + {{BANK_W{1'b0}}, 1'b1};
    wire [BANK_W:0]   over       = base_sum_q[CBUF_W:ROW_W] - data_banks;
    wire [BANK_W-1:0] bank       = over[BANK_W] ? base_sum_q[CBUF_W-1:ROW_W] : over[BANK_W-1:0];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            rls_valid_q <= 1'b0;
            moved_q     <= 1'b0;
        end else begin
            rls_valid_q <= release_now;
            moved_q     <= rls_valid_q;
        end
    end

    always @(posedge clk) begin
        if (clear)        base_q <= {CBUF_W{1'b0}};
        else if (moved_q) base_q <= {bank, base_sum_q[ROW_W-1:0]};
        base_sum_q <= {1'b0, base_q} + amount_q;
    end

    wire unused_bits = &{1'b0, leaving, lines};

endmodule

`default_nettype wire
