// Made by macrame 0.1.0 from templates/dla/csc/dla_csc_entries.v
// with cbuf_addr_w=14 cbuf_bank_w=5 cbuf_row_w=9

// Weight entries in CBUF as CSC sees them: announced by CDMA, in use, released.
//
// Entries have numbers that count up, modulo twice the size of CBUF; a release is everything in
// front of an entry.
//
// Contract: `have_q` follows an announcement by 1 cycle. A release reaches CDMA 4 cycles after its
// pulse, when the last entry has been read; `oldest_q` follows it by 2, `place_q` by 4. Releases
// are further apart. `clear`: no entries; it comes before the first one. Reset: nothing is on its
// way to CDMA.
`default_nettype none

module dla_csc_entries (
    input  wire                       clk,
    input  wire                       rst_n,

    input  wire                       clear,          // CBUF is empty
    input  wire                       updt,           // pulse: one more entry

    // layer
    input  wire [14:0]                entries,
    input  wire [ 4:0]                weight_bank,    // banks of the region, minus one
    input  wire                       start,
    input  wire                       finish,
    input  wire                       skip_rls,       // nothing is released at `finish`

    // releases
    input  wire                       release_group,  // up to the entry `group`
    input  wire                       release_rest,   // what the layer before left
    input  wire [14:0]                group,

    output reg  [14:0]                have_q,         // first that was not announced
    output reg  [14:0]                oldest_q,       // first that was not released
    output reg  [13:0]                place_q,        // of it in the region
    output reg                        rest_q,         // the layer before left some
    output reg                        announced_q,    // all of this layer

    // CDMA, cannot stall
    output wire                       rls_valid,
    output reg  [14:0]                rls_entries_q
);

    localparam CBUF_W = 14;
    localparam ROW_W  = 9;
    localparam BANK_W = 5;

    reg  [CBUF_W:0] end_q;               // first behind the layer
    reg  [CBUF_W:0] target_q;            // first that stays
    reg  [3:0]      rls_q;               // release, n cycles ago
    wire [CBUF_W:0] missing = have_q - end_q;    // negative if some are

    // Modulo the region, whole banks: the difference is negative if there is nothing to wrap.
    reg  [CBUF_W:0]   sum_q;
    wire [BANK_W:0]   weight_banks = {1'b0, weight_bank} + {{BANK_W{1'b0}}, 1'b1};
    wire [BANK_W:0]   over         = sum_q[CBUF_W:ROW_W] - weight_banks;
    wire [BANK_W-1:0] bank         = over[BANK_W] ? sum_q[CBUF_W-1:ROW_W] : over[BANK_W-1:0];

    wire release_end = finish && !skip_rls;

    assign rls_valid = rls_q[3];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     rls_q <= 4'd0;
        else if (clear) rls_q <= 4'd0;
        else            rls_q <= {rls_q[2:0], release_group || release_rest || release_end};
    end

    always @(posedge clk) begin
        if (clear) begin
            have_q   <= {(CBUF_W+1){1'b0}};
            oldest_q <= {(CBUF_W+1){1'b0}};
            end_q    <= {(CBUF_W+1){1'b0}};
            place_q  <= {CBUF_W{1'b0}};
            rest_q   <= 1'b0;
        end else begin
            have_q <= have_q + {{CBUF_W{1'b0}}, updt};
            if (start)             end_q    <= oldest_q + entries;
            if (finish)            rest_q   <= skip_rls;
            else if (release_rest) rest_q   <= 1'b0;
            if (rls_q[0])          oldest_q <= target_q;
            if (rls_q[2])          place_q  <= {bank, sum_q[ROW_W-1:0]};
        end
        announced_q <= !missing[CBUF_W];
        target_q    <= release_group ? group : end_q;
        if (rls_q[0]) rls_entries_q <= target_q - oldest_q;
        sum_q       <= {1'b0, place_q} + rls_entries_q;
    end

endmodule

`default_nettype wire
