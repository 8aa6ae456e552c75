// Made by macrame 0.1.0 from templates/dla/cbuf/dla_cbuf.v
// with atom_bits=64 atoms_per_entry=1 cbuf_addr_w=14 cbuf_bank_w=5 cbuf_banks=32 cbuf_depth=512
// cbuf_rd_latency=4 cbuf_row_w=9 entry_bits=64 entry_bytes=8 highs=8 low_w=2 lows=4
// secondary_memif_enable=0

// CBUF: convolution buffer of 32 banks with 512 entries of 8 bytes.
//
// Contract: one data and one weight entry read per cycle, data exactly 4 cycles later; one atom
// written per cycle: CDMA never sends data and weights in the same cycle, and no atom while a row
// is cleared. Nothing stalls.
//
//     dat_wr ----.
//     wt_wr -----+--> flop --> all banks        rows and bank of the reads --> flop --> banks
//     flush row -'            (we: one bank)    --> mux of 4 --> flop --> OR --> flop --> CSC
//
// A bank is read by one side at a time: data and weight region share no bank. Memory gives one
// atom per cycle to all clients together, so one write path is enough. A read sent 1 cycle after a
// write sees it.
// Reset: no access under way. The contents are cleared by CDMA, row by row.
`default_nettype none

module dla_cbuf (
    input  wire                       clk,
    input  wire                       rst_n,

    // writes, cannot stall
    input  wire                       cdma2cbuf_dat_wr_valid,
    input  wire [13:0]                cdma2cbuf_dat_wr_addr,  // absolute entry
    input  wire [ 63:0]               cdma2cbuf_dat_wr_data,
    input  wire                       cdma2cbuf_wt_wr_valid,
    input  wire [13:0]                cdma2cbuf_wt_wr_addr,   // absolute entry
    input  wire [ 63:0]               cdma2cbuf_wt_wr_data,
    input  wire                       cdma2cbuf_flush_valid,  // clears a row of all banks
    input  wire [ 8:0]                cdma2cbuf_flush_row,

    // reads, cannot stall
    input  wire                       csc2cbuf_dat_rd_valid,
    input  wire [13:0]                csc2cbuf_dat_rd_addr,   // absolute entry
    output wire                       cbuf2csc_dat_rd_valid,
    output wire [ 63:0]               cbuf2csc_dat_rd_data,   // holds until the next
    input  wire                       csc2cbuf_wt_rd_valid,
    input  wire [13:0]                csc2cbuf_wt_rd_addr,    // absolute entry
    output wire                       cbuf2csc_wt_rd_valid,
    output wire [ 63:0]               cbuf2csc_wt_rd_data     // holds until the next
);

    localparam BANKS   = 32;
    localparam DEPTH   = 512;
    localparam ATOM_W  = 64;
    localparam ENTRY_W = 64;
    localparam Q       = 1;               // atoms per entry
    localparam ADDR_W  = 14;
    localparam ROW_W   = 9;               // address inside a bank
    localparam BANK_W  = 5;
    localparam LOW_W   = 2;               // a bank is decoded as {high, low}, each one-hot
    localparam LOWS    = 4;
    localparam HIGHS   = 8;
    localparam WRITE_W = ADDR_W + Q + ATOM_W;

    // One-hot; 0 without an access, whatever its address is then.
    function [LOWS-1:0] select(input access, input [LOW_W-1:0] low);
        select = access ? {{(LOWS-1){1'b0}}, 1'b1} << low : {LOWS{1'b0}};
    endfunction

    // ------------------------------------------------------------------ writes
    wire [WRITE_W-1:0] dat_write = {cdma2cbuf_dat_wr_addr, 1'b1, cdma2cbuf_dat_wr_data};
    wire [WRITE_W-1:0] wt_write  = {cdma2cbuf_wt_wr_addr, 1'b1, cdma2cbuf_wt_wr_data};

    wire [BANK_W-1:0]  wr_bank;
    wire [ROW_W-1:0]   wr_row;
    wire [Q-1:0]       wr_sel;
    wire [ATOM_W-1:0]  wr_data;
    wire               wr_valid = cdma2cbuf_dat_wr_valid || cdma2cbuf_wt_wr_valid;
    wire               wr_clear     = cdma2cbuf_flush_valid;

    assign {wr_bank, wr_row, wr_sel, wr_data} = cdma2cbuf_dat_wr_valid ? dat_write : wt_write;

    reg  [LOWS-1:0]    wr_low_q;
    reg  [HIGHS-1:0]   wr_high_q;
    reg  [Q-1:0]       wr_sel_q;
    reg  [ROW_W-1:0]   wr_row_q;
    reg  [ATOM_W-1:0]  wr_data_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) wr_low_q <= {LOWS{1'b0}};
        else        wr_low_q <= {LOWS{wr_clear}} |
                        select(wr_valid, wr_bank[LOW_W-1:0]);
    end

    always @(posedge clk) begin
        if (wr_clear || wr_valid) begin
            wr_high_q <= {HIGHS{wr_clear}} |
                ({{(HIGHS-1){1'b0}}, 1'b1} << wr_bank[BANK_W-1:LOW_W]);
            wr_sel_q  <= wr_clear ? {Q{1'b1}} : wr_sel;
            wr_row_q  <= wr_clear ? cdma2cbuf_flush_row : wr_row;
            wr_data_q <= wr_clear ? {ATOM_W{1'b0}} : wr_data;
        end
    end

    // ------------------------------------------------------------------ reads: address
    wire [BANK_W-1:0]  dat_bank, wt_bank;
    wire [ROW_W-1:0]   dat_row, wt_row;
    reg  [LOWS-1:0]    dat_low_q, wt_low_q;
    reg  [HIGHS-1:0]   dat_high_q, wt_high_q;
    reg  [ROW_W-1:0]   dat_row_q, wt_row_q;
    reg  [LOW_W-1:0]   dat_sel_q, wt_sel_q;       // low in binary
    reg  [3:0]         dat_valid_q, wt_valid_q;   // bit n: n + 1 cycles later

    assign {dat_bank, dat_row} = csc2cbuf_dat_rd_addr;
    assign {wt_bank, wt_row}   = csc2cbuf_wt_rd_addr;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            dat_low_q   <= {LOWS{1'b0}};
            wt_low_q    <= {LOWS{1'b0}};
            dat_valid_q <= 4'd0;
            wt_valid_q  <= 4'd0;
        end else begin
            dat_low_q   <= select(csc2cbuf_dat_rd_valid, dat_bank[LOW_W-1:0]);
            wt_low_q    <= select(csc2cbuf_wt_rd_valid, wt_bank[LOW_W-1:0]);
            dat_valid_q <= {dat_valid_q[2:0], csc2cbuf_dat_rd_valid};
            wt_valid_q  <= {wt_valid_q[2:0], csc2cbuf_wt_rd_valid};
        end
    end

    always @(posedge clk) begin
        if (csc2cbuf_dat_rd_valid) begin
            dat_high_q <= {{(HIGHS-1){1'b0}}, 1'b1} << dat_bank[BANK_W-1:LOW_W];
            dat_sel_q  <= dat_bank[LOW_W-1:0];
            dat_row_q  <= dat_row;
        end
        if (csc2cbuf_wt_rd_valid) begin
            wt_high_q <= {{(HIGHS-1){1'b0}}, 1'b1} << wt_bank[BANK_W-1:LOW_W];
            wt_sel_q  <= wt_bank[LOW_W-1:0];
            wt_row_q  <= wt_row;
        end
    end

    // ------------------------------------------------------------------ banks
    genvar b, a, g;

    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
            wire [ENTRY_W-1:0] entry;             // read data
            wire             we  = wr_low_q[b%LOWS] && wr_high_q[b/LOWS];
            wire             dat = dat_low_q[b%LOWS] && dat_high_q[b/LOWS];
            wire             wt  = wt_low_q[b%LOWS] && wt_high_q[b/LOWS];
            wire [ROW_W-1:0] row = dat ? dat_row_q : wt_row_q;

            for (a = 0; a < Q; a = a + 1) begin : gen_atom
                sram_1r1w #(.W(ATOM_W), .DEPTH(DEPTH)) u_ram (
                    .clk   (clk),
                    .we    (we && wr_sel_q[a]),
                    .waddr (wr_row_q),
                    .wdata (wr_data_q),
                    .re    (dat || wt),
                    .raddr (row),
                    .rdata (entry[a*ATOM_W +: ATOM_W])
                );
            end
        end
    endgenerate

    // ------------------------------------------------------------------ reads: data
    reg [ENTRY_W-1:0] dat_data_q;
    reg [ENTRY_W-1:0] wt_data_q;

    // Entry of a bank: one of LOWS in each group, in a register that is 0 in the groups that were
    // not read; then OR over the groups. An FPGA does the first step with one LUT per bit and
    // group. Small signals per group: simulators are slow with one vector of all banks.
    generate
        for (g = 0; g < HIGHS; g = g + 1) begin : gen_group
            wire [ENTRY_W-1:0] dat, wt;           // entry of this group
            reg  [ENTRY_W-1:0] dat_q, wt_q;
            wire [ENTRY_W-1:0] dat_or, wt_or;     // of this and the groups before
            wire               dat_load, dat_high, wt_load, wt_high;
            wire [LOW_W-1:0]   dat_sel, wt_sel;

            // Selects of all bits of an entry: each group has its own.
            reg_copy #(.W(LOW_W+2)) u_dat_select (
                .clk   (clk),
                .rst_n (rst_n),
                .d     ({dat_valid_q[0], dat_high_q[g], dat_sel_q}),
                .q     ({dat_load, dat_high, dat_sel})
            );

            reg_copy #(.W(LOW_W+2)) u_wt_select (
                .clk   (clk),
                .rst_n (rst_n),
                .d     ({wt_valid_q[0], wt_high_q[g], wt_sel_q}),
                .q     ({wt_load, wt_high, wt_sel})
            );

            assign dat = dat_sel[1] ? (dat_sel[0] ? gen_bank[g*LOWS+3].entry
                                                  : gen_bank[g*LOWS+2].entry)
                                    : (dat_sel[0] ? gen_bank[g*LOWS+1].entry
                                                  : gen_bank[g*LOWS].entry);
            assign wt  = wt_sel[1]  ? (wt_sel[0]  ? gen_bank[g*LOWS+3].entry
                                                  : gen_bank[g*LOWS+2].entry)
                                    : (wt_sel[0]  ? gen_bank[g*LOWS+1].entry
                                                  : gen_bank[g*LOWS].entry);

            always @(posedge clk) begin
                if (dat_load) dat_q <= dat_high ? dat : {ENTRY_W{1'b0}};
                if (wt_load)  wt_q  <= wt_high ? wt : {ENTRY_W{1'b0}};
            end

            if (g == 0) begin : gen_first
                assign dat_or = dat_q;
                assign wt_or  = wt_q;
            end else begin : gen_next
                assign dat_or = gen_group[g-1].dat_or | dat_q;
                assign wt_or  = gen_group[g-1].wt_or | wt_q;
            end
        end
    endgenerate

    always @(posedge clk) begin
        if (dat_valid_q[2]) dat_data_q <= gen_group[HIGHS-1].dat_or;
        if (wt_valid_q[2])  wt_data_q  <= gen_group[HIGHS-1].wt_or;
    end

    assign cbuf2csc_dat_rd_valid = dat_valid_q[3];
    assign cbuf2csc_dat_rd_data  = dat_data_q;
    assign cbuf2csc_wt_rd_valid  = wt_valid_q[3];
    assign cbuf2csc_wt_rd_data   = wt_data_q;

endmodule

`default_nettype wire
