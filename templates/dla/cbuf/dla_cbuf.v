// CBUF: convolution buffer of ${cbuf_banks} banks with ${cbuf_depth} entries of ${entry_bytes} bytes.
//
//% if !secondary_memif_enable
// Contract: one data and one weight entry read per cycle, data exactly ${cbuf_rd_latency} cycles later; one atom
// written per cycle: CDMA never sends data and weights in the same cycle, and no atom while a row
// is cleared. Nothing stalls.
//% elif wt.atoms > 1
// Contract: one data and one weight entry read per cycle, data exactly ${cbuf_rd_latency} cycles later; one atom of
// data and two of weights written per cycle, never while a row is cleared. Nothing stalls.
//% else
// Contract: one data and one weight entry read per cycle, data exactly ${cbuf_rd_latency} cycles later; one data
// and one weight atom written per cycle, never while a row is cleared. Nothing stalls.
//% end
//
//% if secondary_memif_enable
//     flush row, dat_wr --> flop --> data or      rows and bank of the reads --> flop --> banks
//                wt_wr  --> flop --> weight bank  --> mux of ${lows} --> flop --> OR --> flop --> CSC
//% else
//     dat_wr ----.
//     wt_wr -----+--> flop --> all banks        rows and bank of the reads --> flop --> banks
//     flush row -'            (we: one bank)    --> mux of ${lows} --> flop --> OR --> flop --> CSC
//% end
//
//% if !secondary_memif_enable
// A bank is read by one side at a time: data and weight region share no bank. Memory gives one
// atom per cycle to all clients together, so one write path is enough. A read sent 1 cycle after a
// write sees it.
//% elif wt.atoms > 1
// A bank is read and written by one side at a time: data and weight region share no bank. Each side
// has a write path, that of weights for a pair of atoms: (0, 1) or (2, 3) of an entry. A read sent
// 1 cycle after a write sees it.
//% else
// A bank is read and written by one side at a time: data and weight region share no bank. Each of
// the two memories gives an atom per cycle, so each side has a write path. A read sent 1 cycle
// after a write sees it.
//% end
//% if types.sparsity_masks
// The masks of compressed weights are in the last bank, which no region has then: a third entry is
// read from there, with the same latency.
//% end
// Reset: no access under way. The contents are cleared by CDMA, row by row.
`default_nettype none

module dla_cbuf (
    input  wire                       clk,
    input  wire                       rst_n,

    // writes, cannot stall
    input  wire                       cdma2cbuf_dat_wr_valid,
    input  wire [${cbuf_addr_w - 1:2}:0]                cdma2cbuf_dat_wr_addr,  // absolute entry
//% if atoms_per_entry > 1
    input  wire [${atoms_per_entry - 1:2}:0]                cdma2cbuf_dat_wr_sel,   // one-hot atom of the entry
//% end
    input  wire [${atom_bits - 1:3}:0]               cdma2cbuf_dat_wr_data,
    input  wire                       cdma2cbuf_wt_wr_valid,
    input  wire [${cbuf_addr_w - 1:2}:0]                cdma2cbuf_wt_wr_addr,   // absolute entry
//% if atoms_per_entry > 1
    input  wire [${atoms_per_entry - 1:2}:0]                cdma2cbuf_wt_wr_sel,    // ${wt.atoms > 1 ? "an aligned pair, or its low atom" : "one-hot atom of the entry"}
//% end
    input  wire [${wt.atoms * atom_bits - 1:3}:0]               cdma2cbuf_wt_wr_data,
    input  wire                       cdma2cbuf_flush_valid,  // clears a row of all banks
    input  wire [${cbuf_row_w - 1:2}:0]                cdma2cbuf_flush_row,

    // reads, cannot stall
    input  wire                       csc2cbuf_dat_rd_valid,
    input  wire [${cbuf_addr_w - 1:2}:0]                csc2cbuf_dat_rd_addr,   // absolute entry
    output wire                       cbuf2csc_dat_rd_valid,
    output wire [${entry_bits - 1:3}:0]               cbuf2csc_dat_rd_data,   // holds until the next
    input  wire                       csc2cbuf_wt_rd_valid,
    input  wire [${cbuf_addr_w - 1:2}:0]                csc2cbuf_wt_rd_addr,    // absolute entry
    output wire                       cbuf2csc_wt_rd_valid,
//% if types.sparsity_masks
    output wire [${entry_bits - 1:3}:0]               cbuf2csc_wt_rd_data,    // holds until the next
    input  wire                       csc2cbuf_wmb_rd_valid,
    input  wire [${cbuf_row_w - 1:2}:0]                csc2cbuf_wmb_rd_row,    // of the last bank
    output wire                       cbuf2csc_wmb_rd_valid,
    output wire [${entry_bits - 1:3}:0]               cbuf2csc_wmb_rd_data    // holds until the next
//% else
    output wire [${entry_bits - 1:3}:0]               cbuf2csc_wt_rd_data     // holds until the next
//% end
);

    localparam BANKS   = ${cbuf_banks};
    localparam DEPTH   = ${cbuf_depth};
    localparam ATOM_W  = ${atom_bits};
    localparam ENTRY_W = ${entry_bits};
    localparam Q       = ${atoms_per_entry};               // atoms per entry
    localparam ADDR_W  = ${cbuf_addr_w};
    localparam ROW_W   = ${cbuf_row_w};               // address inside a bank
    localparam BANK_W  = ${cbuf_bank_w};
    localparam LOW_W   = ${low_w};               // a bank is decoded as {high, low}, each one-hot
    localparam LOWS    = ${lows};
    localparam HIGHS   = ${highs};
    localparam WRITE_W = ADDR_W + Q + ATOM_W;
    localparam PAIR_W  = 2 * ATOM_W;  //% if wt.atoms > 1
    localparam WT_WRITE_W = ADDR_W + Q + PAIR_W;  //% if wt.atoms > 1

    // One-hot; 0 without an access, whatever its address is then.
    function [LOWS-1:0] select(input access, input [LOW_W-1:0] low);
        select = access ? {{(LOWS-1){1'b0}}, 1'b1} << low : {LOWS{1'b0}};
    endfunction

    // ------------------------------------------------------------------ writes
//% if atoms_per_entry == 1
    wire [WRITE_W-1:0] dat_write = {cdma2cbuf_dat_wr_addr, 1'b1, cdma2cbuf_dat_wr_data};
    wire [WRITE_W-1:0] wt_write  = {cdma2cbuf_wt_wr_addr, 1'b1, cdma2cbuf_wt_wr_data};
//% else
    wire [WRITE_W-1:0] dat_write =
        {cdma2cbuf_dat_wr_addr, cdma2cbuf_dat_wr_sel, cdma2cbuf_dat_wr_data};
    wire [${wt.atoms > 1 ? "WT_WRITE_W" : "WRITE_W"}-1:0] wt_write  =
        {cdma2cbuf_wt_wr_addr, cdma2cbuf_wt_wr_sel, cdma2cbuf_wt_wr_data};
//% end

    // Two memories: data and weights can come in the same cycle, to different banks.  //% if secondary_memif_enable
//% for w in writes
    wire [BANK_W-1:0]  ${w.name}_bank;
    wire [ROW_W-1:0]   ${w.name}_row;
    wire [Q-1:0]       ${w.name}_sel;
    wire [${wt.atoms > 1 && !w.clears ? "PAIR_W" : "ATOM_W"}-1:0]  ${w.name}_data;
    wire               ${w.name}_valid = cdma2cbuf_${w.name}_valid;  //% if secondary_memif_enable
    wire               ${w.name}_valid = cdma2cbuf_dat_wr_valid || cdma2cbuf_wt_wr_valid;  //% if !secondary_memif_enable
    wire               wr_clear     = cdma2cbuf_flush_valid;  //% if w.clears

    assign {${w.name}_bank, ${w.name}_row, ${w.name}_sel, ${w.name}_data} = ${!secondary_memif_enable ? "cdma2cbuf_dat_wr_valid ? dat_write : wt_write" : w.clears ? "dat_write" : "wt_write"};

    reg  [LOWS-1:0]    ${w.name}_low_q;
    reg  [HIGHS-1:0]   ${w.name}_high_q;
    reg  [Q-1:0]       ${w.name}_sel_q;
    reg  [ROW_W-1:0]   ${w.name}_row_q;
    reg  [${wt.atoms > 1 && !w.clears ? "PAIR_W" : "ATOM_W"}-1:0]  ${w.name}_data_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) ${w.name}_low_q <= {LOWS{1'b0}};
//% if w.clears
        else        ${w.name}_low_q <= {LOWS{wr_clear}} |
                        select(${w.name}_valid, ${w.name}_bank[LOW_W-1:0]);
//% else
        else        ${w.name}_low_q <= select(${w.name}_valid, ${w.name}_bank[LOW_W-1:0]);
//% end
    end

    always @(posedge clk) begin
//% if w.clears
        if (wr_clear || ${w.name}_valid) begin
            ${w.name}_high_q <= {HIGHS{wr_clear}} |
                (1'b1);  //% if highs == 1
                ({{(HIGHS-1){1'b0}}, 1'b1} << ${w.name}_bank[BANK_W-1:LOW_W]);  //% if highs > 1
            ${w.name}_sel_q  <= wr_clear ? {Q{1'b1}} : ${w.name}_sel;
            ${w.name}_row_q  <= wr_clear ? cdma2cbuf_flush_row : ${w.name}_row;
            ${w.name}_data_q <= wr_clear ? {ATOM_W{1'b0}} : ${w.name}_data;
        end
//% else
        if (${w.name}_valid) begin
            ${w.name}_high_q <= 1'b1;  //% if highs == 1
            ${w.name}_high_q <= {{(HIGHS-1){1'b0}}, 1'b1} << ${w.name}_bank[BANK_W-1:LOW_W];  //% if highs > 1
            ${w.name}_sel_q  <= ${w.name}_sel;
            ${w.name}_row_q  <= ${w.name}_row;
            ${w.name}_data_q <= ${w.name}_data;
        end
//% end
    end

//% end
    // ------------------------------------------------------------------ reads: address
    wire [BANK_W-1:0]  dat_bank, wt_bank;
    wire [ROW_W-1:0]   dat_row, wt_row;
    reg  [LOWS-1:0]    dat_low_q, wt_low_q;
    reg  [HIGHS-1:0]   dat_high_q, wt_high_q;
    reg  [ROW_W-1:0]   dat_row_q, wt_row_q;
    reg  [LOW_W-1:0]   dat_sel_q, wt_sel_q;       // low in binary
    reg  [${cbuf_rd_latency - 1}:0]         dat_valid_q, wt_valid_q;   // bit n: n + 1 cycles later

    assign {dat_bank, dat_row} = csc2cbuf_dat_rd_addr;
    assign {wt_bank, wt_row}   = csc2cbuf_wt_rd_addr;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            dat_low_q   <= {LOWS{1'b0}};
            wt_low_q    <= {LOWS{1'b0}};
            dat_valid_q <= ${cbuf_rd_latency}'d0;
            wt_valid_q  <= ${cbuf_rd_latency}'d0;
        end else begin
            dat_low_q   <= select(csc2cbuf_dat_rd_valid, dat_bank[LOW_W-1:0]);
            wt_low_q    <= select(csc2cbuf_wt_rd_valid, wt_bank[LOW_W-1:0]);
            dat_valid_q <= {dat_valid_q[${cbuf_rd_latency - 2}:0], csc2cbuf_dat_rd_valid};
            wt_valid_q  <= {wt_valid_q[${cbuf_rd_latency - 2}:0], csc2cbuf_wt_rd_valid};
        end
    end

    always @(posedge clk) begin
        if (csc2cbuf_dat_rd_valid) begin
            dat_high_q <= ${highs == 1 ? "1'b1" : "{{(HIGHS-1){1'b0}}, 1'b1} << dat_bank[BANK_W-1:LOW_W]"};
            dat_sel_q  <= dat_bank[LOW_W-1:0];
            dat_row_q  <= dat_row;
        end
        if (csc2cbuf_wt_rd_valid) begin
            wt_high_q <= ${highs == 1 ? "1'b1" : "{{(HIGHS-1){1'b0}}, 1'b1} << wt_bank[BANK_W-1:LOW_W]"};
            wt_sel_q  <= wt_bank[LOW_W-1:0];
            wt_row_q  <= wt_row;
        end
    end

//% if types.sparsity_masks
    // ------------------------------------------------------------------ reads: masks
    reg  [${cbuf_rd_latency - 1}:0]         wmb_valid_q;    // bit n: n + 1 cycles later
    reg  [ROW_W-1:0]   wmb_row_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) wmb_valid_q <= ${cbuf_rd_latency}'d0;
        else        wmb_valid_q <= {wmb_valid_q[${cbuf_rd_latency - 2}:0], csc2cbuf_wmb_rd_valid};
    end

    always @(posedge clk) begin
        if (csc2cbuf_wmb_rd_valid) wmb_row_q <= csc2cbuf_wmb_rd_row;
    end

//% end
    // ------------------------------------------------------------------ banks
    genvar b, a, g;

    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
            wire [ENTRY_W-1:0] entry;             // read data
//% if !secondary_memif_enable
            wire             we  = wr_low_q[b%LOWS] && wr_high_q[b/LOWS];
//% else
            wire             dat_we = dat_wr_low_q[b%LOWS] & dat_wr_high_q[b/LOWS];
            wire             wt_we  = wt_wr_low_q[b%LOWS] & wt_wr_high_q[b/LOWS];
            wire             we     = dat_we || wt_we;
            wire [Q-1:0]     wr_sel = dat_we ? dat_wr_sel_q : wt_wr_sel_q;
            wire [ROW_W-1:0] wr_row = dat_we ? dat_wr_row_q : wt_wr_row_q;
            wire [${wt.atoms > 1 ? "PAIR_W" : "ATOM_W"}-1:0] wr_data = dat_we ? ${wt.atoms > 1 ? "{2{dat_wr_data_q}}" : "dat_wr_data_q"} : wt_wr_data_q;
//% end
            wire             dat = dat_low_q[b%LOWS] && dat_high_q[b/LOWS];
            wire             wt  = wt_low_q[b%LOWS] && wt_high_q[b/LOWS];
//% if types.sparsity_masks
            wire             wmb = (b == BANKS - 1) && wmb_valid_q[0];
            wire [ROW_W-1:0] row = dat ? dat_row_q : wmb ? wmb_row_q : wt_row_q;
//% else
            wire [ROW_W-1:0] row = dat ? dat_row_q : wt_row_q;
//% end

            for (a = 0; a < Q; a = a + 1) begin : gen_atom
                sram_1r1w #(.W(ATOM_W), .DEPTH(DEPTH)) u_ram (
                    .clk   (clk),
                    .we    (we && ${secondary_memif_enable ? "wr_sel" : "wr_sel_q"}[a]),
                    .waddr (${secondary_memif_enable ? "wr_row" : "wr_row_q"}),
                    .wdata (${wt.atoms > 1 ? "wr_data[(a%2)*ATOM_W +: ATOM_W]" : secondary_memif_enable ? "wr_data" : "wr_data_q"}),
                    .re    (dat || wt || wmb),  //% if types.sparsity_masks
                    .re    (dat || wt),  //% if !types.sparsity_masks
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

//% if lows == 4
            assign dat = dat_sel[1] ? (dat_sel[0] ? gen_bank[g*LOWS+3].entry
                                                  : gen_bank[g*LOWS+2].entry)
                                    : (dat_sel[0] ? gen_bank[g*LOWS+1].entry
                                                  : gen_bank[g*LOWS].entry);
            assign wt  = wt_sel[1]  ? (wt_sel[0]  ? gen_bank[g*LOWS+3].entry
                                                  : gen_bank[g*LOWS+2].entry)
                                    : (wt_sel[0]  ? gen_bank[g*LOWS+1].entry
                                                  : gen_bank[g*LOWS].entry);
//% else
            assign dat = dat_sel[0] ? gen_bank[g*LOWS+1].entry : gen_bank[g*LOWS].entry;
            assign wt  = wt_sel[0]  ? gen_bank[g*LOWS+1].entry : gen_bank[g*LOWS].entry;
//% end

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
//% if types.sparsity_masks

    reg [ENTRY_W-1:0] wmb_entry_q, wmb_data_q;

    always @(posedge clk) begin
        if (wmb_valid_q[1]) wmb_entry_q <= gen_bank[BANKS-1].entry;
        if (wmb_valid_q[2]) wmb_data_q  <= wmb_entry_q;
    end

    assign cbuf2csc_wmb_rd_valid = wmb_valid_q[3];
    assign cbuf2csc_wmb_rd_data  = wmb_data_q;
//% end

endmodule

`default_nettype wire
